"""Every public function x every defect: one clear error that names its argument, soon, no number.

The defects of the data are those of `defects.CASES`; the wrong options are tried on every function
whose signature has them. Each refusal must come from a check of ours, not from the depths.

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
from bbc.errors import ArgumentError
from defects import AUC, CASES
from instrumented import Witness, numbered_data

_SECONDS = 1.0
# What each argument may be called: corrections say y_true, intervals and protocols y.
_ARGUMENTS = (
    "y|y_true|predictions|labels|folds|groups|sample_weight|pos_label|names|missing"
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


def public(case):
    """The arguments of a defect as the public functions call them."""
    arguments = dict(case)
    if "stratify" in arguments:
        arguments["stratify_bootstrap"] = arguments.pop("stratify")
    if arguments.pop("folds_needed_by", None) or arguments.pop("every_fold_scored", None):
        arguments["method"] = "bbc-f"
    return arguments


def _split(arguments):
    arguments = dict(arguments)
    return [arguments.pop(name) for name in ("y", "predictions")], arguments


def correct(arguments):
    (y, predictions), options = _split(arguments)
    return bbc.correct(y, predictions, random_state=0, **options)


def correct_many(arguments):
    (y, predictions), options = _split(arguments)
    good = (AUC["y"], AUC["predictions"])
    problems = [
        {"y_true": good[0], "predictions": good[1], "metric": "roc_auc"},
        {"y_true": y, "predictions": predictions, **options},
    ]
    return bbc.correct_many(problems, random_state=0)


def blocks(arguments):
    (y, predictions), options = _split(arguments)
    cut = bbc.Blocks([predictions[:, :1], predictions[:, 1:]])
    return bbc.correct(y, cut, random_state=0, **options)


def dominated(arguments):
    (y, predictions), options = _split(arguments)
    return bbc.dominated(y, predictions, random_state=0, **options)


def possible_winners(arguments):
    (y, predictions), options = _split(arguments)
    return bbc.possible_winners(y, predictions, random_state=0, **options)


def winner_interval(arguments):
    (y, predictions), options = _split(arguments)
    return bbc.winner_interval(y, predictions, random_state=0, **options)


def tt(arguments):
    (y, predictions), options = _split(arguments)
    if "folds" not in options and isinstance(y, np.ndarray):
        options["folds"] = np.arange(len(y)) % 2
    return bbc.correct(y, predictions, **options, method="tt")


def _is_matrix(predictions):
    return isinstance(predictions, np.ndarray) and predictions.ndim == 2


# The functions that take data, and the arguments that they do not take.
DOORS = {
    correct: set(),
    correct_many: {"method"},
    blocks: set(),
    dominated: {"missing", "names", "method"},
    possible_winners: {"missing", "method", "resamples"},
    winner_interval: {
        *("missing", "method", "resamples", "stratify_bootstrap", "sample_weight", "pooling"),
    },
    tt: {"missing", "method", "stratify_bootstrap", "groups"},
}
WRONG_DATA = [
    (door, defect)
    for door, not_taken in DOORS.items()
    for defect, (case, *_) in CASES.items()
    if not not_taken & set(public(case)) and (door is not blocks or _is_matrix(case["predictions"]))
]


@pytest.mark.parametrize(("door", "defect"), WRONG_DATA)
def test_wrong_data_are_refused(door, defect):
    refusal(lambda: door(public(CASES[defect][0])), _ARGUMENTS)


WRONG = {
    "n_bootstraps": (0, -1, 2.5, "many", np.nan, True),
    "confidence_level": (0, 1, -0.1, 95, np.nan, "high", None),
    "random_state": (-1, 2**53, 1.5, "seed", True),
    "n_threads": (0, -1, 1.5, "all", True),
    "alternative": ("both", None, 1),
    "pooling": ("mean", None, 1),
    "method": ("bbd", 1),
    "on_undefined": ("skip", None),
    "metric": ("rocauc", 3, "", None),
    "selection": ("worst", 3, None),
    "stratify_bootstrap": ("yes", 1, None),
    "missing": ("ignore", None),
    "resamples": (np.zeros((5, 3), int), np.zeros((5, 12)), "all", np.full((5, 12), 99)),
    "dropping_level": (1.5, np.nan, "high", -1),
    "stream": (-1, 0.5, "a"),
    "kind": ("normal", None),
    "variant": ("new", None),
    "rule": ("worst", 1),
    "pos_label": (7, "yes"),
    "names": (["one"], 3),
}
_NUMBERED = numbered_data(12)[1]


def _bound(function):
    def call(**options):
        return function(_NUMBERED, AUC["predictions"], np.arange(12) // 2 % 3, **options)

    return call


def _scored(function, metric="roc_auc", columns=slice(None)):
    def call(**options):
        given = {"metric": metric} | options
        return function(_NUMBERED, AUC["predictions"][:, columns], **given)

    return call


def _plain(function):
    return lambda **options: function(_NUMBERED, AUC["predictions"][:, 0], **options)


FUNCTIONS = {
    bbc.correct: _scored(bbc.correct),
    bbc.dominated: _scored(bbc.dominated),
    bbc.possible_winners: _scored(bbc.possible_winners),
    bbc.winner_interval: _scored(bbc.winner_interval),
    bbc.intervals.naive_bootstrap: _scored(bbc.intervals.naive_bootstrap, columns=0),
    bbc.bound: _bound(bbc.bound),
    bbc.compare_bounds: _bound(bbc.compare_bounds),
    bbc.intervals.delong: _plain(bbc.intervals.delong),
    bbc.intervals.hanley_mcneil: _plain(bbc.intervals.hanley_mcneil),
    bbc.intervals.tilting: _plain(bbc.intervals.tilting),
}
WRONG_OPTIONS = [
    (function, name, value)
    for function in FUNCTIONS
    for name in inspect.signature(function).parameters
    for value in WRONG.get(name, ())
    if not (value is None and inspect.signature(function).parameters[name].default is None)
]


@pytest.mark.parametrize(
    ("function", "name", "value"),
    WRONG_OPTIONS,
    ids=[f"{f.__name__}-{name}-{number}" for number, (f, name, _) in enumerate(WRONG_OPTIONS)],
)
def test_wrong_options_are_refused(function, name, value):
    refusal(lambda: FUNCTIONS[function](**{name: value}), name)


X, Y = numbered_data(40)
PROTOCOLS = (bbc.CVT, bbc.CVMCV, bbc.NCV, bbc.TT, bbc.BBC, bbc.BBCF, bbc.BBCD)
WRONG_OF_PROTOCOLS = WRONG | {
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
_ALSO = {"param_grid": "param_grid|[Pp]arameter", "scoring": "scoring|metric"}
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
    options = {"param_grid": {"shift": [0.0, 1.0]}, "cv": 4} | {name: value}
    Witness.log.clear()
    refusal(lambda: protocol(Witness(), **options).fit(X, Y), _ALSO.get(name, name), _WHOSE)
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
