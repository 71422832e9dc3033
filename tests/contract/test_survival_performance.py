"""What a paper reports of survival, from one correction: numbers of the functions, and a page."""

import html
import re
from dataclasses import replace

import numpy as np
import pytest

import bbc
from bbc.reporting._clinical import performance_of
from instrumented import Exponential

AT = (0.5, 1.0)
S = bbc.simulate.survival(150, 10, random_state=0)
RISKS = S.predictions
SURVIVAL = np.exp(-np.exp(RISKS)[:, :, None] * AT / 2)
BOTH = bbc.Predictions(S.y, {"scores": RISKS, "survival": SURVIVAL}, times=AT)
UNO = bbc.metrics.uno_concordance(tau=1.0)
BRIER = bbc.metrics.integrated_brier_score(AT)
OPTIONS = {"random_state": 1, "n_bootstraps": 100}


@pytest.fixture(scope="module")
def performance():
    return bbc.correct(BOTH, metric=UNO, **OPTIONS).clinical(times=AT)


@pytest.fixture(scope="module")
def protocol():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 5))
    event, censored = 5 * rng.exponential(np.exp(-X[:, 2])), rng.exponential(9, 160)
    y = np.empty(160, dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = event <= censored, np.minimum(event, censored)
    scoring = {
        "uno": bbc.metrics.uno_concordance(tau=8),
        "integrated": bbc.metrics.integrated_brier_score([2, 5]),
        "auc": bbc.metrics.cumulative_dynamic_auc(5),
    }
    return bbc.BBC(
        Exponential(), {"column": [0, 1, 2, 3, 4]}, scoring=scoring, refit="uno", cv=5,
        n_bootstraps=100, random_state=1,
    ).fit(X, y)  # fmt: skip


@pytest.mark.parametrize("metric", [UNO, BRIER], ids=["uno", "brier"])
@pytest.mark.parametrize("own", [{}, {"block_length": 5}, {"groups": np.arange(150) // 3}])
def test_it_has_the_numbers_of_the_functions(metric, own):
    options = OPTIONS | own
    outputs = {"scores": RISKS, "survival": SURVIVAL}
    given = bbc.Predictions(S.y, outputs, times=AT, groups=options.pop("groups", None))
    c = bbc.correct(given, metric=metric, **options)
    found = c.clinical(times=AT, n_groups=4)
    expected = [
        bbc.metrics.uno_concordance(tau=1.0),
        *map(bbc.metrics.cumulative_dynamic_auc, AT),
        bbc.metrics.integrated_brier_score(AT),
        *map(bbc.metrics.survival_brier_score, AT),
    ]
    alone = bbc.correct(given, metric=metric, secondary=expected, **options)
    first, *others = found.performances
    assert first == replace(alone.record, secondary={})
    assert others == list(alone.secondary.values())
    assert found.times == AT
    for time, calibration in zip(AT, found.calibrations, strict=True):
        assert calibration == c.survival_calibration(time, n_groups=4)
    assert found.n_events == S.y["event"].sum()


def test_what_the_predictions_do_not_hold_is_not_reported():
    one = bbc.metrics.survival_brier_score(1.0)
    found = bbc.correct(S.y, SURVIVAL[:, :, 1], metric=one, **OPTIONS).clinical(times=[1.0])
    assert [each.metric for each in found.performances] == [one.name]
    found = bbc.correct(S.y, SURVIVAL, times=AT, metric=BRIER, **OPTIONS).clinical(times=[0.5])
    assert [each.metric for each in found.performances] == [
        BRIER.name, "survival_brier_score(time=0.5)"
    ]  # fmt: skip
    c = bbc.correct(BOTH, metric=UNO, **OPTIONS)
    few = c.clinical(times=AT, secondary=["concordance_index", UNO])
    assert [each.metric for each in few.performances] == [UNO.name, "concordance_index"]


def test_it_is_shown_and_restored(performance):
    assert bbc.results.SurvivalPerformance.from_json(performance.to_json()) == performance
    lines = performance.summary().split("\n")
    assert max(map(len, lines)) <= 80
    assert not any(line.endswith("...") for line in lines[1:])
    assert any(line.startswith("  Uno's C (tau=1.0)") for line in lines)
    assert sum(line.startswith("  calibration slope") for line in lines) == 2
    table = performance.to_frame()
    slope = table[(table["quantity"] == "calibration slope") & (table["time"] == 0.5)]
    assert slope["estimate"].item() == performance.calibrations[0].slope.estimate
    curve = table[(table["quantity"] == "calibration curve") & (table["time"] == 1.0)]
    np.testing.assert_array_equal(curve["apparent"], performance.calibrations[1].curve.apparent)
    assert table["estimate"][0] == performance.performance.estimate


def test_the_page_shows_them(performance, tmp_path):
    text = bbc.report(performance, tmp_path / "page.html").read_text(encoding="utf-8")
    for _, *cells in performance.rows:
        assert all(f"<td>{cell}</td>" in text for cell in cells[:3])
    assert text.count("<img ") == 3  # two calibrations, and which configurations won
    shown = html.unescape(text)
    assert "The expected Uno's C (tau=1.0) of the tuned model" in shown
    assert "150 rows with 95 events; 10 configurations were compared by Uno's C (tau=1.0)." in shown
    for calibration in performance.calibrations:
        assert f"<h2>Calibration at {calibration.time:g}</h2>" in shown
        _, estimate, interval, *_ = calibration.slope.cells  # as its table has it
        limits = interval.strip("[]").replace(", ", " to ")
        assert f"The calibration slope is {estimate} (95\xa0%\xa0CI {limits})" in shown
    assert "discrimination, Brier scores, and calibration at stated times, above" in shown
    assert "net benefit" not in shown
    assert "download=" in text
    assert bbc.report(performance).title == "Performance of a tuned prediction model"


def test_the_page_begins_with_the_metric_that_selected(tmp_path):
    s = bbc.simulate.survival(80, 4, random_state=0)
    survival = np.exp(-np.exp(s.predictions)[:, :, None] * [0.5, 1.0] / 2)
    both = {"scores": s.predictions, "survival": survival}
    c = bbc.correct(s.y, both, times=[0.5, 1.0], metric="concordance_index", random_state=1)
    p = c.clinical(times=[0.5, 1.0])
    assert [e.metric for e in p.performances][1] == "uno_concordance(tau=1.0)"
    text = bbc.report(p, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "The expected C-index of the tuned model" in html.unescape(text)


def test_a_protocol_has_a_page_by_its_own_metrics(protocol, tmp_path):
    found = performance_of(protocol)
    own = protocol.performance_
    assert list(found.performances) == [own.record, *own.secondary.values()]
    assert len(own.secondary) > 0
    assert found.times == (2.0, 5.0)
    times = protocol.oos_predictions_.times
    assert list(found.calibrations) == [own.survival_calibration(time) for time in times]
    text = bbc.report(protocol, tmp_path / "page.html", kind="clinical").read_text(encoding="utf-8")
    assert re.search(r"<h2>Calibration at 2</h2>.*<h2>Calibration at 5</h2>", text, re.DOTALL)
    assert "<h2>Performance</h2>" in bbc.report(protocol, kind="clinical").html


@pytest.mark.parametrize(
    ("predictions", "asked", "message"),
    [
        (BOTH, {"times": 1.0}, "times must be several numbers"),
        (BOTH, {"times": [1.0, 0.5]}, "times must be above 0 and ascend"),
        (BOTH, {"times": []}, "times must be above 0"),
        (BOTH, {"times": [0.7]}, "survival is not interpolated"),
        (BOTH, {"times": AT, "secondary": "roc_auc"}, "secondary must be a list"),
        (BOTH, {"times": AT, "secondary": [BRIER, BRIER]}, "secondary has a second metric"),
        (BOTH, {"times": AT, "n_groups": 1}, "n_groups must be"),
        (BOTH, {"times": AT, "method": "tt"}, "folds is needed by method"),
        (bbc.Predictions(S.y, RISKS), {"times": AT}, "calibration reads survival"),
    ],
)
def test_what_cannot_be_reported_is_refused(predictions, asked, message):
    asked = dict(asked)
    method = asked.pop("method", "bbc")
    with pytest.raises((ValueError, TypeError), match=message):
        bbc.correct(predictions, metric=UNO, method=method).clinical(**asked)
