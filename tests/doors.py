"""The public functions as doors: input that each takes, and values that it must refuse.

A new public function is among them by existing. Where one of its arguments is not known here, a
test says what to add: a valid value to `VALID`, and wrong ones to `WRONG`.
"""

import inspect
import warnings
from functools import cache

import numpy as np
from sklearn.model_selection import GridSearchCV

import bbc
import signatures
from defects import LABELS, SCORES, N, Y
from instrumented import Witness, numbered_data
from signatures import public_objects

ROWS, CLASSES = numbered_data(40)
RISKS = np.random.default_rng(0).random((40, 3))


_OF_FILES = {"bbc.Correction.from_json", "bbc.results.Result.from_json"}


#: Classes that are made of what a user has.
_SOURCES = (bbc.FoldScores,)


def functions():
    """Public functions, and constructors of what users have, by name."""
    found = {}
    for path, value in public_objects().items():
        if inspect.isfunction(value):
            found[path] = value
        elif inspect.isclass(value):
            others = [name for name in vars(value) if name.startswith("from_")]
            found |= {f"{path}.{name}": getattr(value, name) for name in others}
    found |= {f"bbc.{one.__name__}": one for one in _SOURCES}
    # What they read are files: test_damaged_files and test_doors.
    found = {path: one for path, one in found.items() if path not in _OF_FILES}
    names = {}  # of two names of a function, the shorter
    for path in sorted(found, key=len):
        names.setdefault(found[path], path)
    return {path: found[path] for path in sorted(names.values())}


def protocols():
    """Public estimators with a `param_grid`, by name."""
    found = public_objects().items()
    return {
        path: one
        for path, one in found
        if hasattr(one, "fit") and "param_grid" in inspect.signature(one).parameters
    }


#: What `VALID` cannot say for all functions: which argument is the truth, by default `y_true`.
_TRUTH = {"bbc.correct": "source"}


def truth_of(path):
    """The name of the argument that is the truth."""
    return _TRUTH.get(path, "y_true")


@cache
def _corrected(question):
    """A correction that answers a question: about two classes, censored times, or many models."""
    drawn = {"n_bootstraps": 40, "random_state": 0}
    if question == "remaining_optimism":
        risks, folds = np.random.default_rng(0).random((40, 12)), np.arange(40) // 2 % 5
        return bbc.correct(CLASSES, risks, metric="brier_score", folds=folds, **drawn)
    if question.startswith("survival"):
        times = np.column_stack([Y, np.arange(1.0, N + 1)])
        return bbc.correct(times, RISKS[:N], metric=_OF_TIME, **drawn)
    return bbc.correct(Y, RISKS[:N], metric="log_loss", **drawn)


def questions():
    """The questions that a correction answers, as functions of what they are asked with."""
    found = {}
    for name, method in inspect.getmembers(bbc.Correction, inspect.isfunction):
        if name.startswith("_"):
            continue

        def asked(_name=name, **given):
            return getattr(_corrected(_name), _name)(**given)

        own = [one for one in inspect.signature(method).parameters.values() if one.name != "self"]
        own = [one.replace(kind=one.KEYWORD_ONLY) for one in own]
        asked.__signature__ = inspect.Signature(own)
        found[f"bbc.Correction.{name}"] = asked
    return found


_OF_TIME = bbc.metrics.survival_brier_score(5.0)
FUNCTIONS = functions() | questions()
PROTOCOLS = protocols()


def parameters(path):
    """The parameters of a function, by name."""
    return signatures.parameters(FUNCTIONS[path])


@cache
def _estimate():
    return bbc.correct(CLASSES, RISKS, metric="roc_auc", n_bootstraps=40, random_state=0)


@cache
def _search(kind):
    if kind is bbc.BBCD:
        given = {"scoring": "roc_auc", "n_bootstraps": 40, "random_state": 0}
        return bbc.BBCD(Witness(), {"shift": [0.0, 1.0]}, cv=2, **given).fit(ROWS, CLASSES)
    return GridSearchCV(Witness(), {"shift": [0.0, 1.0]}, cv=4).fit(ROWS, CLASSES)


class Made:
    """A valid value that takes a while to make, so only a test that needs it does."""

    def __init__(self, make, *arguments):
        self.make, self.arguments = make, arguments

    def __call__(self):
        return self.make(*self.arguments)


#: A value that an argument takes, whatever the function.
VALID = {
    "y_true": Y,
    "predictions": SCORES,
    "scores": SCORES[:, 0],
    "first": SCORES[:, 0],
    "second": SCORES[:, 1],
    "metric": "roc_auc",
    "by": np.arange(N) // 6,
    "folds": np.arange(N) // 2 % 3,
    "n_bootstraps": 40,
    "random_state": 0,
    "X": ROWS,
    "y": CLASSES,
    "estimator": Witness(),
    "search": Made(_search, GridSearchCV),
    "protocol": Made(_search, bbc.BBCD),
    "result": Made(_estimate),
    "estimates": Made(lambda: {"a": _estimate()}),
    "problems": [(Y, SCORES)],
    "source": (CLASSES, RISKS),
    "width": 0.5,
    "errors": np.arange(12.0).reshape(4, 3) % 5,
    "losses": [0.0, 1.0, 0.5],
    "outer": [[0, 1], [0, 0], [1, 0]],
    "inner": [[0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 0]],
    "estimate": 0.2,
    "n_train": 80,
    "n_test": 20,
    "n_rows": 30,
    "n_folds": 3,
    "n_configurations": 3,
    "n_simulations": 2,
    "n_permutations": 2,
    "n_samples": 2,
    "n_resamples": 5,
    "table": {"y": [0, 1, 1, 0], "a": [0.1, 0.2, 0.3, 0.4]},
    "truth": "y",
    "function": lambda y, scores: 0.5,
    "scorer": "roc_auc",
    "code": "BBC001",
    "detail": "of a test",
    "tuning": True,
    "threshold": 0.2,
    "time": 5.0,
    "times": [2.0, 4.0, 6.0],
    "k": 3,
    "complexity": [1, 2, 3],
}
_LONG = {"row": [0, 1, 2, 3], "configuration": ["a"] * 4, "prediction": [0.1, 0.2, 0.3, 0.4]}
_LONG_COLUMNS = {name: name for name in _LONG}
#: Values of one function, if others do not take them.
VALID_OF = {
    "bbc.Predictions.from_long": {"table": {"y": [0, 1, 1, 0]} | _LONG, **_LONG_COLUMNS},
    "bbc.FoldScores": {"scores": Made(_search, GridSearchCV)},
    "bbc.compare": {
        "families": {"a": bbc.Predictions(Y, SCORES), "b": bbc.Predictions(Y, SCORES[:, :2])},
        "metric": "roc_auc",
    },
    "bbc.baselines.intervals.clopper_pearson": {"predictions": LABELS[:, 0]},
    "bbc.baselines.intervals.conservative_z": {"first": [0.1, 0.2], "second": [0.2, 0.1]},
    "bbc.baselines.intervals.naive_bootstrap": {"predictions": SCORES[:, 0]},
    "bbc.baselines.intervals.wilson": {"predictions": LABELS[:, 0]},
    "bbc.metrics.row_loss": {"function": lambda y, scores: (y - scores) ** 2},
    "bbc.negative_control": {"search": bbc.TT(Witness(), {"shift": [0.0, 1.0]}, cv=2)},
    "bbc.plan_rows": {"n_rows": [20, 40], "metric": "roc_auc"},
    "bbc.plots.optimism": {"n_rows": [12]},
    "bbc.plots.selection": {"estimate": Made(_estimate)},
    "bbc.correct": {"source": Y, "predictions": SCORES, "metric": "roc_auc"},
    "bbc.Correction.compare": {"by": ["a", "b", "b"]},
}
#: Arguments that are given although the function has a default, because it is slow.
_SMALL = {"n_bootstraps", "n_simulations", "n_permutations", "n_samples", "n_resamples"}


def _corrected_by_auc(made):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few rows
        bbc.correct(made, metric="roc_auc", n_bootstraps=40, random_state=0)


def _survival(metric):
    times = np.column_stack([Y, np.arange(1.0, N + 1)])
    bbc.correct(times, SCORES, metric=metric, n_bootstraps=40, random_state=0)


#: The first use of what a function makes, which checks what needs the data of that use.
USED = {
    "bbc.Predictions.from_long": _corrected_by_auc,
    "bbc.Predictions.from_wide": _corrected_by_auc,
    "bbc.keep_predictions": lambda kept: kept.fit(ROWS, CLASSES),
    "bbc.metrics.cumulative_dynamic_auc": _survival,
    "bbc.metrics.uno_concordance": _survival,
}


def valid(path):
    """Arguments that a function takes; the test fails if one is not known."""
    own = dict(VALID_OF.get(path, {}))
    given = own.pop("options", {}) | own
    given = {name: one() if isinstance(one, Made) else one for name, one in given.items()}
    for name, parameter in parameters(path).items():
        required = parameter.default is parameter.empty and parameter.kind.name[:3] != "VAR"
        if name in given or not (required or name in {*_SMALL, "random_state"}):
            continue
        assert name in VALID, (
            f"{path} needs {name!r}: add a value that it takes to VALID in tests/doors.py"
        )
        value = VALID[name]
        given[name] = value() if isinstance(value, Made) else value
    return given


def call(path, given):
    """Call a function, and use what it makes."""
    made = FUNCTIONS[path](**given)
    if path in USED:
        USED[path](made)
    return made


def wrong_values(path):
    """Pairs of an argument and a wrong value of it; the test fails if an argument is not known."""
    for name, parameter in parameters(path).items():
        assert name in WRONG or name in FREE, (
            f"{path} takes {name!r}: add values that it must refuse to WRONG in tests/doors.py"
        )
        for value in WRONG.get(name, ()):
            if not (value is None and parameter.default is None):
                yield name, value


_COUNTS = (0, -1, 1.5, "many", np.nan, True)
_SHARES = (-0.1, 1.5, np.nan, "many")
_FLAGS = ("yes", 1, None)
_NO_RESULT = (3, None, "a.csv")
_WORDS = ("no such word", 3)
#: Values that an argument must refuse, whatever the function.
WRONG = {
    "n_bootstraps": _COUNTS,
    "confidence_level": (0, 1, -0.1, 95, np.nan, "high", None),
    "random_state": (-1, 2**53, 1.5, "seed", True),
    "n_threads": (0, -1, 1.5, "all", True),
    "alternative": ("both", None, 1),
    "pooling": ("mean", None, 1),
    "method": ("bbd", 1),
    "on_undefined": ("skip", None),
    "metric": ("rocauc", 3, "", None),
    "selection": ("worst", 3, None),
    "stratify_bootstrap": _FLAGS,
    "missing": ("ignore", None),
    "resamples": (np.zeros((5, 3), int), np.zeros((5, 12)), "all", np.full((5, 12), 99)),
    "dropping_level": (1.5, np.nan, "high", -1),
    "stream": (-1, 0.5, "a"),
    "kind": _WORDS,
    "variant": ("new", None),
    "rule": ("worst", 1),
    "pos_label": (7, "yes"),
    "names": (["one"], 3),
    "interval": _WORDS,
    "block_length": ("no such word", 0, 2.5),
    "rungs": ("no such word", 3, np.arange(5)),
    "dynamic_search": _FLAGS,
    "size_correction": _FLAGS,
    "secondary": ("rocauc", 3, "", [3]),
    "families": (3, ["a"], "no such word", {}),
    "reference": ("nobody", 7),
    "by": (np.arange(5), np.zeros(N), None, SCORES),
    "threshold": (0, 1, np.nan, "some", None),
    "thresholds": ([], [2.0], [np.nan], "some", -0.5),
    "n_groups": (1, 1.5, "many", None),
    "n_bins": (0, -1, 1.5, "many"),
    "methods": ("bbc", ["bbd"], [3]),
    "selected": (-1, 3, 1.5, "first"),
    "classes": ([0, 0], 3),
    "y_true": (None, 3, "y", np.arange(5)),
    "predictions": (None, 3, "a.csv", SCORES[:5]),
    "folds": (np.zeros(N), np.arange(5), "no such word"),
    **dict.fromkeys(("fold", "group", "weight"), _WORDS),
    "groups": (np.zeros(N), np.arange(5), "no such word"),
    "stratified_by": (np.zeros(N), np.arange(5), np.arange(N) / 7, "no such word"),
    "sample_weight": (np.zeros(N), np.ones(5), "no such word"),
    "labels": ([0], [0, 1, np.nan], "no such word"),
    "of_class": (0, "no such class", np.nan, [0, 1]),
    "scores": (None, 3, "a.csv", [np.nan] * N),
    "first": (None, 3, "a.csv", [np.nan] * N),
    "second": (None, 3, "a.csv", [np.nan] * N),
    "X": (ROWS[:9], ROWS[:0], None),
    "y": (CLASSES[:9], None, CLASSES * np.nan),
    "estimator": (3, None, "tree"),
    "search": (3, None, "grid"),
    "protocol": _NO_RESULT,
    "result": _NO_RESULT,
    "estimates": (*_NO_RESULT, [], [3]),
    "subgroups": _NO_RESULT,
    "negative_control": _NO_RESULT,
    "path": (3, ""),
    "problems": (3, [3], [(1,)]),
    "source": (3, None, "pilot"),
    "width": (0, -1, np.nan, "wide"),
    "ratio": (0, 1, *_SHARES),
    "stratify": _WORDS,
    "fit_timeout": (0, -1, "soon", np.nan),
    "errors": (3, None, "ab", np.zeros((1, 3)), [[np.nan, 1.0], [1.0, 2.0]]),
    "shrink": _FLAGS,
    "shift_limits": _FLAGS,
    "reselect": _FLAGS,
    "test": _WORDS,
    "clinical": _FLAGS,
    "losses": (3, None, [], [np.nan]),
    "outer": (3, [], [[np.nan], [1.0], [1.0]]),
    "inner": (3, [], [[np.nan], [1.0], [1.0]]),
    "cv_loss": ("low", np.nan),
    "estimate": ("low", None, np.nan),
    **dict.fromkeys(("n_train", "n_test", "n_rows", "n_configurations", "k"), _COUNTS),
    **dict.fromkeys(("n_folds", "n_classes", "n_simulations", "n_permutations"), (1, *_COUNTS)),
    **dict.fromkeys(("n_samples", "n_resamples", "n_repeats", "n_halvings"), _COUNTS),
    "n_rounds": _COUNTS,
    "n_shown": _COUNTS,
    "table": (3, None, {}),
    "truth": _WORDS,
    "row": _WORDS,
    "configuration": _WORDS,
    "prediction": _WORDS,
    "repeat": _WORDS,
    "ignore": (["no such word"], 3),
    "decimal": (";", 3),
    "header": _FLAGS[:2],
    "design": ("no such word", 3, {}),
    "na": (3, [3], {}),
    "beta": ((0, 1), (1,), "ab", (np.nan, 1)),
    "true_performance": ([0.5], [np.nan] * 3, "high"),
    "minority": (0, *_SHARES),
    "censored": (1, *_SHARES),
    "correlation": (*_SHARES,),
    "class_counts": _WORDS,
    "shares": ([1], [-1, 2, 0], "many"),
    "function": (3, None, "f"),
    "greater_is_better": _FLAGS,
    "response": _WORDS,
    "target": _WORDS,
    "predicts": _WORDS,
    "lowest": (np.nan, "low"),
    "highest": (np.nan, "high"),
    "scorer": (3, None, "no such word"),
    "code": ("BBC999", 3),
    "tuning": _FLAGS,
    "check_scores": _WORDS,
    "complexity": ([], "simple", [np.nan] * 3, 3),
    "tau": (0, -1, np.nan, "late"),
    "time": (-1, np.nan, "late", None),
    "times": ([], [np.nan], "late", None, [3.0, 2.0]),
    "censoring_survival": ("high", [2.0], [np.nan]),
    "censoring_survival_at": ("high", [2.0], [np.nan]),
}
#: Any value will do, or its own library refuses it.
FREE = {"ax", "detail", "name", "n_jobs", "options", "fit_params", "parameters"}
