"""Tables for the page that corrects in the browser: what Python must agree with, and defects."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import bbc
from bbc.metrics._spec import METRICS

N = 90


class Case(NamedTuple):
    """A file, the choices made on the page, and what Python is told."""

    name: str
    text: str
    choices: dict[str, str]
    ignore: tuple[str, ...] = ()
    encoding: str = "utf-8"
    ticked: tuple[str, ...] = ()

    def _read(self, **columns: Any) -> bbc.Predictions:
        return bbc.Predictions.from_wide(io.StringIO(self.text), **columns)

    def estimate(self) -> bbc.PerformanceEstimate:
        """Python's result."""
        choices = {"method": "bbc", "seed": "0", "replicates": "1000", "level": ".95"}
        choices |= {"folds": "none"} | self.choices
        folds = None if choices["folds"] == "none" else choices["folds"]
        columns = {"truth": choices["truth"], "folds": folds, "ignore": self.ignore}
        columns["decimal"] = choices.get("decimal") or None
        columns["header"] = {"yes": True, "no": False}.get(choices.get("header", ""))
        classes = np.unique(self._read(**columns).y).tolist()
        positive = choices.get("positive")
        columns["pos_label"] = next((one for one in classes if str(one) == positive), None)
        return bbc.correct(
            self._read(**columns),
            metric=choices["metric"],
            method=choices["method"],
            n_bootstraps=int(choices["replicates"]),
            confidence_level=float(choices["level"]),
            random_state=int(choices["seed"]),
        )


def table(columns: dict[str, Any], separator: str = ",", end: str = "\n") -> str:
    """Text of a table."""
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return "".join(separator.join(map(str, row)) + end for row in rows)


def _data(kind: str, seed: int = 0, n: int = N, n_folds: int = 5) -> dict[str, Any]:
    """Truth, folds and nine configurations of a kind of prediction."""
    rng = np.random.default_rng(seed)
    folds = rng.permutation(np.arange(n) % n_folds) + 1
    y: Any = rng.permutation(np.arange(n) % 2)
    skill = np.linspace(0, 1, 9)
    noise = rng.normal(size=(n, 9))
    if kind in ("score", "probability"):
        values = (y[:, None] - 0.5) * skill + noise
        values = 1 / (1 + np.exp(-values)) if kind == "probability" else values
        values = values.round(4)
    elif kind == "value":
        y = rng.gamma(2, size=n).round(3)
        values = np.abs(y[:, None] + noise).round(3) + 0.001
    else:
        y = rng.integers(0, 3, n) if kind == "three" else y
        right = rng.random((n, 9)) < 0.5 + 0.3 * skill
        values = np.where(right, y[:, None], (y[:, None] + 1) % (y.max() + 1))
    columns = {f"c{place}": values[:, place].tolist() for place in range(9)}
    return {"y": y.tolist(), "fold": folds.tolist()} | columns


_KIND = {"labels": "labels", "score": "score", "value": "value"}


def metrics() -> Iterator[Case]:
    """Every metric of the page, with both methods."""
    for seed, metric in enumerate(METRICS.values()):
        if metric.sign < 0 or metric.predicts in ("class_scores", "risk"):
            continue
        kind = _KIND.get(metric.predicts, "probability")
        kind = "three" if kind == "labels" and metric.target == "classes" else kind
        for method in ("bbc", "bbc-two-level"):
            choices = {"truth": "y", "folds": "fold", "metric": metric.name, "method": method}
            choices |= {"seed": str(seed), "replicates": "200"}
            yield Case(f"{metric.name} {method}", table(_data(kind, seed)), choices)


def particulars() -> Iterator[Case]:
    """Files, choices and findings that are out of the ordinary."""
    auc = {"truth": "y", "metric": "roc_auc"}
    scores = _data("score")
    yield Case("no folds", table(scores), auc, ignore=("fold",))
    yield Case("largest seed", table(scores), auc | {"seed": str(2**53 - 1)}, ignore=("fold",))
    level = {"level": "0.8", "replicates": "333", "folds": "fold"}
    yield Case("level", table(scores), auc | level)
    yield Case("one configuration", table({"y": scores["y"], "c": scores["c8"]}), auc)
    yield from _files(scores, auc)
    named = scores | {"y": [("no", "yes, a lot")[label] for label in scores["y"]]}
    quoted = table(named | {"y": [f'"{label}"' for label in named["y"]]})
    yield Case("quotes", quoted, auc | {"positive": "no"}, ignore=("fold",))
    words = _data("labels")
    for name in words.keys() - {"fold"}:
        words[name] = [("ill", "well")[label] for label in words[name]]
    f1 = {"truth": "y", "metric": "f1", "folds": "fold", "positive": "well"}
    yield Case("words", table(words), f1)
    left = {"id": list(range(N)), "set": ["a"] * N}
    yield Case("other columns", table(left | scores), auc, ignore=("id", "set", "fold"))
    yield from _findings(scores, auc)


def _files(scores: dict[str, Any], auc: dict[str, str]) -> Iterator[Case]:
    """The same table, written in other ways."""
    without = {"ignore": ("fold",)}
    yield Case("mark and line ends", "\ufeff" + table(scores, end="\r\n"), auc, **without)
    yield Case("tabs", table(scores, "\t"), auc, **without)
    german = table(scores, ";").replace(".", ",")
    yield Case("semicolons and decimal commas", german, auc, **without)
    yield Case("UTF-16", "\ufeff" + table(scores), auc, encoding="utf-16-le", **without)
    gone = scores | {f"c{place}": ["NA", *scores[f"c{place}"][1:-1], ""] for place in range(9)}
    yield Case("rows without predictions", table(gone), auc | {"folds": "fold"})


def _findings(scores: dict[str, Any], auc: dict[str, str]) -> Iterator[Case]:
    """Data that show what limits a result."""
    y = scores["y"]
    yield Case("the truth", table({"y": y, "a": y, "b": scores["c1"]}), auc)
    labels = [float(one > 0) for one in scores["c8"]]
    yield Case("labels as scores", table({"y": y, "a": labels}), auc)
    few = table({name: values[:14] for name, values in scores.items()})
    yield Case("few rows", few, auc, ignore=("fold",))
    rare = scores | {"y": [1, 1, 1, 1] + [0] * (N - 4)}
    yield Case("rare class", table(rare), auc | {"folds": "fold"})
    yield Case("rarer class", table(rare), {"truth": "y", "metric": "average_precision"}, ("fold",))
    for n_folds in (3, 4):
        choices = auc | {"folds": "fold", "method": "bbc-two-level"}
        yield Case(f"{n_folds} folds", table(_data("score", n_folds=n_folds)), choices)
    far = _data("value")
    far["y"][3] = 900.0
    yield Case("outlier", table(far), {"truth": "y", "metric": "mean_squared_error"}, ("fold",))
    yield Case("luck", table(_lucky()), {"truth": "y", "metric": "accuracy", "folds": "fold"})


def _lucky() -> dict[str, Any]:
    """Each fitted model has an accuracy of its own."""
    rng = np.random.default_rng(0)
    folds = np.arange(500) % 5
    y = rng.integers(0, 2, 500)
    accuracy = rng.normal(0.75, 0.05, size=(5, 40))
    wrong = rng.random((500, 40)) > accuracy[folds]
    values = np.where(wrong, 1 - y[:, None], y[:, None])
    columns = {f"c{place}": values[:, place].tolist() for place in range(40)}
    return {"y": y.tolist(), "fold": folds.tolist()} | columns


def defects() -> Iterator[tuple[Case, str]]:
    """Tables that Python refuses, and words of the page's refusal."""
    scores, values = _data("score"), _data("value")
    y, auc = scores["y"], {"truth": "y", "metric": "roc_auc", "folds": "fold"}

    def bad(said: str, choices: dict[str, str], **columns: Any) -> tuple[Case, str]:
        return Case(said, table(scores | columns), auc | choices), said

    gap, rest = scores["c0"][1:], y[1:]
    yield bad("The truth is missing in data row 1", {}, y=["", *rest])
    yield bad("The prediction is missing in data row 1 of column “c0”", {}, c0=["NA", *gap])
    yield bad("The prediction is infinite in data row 1", {}, c0=["-inf", *gap])
    yield bad("The truth has one class (1), roc_auc needs two", {}, y=[1] * N)
    yield bad("The truth has 3 classes (0, 1, 2), roc_auc needs two", {}, y=[2, *rest])
    yield bad("look like scores", {"metric": "accuracy"})
    text, said = bad("Column “c0” is text and others are numbers", {}, c0=["a"] * N)
    yield text._replace(ticked=("c0",)), said
    yield bad("brier_score needs numbers in [0, 1]", {"metric": "brier_score"})
    yield bad("Column “fold” has one fold", {}, fold=[1] * N)
    yield bad("The fold is missing in data row 1", {}, fold=["", *scores["fold"][1:]])
    yield bad("class 1 has 1 row", {"metric": "roc_auc"}, y=[1] + [0] * (N - 1))
    halves = [0.5 + 0.4 * (one > 0) for one in scores["c0"]]
    pair = {"y": y, "fold": scores["fold"], "a": halves, "b": [1 - one for one in halves]}
    yield Case("pair", table(pair), auc), "sum to one in every row"
    copied = table(values | {"c0": values["y"]})
    r2 = {"truth": "y", "metric": "r2", "folds": "fold"}
    yield Case("copy", copied, r2), "Column “c0” is the truth itself"
    real = Case("real", table(values), r2 | {"metric": "poisson_deviance"})
    negative = table(values | {"y": [-1.5, *values["y"][1:]]})
    yield real._replace(text=negative), "poisson_deviance needs numbers in [0, inf)"
    for text, said in (
        ("", "The table is empty"),
        ("y,a,b\n", "The table has no rows"),
        ("y,a,a\n0,1,1\n1,1,0\n", "two columns “a”"),
        ("y,a,b\n0,1,1\n1,0\n", "Data row 2 has 2 cells, the header has 3"),
        ("y\n0\n1\n", "No column is left"),
    ):
        yield Case(said, text, {"truth": "y", "metric": "accuracy"}), said


TABLES = Path(__file__).parents[1] / "golden" / "tables"


class Specified(NamedTuple):
    """A table of the specification, its choices, and what becomes of it."""

    case: Case
    taken: tuple[str, ...]
    decimal: str
    said: str


def specified() -> Iterator[Specified]:
    """The tables that every interface reads alike."""
    with (TABLES / "cases.csv").open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            if line["page"] == "-":
                continue
            fields = ("truth", "folds", "metric", "decimal", "header")
            choices = {name: line[name] for name in fields} | {"positive": line["pos_label"]}
            choices["folds"] = line["folds"] or "none"
            text = (TABLES / line["file"]).read_text(encoding="utf-8")
            made = {name: choice for name, choice in choices.items() if choice}
            case = Case(line["case"], text, made | {"replicates": "200"})
            taken = tuple(line["taken"].split("|"))
            ticked = ("patient_id",) if line["names"] else ()
            ignore = tuple(line["ignore"].split("|")) if line["ignore"] else ()
            case = case._replace(ticked=ticked, ignore=ignore)
            yield Specified(case, taken, line["found"], line["page"] or line["text"])
