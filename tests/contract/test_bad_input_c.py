"""Every function of the C interface x every defect: a documented code, a message, nothing written.

The defects of the data are those of `defects.CASES` that pointers and numbers can express; to them
come those that only C has: NULL, sizes that do not fit, numbers that no enumeration holds. Messages
begin with the member's name, as bbc/c.h says.
"""

import ctypes as c
import re

import numpy as np
import pytest

import bbc
from c_interface import Library, Result, block, result_in
from defects import CASES, REAL, SCORES, TIMES, Y

_INVALID, _UNDEFINED = 1, 2
_ARGUMENTS = (
    "predictions|labels|values|events|units|row_weights|folds|metric|resamples|problem"
    "|correction|other|strata|alternative"
)
_PATTERN = 0.1234
NAN, INF = float("nan"), float("inf")


# Only the shared library has functions to call.
pytestmark = pytest.mark.parametrize("installed", ["ON"], indirect=True)


@pytest.fixture(scope="module")
def library(installed):
    return Library(installed)


@pytest.fixture
def result():
    """A result, and the arrays that it would fill, with a pattern that must survive."""
    replicates, winners = np.full(1000, _PATTERN), np.full(1000, -7)
    own = result_in(replicates, winners)
    for name, _ in Result._fields_[1:7]:
        setattr(own, name, _PATTERN)
    own.winner = own.n_redrawn = -7
    yield own
    assert (replicates == _PATTERN).all()
    assert (winners == -7).all()
    numbers = [getattr(own, name) for name, _ in Result._fields_[1:9]]
    assert numbers == [_PATTERN] * 6 + [-7] * 2


def refused(status, result, names=_ARGUMENTS, expected=(_INVALID, _UNDEFINED)):
    """Assert that the code is documented and that the message begins with the argument."""
    message, argument = result.message.decode(errors="replace"), result.argument.decode()
    assert status in expected, (status, message)
    assert argument, message
    assert message.startswith(f"{argument}: "), (argument, message)
    assert re.search(rf"\b({names})\b", message), message


def _row_array(value, n_rows, dtype):
    """An array that C can read: of numbers, one per row, and whole if codes are asked for."""
    kinds = "if" if dtype == np.float64 else "i"
    fits = isinstance(value, np.ndarray) and value.shape == (n_rows,) and value.dtype.kind in kinds
    return value.astype(dtype) if fits else None


def _repeats(predictions):
    """The arrays of predictions, if C can read them."""
    repeats = predictions if isinstance(predictions, list) else [predictions]
    for array in repeats:
        plain = isinstance(array, np.ndarray) and not np.ma.isMA(array)
        if not plain or array.dtype.kind not in "if" or array.dtype.itemsize > 8:
            return None
        if array.ndim not in (2, 3) or array.shape != repeats[0].shape:
            return None
    wanted = np.int64 if repeats and repeats[0].dtype.kind == "i" else np.float64
    return [np.ascontiguousarray(array, wanted) for array in repeats] or None


def _metric(name):
    metric = bbc.metrics.get(name)
    parameters = dict(metric.parameters)
    average = str(parameters.pop("average", "binary")).encode()
    return {"metric": metric.kernel.encode(), "average": average} if metric.kernel else None


_ROWS = {
    "sample_weight": ("row_weights", np.float64),
    "groups": ("units", np.int32),
    "folds": ("folds", np.int32),
}


def expressed(case):
    """The fields of a problem and the arrays of a defect; None where C has no words for it."""
    case = dict(case)
    y, repeats, fields = case.pop("y"), _repeats(case.pop("predictions")), _metric(case["metric"])
    del case["metric"]
    plain = isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "if" and len(y) > 0
    if not plain or repeats is None or fields is None:
        return None
    if y.dtype.kind == "f":
        fields["values"] = y
    else:
        fields["labels"] = y.astype(np.int64)
    fields["n_rows"] = len(y)
    for name in set(_ROWS) & set(case):
        field, dtype = _ROWS[name]
        fields[field] = _row_array(case.pop(name), len(y) * len(repeats), dtype)
        if fields[field] is None:
            return None
    return None if case else (fields, repeats)


# The C interface is told which axis is which.
_OF_SHAPES = {"classes as configurations"}
EXPRESSED = {name: expressed(case[0]) for name, case in CASES.items() if name not in _OF_SHAPES}
DATA = {name: given for name, given in EXPRESSED.items() if given is not None}


def at_once(library, fields, predictions, result):
    """bbc_correct: the status."""
    problem = library.problem(fields)
    return library.call("bbc_correct", c.byref(problem), _pointer(predictions), result)


def in_blocks(library, fields, predictions, result):
    """The streaming form: the status of the first function that refuses."""
    handle, problem, place = c.c_void_p(1), library.problem(fields), c.c_int64(0)
    n_repeats = 1 if predictions is None else max(1, predictions.n_repeats)
    status = library.call(
        "bbc_correction_new", c.byref(problem), c.c_int64(n_repeats), c.byref(handle), result
    )
    if status:
        assert not handle
        return status
    try:
        own = _pointer(predictions)
        status = library.call("bbc_correction_add", handle, own, place, result)
        return status or library.call("bbc_correction_finish", handle, result)
    finally:
        library.call("bbc_correction_free", handle)


def _pointer(struct):
    return None if struct is None else c.byref(struct)


DOORS = (at_once, in_blocks)


@pytest.mark.parametrize("defect", DATA)
@pytest.mark.parametrize("door", DOORS)
def test_wrong_data_are_refused(door, defect, library, result):
    fields, repeats = DATA[defect]
    refused(door(library, fields, block(repeats), c.byref(result)), result)


GOOD = {"metric": b"roc_auc", "labels": Y.astype(np.int64), "n_rows": len(Y)}
OF_NUMBERS = {"metric": b"mean_squared_error", "values": REAL, "n_rows": len(Y)}
F_BETA = GOOD | {"metric": b"f_beta"}
QUANTILE = OF_NUMBERS | {"metric": b"pinball_loss"}
SURVIVAL = {"metric": b"concordance_index", "values": TIMES, "n_rows": len(Y)}
EVENTS = Y.astype(np.uint8)
STRATA = EVENTS.astype(np.int32)
ALL_ONE = np.zeros(len(Y), np.int32)
PAIRS = np.arange(len(Y), dtype=np.int32) // 2
UNDRAWN = np.tile(np.arange(len(Y), dtype=np.int32), (1000, 1))

# Of the problem: what is right but for one field, the field, and what is wrong with it.
FIELDS = [
    (GOOD, "struct_size", (0, 8, 10**6)),
    (GOOD, "metric", (None, b"", b"rocauc", b"ROC_AUC", b"\xff")),
    (GOOD | {"metric": b"roc_auc_ovr"}, "average", (b"micro", b"mean")),
    (F_BETA, "average", (b"mean", b"")),
    (F_BETA, "beta", (-1.0, NAN, INF)),
    (QUANTILE, "alpha", (-0.1, 1.1, NAN)),
    (GOOD, "n_rows", (0, -1, len(Y) - 1, -(2**63))),
    (GOOD, "labels", (None,)),
    (GOOD, "values", (REAL,)),
    (GOOD, "events", (EVENTS,)),
    (SURVIVAL | {"events": EVENTS}, "values", (None, NAN * TIMES)),
    (SURVIVAL, "events", (None, EVENTS + 1, EVENTS * 0)),
    (GOOD, "positive_label", (np.array([7]),)),
    (OF_NUMBERS, "positive_label", (np.array([1]),)),
    (GOOD, "n_bootstraps", (0, -1, -(2**63), 2**32, 2**63 - 1)),
    (GOOD | {"resamples": UNDRAWN}, "n_bootstraps", (0, -1, -(2**63))),
    (GOOD, "seed", (2**53, 2**64 - 1)),
    (GOOD, "units", (ALL_ONE,)),
    (GOOD | {"strata": STRATA}, "units", (PAIRS,)),
    (GOOD, "resamples", (UNDRAWN, UNDRAWN - 1, UNDRAWN + 1, UNDRAWN * 0)),
    (GOOD, "folds", (ALL_ONE,)),
    (GOOD, "row_weights", (NAN * REAL, INF * TIMES, -REAL, 0 * REAL)),
    (GOOD, "confidence_level", (0.0, 1.0, -0.1, 95.0, NAN, INF, 0.9999)),
    (GOOD, "alternative", (3, -1)),
    (GOOD, "n_threads", (-1, -(2**31))),
    (GOOD, "selection", (b"", b"Best", b"one_standard_error", b"best_threshold", b"top_k")),
    (GOOD | {"selection": b"greedy_ensemble"}, "selection_size", (-1, -(2**63))),
    (GOOD, "selection_size", (1, -1)),
    (GOOD, "class_counts", (b"", b"drawn", b"fixed")),
    (GOOD | {"strata": STRATA, "resamples": UNDRAWN}, "class_counts", (b"fixed",)),
    (OF_NUMBERS | {"drawn_folds": PAIRS}, "class_counts", (b"fixed",)),
]
WRONG_FIELDS = [(good, name, value) for good, name, values in FIELDS for value in values]


@pytest.mark.parametrize(
    ("good", "name", "value"),
    WRONG_FIELDS,
    ids=[f"{name}-{number}" for number, (_, name, _) in enumerate(WRONG_FIELDS)],
)
@pytest.mark.parametrize("door", DOORS)
def test_wrong_fields_are_refused(door, good, name, value, library, result):
    status = door(library, good | {name: value}, block([SCORES]), c.byref(result))
    named = "problem" if name == "struct_size" else name
    refused(status, result, f"{named}|labels, values|resamples|the truth")


def _changed(**fields):
    own = block([SCORES])
    for name, value in fields.items():
        setattr(own, name, value)
    return own


def _array(values):
    return lambda: block([np.ascontiguousarray(values)])


NULL_REPEAT = (c.c_void_p * 1)(None)
WRONG_PREDICTIONS = {
    "NULL": lambda: None,
    "no size": lambda: _changed(struct_size=0),
    "a size too small": lambda: _changed(struct_size=8),
    "a size too large": lambda: _changed(struct_size=10**6),
    "repeats NULL": lambda: _changed(repeats=None),
    "a repeat NULL": lambda: _changed(repeats=NULL_REPEAT),
    "no repeats": lambda: _changed(n_repeats=0),
    "repeats below zero": lambda: _changed(n_repeats=-1),
    "unknown dtype": lambda: _changed(dtype=6),
    "dtype below zero": lambda: _changed(dtype=-1),
    "no rows": lambda: _changed(n_rows=0),
    "rows below zero": lambda: _changed(n_rows=-1),
    "fewer rows than y": lambda: _changed(n_rows=11),
    "more rows than y": lambda: _changed(n_rows=13),
    "no configurations": lambda: _changed(n_configurations=0),
    "configurations below zero": lambda: _changed(n_configurations=-1),
    "no outputs": lambda: _changed(n_outputs=0),
    "outputs below zero": lambda: _changed(n_outputs=-1),
    "too many outputs": lambda: _changed(n_outputs=3),
    "NaN": _array(np.where(SCORES.max() == SCORES, NAN, SCORES)),
    "infinity": _array(np.where(SCORES.max() == SCORES, INF, SCORES)),
}


@pytest.mark.parametrize("defect", WRONG_PREDICTIONS)
@pytest.mark.parametrize("door", DOORS)
def test_wrong_predictions_are_refused(door, defect, library, result):
    status = door(library, GOOD, WRONG_PREDICTIONS[defect](), c.byref(result))
    refused(status, result, "predictions|repeats", (_INVALID,))


@pytest.fixture
def handles(library):
    """Makes corrections, and frees them all."""
    made = []

    def make(n_repeats=1, **fields):
        problem, handle, result = (
            library.problem(GOOD | fields),
            c.c_void_p(),
            Result(c.sizeof(Result)),
        )
        made.append(handle)
        own = [c.byref(problem), c.c_int64(n_repeats), c.byref(handle), c.byref(result)]
        assert library.call("bbc_correction_new", *own) == 0, result.message
        return handle

    yield make
    for handle in made:
        library.call("bbc_correction_free", handle)


@pytest.mark.parametrize("first", [-1, -(2**63), 2**63 - 1, 2**63 - 3])
def test_wrong_places_are_refused(first, library, handles, result):
    own = c.byref(block([SCORES]))
    status = library.call("bbc_correction_add", handles(), own, c.c_int64(first), c.byref(result))
    refused(status, result, "first_configuration")


@pytest.mark.parametrize("first", [0, 1, 2])
def test_configurations_that_were_added_before_are_refused(first, library, handles, result):
    handle, own, answer = handles(), c.byref(block([SCORES])), c.byref(result)
    assert library.call("bbc_correction_add", handle, own, c.c_int64(2), answer) == 0
    status = library.call("bbc_correction_add", handle, own, c.c_int64(first), answer)
    refused(status, result, "first_configuration")
    other = handles()
    assert library.call("bbc_correction_add", other, own, c.c_int64(2), answer) == 0
    status = library.call("bbc_correction_merge", handle, other, answer)
    refused(status, result, "other")
    assert b"configuration 2 was added before" in result.message


def test_gaps_between_blocks_are_refused(library, handles, result):
    handle, own, answer = handles(), c.byref(block([SCORES])), c.byref(result)
    n_own = SCORES.shape[1]
    for first, missing in ((n_own + 1, 0), (0, n_own)):
        assert library.call("bbc_correction_add", handle, own, c.c_int64(first), answer) == 0
        status = library.call("bbc_correction_finish", handle, answer)
        refused(status, result, "predictions")
        assert f"configuration {missing} was never added".encode() in result.message


@pytest.mark.parametrize("n_repeats", [0, -1, -(2**63)])
def test_wrong_numbers_of_repeats_are_refused(n_repeats, library, result):
    handle, problem = c.c_void_p(1), library.problem(GOOD)
    own = [c.byref(problem), c.c_int64(n_repeats), c.byref(handle), c.byref(result)]
    refused(library.call("bbc_correction_new", *own), result, "n_repeats")
    assert not handle


OTHERS = {
    "truth": {"labels": 1 - GOOD["labels"]},
    "seed": {"seed": 1},
    "metric": {"metric": b"average_precision"},
    "direction": {"negate": 1},
    "number of replicates": {"n_bootstraps": 999},
    "confidence level": {"confidence_level": 0.9},
    "alternative": {"alternative": 1},
    "weights": {"row_weights": REAL},
    "groups": {"units": np.arange(len(Y), dtype=np.int32) // 3},
    "repeats": {"n_repeats": 2},
}


@pytest.mark.parametrize("differs", OTHERS)
def test_strangers_are_not_merged(differs, library, handles, result):
    other = handles(**OTHERS[differs])
    status = library.call("bbc_correction_merge", handles(), other, c.byref(result))
    refused(status, result, "other", (_INVALID,))


def test_nothing_comes_of_nothing(library, handles, result):
    refused(library.call("bbc_correction_finish", handles(), c.byref(result)), result)


# Arguments of each function that may not be NULL, but for the result; which one is in the message.
POINTERS = {
    "bbc_correct": ("problem", "predictions"),
    "bbc_correction_new": ("problem", None, "correction"),
    "bbc_correction_add": ("correction", "predictions", None),
    "bbc_correction_merge": ("correction", "other"),
    "bbc_correction_finish": ("correction",),
}


def _arguments(function, library, handles):
    """Arguments that are right, but for the result."""
    problem, predictions = library.problem(GOOD), block([SCORES])
    given = {
        "problem": c.byref(problem),
        "predictions": c.byref(predictions),
        "correction": handles(),
        "other": handles(),
    }
    if function == "bbc_correction_new":
        given["correction"] = c.byref(c.c_void_p())
    return [c.c_int64(1) if name is None else given[name] for name in POINTERS[function]]


MISSING = [(f, name) for f, names in POINTERS.items() for name in names if name is not None]


@pytest.mark.parametrize(("function", "name"), MISSING)
def test_null_is_refused(function, name, library, handles, result):
    arguments = _arguments(function, library, handles)
    arguments[POINTERS[function].index(name)] = None
    status = library.call(function, *arguments, c.byref(result))
    refused(status, result, name, (_INVALID,))


@pytest.mark.parametrize("function", POINTERS)
@pytest.mark.parametrize("size", [None, 0, 8, 10**6])
def test_without_a_result_there_is_a_code(size, function, library, handles):
    result = None if size is None else Result(struct_size=size)
    status = library.call(function, *_arguments(function, library, handles), _pointer(result))
    assert status == _INVALID
    assert result is None or bytes(result)[8:] == bytes(c.sizeof(Result) - 8)


def test_the_rest_takes_null(library):
    for struct in ("problem", "predictions", "result"):
        library.call(f"bbc_{struct}_init", None, c.c_size_t(0))
    library.call("bbc_correction_free", None)
    assert library.call("bbc_metric_name", c.c_size_t(10**6)) == 0


N_REFUSALS = (
    len(DOORS) * (len(DATA) + len(WRONG_FIELDS) + len(WRONG_PREDICTIONS))
    + (4 + 3 + 1)
    + len(OTHERS)
    + len(MISSING)
    + 4 * len(POINTERS)
)
