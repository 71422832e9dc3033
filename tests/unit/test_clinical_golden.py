"""Values of other packages: R's pROC and glm, scikit-learn.

Data: S100B and outcome of the 113 patients of pROC's ``aSAH``. R code, R 4.2 with pROC 1.18.0::

    r <- roc(aSAH$outcome, aSAH$s100b, levels = c("Good", "Poor"), direction = "<")
    auc(r, partial.auc = c(1, .9))                                    # AREAS, in this order
    auc(r, partial.auc = c(1, .9), partial.auc.correct = TRUE)
    auc(r, partial.auc = c(.95, .7), partial.auc.correct = TRUE)
    auc(r, partial.auc = c(1, .8), partial.auc.focus = "se")
    auc(r, partial.auc = c(1, .8), partial.auc.focus = "se", partial.auc.correct = TRUE)
    auc(r, partial.auc = c(.9, .5), partial.auc.focus = "se", partial.auc.correct = TRUE)
    coords(r, x = c(.9, .75, .5), input = "specificity", ret = "sensitivity")
    coords(r, x = c(.9, .75, .5), input = "sensitivity", ret = "specificity")
    y <- aSAH$outcome == "Poor"; x <- qlogis(pmin(pmax(aSAH$s100b, .01), .99))
    glm(y ~ x, binomial); glm(y ~ offset(x), binomial)   # what rms's val.prob fits
    glm(y ~ x, binomial, weights = rep(c(1, 2, 3), length.out = 113))
"""

import warnings

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, precision_recall_curve, roc_auc_score, roc_curve

import bbc

_OUTCOME = (
    "00001101001011001011101000000000100110110000000001100010001010011101101111000110"
    "100000010000000000001111110001000"
)
_S100B = (
    "13 14 10 4 13 10 47 16 18 10 12 10 44 71 4 8 49 4 7 33 9 9 7 11 7 17 7 11 13 19 5 16 41 "
    "14 34 35 48 9 96 25 50 46 16 7 43 45 11 8 9 86 52 8 6 13 207 10 14 15 7 6 77 5 9 30 3 9 "
    "4 23 70 9 27 71 8 26 8 16 9 13 10 8 11 33 11 28 7 10 32 22 7 5 24 38 10 15 8 14 10 7 4 "
    "19 56 14 58 32 82 74 15 47 17 44 15 50 48 "
)
Y = np.array([int(digit) for digit in _OUTCOME])
S100B = np.array([int(value) for value in _S100B.split()]) / 100
RISK = S100B.clip(0.01, 0.99)

AREAS = {
    (0.9, 1.0, "specificity", False): 0.032757452574525739,
    (0.9, 1.0, "specificity", True): 0.64609185565539873,
    (0.7, 0.95, "specificity", True): 0.70627138594618266,
    (0.8, 1.0, "sensitivity", False): 0.048821138211382092,
    (0.8, 1.0, "sensitivity", True): 0.58005871725383917,
    (0.5, 0.9, "sensitivity", True): 0.71270688153310102,
}
SENSITIVITIES = (0.39024390243902440, 0.63414634146341464, 0.77439024390243905)
SPECIFICITIES = (0.23055555555555554, 0.54166666666666663, 0.83333333333333337)
LINE = (0.58265660123220164, 0.82825918172968094)
INTERCEPT = 0.82175829361445862
WEIGHTED_LINE = (0.59367526808561644, 0.80925012282425013)


def apparent(values, **options):
    """A correction of one configuration, whose values on all rows are compared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        return bbc.correct(
            Y, values[:, None], metric="roc_auc", n_bootstraps=40, random_state=0, **options
        )


@pytest.mark.parametrize("case", AREAS)
def test_partial_areas_are_those_of_proc(case):
    low, high, focus, standardized = case
    roc = apparent(S100B).roc_curve()
    area = roc.partial_auc(**{focus: (low, high)}, standardized=standardized)
    assert area.apparent == pytest.approx(AREAS[case], rel=1e-12)


def test_the_whole_area_is_the_auc():
    roc = apparent(S100B).roc_curve()
    whole = roc.partial_auc(sensitivity=(0, 1))
    assert whole.apparent == pytest.approx(0.73136856368563685, rel=1e-12)
    assert whole.apparent == pytest.approx(roc_auc_score(Y, S100B), rel=1e-12)


def test_points_are_those_of_proc():
    roc = apparent(S100B).roc_curve()
    for at, sensitivity, specificity in zip(
        (0.9, 0.75, 0.5), SENSITIVITIES, SPECIFICITIES, strict=True
    ):
        found = roc.sensitivity_at(specificity=at)
        assert found.apparent == pytest.approx(sensitivity, rel=1e-12)
        found = roc.specificity_at(sensitivity=at)
        assert found.apparent == pytest.approx(specificity, rel=1e-12)


def test_logistic_recalibration_is_that_of_glm():
    c = apparent(RISK).calibration()
    assert (c.slope_intercept.apparent, c.slope.apparent) == pytest.approx(LINE, rel=1e-9)
    assert c.intercept.apparent == pytest.approx(INTERCEPT, rel=1e-9)
    weights = np.resize([1.0, 2.0, 3.0], len(Y))
    c = apparent(RISK, sample_weight=weights).calibration()
    assert (c.slope_intercept.apparent, c.slope.apparent) == pytest.approx(WEIGHTED_LINE, rel=1e-9)


def test_brier_score_and_bins_are_those_of_scikit_learn():
    """Of 100 rows without ties: scikit-learn's quantiles interpolate between ties."""
    y, risk = Y[:100], RISK[:100] + np.arange(100) * 1e-9
    of_risk = bbc.correct(y, risk[:, None], metric="roc_auc", n_bootstraps=40, random_state=0)
    c = of_risk.calibration(n_bins=5)
    assert c.brier_score.apparent == pytest.approx(brier_score_loss(y, risk), rel=1e-12)
    observed, predicted = calibration_curve(y, risk, n_bins=5, strategy="quantile")
    gap = np.abs(observed - predicted)
    assert c.calibration_error.apparent == pytest.approx(gap.mean(), rel=1e-12)
    assert c.reliability.apparent == pytest.approx((gap**2).mean(), rel=1e-12)


def test_curves_pass_through_the_points_of_scikit_learn():
    roc = apparent(S100B).roc_curve()
    rates, sensitivities, _ = roc_curve(Y, S100B, drop_intermediate=False)
    reached = [sensitivities[rates <= x + 1e-12].max() for x in rates]
    found = [roc.sensitivity_at(specificity=1 - x).apparent for x in rates]
    assert found == pytest.approx(reached, rel=1e-12)
    curve = apparent(S100B).precision_recall_curve().curve
    precision, recall, _ = precision_recall_curve(Y, S100B)
    for x, value in zip(curve.x, curve.apparent, strict=True):
        at = np.abs(recall - x) < 1e-12
        if at.any():
            assert value == pytest.approx(precision[at].max(), rel=1e-12)
