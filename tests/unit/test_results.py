"""PerformanceEstimate: signs, exact round trips, text that fits, HTML that is safe."""

import copy
import json
import math
import pickle
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bbc
from bbc import ConfidenceInterval, PerformanceEstimate
from bbc._frozen import filled, read_only
from bbc.errors import MissingExtraError
from bbc.findings import finding
from families import compared_arrays

BITS = np.array([0.1 + 0.2, 1 / 3, -0.0, 5e-324, 1.7976931348623157e308, 2**-1074, math.pi])


def make(**changes):
    fields = {
        "estimate": 0.1 + 0.2,
        "metric": "gain",  # none that has a range
        "method": "bbc",
        "greater_is_better": True,
        "n_rows": 100,
        "n_configurations": 4,
        "winner": 2,
        "apparent": 0.9,
        "confidence_interval": ConfidenceInterval(0.25, math.inf, 0.95, "greater"),
        "replicate_sd": 0.01,
        "replicates": BITS,
        "replicate_winners": np.array([2, 2, 0, 3, 2, 2, 0]),
        "n_redrawn": 3,
        "n_folds": 10,
        "seed": 42,
        "version": "0.1.0",
        "names": ("a", "b<script>", "c & d", "Infinity"),
        "pos_label": "yes",
        "left_out_rows": [5],
        "notes": ("the sample is too small for this metric, " * 4,),
        "data_findings": (finding("BBC006", "30 draws"),),
    }
    return PerformanceEstimate(**(fields | changes))


def test_optimism_is_positive_when_too_good():
    assert make(apparent=0.9, estimate=0.8).optimism == pytest.approx(0.1)
    loss = make(apparent=0.1, estimate=0.3, greater_is_better=False)
    assert loss.optimism == pytest.approx(0.2)
    assert make(apparent=None).optimism is None


def test_selection_frequency_covers_all_configurations():
    frequency = make().selection_frequency
    assert frequency.tolist() == [2 / 7, 0, 4 / 7, 1 / 7]
    assert make(replicates=None, replicate_winners=None).selection_frequency is None


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_json_restores_every_bit(alternative):
    interval = ConfidenceInterval(-math.inf, 0.1 + 0.7, 0.9, alternative)
    result = make(confidence_interval=interval)
    text = result.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    again = PerformanceEstimate.from_json(text)
    assert again == result
    assert again.replicates.tobytes() == BITS.tobytes()
    assert again.confidence_interval == interval
    assert again.names == result.names
    assert again.to_json() == text


@given(
    st.lists(st.floats(allow_nan=False), min_size=1),
    st.floats(allow_nan=False),
    st.lists(st.text(), min_size=4, max_size=4),
)
def test_json_restores_whatever_there_is(replicates, estimate, names):
    result = make(
        replicates=replicates,
        replicate_winners=np.zeros(len(replicates)),
        estimate=estimate,
        names=names,
        winner_name="",
    )
    again = PerformanceEstimate.from_json(result.to_json())
    assert again == result
    assert again.replicates.tobytes() == result.replicates.tobytes()
    assert max(map(len, result.summary().splitlines())) <= 80


@pytest.mark.parametrize("label", [1, True, "yes", 1.5, np.int64(3), np.str_("a"), None])
def test_json_keeps_the_positive_class(label):
    result = make(pos_label=label)
    assert PerformanceEstimate.from_json(result.to_json()) == result


@pytest.mark.parametrize("label", [b"yes", np.bytes_(b"\xff"), ("a", 1)])
def test_a_positive_class_that_json_cannot_hold_becomes_text(label):
    result = make(pos_label=label)
    assert isinstance(result.pos_label, str)
    assert PerformanceEstimate.from_json(result.to_json()) == result


def test_json_without_interval_or_replicates():
    result = PerformanceEstimate(0.5, "accuracy", "tt", True, n_rows=10, n_configurations=2)
    assert PerformanceEstimate.from_json(result.to_json(indent=1)) == result


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "not JSON"),
        ("[]", "not a PerformanceEstimate"),
        ('{"type": "bbc.PerformanceEstimate", "schema": 99}', "schema 99"),
        ('{"type": "bbc.PerformanceEstimate", "schema": 1}', "not a complete"),
        ('{"type": "bbc.PerformanceEstimate", "schema": 1, "other": 1}', "'other'"),
        ('{"type": "bbc.PerformanceEstimate", "schema": 1, "schema": 1}', "'schema' twice"),
        ('{"interval": {"low": 0, "low": 1}}', "'low' twice"),
        ('{"estimate": NaN}', "NaN is not a number"),
        ('{"estimate": -Infinity}', "-Infinity is not a number"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        PerformanceEstimate.from_json(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("confidence_interval", "wide"),
        ("confidence_interval", {"lowest": 0.1}),
        ("confidence_interval", {"low": "a", "high": 0.9}),
        ("estimate", None),
        ("estimate", "good"),
        ("metric", 5),
        ("n_rows", "Infinity"),
        ("names", ["a"]),
        ("notes", [1]),
        ("replicates", [[0.1, 0.2]]),
        ("replicates", ["a"]),
        ("replicate_winners", [-1]),
        ("replicate_winners", [[0]]),
        ("winner", None),
        ("winner", -1),
        ("winner", 4),
        ("winner", True),
        ("estimate", "NaN"),
        ("apparent", "NaN"),
        ("replicates", ["NaN"] * 7),
        ("replicate_sd", -0.1),
        ("n_rows", -1),
        ("n_rows", 3.5),
        ("n_rows", "100"),
        ("seed", 4.0),
        ("left_out_rows", [0.5]),
        ("greater_is_better", "no"),
        ("greater_is_better", 1),
        ("confidence_interval", {"low": 0.9, "high": 0.1}),
        ("confidence_interval", {"low": "NaN", "high": 0.1}),
        ("confidence_interval", {"low": 0.1, "high": 0.9, "confidence_level": 95}),
        ("confidence_interval", {"low": 0.1, "high": 0.9, "alternative": "both"}),
        ("confidence_interval", {"low": 0.1, "high": 0.9, "confidence_level": True}),
    ],
)
def test_values_that_no_result_has_are_refused(field, value):
    document = json.loads(make().to_json()) | {field: value}
    with pytest.raises(ValueError, match="not a complete PerformanceEstimate"):
        PerformanceEstimate.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("estimate", 1e308),
        ("estimate", "Infinity"),
        ("apparent", -0.1),
        ("replicates", [0.5, 1.1]),
        ("confidence_interval", {"low": -0.5, "high": 0.9}),
    ],
)
def test_values_beyond_the_range_of_the_metric_are_refused(field, value):
    fields = {
        "metric": "roc_auc",
        "metric_range": (0, 1),
        "replicates": [0.5, 1.0],
        "replicate_winners": [0, 0],
    }
    document = json.loads(make(**fields).to_json())
    assert PerformanceEstimate.from_json(json.dumps(document)).metric == "roc_auc"
    with pytest.raises(ValueError, match=rf"{'.*' if 'val' in field else field} has .* is within"):
        PerformanceEstimate.from_json(json.dumps(document | {field: value}))
    # Some methods subtract a bias, which may lead beyond it.
    if field == "estimate" and value != "Infinity":
        beyond = json.dumps(document | {field: -0.01, "method": "tt"})
        assert PerformanceEstimate.from_json(beyond).estimate == -0.01


def test_equality_looks_into_arrays():
    assert make() == make()
    assert make() != make(replicates=BITS[::-1])
    assert make() != make(replicates=None)
    assert make() != make(confidence_interval=None)
    assert make() != "something else"


def test_frozen_and_read_only():
    result = make()
    with pytest.raises(AttributeError):
        result.estimate = 1.0
    with pytest.raises(ValueError, match="read-only"):
        result.replicates[0] = 1.0
    assert BITS.flags.writeable, "the caller's array stays the caller's"
    assert pickle.loads(pickle.dumps(result)) == result


def test_summary_fits_a_terminal_and_says_what_matters():
    names = tuple(f"configuration with a very long name {'x' * 90} {i}" for i in range(40))
    result = make(
        names=names,
        n_configurations=40,
        replicates=np.zeros(100),
        replicate_winners=np.arange(100) % 40,
        undefined_fold_share=0.25,
        effective_sample_size=123.4,
        left_out_configurations=[1, 2],
    )
    text = result.summary()
    assert max(map(len, text.splitlines())) <= 80
    for fact in ("0.3", "[0.25, inf]", "95 %, greater", "optimism 0.6", "seed", "42", "3 redrawn"):
        assert fact in text
    for fact in ("1 row\n", "2 configurations\n", "25 %", "123.4", "'yes'", "note  ", "others"):
        assert fact in text


def test_the_five_most_chosen_come_first_and_ties_in_order():
    winners = np.array([1] * 3 + [0] * 3 + [3] * 5)
    text = make(replicates=np.zeros(11), replicate_winners=winners).summary()
    places = [text.index(f"%  {index} ") for index in (3, 0, 1)]
    assert places == sorted(places)


def test_names_cannot_break_the_text():
    lines = make(names=("a\nb",) * 4).summary().splitlines()
    assert sum(r"a\nb" in line for line in lines) == 4


def test_html_escapes_names():
    html = make(winner=1)._repr_html_()
    assert "b&lt;script&gt;" in html
    assert "<script>" not in html


def test_repr_is_one_line():
    text = repr(make())
    assert "\n" not in text
    assert "gain=0.3" in text
    assert "[0.25, inf]" in text


def test_frame_has_one_row():
    frame = make().to_frame()
    assert frame.shape[0] == 1
    assert frame.loc[0, "estimate"] == 0.1 + 0.2
    assert frame.loc[0, "winner_name"] == "c & d"


def test_frame_without_pandas_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bbc-cv\[tables\]'"):
        make().to_frame()


def test_interval_unpacks():
    low, high = ConfidenceInterval(np.float64(0.1), 1)
    assert (low, high) == (0.1, 1.0)
    assert type(low) is float


def test_results_that_hold_mappings_are_pickled_and_copied():
    """Worker processes return them."""
    simulated = bbc.simulate.auc(60, 4, random_state=0)
    y, scores = simulated.y, simulated.predictions
    options = {"metric": "roc_auc", "n_bootstraps": 100, "random_state": 1}
    found = [
        compared_arrays(y, {"a": scores[:, :2], "b": scores[:, 2:]}, **options),
        bbc.correct(y, scores, **options).subgroups(np.arange(60) % 2),
    ]
    for result in found:
        assert pickle.loads(pickle.dumps(result)) == result
        assert copy.deepcopy(result) == copy.copy(result) == result
    restored = pickle.loads(pickle.dumps(simulated))
    assert restored.parameters == simulated.parameters
    assert restored.predictions.tobytes() == scores.tobytes()
    with pytest.raises(TypeError, match="item assignment"):
        restored.parameters["n_rows"] = 1


def test_filled_at_once_a_result_is_what_the_constructor_makes():
    values = {"estimate": 0.5, "metric": "accuracy", "method": "cvt", "winner_name": "a"}
    values |= {"greater_is_better": True, "n_rows": 9, "n_configurations": 2}
    values |= {"replicates": read_only(np.array([0.25, 0.75])), "names": ("a", "b")}
    found = filled(PerformanceEstimate, **values)
    assert found == PerformanceEstimate(**values)
    assert list(vars(found)) == list(vars(PerformanceEstimate(**values)))
    assert found.replicates is values["replicates"]
    for other in ({"estimates": 0.5}, {}):
        with pytest.raises(TypeError, match="PerformanceEstimate does not have just the fields"):
            filled(PerformanceEstimate, **other)
