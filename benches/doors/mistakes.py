"""Mistakes planted in the package, and what notices them: benches/doors/mistakes.csv.

Each breaks the response, the class, the order of rows, or what a metric is, at one place inside the
package. Three searches run with it: a protocol with weights, a protocol of three classes with a
scorer of one's own, and `keep_predictions`. A mistake is "caught" where an error stops the run,
"missed" where the run ends with other numbers, and has "no effect" where they are the same.

What a door misreads is no contradiction in itself: there the random programs of
benches.doors.programs have to notice it, as they do in tests, within as many as CI runs. The number
is that of the first which does.
"""

import csv
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold

import bbc
from bbc import _engine, _layouts, _settle, _tables
from bbc._engine import _functions
from bbc._finished import _searches, _studies
from bbc._training._collected import Collected
from bbc._training._follow import Followed
from bbc._training._scoring import Responses
from bbc._validation import _predictions, _truth
from bbc.metrics import _resolve
from bbc.search import _cross_validation

from .programs import DOORS
from .scorers import DRAWN, _Classifier, _cost, _Margins, data

HERE = Path(__file__).resolve().parent
_PROGRAMS_OF_CI = 200
GRID = {"penalty": [0.1, 100.0]}


def _add_reversed(plain: Any, self: Any, key: Any, fit: Any) -> Any:
    outputs = {name: values[::-1] for name, values in fit.outputs.items()}
    return plain(self, key, replace(fit, outputs=outputs))


def _read_other(plain: Any, self: Any, metric: Any, **how: Any) -> Any:
    labels = metric.response in ("labels", "predict")
    return self.scores if labels and self.scores is not None else plain(self, metric, **how)


def _read_unlike(plain: Any, self: Any, metric: Any, **how: Any) -> Any:
    found = plain(self, metric, **how)
    if self.decisions is None or found is self.labels:
        return found
    return self.scores if found is self.decisions else self.decisions


def _roll_rows(plain: Any, predictions: Any, repeats: Any, rows: Any) -> Any:
    return replace(plain(predictions, repeats, rows), y=np.roll(predictions.y[rows], 1))


def _roll_weights(plain: Any, self: Any, *given: Any, **design: Any) -> Any:
    weight = design.get("sample_weight")
    return plain(
        self, *given, **design | {"sample_weight": None if weight is None else np.roll(weight, 5)}
    )


def _roll_classes(plain: Any, *given: Any, **options: Any) -> Any:
    found = plain(*given, **options)
    return np.roll(found, 1, axis=2) if found.ndim == 3 else found


def _without_arguments(plain: Any, scorer: Any, *given: Any) -> Any:
    return plain(make_scorer(scorer._score_func), *given)


def _splits_turned(plain: Any, self: Any, rounds: Any) -> Any:
    turned = [
        tuple(replace(each, folds=each.folds[::-1]) for each in one.partitions) for one in rounds
    ]
    return plain(
        self, [one._replace(partitions=new) for one, new in zip(rounds, turned, strict=True)]
    )


def _other_sign(plain: Any, *given: Any) -> Any:
    found = plain(*given)
    return replace(found, sign=-found.sign) if found.function is not None else found


Mistake = tuple[Any, str, Callable[..., Any]]
MISTAKES: dict[str, Mistake] = {
    "scores of the other class": (Responses, "_scores", lambda f, *a: 1 - f(*a)),
    "codes of the other class": (Responses, "_codes", lambda f, *a: 1 - f(*a)),
    "labels of the other class": (
        Collected,
        "_labels",
        lambda f, s, c: f(s, np.abs(1 - c) % 2),
    ),
    "class scores in another order": (_predictions, "_scores", _roll_classes),
    "the other class positive": (_truth, "_place_of_positive", lambda f, *a: 1 - f(*a)),
    "labels read as scores": (bbc.results.OutOfSamplePredictions, "read_by", _read_other),
    "probabilities read as decision values": (
        bbc.results.OutOfSamplePredictions,
        "read_by",
        _read_unlike,
    ),
    "rows of a fold in reverse": (Collected, "add", _add_reversed),
    "another fold": (
        Collected,
        "add",
        lambda f, s, key, fit: f(s, key._replace(fold=2 - key.fold), fit),
    ),
    "folds of a search in reverse": (Followed, "collected", _splits_turned),
    "configurations in reverse": (
        Collected,
        "add",
        lambda f, s, key, fit: f(s, key._replace(configuration=1 - key.configuration), fit),
    ),
    "truth shifted by a row": (_cross_validation, "part_of", _roll_rows),
    "rows of a function shifted": (
        _functions.Scorer,
        "_value",
        lambda f, s, rows, prediction: f(s, rows, np.roll(prediction, 1, axis=0)),
    ),
    "weights shifted": (Collected, "predictions", _roll_weights),
    "another metric": (_engine, "score", lambda f, *a, **o: (1 - f(*a, **o)[0], 0)),
    "arguments of a scorer lost": (_resolve, "scorer_metric", _without_arguments),
    "the sign of a function": (_resolve, "scorer_metric", _other_sign),
}


def _protocol(learner: Any, **given: Any) -> Any:
    return bbc.BBC(learner, GRID, pooling="fold", **given, **DRAWN)


def weighted() -> list[float]:
    """A protocol with two metrics of two classes, and weights."""
    X, y = data("{0, 1}, margins")
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    names = ["f1", "roc_auc", "neg_log_loss"]
    made = _protocol(_Margins(), cv=KFold(3), scoring=names, refit="f1", pos_label=1)
    made.fit(X, y, sample_weight=weight)
    own = made.performance_
    return [float(each.apparent) for each in (own, *own.secondary.values())]


def of_three() -> list[float]:
    """A protocol with class scores of three classes, and a function of one's own."""
    X, y = data("three")
    own = make_scorer(f1_score, average="macro", zero_division=1.0, labels=["low", "top"])
    scoring = {"own": own, "auc": "roc_auc_ovr", "loss": "neg_log_loss"}
    made = _protocol(_Classifier(), cv=StratifiedKFold(3), scoring=scoring, refit="own")
    made.fit(X, y)
    own = made.performance_
    return [float(each.apparent) for each in (own, *own.secondary.values())]


def kept() -> list[float]:
    """A search of scikit-learn that keeps its predictions."""
    X, y = data("{0, 1}, margins")
    scoring = {"auc": "roc_auc", "f1": "f1", "loss": "neg_log_loss", "cost": make_scorer(_cost)}
    search = GridSearchCV(_Margins(), GRID, cv=KFold(3), scoring=scoring, refit=False)
    made = bbc.keep_predictions(search).fit(X, y)
    return [
        float(bbc.correct(made, metric=metric, pooling="fold", **DRAWN).apparent)
        for metric in scoring.values()
    ]


SEARCHES: dict[str, Callable[[], list[float]]] = {
    "protocol": weighted,
    "three classes": of_three,
    "keep_predictions": kept,
}


def outcome(name: str, search: str, right: list[float]) -> tuple[str, str]:
    """What becomes of a search with a mistake: the kind, and what the error says."""
    owner, attribute, broken = MISTAKES[name]
    plain = getattr(owner, attribute)

    def changed(*given: Any, **options: Any) -> Any:
        return broken(plain, *given, **options)

    with patch.object(owner, attribute, changed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = SEARCHES[search]()
        except Exception as error:
            return "caught", f"{type(error).__name__}: {str(error).splitlines()[0][:160]}"
    return ("no effect", "") if np.allclose(found, right, rtol=1e-12) else ("missed", "")


def _of_said(change: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda plain, *given, **options: change(plain(*given, **options))


def _turned(said: Any) -> Any:
    return replace(said, by_fold=said.by_fold[:, ::-1])


def _next(plain: Any, search: Any) -> Any:
    found = plain(search)
    return None if found is None else (found + 1) % len(search.cv_results_["params"])


def _of_zeros(said: Any) -> Any:
    return replace(said, by_fold=np.nan_to_num(said.by_fold))


def _last_line(plain: Any, values: Any, cells: Any, shape: Any) -> Any:
    return plain(np.roll(values, 1, axis=0), cells, shape)


def _of_thousands(plain: Any, cells: Any, mark: str) -> Any:
    found = plain(cells, mark)
    return found * 1000 if mark == "," and found.dtype == float else found


def _deployed_next(plain: Any, *given: Any, **options: Any) -> Any:
    found = plain(*given, **options)
    if found.deployed is None or found.n_configurations < 2:
        return found
    index = (found.deployed.index + 1) % found.n_configurations
    return replace(found, deployed=replace(found.deployed, index=index))


AT_DOORS: dict[str, tuple[str, Mistake]] = {
    "scores of configurations in reverse": ("search", (_searches, "_said", _of_said(_turned))),
    "the search takes the smallest": (
        "search",
        (
            _searches,
            "_said",
            _of_said(lambda said: replace(said, rises=None if said.rises is None else False)),
        ),
    ),
    "the next configuration is deployed": ("search", (_searches, "_chosen", _next)),
    "lost scores are zeros": ("search", (_searches, "_said", _of_said(_of_zeros))),
    "one repeat too many": ("search", (_searches, "_n_repeats", lambda f, *a: f(*a) + 1)),
    "the result names the next one as deployed": (
        "search",
        (_settle, "with_deployed", _deployed_next),
    ),
    "trials in reverse": ("study", (_studies, "_table", lambda f, lists: f(lists)[:, ::-1])),
    "the last fold of a trial is lost": (
        "study",
        (_studies, "_lists", lambda f, t: {name: list(v)[:-1] for name, v in f(t).items()}),
    ),
    "every trial failed once": ("study", (_studies, "_failed", lambda f, s: [0, *f(s)])),
    "cells of a long table shifted": ("table", (_layouts, "_filled", _last_line)),
    "gaps are zeros": (
        "table",
        (_tables, "parsed", lambda f, c: np.nan_to_num(f(c)) if f(c).dtype == float else f(c)),
    ),
    "decimal commas are of thousands": (
        "table",
        (_tables.Cells, "with_mark", _of_thousands),
    ),
    "truth of the row before": ("table", (_layouts, "_truth", lambda f, c: np.roll(f(c), 1, 0))),
}


def noticed(name: str) -> tuple[str, str, str]:
    """Which random program notices a mistake at a door first."""
    door, (owner, attribute, broken) = AT_DOORS[name]
    plain = getattr(owner, attribute)

    def changed(*given: Any, **options: Any) -> Any:
        return broken(plain, *given, **options)

    for seed in range(_PROGRAMS_OF_CI):
        right = DOORS[door](np.random.default_rng(seed))
        with patch.object(owner, attribute, changed):
            try:
                found = DOORS[door](np.random.default_rng(seed))
            except Exception as error:
                told = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
                return door, f"caught by program {seed}", told
        if (found, right) == ("refused", "number"):
            return door, f"refused by program {seed}", ""
    return door, "missed", ""


def main() -> None:
    """Plant every mistake and write what becomes of it."""
    warnings.simplefilter("ignore")
    right = {name: run() for name, run in SEARCHES.items()}
    caught = 0
    with (HERE / "mistakes.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["mistake", "search", "outcome", "error"])
        for name in MISTAKES:
            kinds = []
            for search, numbers in right.items():
                kind, told = outcome(name, search, numbers)
                kinds.append(kind)
                writer.writerow([name, search, kind, told])
            caught += "caught" in kinds and "missed" not in kinds
            print(f"{name:40s}", *kinds, sep="  ")
        for name in AT_DOORS:
            door, kind, told = noticed(name)
            writer.writerow([name, door, kind, told])
            caught += kind != "missed"
            print(f"{name:40s}", door, kind, told, sep="  ")
        told = f"{caught} of {len(MISTAKES) + len(AT_DOORS)} caught"
        writer.writerow([told, "", "", ""])
    print(told)


if __name__ == "__main__":
    main()
