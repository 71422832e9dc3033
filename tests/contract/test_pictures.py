"""Each display beside a picture that was looked at.

After a wanted change: `PYTHONPATH=tests python tests/contract/test_pictures.py` draws the baselines
again; look at them before they are committed.
"""

import re
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.testing.compare import compare_images
from scipy import stats

import bbc
from bbc._drawable import Drawable
from bbc.plots._kinds import DISPLAYS
from families import compared_arrays
from instrumented import Witness, numbered_data

BASELINES = Path(__file__).parent.parent / "golden" / "pictures"
DOCS = Path(__file__).parents[2] / "docs"
# Root mean square of 0 to 255: releases of matplotlib move text by less, a lost line or colour
# moves more.
_TOLERANCE = 2.0

SIMULATED = bbc.simulate.accuracy(80, 16, random_state=0)
ESTIMATE = bbc.correct(SIMULATED.y, SIMULATED.predictions, metric="accuracy", random_state=1)


RISKS = bbc.simulate.auc(100, 16, random_state=0)
PROBABILITIES = 1 / (1 + np.exp(-RISKS.predictions))
FOLDS = np.arange(100) % 5


def corrected(predictions=PROBABILITIES):
    return bbc.correct(RISKS.y, predictions, metric="roc_auc", random_state=1)


def calibration():
    return corrected().calibration().plot(ax=axes())


def survival_calibration():
    times = bbc.simulate.survival(200, 12, random_state=0)
    survival = np.exp(-np.exp(times.predictions) / 2)
    brier = bbc.metrics.survival_brier_score(1.0)
    c = bbc.correct(times.y, survival, metric=brier, random_state=1)
    return c.survival_calibration(1.0).plot(ax=axes())


def decision_curve():
    return corrected().decision_curve().plot(ax=axes())


def performance_curve():
    return corrected(RISKS.predictions).roc_curve().plot(ax=axes())


def comparison():
    families = {
        "tuned": SIMULATED.predictions[:, :10],
        "other": SIMULATED.predictions[:, 10:15],
        "default": SIMULATED.predictions[:, 15:],
    }
    compared = compared_arrays(
        SIMULATED.y, families, metric="accuracy", folds=SIMULATED.folds, random_state=1
    )
    return compared.plot(ax=axes())


def difference():
    return bbc.plots.difference(
        SIMULATED.y, SIMULATED.predictions, metric="accuracy", random_state=1, ax=axes()
    )


def forest():
    other = bbc.correct(
        SIMULATED.y,
        SIMULATED.predictions,
        metric="accuracy",
        folds=SIMULATED.folds,
        method="bbc-f",
        random_state=1,
    )
    return bbc.plots.forest({"BBC": ESTIMATE, "BBC-F": other}, ax=axes())


def optimism():
    return bbc.plots.optimism(
        SIMULATED.y, SIMULATED.predictions, metric="accuracy", random_state=1, ax=axes()
    )


def replicates():
    return ESTIMATE.plot(ax=axes())


def sample_size():
    plan = bbc.plan_rows(
        (SIMULATED.y, SIMULATED.predictions), metric="accuracy", width=0.1, random_state=1
    )
    return plan.plot(ax=axes())


def selection():
    return bbc.plots.selection(ESTIMATE, n_shown=5, ax=axes())


def subgroups():
    by = np.repeat(["large", "medium", "tiny"], [50, 27, 3])
    return ESTIMATE.subgroups(by).plot(ax=axes())


def survival():
    X, y = numbered_data(120)
    search = bbc.BBCD(
        Witness(), {"shift": [0.0, 0.2, 4.0, 6.0]}, cv=6, n_bootstraps=200, random_state=3
    )
    return bbc.plots.dropping(search.fit(X, y), ax=axes())


def tuning_path():
    c = bbc.correct(
        SIMULATED.y,
        SIMULATED.predictions,
        metric="accuracy",
        method="bbc-two-level",
        folds=SIMULATED.folds,
        random_state=1,
    )
    return c.tuning_path().plot(ax=axes())


PICTURES = (
    *(calibration, comparison, decision_curve, difference, forest, optimism),
    *(performance_curve, replicates, sample_size, selection, subgroups, survival),
    *(survival_calibration, tuning_path),
)


def axes():
    return Figure(figsize=(6.4, 4.4), layout="constrained").subplots()


def draw(picture, path):
    with mpl.rc_context(mpl.rcParamsDefault):
        display = picture()
        display.figure_.savefig(path, dpi=60)
    return display


def test_every_display_has_a_baseline():
    drawn = {path.stem for path in BASELINES.glob("*.png")}
    assert drawn == {picture.__name__ for picture in PICTURES}
    functions = set(bbc.plots.__all__) - {"Display"}
    assert len(PICTURES) == len(DISPLAYS) + len(functions)
    shown = {type(picture().shown) for picture in PICTURES}
    assert shown > DISPLAYS.keys()
    assert len(shown) == len(PICTURES)


def test_every_result_that_can_be_drawn_has_a_display():
    drawable = {kind for kind in Drawable.__subclasses__() if kind is not bbc.Correction}
    assert drawable == DISPLAYS.keys()
    page = (DOCS / "api" / "plots.rst").read_text(encoding="utf-8")
    named = re.findall(r":class:`(?:results\.)?(\w+)`", page.split(".. autosummary::")[0])
    assert {*named} == {kind.__name__ for kind in drawable - {bbc.PerformanceEstimate}} | {
        "Correction"
    }
    assert isinstance(ESTIMATE, Drawable)
    assert not hasattr(ESTIMATE.confidence_interval, "plot")


def test_a_picture_of_replicates_needs_them():
    found = bbc.correct(RISKS.y, RISKS.predictions, metric="roc_auc", method="tt", folds=FOLDS)
    message = r"^plot needs replicates, and method 'tt' has none; bbc\.plots\.forest draws"
    with pytest.raises(ValueError, match=message):
        found.plot(ax=axes())
    with pytest.raises(ValueError, match=r"^estimate: method 'tt' selects nothing"):
        bbc.plots.selection(found, ax=axes())
    assert len(bbc.plots.forest({"tt": found}, ax=axes()).ax_.lines) == 2  # without an interval


@pytest.mark.parametrize("picture", PICTURES)
def test_picture_is_as_it_was(picture, tmp_path):
    path = tmp_path / f"{picture.__name__}.png"
    draw(picture, path)
    baseline = BASELINES / path.name
    assert compare_images(str(baseline), str(path), tol=_TOLERANCE) is None


def test_a_lost_line_is_seen(tmp_path):
    path = tmp_path / "replicates.png"
    display = draw(replicates, path)
    display.ax_.lines[0].remove()
    display.figure_.savefig(path, dpi=60)
    baseline = BASELINES / "replicates.png"
    assert compare_images(str(baseline), str(path), tol=_TOLERANCE) is not None


@pytest.mark.parametrize(
    "picture",
    [replicates, difference, calibration, survival_calibration, decision_curve, performance_curve],
)
def test_legends_above_hide_nothing(picture):
    ax = picture().ax_
    ax.figure.draw_without_rendering()
    drawn, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
    assert not legend.overlaps(drawn)
    assert not legend.overlaps(ax.title.get_window_extent())
    assert legend.x0 >= 0
    assert legend.x1 <= ax.figure.bbox.x1
    assert legend.y1 <= ax.figure.bbox.y1


def test_histograms_round_as_reports_do():
    low, high = ESTIMATE.confidence_interval
    interval, _, _ = replicates().ax_.get_legend().get_texts()
    assert interval.get_text() == f"95 % interval [{low:.3f}, {high:.3f}]"


def test_difference_is_that_of_the_two_best_on_the_same_rows():
    display = difference()
    scores = np.mean(SIMULATED.predictions == SIMULATED.y[:, None], axis=0)
    order = np.argsort(-scores, kind="stable")
    assert (display.shown.winner, display.shown.runner_up) == tuple(order[:2])
    assert display.shown.difference == pytest.approx(scores[order[0]] - scores[order[1]])
    # Unpaired draws would spread as the sum of both variances.
    first, last = (SIMULATED.predictions[:, one] == SIMULATED.y for one in order[:2])
    paired = np.std(first.astype(float) - last) / np.sqrt(len(first))
    assert np.std(display.shown.differences) == pytest.approx(paired, rel=0.1)


def test_the_interval_of_a_difference_allows_for_shared_training_rows():
    display = difference()
    low, high = display.shown.interval
    chosen = [display.shown.winner, display.shown.runner_up]
    right = (SIMULATED.predictions[:, chosen] == SIMULATED.y[:, None]).astype(float)
    apart = right[:, 0] - right[:, 1]
    error = np.sqrt(2) * np.std(apart, ddof=1) / np.sqrt(len(apart))  # of folds that share rows
    n = len(apart)
    quantile = stats.t.ppf(0.975, n - 1)
    half = quantile * error / np.sqrt(1 - quantile**2 / n)
    assert (high - low) / 2 == pytest.approx(half, rel=1e-6)
    assert low + high == pytest.approx(2 * display.shown.difference)


def test_difference_needs_two_configurations_and_a_defined_metric():
    with pytest.raises(ValueError, match="two configurations"):
        bbc.plots.difference([0, 1], [[0], [1]], metric="accuracy")
    y = np.array([0] * 30 + [1])
    scores = np.random.default_rng(0).random((31, 3))
    with pytest.raises(bbc.errors.UndefinedMetricError):
        bbc.plots.difference(y, scores, metric="roc_auc", random_state=1)


def test_curves_are_drawn_as_they_are():
    display = performance_curve()
    drawn = {line.get_label(): list(line.get_ydata()) for line in display.ax_.lines}
    assert drawn["corrected"] == display.shown.curve.estimates.tolist()
    assert drawn["apparent"] == display.shown.curve.apparent.tolist()
    assert len(display.ax_.collections) == 2  # both bands


def test_comparison_draws_each_difference():
    display = comparison()
    pairs = display.shown.differences
    _, differences = display.axes_
    drawn = [line.get_xdata() for line in differences.lines]
    for pair in pairs:
        assert any(list(x) == list(pair.confidence_interval) for x in drawn)
    assert len(differences.texts) == len(pairs)


def test_sample_size_shows_the_answer():
    display = sample_size()
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert f"needed: {display.shown.n_needed} rows" in texts
    assert "wanted: 0.1" in texts


def test_subgroups_are_drawn_below_all_rows():
    display = subgroups()
    names = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert names == ["all rows (80)", "large (50)", "medium (27)", "tiny (3)"]
    assert [text.get_text() for text in display.ax_.texts] == ["too small for this metric"]


def test_tuning_path_draws_both_curves():
    display = tuning_path()
    apparent, corrected = display.ax_.lines
    assert list(corrected.get_ydata()) == display.shown.estimates.tolist()
    assert list(apparent.get_ydata()) == display.shown.apparent.tolist()


def test_labels_of_a_path_do_not_overprint():
    scores = np.random.default_rng(0).random((40, 70))
    c = bbc.correct(np.arange(40) % 2, scores, metric="roc_auc", random_state=1, n_bootstraps=50)
    display = c.tuning_path().plot(ax=axes())
    assert display.shown.n_configurations.tolist() == [1, 2, 4, 8, 16, 32, 64, 70]
    labels = [label.get_text() for label in display.ax_.get_xticklabels()]
    assert labels == ["1", "2", "4", "8", "16", "32", "70"]


def test_survival_counts_those_trained_on_each_fold():
    display = survival()
    heights = [round(bar.get_height()) for bar in display.ax_.patches]
    assert sum(heights) + 1 == display.shown.n_models_trained_
    assert heights[0] == 4
    assert heights[-1] == np.count_nonzero(display.shown.dropped_ < 0)
    with pytest.raises(TypeError, match=r"fitted bbc\.BBCD, got BBC"):
        bbc.plots.dropping(bbc.BBC(Witness()))


@pytest.mark.parametrize("sizes", [{"n_rows": [0, -3]}, {"n_configurations": [17]}])
def test_optimism_refuses_sizes_that_are_not_there(sizes):
    with pytest.raises(ValueError, match=f"{next(iter(sizes))} must (lie in 1 to|be at least 1)"):
        bbc.plots.optimism(SIMULATED.y, SIMULATED.predictions, metric="accuracy", **sizes)


if __name__ == "__main__":
    sys.exit([draw(picture, BASELINES / f"{picture.__name__}.png") for picture in PICTURES] and 0)
