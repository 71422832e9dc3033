"""Calibration, net benefit and curves of the winner: against the oracle and the correction."""

import math
import pickle

import numpy as np
import pytest

import bbc
from reference import clinical as oracle

N_ROWS = 60
N_BOOTSTRAPS = 60


def data(seed=0, n_rows=N_ROWS, n_configurations=6, decimals=2):
    """Probabilities with ties, some exactly 0 and 1, and their truth."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(-0.3, 1.2, n_rows)
    y = (rng.random(n_rows) < 1 / (1 + np.exp(-logit))).astype(int)
    scale = rng.uniform(0.5, 2.5, n_configurations)
    noisy = scale * logit[:, None] + rng.normal(0, 0.8, (n_rows, n_configurations))
    return y, np.round(1 / (1 + np.exp(-noisy)), decimals)


def draws(n_rows=N_ROWS, seed=1):
    return np.random.default_rng(seed).integers(0, n_rows, (N_BOOTSTRAPS, n_rows))


CASES = {
    "plain": {},
    "weighted": {"sample_weight": np.random.default_rng(3).uniform(0.5, 3, N_ROWS)},
    "zero weights": {"sample_weight": np.arange(N_ROWS) % 3.0},
}


@pytest.fixture(params=CASES)
def case(request):
    y, p = data()
    return y, p, {"confidence_level": 0.9, "resamples": draws(), **CASES[request.param]}


def samples(case, performance):
    """The rows on which each replicate's winner is scored."""
    y, p, options = case
    weights = options.get("sample_weight", np.ones(len(y)))
    for b, drawn in enumerate(options["resamples"]):
        out = (np.bincount(drawn, minlength=len(y)) == 0) & (weights > 0)
        winner = performance.replicate_winners[b]
        yield oracle.Rows(y[out], p[out, winner], weights[out])


def rows_of(case):
    """The rows of a replicate (None: all) with the predictions of a configuration."""
    y, p, options = case
    weights = options.get("sample_weight", np.ones(len(y)))

    def of(replicate, configuration):
        there = weights > 0
        if replicate is not None:
            drawn = options["resamples"][replicate]
            there &= np.bincount(drawn, minlength=len(y)) == 0
        return oracle.Rows(y[there], p[there, configuration], weights[there])

    return of


def without_shifts(case, performance, value):
    """What is left of replicates of a value that depends on the number of rows."""
    return oracle.without_shifts(
        value, rows_of(case), performance.replicate_winners, performance.winner
    )


def all_rows(case, performance):
    y, p, options = case
    weights = options.get("sample_weight", np.ones(len(y)))
    there = weights > 0
    return oracle.Rows(y[there], p[there, performance.winner], weights[there])


def same(found, expected, tolerance=1e-12):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


CLASSES = np.array(["no", "mild", "severe"])


def data_of_three():
    """The truth of three classes whose columns are not in the order of the sorted names."""
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 1.2, (N_ROWS, 3))
    odds = np.exp(logits)
    chances = odds / odds.sum(axis=1, keepdims=True)
    codes = np.array([rng.choice(3, p=p) for p in chances])
    noisy = np.exp(logits[:, None] + rng.normal(0, 0.7, (N_ROWS, 6, 3)))
    return CLASSES[codes], noisy / noisy.sum(axis=2, keepdims=True)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("kind", CASES)
def test_statistics_of_one_class_are_the_oracles_of_it_against_the_rest(kind, name):
    y, p = data_of_three()
    options = {"confidence_level": 0.9, "resamples": draws(), **CASES[kind]}
    place = CLASSES.tolist().index(name)
    case = ((y == name).astype(int), p[:, :, place], options)
    alone = bbc.correct(y, p, metric="log_loss", labels=CLASSES, **options)
    c = alone.calibration(n_bins=4, of_class=name)
    assert c.performance == alone
    assert c.of_class == name
    assert c.summary().startswith(f"calibration for {name} of the winner by log_loss")
    assert bbc.results.Calibration.from_json(c.to_json()) == c
    out, whole = list(samples(case, alone)), all_rows(case, alone)
    lines = np.array([oracle.line(rows, firth=True) for rows in out])
    fitted = ~np.isnan(lines[:, 0])
    same(c.slope.replicates, lines[fitted, 1], 1e-9)
    same((c.slope_intercept.apparent, c.slope.apparent), oracle.line(whole), 1e-9)
    both = [rows for rows in out if 0 < rows.y.sum() < len(rows.y)]  # of a rare class perhaps not
    same(c.intercept.replicates, [oracle.intercept(rows, firth=True) for rows in both], 1e-9)
    assert c.intercept.n_undefined == len(out) - len(both)
    same(c.brier_score.replicates, [oracle.brier_parts(rows, 4)["brier_score"] for rows in out])
    assert c.event_counts.sum() == np.count_nonzero(case[0])
    d = alone.decision_curve(thresholds=[0.2, 0.5], of_class=name)
    expected = np.array([[oracle.net_benefit(rows, t)[0] for t in (0.2, 0.5)] for rows in out])
    same(d.net_benefit.estimates, [math.fsum(column) / len(out) for column in expected.T])
    roc = alone.roc_curve(of_class=name)
    areas = [oracle.partial_area(rows, 0.5, 1, focus="specificity")[0] for rows in both]
    same(roc.partial_auc(specificity=(0.5, 1), standardized=False).replicates, areas)
    pr = alone.precision_recall_curve(of_class=name)
    same(pr.curve.apparent, [oracle.precision_at(whole, x) for x in pr.curve.x])
    assert d.of_class == roc.of_class == pr.of_class == name


@pytest.mark.parametrize("question", ["calibration", "decision_curve", "roc_curve"])
def test_a_class_that_cannot_be_read_is_refused(question):
    y, p = data_of_three()
    ask = getattr(bbc.correct(y, p, metric="log_loss", labels=CLASSES), question)
    with pytest.raises(ValueError, match=r"^y has 3 classes .* of_class= sets one"):
        ask()
    with pytest.raises(ValueError, match='of_class="none" is none of the classes'):
        ask(of_class="none")
    of_two = getattr(bbc.correct(*data(), metric="log_loss"), question)
    with pytest.raises(ValueError, match="of_class=1 is for more than two classes"):
        of_two(of_class=1)


def test_calibration_is_the_oracles(case):
    y, p, options = case
    c = bbc.correct(y, p, metric="log_loss", **options).calibration(n_bins=4)
    out, whole = list(samples(case, c.performance)), all_rows(case, c.performance)
    lines = np.array([oracle.line(rows, firth=True) for rows in out])
    fitted = ~np.isnan(lines[:, 0])
    same(c.slope_intercept.replicates, lines[fitted, 0], 1e-9)
    same(c.slope.replicates, lines[fitted, 1], 1e-9)
    assert c.slope.n_undefined == np.count_nonzero(~fitted)
    same((c.slope_intercept.apparent, c.slope.apparent), oracle.line(whole), 1e-9)
    same(c.intercept.replicates, [oracle.intercept(rows, firth=True) for rows in out], 1e-9)
    same(c.intercept.apparent, oracle.intercept(whole), 1e-9)
    parts, of_all = [oracle.brier_parts(rows, 4) for rows in out], oracle.brier_parts(whole, 4)
    for name in set(of_all) - {"share_certain"}:
        quantity = getattr(c, name)
        expected = [each[name] for each in parts]
        if name != "brier_score":  # a mean over rows
            expected = without_shifts(
                case, c.performance, lambda rows, name=name: oracle.brier_parts(rows, 4)[name]
            )
        same(quantity.replicates, expected)
        same(quantity.apparent, of_all[name])
        assert quantity.estimate == math.fsum(quantity.replicates) / len(quantity.replicates)
    same(c.share_certain, of_all["share_certain"])
    curves = np.array([[oracle.smooth(rows, x) for x in c.curve.x] for rows in out])
    same(c.curve.estimates, oracle.continued(curves).mean(axis=0), 1e-9)
    same(c.curve.apparent, [oracle.smooth(whole, x) for x in c.curve.x], 1e-9)
    assert np.array_equal(c.curve.n_undefined, np.isnan(curves).sum(axis=0))
    assert (2 * c.curve.n_undefined <= N_BOOTSTRAPS).all()


def same_but_for_events(curve, expected):
    """Limits are those of the replicates or farther out (see test_score_limits)."""
    for name, values in expected.items():
        own = getattr(curve, name)
        if name.endswith("lows"):
            assert (own <= values + 1e-12).all()
        elif name.endswith("highs"):
            assert (own >= values - 1e-12).all()
        else:
            same(own, values)


def test_net_benefit_is_the_oracles(case):
    y, p, options = case
    at = [0.05, 0.2, 0.37, 0.5, 0.8]
    d = bbc.correct(y, p, metric="log_loss", **options).decision_curve(thresholds=at)
    replicates = np.array(
        [[oracle.net_benefit(rows, t) for t in at] for rows in samples(case, d.performance)]
    )
    replicates[:, :, 3] = np.transpose(
        [
            without_shifts(case, d.performance, lambda rows, t=t: oracle.net_benefit(rows, t)[3])
            for t in at
        ]
    )
    curves = (d.net_benefit, d.treat_all, d.over_treat_all, d.standardized)
    whole = all_rows(case, d.performance)
    for i, curve in enumerate(curves):
        expected = oracle.band(replicates[:, :, i], 0.9)
        if i == 3:  # limits end at 1, as the standardised net benefit does
            for name in ("highs", "simultaneous_highs"):
                expected[name] = np.minimum(expected[name], 1)
        same_but_for_events(curve, expected)
        same(curve.apparent, [oracle.net_benefit(whole, t)[i] for t in at])


def test_curves_are_the_oracles(case):
    y, p, options = case
    c = bbc.correct(y, p, metric="log_loss", **options)
    roc, curve = c.roc_curve(), c.precision_recall_curve()
    out, whole = list(samples(case, roc.performance)), all_rows(case, roc.performance)
    for found, at in ((roc.curve, oracle.sensitivity_at), (curve.curve, oracle.precision_at)):
        values = np.array([[at(rows, x) for x in found.x] for rows in out])
        same_but_for_events(found, oracle.band(values, 0.9))
        same(found.apparent, [at(whole, x) for x in found.x])
    same(curve.prevalence, np.average(whole.y, weights=whole.w))


def test_quantities_of_the_roc_curve_are_the_oracles(case):
    y, p, options = case
    roc = bbc.correct(y, p, metric="log_loss", **options).roc_curve()
    out = list(samples(case, roc.performance))
    for low, high in ((0.8, 1.0), (0.0, 1.0), (0.25, 0.7)):
        for focus in ("specificity", "sensitivity"):
            for place, standardized in enumerate((False, True)):
                found = roc.partial_auc(**{focus: (low, high)}, standardized=standardized)
                expected = [
                    oracle.partial_area(rows, low, high, focus=focus)[place] for rows in out
                ]
                same(found.replicates, expected)
    for value in (0.0, 0.57, 0.9, 1.0):
        found = roc.sensitivity_at(specificity=value)
        same(found.replicates, [oracle.sensitivity_at(rows, 1 - value) for rows in out])
        found = roc.specificity_at(sensitivity=value)
        same(found.replicates, [oracle.specificity_at(rows, value) for rows in out])


DOORS = {
    "rows": {},
    "two-level": {"method": "bbc-two-level", "folds": np.arange(N_ROWS) % 6},
    "groups": {"groups": np.arange(N_ROWS) // 2},
    "strata": {"stratify_bootstrap": True},
    "weights": {"sample_weight": np.random.default_rng(3).uniform(0.5, 3, N_ROWS)},
    "by fold": {"pooling": "fold", "folds": np.arange(N_ROWS) % 3},
    "other class": {"pos_label": 0},
    "a rule": {"selection": lambda scores, counts: int(np.argmax(scores))},
}


@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("door", DOORS)
def test_replicates_are_those_of_the_correction(door, repeats):
    """The whole area is the AUC of `bbc.correct`, and so is the Brier score."""
    y, _ = data()
    p = [data()[1], data(5)[1], data(6)[1]][:repeats]
    options = {"n_bootstraps": 50, "random_state": 3, "confidence_level": 0.9, **DOORS[door]}
    if "folds" in options:
        options["folds"] = np.stack([np.roll(options["folds"], shift) for shift in range(repeats)])
    pooled = bbc.correct(y, p, metric="log_loss", **{**options, "pooling": "pooled"})
    corrected = bbc.correct(y, p, metric="log_loss", **options)
    if door == "by fold":  # pooled statistics of winners by fold
        assert not np.array_equal(corrected.replicate_winners, pooled.replicate_winners)
    roc, c = corrected.roc_curve(), corrected.calibration()
    assert roc.performance == corrected
    area = roc.partial_auc(specificity=(0, 1), standardized=False)
    if door == "by fold":
        assert area.apparent != roc.performance.apparent
        return
    auc, brier = pooled.score("roc_auc"), pooled.score("brier_score")
    same(area.replicates, auc.replicates)
    same(area.estimate, auc.estimate)
    same(area.apparent, auc.apparent)
    # Events alone bound the area in any range; the AUC's own interval counts others, too.
    assert area.confidence_interval.low <= auc.confidence_interval.low + 1e-12
    same(c.brier_score.replicates, brier.replicates)
    same(c.brier_score.apparent, brier.apparent)


def test_folds_drawn_are_pooled():
    """BBC-F: equal folds that are not drawn have the Brier score of their rows."""
    y, p = data()
    folds = np.stack([np.arange(N_ROWS) % 6, np.arange(N_ROWS) // 10])
    options = {"method": "bbc-f", "folds": folds, "n_bootstraps": 60, "random_state": 2}
    repeats = [p, data(5)[1]]
    corrected = bbc.correct(y, repeats, metric="log_loss", **options)
    c, brier = corrected.calibration(), corrected.score("brier_score")
    same(c.brier_score.replicates, brier.replicates)
    same(c.brier_score.apparent, brier.apparent)


def test_rows_that_a_repeat_lacks_do_not_count():
    y, p = data()
    scores = np.stack([p, data(5)[1]])
    scores[0, :5] = scores[1, 50:] = np.nan
    predictions = bbc.results.OutOfSamplePredictions(y=y, scores=scores)
    options = {"n_bootstraps": 50, "random_state": 3, "confidence_level": 0.9}
    corrected = bbc.correct(y, predictions, metric="log_loss", **options)
    area = corrected.roc_curve().partial_auc(specificity=(0, 1), standardized=False)
    same(area.replicates, corrected.score("roc_auc").replicates)
    c = corrected.calibration()
    assert c.event_counts.sum() + c.other_counts.sum() == 55 + 50


def test_no_bit_depends_on_threads():
    y, p = data(n_rows=120, decimals=6)
    asked = {"metric": "roc_auc", "n_bootstraps": 1000, "random_state": 4}
    drawn = [bbc.correct(y, p, n_threads=n, **asked) for n in (1, 2)]
    for question in ("calibration", "decision_curve", "roc_curve", "precision_recall_curve"):
        one, two = (getattr(c, question)() for c in drawn)
        assert one == two
        assert one.to_json() == two.to_json()


def test_perfect_calibration_is_recognised():
    """Slope 1, intercept 0, and a curve on the diagonal: large data, known probabilities."""
    rng = np.random.default_rng(0)
    logit = rng.normal(size=4000)
    risk = 1 / (1 + np.exp(-logit))
    y = (rng.random(4000) < risk).astype(int)
    c = bbc.correct(
        y, risk[:, None], metric="log_loss", n_bootstraps=100, random_state=0
    ).calibration()
    for quantity in (c.slope, c.intercept, c.slope_intercept, c.observed_expected):
        low, high = quantity.confidence_interval
        assert low < quantity.ideal < high
    assert np.abs(c.curve.estimates - c.curve.x).max() < 0.08


def test_separated_classes_are_undefined_and_counted():
    """A cut-off between the classes in every sample: no slope, but an intercept and a curve."""
    y = np.repeat([0, 1], 30)
    p = np.where(y == 1, 0.9, 0.1) + np.linspace(-0.05, 0.05, 60)
    c = bbc.correct(y, p[:, None], metric="log_loss", n_bootstraps=80, random_state=0).calibration()
    assert c.slope.estimate is c.slope.apparent is c.slope.confidence_interval is None
    assert c.slope.n_undefined == 80
    assert c.intercept.n_undefined == 0
    assert np.isfinite(c.intercept.estimate)
    assert "separates the classes" in c.summary()
    assert bbc.results.Calibration.from_json(c.to_json()) == c


def test_probabilities_of_zero_and_one_have_no_logit():
    y, p = data()
    certain = p.copy()
    certain[:6] = np.array([0, 1, 0, 1, 1, 0])[:, None]
    c = bbc.correct(
        y, certain, metric="roc_auc", n_bootstraps=50, random_state=0, confidence_level=0.9
    ).calibration()
    assert c.share_certain >= 0.1
    rows = oracle.Rows(y[6:], p[6:, c.performance.winner], np.ones(54))
    same(c.slope.apparent, oracle.line(rows)[1], 1e-9)
    assert "exactly 0 or 1" in c.summary()


def test_simultaneous_bands_hold_the_replicates_they_promise():
    rng = np.random.default_rng(0)
    curves = np.cumsum(rng.normal(size=(400, 30)), axis=1)
    band = bbc._engine.curve_band(curves, 0.9, (), np.empty((0, 2)))
    inside = (curves >= band["simultaneous_lows"]) & (curves <= band["simultaneous_highs"])
    assert inside.all(axis=1).mean() >= 0.9
    for name, values in oracle.band(curves, 0.9).items():
        same(band[name], values)
    transformed = bbc._engine.curve_band(np.exp(curves), 0.9, (), np.empty((0, 2)))
    same(transformed["simultaneous_lows"], np.exp(band["simultaneous_lows"]))


def test_a_replicate_that_ends_goes_on_with_the_others():
    rng = np.random.default_rng(1)
    curves = rng.normal(size=(200, 3))
    curves[::2, 1] = np.nan
    curves[:, 2] = np.nan
    band = bbc._engine.curve_band(curves, 0.9, (), np.empty((0, 2)))
    assert band["n_undefined"].tolist() == [0, 100, 200]
    whole = oracle.continued(curves)
    same(band["estimates"][:2], whole[:, :2].mean(axis=0))
    same(band["lows"][1], np.sort(whole[:, 1])[9])
    same(band["highs"][1], np.sort(whole[:, 1])[189])
    assert np.isnan(band["estimates"][2])
    assert np.isnan(band["simultaneous_lows"][2])


def test_the_curve_does_not_jump_where_the_set_of_winners_changes():
    """In a skewed cohort with 7 % events, risks of some winners end at .3, of others at .9."""
    rng = np.random.default_rng(6)
    logit = -4.4 + rng.gamma(1.2, 1.0, 1500)
    truth = 1 / (1 + np.exp(-logit))
    y = (rng.random(1500) < truth).astype(int)
    logistic = 1 / (1 + np.exp(-(1.15 * (logit + 2.4) - 2.4 + rng.normal(0, 0.15, 1500))))
    trees = np.minimum(0.6 * truth, 0.3) * rng.uniform(0.97, 1, 1500) + 0.02
    risks = np.column_stack([logistic, trees])
    c = bbc.correct(y, risks, metric="roc_auc", n_bootstraps=200, random_state=1).calibration()
    shares = c.performance.selection_frequency
    assert shares.min() > 0.2
    assert c.curve.n_undefined.max() > 0.2 * 200  # trees have no risk there
    # The mean of those that are left would jump by .1.
    assert np.abs(np.diff(c.curve.estimates, 2)).max() < 0.03
    assert np.abs(np.diff(c.curve.lows, 2)).max() < 0.08


def test_results_are_restored_from_json():
    y, p = data()
    options = {"metric": "roc_auc", "n_bootstraps": 50, "random_state": 1, "confidence_level": 0.9}
    c = bbc.correct(y, p, **options)
    roc = c.roc_curve()
    for result, kind in (
        (c.calibration(), bbc.results.Calibration),
        (c.decision_curve(), bbc.results.DecisionCurve),
        (roc, bbc.results.PerformanceCurve),
    ):
        assert kind.from_json(result.to_json()) == result
        assert result.to_frame().notna().to_numpy().any()
        assert len(result.summary().splitlines()) > 4
        with pytest.raises(ValueError, match=f"not a {kind.__name__}"):
            kind.from_json("{}")
    for again in (
        bbc.results.PerformanceCurve.from_json(roc.to_json()),
        pickle.loads(pickle.dumps(roc)),
    ):
        assert again == roc
        with pytest.raises(ValueError, match="restored curve"):
            again.sensitivity_at(specificity=0.9)


def test_predictions_are_read_as_the_statistic_needs_them():
    """Labels may select, probabilities are described; either class, as one column or two."""
    y, p = data()
    options = {"n_bootstraps": 50, "random_state": 1, "confidence_level": 0.9}
    one = bbc.correct(y, p, metric="log_loss", **options).calibration()
    both = np.stack([1 - p, p], axis=2)
    assert bbc.correct(y, both, metric="log_loss", **options).calibration().slope == one.slope
    names = np.array(["no", "yes"])[y]
    other = bbc.correct(names, both, metric="log_loss", pos_label="no", **options).calibration()
    same(other.slope.apparent, one.slope.apparent, 1e-9)
    same(other.intercept.apparent, -one.intercept.apparent, 1e-9)
    labels = np.where(p > 0.5, 1, 0)
    predictions = bbc.results.OutOfSamplePredictions(y=y, labels=labels[None], scores=p[None])
    corrected = bbc.correct(y, predictions, metric="accuracy", **options)
    by_labels = corrected.calibration()
    assert by_labels.performance == corrected
    winner = by_labels.performance.winner
    same(by_labels.brier_score.apparent, np.mean((y - p[:, winner]) ** 2))
    function = bbc.correct(y, p, metric=lambda y, p: -np.mean((y - p) ** 2), **options)
    named = bbc.correct(y, p, metric="neg_brier_score", **options)
    assert function.calibration().slope == named.calibration().slope


FOUR = np.arange(N_ROWS) % 4


def test_too_few_folds_give_no_band():
    y, p = data()
    options = {"method": "bbc-two-level", "folds": np.arange(N_ROWS) % 3, "n_bootstraps": 50}
    corrected = bbc.correct(y, p, metric="log_loss", random_state=0, **options)
    d = corrected.decision_curve()
    assert d.net_benefit.lows is None
    assert d.net_benefit.simultaneous_highs is None
    c = corrected.calibration()
    assert c.slope.confidence_interval is None
    assert "BBC015" in c.summary()
    four = bbc.correct(y, p, metric="log_loss", random_state=0, **options | {"folds": FOUR})
    assert four.decision_curve().net_benefit.lows is not None


Y, P = data()
OF_THREE = (np.arange(N_ROWS) % 3, np.full((N_ROWS, 2, 3), 1 / 3))
#: What is corrected and by which options; what is asked.
REFUSED = {
    "scores for probabilities": (
        ((Y, P * 3), {}, "calibration", {}),
        r"predictions.*\[0, 1\]",
    ),
    "scores for net benefit": (
        ((Y, P - 0.5), {}, "decision_curve", {}),
        r"predictions.*\[0, 1\]",
    ),
    "three classes": ((OF_THREE, {"metric": "log_loss"}, "calibration", {}), "3 classes|classes"),
    "tt": (
        ((Y, P), {"method": "tt", "folds": np.arange(N_ROWS) % 5}, "roc_curve", {}),
        'method="tt"',
    ),
    "one-sided": (
        ((Y, P), {"alternative": "less"}, "roc_curve", {}),
        "whose intervals are two-sided",
    ),
    "an ensemble": (((Y, P), {"selection": bbc.top_k(2)}, "roc_curve", {}), "selection"),
} | {
    name: (((Y, P), {}, question, asked), message)
    for name, question, asked, message in (
        ("no bins", "calibration", {"n_bins": 0}, "n_bins must be at least 1"),
        ("many bins", "calibration", {"n_bins": 2**40}, "n_bins must be at most 10000"),
        ("half a bin", "calibration", {"n_bins": 2.5}, "n_bins must be an integer"),
        ("threshold 1", "decision_curve", {"thresholds": [0.5, 1.0]}, "thresholds"),
        ("per cent", "decision_curve", {"thresholds": [10]}, "write 10 % as 0.1"),
        ("falling", "decision_curve", {"thresholds": [0.5, 0.2]}, "thresholds must ascend"),
        ("text", "decision_curve", {"thresholds": ["x"]}, "thresholds must be numbers"),
        ("none", "decision_curve", {"thresholds": []}, "thresholds must be a list"),
    )
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_arguments_are_refused(name):
    (data, options, question, asked), message = REFUSED[name]
    c = bbc.correct(*data, **{"metric": "roc_auc", "n_bootstraps": 50, **options})
    with pytest.raises((ValueError, TypeError), match=message):
        getattr(c, question)(**asked)


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (Y, {"n_draws": 3}, "bbc.correct takes no argument 'n_draws'"),
        (Y, {"threshold": 0.5}, "no argument 'threshold'; selection=bbc.best_threshold[(][)]"),
        (Y[:-1], {}, "source has 59 rows"),
    ],
)
def test_a_wrong_correction_is_refused_at_once(y, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        bbc.correct(y, P, metric="roc_auc", n_bootstraps=50, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r.partial_auc(), "either specificity"),
        (lambda r: r.partial_auc(specificity=(0, 1), sensitivity=(0, 1)), "either specificity"),
        (lambda r: r.partial_auc(specificity=(1, 0.9)), "specificity must be a range"),
        (lambda r: r.partial_auc(sensitivity=0.9), "sensitivity must be two numbers"),
        (lambda r: r.sensitivity_at(specificity=90), "specificity must be between 0 and 1"),
        (lambda r: r.specificity_at(sensitivity=-1), "sensitivity must be between 0 and 1"),
        (lambda r: r.sensitivity_at(specificity=None), "specificity must be a number between 0"),
        (lambda r: r.specificity_at(sensitivity="high"), "sensitivity must be a number .*'high'"),
    ],
)
def test_wrong_ranges_are_refused(call, message):
    roc = bbc.correct(Y, P, metric="roc_auc", n_bootstraps=50, random_state=0).roc_curve()
    with pytest.raises((ValueError, TypeError), match=message):
        call(roc)


def test_a_precision_recall_curve_has_no_partial_auc():
    curve = bbc.correct(
        Y, P, metric="roc_auc", n_bootstraps=50, random_state=0
    ).precision_recall_curve()
    with pytest.raises(ValueError, match=r"use roc_curve"):
        curve.partial_auc(specificity=(0.9, 1))
