"""Digits of estimate, limits and apparent score: section 20 of the semantics."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bbc
from bbc._digits import decimals, number, shown
from bbc.reporting import _words
from bbc.results import ConfidenceInterval, MonteCarloError
from reference import monte_carlo_error as oracle

pytestmark = pytest.mark.filterwarnings("ignore:BBC0")
ERRORS = st.none() | st.just(0.0) | st.floats(1e-9, 1e4)
LIMITS = st.floats(-1e6, 1e6) | st.integers(-100, 100).map(lambda k: k / 100)
NUMBER = re.compile(r"-?\d+\.\d+")


@given(ERRORS, ERRORS, ERRORS, LIMITS, st.floats(0, 1e4) | st.just(math.inf))
@example(0.0, 0.0, 0.0, 0.8, 0.0)
@example(0.001, None, None, 0.1, 0.2)
@example(None, None, None, 0.1, 0.2)
@example(0.0, 5e-7, 0.0, 0.5, math.inf)
@example(0.0, 4e-7, 0.0, 0.5, math.inf)
def test_they_are_those_of_the_formula(of_estimate, of_low, of_high, low, width):
    errors = [each for each in (of_estimate, of_low, of_high) if each is not None]
    interval = ConfidenceInterval(low, low + width)
    width = interval.high - interval.low
    found = decimals((of_estimate, of_low, of_high), interval)
    if not errors and math.isinf(width):
        assert found is None
        return
    step = max([2 * error for error in errors] + [width / 200] * math.isfinite(width))
    if 0 < step < 1e-6:  # the formula would print 0.000000 for a loss of 1e-7
        assert found is None
        return
    assert found == oracle.decimals(max(errors, default=None), width)


def test_errors_alone_tell_where_there_is_no_interval():
    assert decimals((0.001, None, None), None) == oracle.decimals(0.001, math.inf) == 3
    assert decimals((), None) is None
    assert decimals((math.inf, math.nan), (0.0, 0.5)) == 3


@given(st.floats(-1e14, 1e14), st.integers(1, 6))
def test_a_number_has_so_many_decimals(value, places):
    text = shown(value, places)
    assert len(text.partition(".")[2]) == places
    assert abs(float(text) - value) <= 0.5 * 10.0**-places + 1e-9 * abs(value)
    assert not (text.startswith("-") and float(text) == 0)


@pytest.mark.parametrize("value", [1e300, -1e15, math.inf, math.nan])
def test_what_has_no_decimals_is_written_as_ever(value):
    assert shown(value, 3) == number(value) == f"{value:.6g}"


def cases():
    rng = np.random.default_rng(5)
    y = (np.arange(90) % 3 == 0).astype(int)
    risks = 1 / (1 + np.exp(-(y[:, None] + rng.normal(size=(90, 8)))))
    options = {"random_state": 1, "n_bootstraps": 400}
    real = y + rng.normal(size=90)
    folds = np.arange(90) % 10
    return {
        "auc": bbc.correct(y, risks, metric="roc_auc", **options),
        "loss": bbc.correct(y, risks, metric="neg_log_loss", **options),
        "large": bbc.correct(
            1e4 * real, 1e4 * risks, metric="mean_squared_error", secondary=["r2"], **options
        ),
        "one-sided": bbc.correct(y, risks, metric="roc_auc", alternative="greater", **options),
        "single": bbc.correct(y, risks[:, :1], metric="roc_auc", **options),
        "no interval": bbc.correct(
            y, risks, metric="roc_auc", folds=folds % 3, method="bbc-two-level", **options
        ),
        "calibrated": bbc.correct(
            y,
            risks,
            metric="roc_auc",
            folds=folds,
            method="bbc-two-level",
            interval="calibrated",
            **options,
        ),
    }


CORRECTIONS = cases()
CASES = {name: c.record for name, c in CORRECTIONS.items()}
CORRECTED = CORRECTIONS["auc"]


def expected(e):
    known = [each for each in e.monte_carlo_error if each is not None]
    interval = e.confidence_interval
    width = math.inf if interval is None else interval.high - interval.low
    return oracle.decimals(max(known), width)


def places_in(text):
    """The numbers of decimals in a text, without those of version, levels and shares."""
    text = re.sub(r"bbc \d[\d.]*|[\d.]+ %|winner=\d+", "", text)
    return {len(each.partition(".")[2]) for each in NUMBER.findall(text)}


@pytest.mark.parametrize("name", CASES)
def test_all_that_is_said_of_a_result_has_the_same(name):
    e = CASES[name]
    places = expected(e)
    facts = dict(e.facts)
    shown_facts = [facts[label] for label in ("estimate", "interval", "apparent") if label in facts]
    texts = [
        repr(e),
        *shown_facts,
        _words.headline(e),
        _words.uncorrected(e),
        _words.methods(e).partition("The estimate of")[2].partition("; limits")[0],
        e._page().html().partition("chosen")[0],
        *(label.get_text() for label in e.plot().ax_.get_legend().get_texts()),
    ]
    for text in texts:
        assert places_in(text) <= {places}, text
    assert facts["estimate"] == f"{e.estimate:.{places}f}"
    for value in (e.estimate, *(e.confidence_interval or ())):
        assert f"{value:z.{places}f}" in repr(e)
    # JSON keeps all.
    assert bbc.PerformanceEstimate.from_json(e.to_json()).estimate == e.estimate


def test_rows_of_a_table_have_their_own():
    e = CASES["large"]
    other = e.secondary["r2"]
    assert expected(e) != expected(other)
    (line,) = (line for line in e.summary().splitlines() if line.startswith("  r2"))
    assert places_in(line) == {expected(other)}
    path = bbc.correct(*data_of_path(), metric="roc_auc", random_state=1).tuning_path()
    assert places_in(path.summary().partition("BBC")[0]) == {expected(path.estimate)}


def data_of_path():
    s = bbc.simulate.auc(80, 20, random_state=0)
    return s.y, s.predictions


def test_nothing_known_leaves_six_significant_digits():
    e = replace(CASES["auc"], monte_carlo_error=None, confidence_interval=None)
    assert dict(e.facts)["estimate"] == f"{e.estimate:.6g}"
    assert "unknown" not in _words.headline(e)


def test_small_losses_are_not_zeros():
    small = bbc.PerformanceEstimate(
        estimate=1.23456e-8,
        metric="mean_squared_error",
        method="bbc",
        greater_is_better=False,
        n_rows=100,
        n_configurations=1,
        confidence_interval=ConfidenceInterval(1.1e-8, 1.4e-8),
        monte_carlo_error=MonteCarloError(1e-10, 2e-10, 2e-10),
    )
    assert "=1.23456e-08, interval=[1.1e-08, 1.4e-08]" in repr(small)


def decimals_of_cells(cells):
    return {len(each.partition(".")[2]) for cell in cells for each in re.findall(r"-?[\d.]+", cell)}


def test_a_quantity_has_the_decimals_of_its_interval():
    found = CORRECTED.calibration()
    n = CORRECTED.n_bootstraps
    for each in found.quantities:
        low, high = each.confidence_interval
        places = oracle.decimals(0.9 * (high - low) / math.sqrt(n), high - low)
        assert decimals_of_cells(each.cells[1:4]) == {places}


@pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve", "decision_curve"])
def test_points_of_a_curve_have_as_many_decimals_each(name):
    found = getattr(CORRECTED, name)()
    (table,) = found._page().tables
    (places,) = decimals_of_cells([cell for row in table[1:] for cell in row[1:]])
    curve = found.net_benefit if name == "decision_curve" else found.curve
    widest = (curve.highs - curve.lows).max()
    assert places >= oracle.decimals(0.9 * widest / math.sqrt(CORRECTED.n_bootstraps), widest)


def test_subgroups_have_the_decimals_of_all_rows():
    found = CORRECTED.subgroups(np.arange(90) % 4 == 0)
    table = found._page().tables[0]
    places = decimals_of_cells([cell for row in table[1:] for cell in row[-2:]])
    assert places == {expected(found.overall)}
