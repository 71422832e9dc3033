"""Every public function x every defect: one clear error that names its argument, soon, no number.

The defects of the data are those of `defects.CASES`, the wrong options those of `doors.WRONG`; the
functions are all that are public, so that a new one is in the matrix by existing. Each refusal must
come from a check of ours, not from the depths.

"Soon" is one second of this process's own time, whatever else the machine does: the slowest refusal
takes a hundredth of it, and a fit, a search or a thousand draws before the check takes more. It is
the only time that the tests assert; speed is measured in benches/.
"""

import inspect
import re
import time
import traceback
import warnings

import numpy as np
import pytest

import bbc
import doors
import signatures
from bbc.errors import ArgumentError
from defects import CASES, C
from families import compared_arrays
from instrumented import Witness

_SECONDS = 1.0
# What each argument may be called: the truth is that of the function that was called.
_ARGUMENTS = (
    "y|y_true|source|predictions|method|labels|folds|groups|sample_weight|pos_label|names|missing"
    "|stratify_bootstrap|metric|resamples"
)


def refusal(run, names, whose="/bbc/"):
    """Assert that there is an error, soon, from a check of ours, that names an argument."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with pytest.raises((ValueError, TypeError)) as caught:
            run()
    # As data, but for what scikit-learn words.
    of_scikit_learn = (
        r"^(Input y|Found input|requires y|Expected `cv`|Parameter grid|Invalid param)"
    )
    assert isinstance(caught.value, ArgumentError) or re.search(of_scikit_learn, str(caught.value))
    assert time.process_time() - start < _SECONDS
    assert re.search(rf"\b({names})\b", str(caught.value)), str(caught.value)
    deepest = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert re.search(whose, deepest.filename), deepest
    return caught.value


def public(case):
    """The arguments of a defect as the public functions call them."""
    arguments = dict(case)
    if "stratify" in arguments:
        arguments["stratify_bootstrap"] = arguments.pop("stratify")
    if arguments.pop("folds_needed_by", None) or arguments.pop("every_fold_scored", None):
        arguments["method"] = "bbc-f"
    return arguments


# Doors that take one configuration, and those that have a metric of their own.
ONE_COLUMN = {path for path in doors.FUNCTIONS if path.startswith("bbc.baselines.intervals.")} - {
    "bbc.baselines.intervals.tilting"
}
# Doors that take a list as a table or a vector, not as one array per repeat.
ONE_TABLE = {"bbc.baselines.intervals.tilting", "bbc.plots.difference"}
OWN_METRIC = dict.fromkeys(
    (
        *("bbc.baselines.bound", "bbc.baselines.compare_bounds"),
        *(
            "bbc.baselines.intervals.delong",
            "bbc.baselines.intervals.delong_test",
            "bbc.baselines.intervals.hanley_mcneil",
        ),
    ),
    "roc_auc",
) | dict.fromkeys(
    ("bbc.baselines.intervals.wilson", "bbc.baselines.intervals.clopper_pearson"), "accuracy"
)
# A function that takes fewer metrics or methods says so before it looks at data.
COMPLETE = "predictions are missing at .* a stream takes complete predictions"
NO_PREDICTIONS = "predictions are missing: they follow the truth"
NARROWER = r"^(metric|method)\b.*(must be|must not be|Python function|scores whole folds)"
OF_TEXT = "the column of 'c0' is text"
NO_CLASSES = "has two columns that do not sum to one"


def _blocks(y, predictions, **options):
    cut = bbc.Blocks([predictions[:, :1], predictions[:, 1:]])
    return bbc.correct(y, cut, **options)


def _columns(y, predictions, **options):
    own = {f"c{place}": column for place, column in enumerate(np.moveaxis(predictions, 1, 0))}
    return bbc.correct(y, own, **options)


def _tt(y, predictions, **options):
    if "folds" not in options and isinstance(y, np.ndarray):
        options["folds"] = np.arange(len(y)) // 2 % 2
    return bbc.correct(y, predictions, **options, method="tt")


def _families(y, predictions, **options):
    return compared_arrays(y, {"a": predictions, "b": predictions}, **options)


# Other ways of giving predictions to a function, and the arguments that each way does not take.
WAYS = {
    "blocks": (bbc.correct, _blocks, {"missing", "method"}),
    "dict of configurations": (bbc.correct, _columns, {"missing", "names"}),
    "method tt": (bbc.correct, _tt, {"missing", "method", "stratify_bootstrap", "groups"}),
    "dict of families": (bbc.correct, _families, set()),
}


def _is_matrix(predictions):
    return isinstance(predictions, np.ndarray) and predictions.ndim > 1


def entering(path, name, defect):
    """The arguments of a call with a defect of the predictions `name`; None if it has no way in."""
    arguments = public(CASES[defect][0])
    y, predictions = arguments.pop("y"), arguments.pop("predictions")
    if path in OWN_METRIC and arguments.pop("metric") != OWN_METRIC[path]:
        return None
    if path in ONE_COLUMN:
        if not _is_matrix(predictions) or predictions.ndim > 3 or predictions.shape[1] < C:
            return None
        if predictions.dtype.kind == "f" and np.isnan(predictions).any():
            return None  # a row that its one configuration lacks was not predicted
        predictions = predictions[:, 2]  # where the defects of CASES are
    if path in ONE_TABLE and not _is_matrix(predictions):
        return None
    if (path, defect) == ("bbc.baselines.bound", "fold without a class"):
        return None  # which is a bound that says why there is none
    if not arguments.keys() <= doors.parameters(path).keys():
        return None
    return doors.valid(path) | {doors.truth_of(path): y, name: predictions} | arguments


def _wrong_data():
    for path in doors.FUNCTIONS:
        for name in ("predictions", "scores", "first", "second"):
            if {doors.truth_of(path), name} <= doors.parameters(path).keys():
                yield from ((path, name, one) for one in CASES if entering(path, name, one))
    for way, (function, _, not_taken) in WAYS.items():
        for defect, (case, *_) in CASES.items():
            known = not public(case).keys() & not_taken
            taken = public(case).keys() <= {"y", *signatures.parameters(function)}
            # Blocks have fewer configurations than the whole, which is said of the shape.
            if (way, defect) == ("blocks", "class scores as labels"):
                continue
            if way == "dict of families" and isinstance(case["predictions"], str):
                continue
            apart = way in ("blocks", "dict of configurations")
            if apart and not _is_matrix(case["predictions"]):
                continue
            if way == "dict of configurations" and case["predictions"].ndim > 3:
                continue
            if known and taken:
                yield way, "predictions", defect


WRONG_DATA = list(_wrong_data())


@pytest.mark.parametrize(("door", "name", "defect"), WRONG_DATA)
def test_wrong_data_are_refused(door, name, defect):
    case, error, message = CASES[defect]
    if door in WAYS:
        arguments = public(case) | {"random_state": 0}
        y, predictions = arguments.pop("y"), arguments.pop("predictions")
        caught = refusal(
            lambda: WAYS[door][1](y, predictions, **arguments), _ARGUMENTS + "|families"
        )
    else:
        given = entering(door, name, defect)
        caught = refusal(lambda: doors.call(door, given), _ARGUMENTS + f"|{name}")
    text = str(caught)
    if door != "many problems" and (door in WAYS or "y_true" not in doors.parameters(door)):
        assert "y_true" not in text
    if door in ONE_COLUMN | ONE_TABLE:  # in which places have other numbers
        assert isinstance(caught, error) or re.search(f"{NARROWER}|kept as labels", text), text
    else:
        text = re.sub(r"^(y|source|families\['\w+'\]\.y)\b", "y_true", text)
        text = re.sub(r"(predictions|families)\['\w+'\]", "predictions", text)
        allowed = (message, NARROWER, COMPLETE, NO_PREDICTIONS, OF_TEXT, NO_CLASSES)
        # A dict names the configuration; the table of defects numbers it.
        assert re.search("|".join(allowed), re.sub(r" \(c\d\)", "", text)), text


def test_every_function_takes_what_is_right():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in doors.FUNCTIONS:
            doors.call(path, doors.valid(path))


WRONG_OPTIONS = [(path, *pair) for path in doors.FUNCTIONS for pair in doors.wrong_values(path)]


@pytest.mark.parametrize(
    ("path", "name", "value"),
    WRONG_OPTIONS,
    ids=[f"{path}-{name}-{number}" for number, (path, name, _) in enumerate(WRONG_OPTIONS)],
)
def test_wrong_options_are_refused(path, name, value):
    given = doors.valid(path) | {name: value}
    Witness.log.clear()
    refusal(lambda: doors.call(path, given), f"{name}|{_ALSO.get(name, name)}")
    assert Witness.log == []


X, Y = doors.ROWS, doors.CLASSES
PROTOCOLS = tuple(doors.PROTOCOLS.values())
WRONG_OF_PROTOCOLS = doors.WRONG | {
    "param_grid": ({"shift": []}, {"slope": [1]}, 3, [], "shift", {"shift": 1.0}),
    "scoring": ("rocauc", 3, [], {}),
    "cv": (1, 0, -3, 1.5, 99, "ten", []),
    "n_repeats": (0, -1, 1.5, "two"),
    "n_iter": (0, -1, 1.5),
    "refit": (3, "no such metric", len),
    "error_score": ("ignore", None),
    "min_predictions": (0, -5, 1.5),
}
# Names under which an error may speak of an argument.
_ALSO = {
    "param_grid": "param_grid|[Pp]arameter",
    "scoring": "scoring|metric",
    "source": "source|predictions|search",
    "censoring_survival": "censoring_survival_at",  # neither goes without the other
    "censoring_survival_at": "censoring_survival",
}
# The words of scikit-learn, which checks grids and splitters, are what its users expect.
_WHOSE = "/bbc/|/sklearn/model_selection/|/sklearn/base.py"


def _wrong_of_protocols():
    for protocol in PROTOCOLS:
        known = inspect.signature(protocol).parameters
        for name, values in WRONG_OF_PROTOCOLS.items():
            for value in values if name in known else ():
                if not (value is None and known[name].default is None):
                    yield protocol, name, value


OF_PROTOCOLS = list(_wrong_of_protocols())


@pytest.mark.parametrize(
    ("protocol", "name", "value"),
    OF_PROTOCOLS,
    ids=[f"{p.__name__}-{name}-{number}" for number, (p, name, _) in enumerate(OF_PROTOCOLS)],
)
def test_protocols_refuse_wrong_parameters_before_any_fit(protocol, name, value):
    options = {"estimator": Witness(), "param_grid": {"shift": [0.0, 1.0]}, "cv": 4, name: value}
    Witness.log.clear()
    refusal(lambda: protocol(**options).fit(X, Y), _ALSO.get(name, name), _WHOSE)
    assert Witness.log == []


WRONG_ROWS = {
    "y": [Y[:9], Y * 0, Y.astype(float) + 0.25 * X[:, 0], None, np.where(Y, np.nan, 0.0)],
    "X": [X[:9], X[:0]],
    "groups": [np.arange(9), np.zeros(40, int)],
    "sample_weight": [np.ones(9), -np.ones(40), np.zeros(40), np.full(40, np.nan)],
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("name", "number"),
    [(name, i) for name, values in WRONG_ROWS.items() for i in range(len(values))],
)
def test_protocols_refuse_wrong_rows_before_any_fit(protocol, name, number):
    given = {"X": X, "y": Y, name: WRONG_ROWS[name][number]}
    Witness.log.clear()
    search = protocol(Witness(), {"shift": [0.0, 1.0]}, cv=4, scoring="roc_auc")
    refusal(
        lambda: search.fit(given.pop("X"), given.pop("y"), **given),
        f"{name}|X|y|class|group",
        _WHOSE,
    )
    assert Witness.log == []


N_REFUSALS = (
    len(WRONG_DATA)
    + len(WRONG_OPTIONS)
    + len(OF_PROTOCOLS)
    + len(PROTOCOLS) * sum(map(len, WRONG_ROWS.values()))
)
