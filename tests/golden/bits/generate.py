"""Writes the table of cases that Python, R and C must reproduce to the last bit.

Run it only when the replicates are meant to change: python tests/golden/bits/generate.py

data.csv holds the columns that the cases name; cases.csv says for each case what is computed and,
as hexadecimal floats, what comes out. Indices count from 0.
"""

import csv
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import bbc

HERE = Path(__file__).parent
N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS = 36, 5, 20
TRUTHS = {"binary": ["two"], "classes": ["three", "two"], "real": ["real"], "survival": ["time"]}
PREDICTIONS = {
    "labels": "labels",
    "score": "score",
    "probability": "probability",
    "value": "value",
    "risk": "value",
    "class_scores": "class",
    "class_probabilities": "class",
}


@dataclass(frozen=True)
class Case:
    """One line of the table; `truth` names a column, `predictions` the start of columns' names.

    `folds` are those over which a score is a mean, `drawn` those that two-level replicates draw.
    `published` is Algorithm 5 as it was published, whose optimism holds the effect of fewer rows.
    """

    metric: str
    truth: str
    predictions: str
    seed: int
    n_repeats: int = 1
    groups: str = ""
    stratified: int = 0
    weights: str = ""
    folds: str = ""
    drawn: str = ""
    published: int = 0

    @property
    def n_outputs(self) -> int:
        """Length of the last axis."""
        return int(self.predictions.rpartition("_")[2]) if "class_" in self.predictions else 1


def make_data() -> dict[str, np.ndarray]:
    """Columns with ties, some exact in binary and some not."""
    rng = np.random.default_rng(20180707)
    data: dict[str, np.ndarray] = {
        "two": np.arange(N_ROWS) % 3 % 2,
        "three": np.arange(N_ROWS) % 3,
        "real": rng.integers(1, 40, N_ROWS) / 10,
        "time": rng.integers(1, 20, N_ROWS) / 4,
        "event": (rng.random(N_ROWS) < 0.7).astype(int),
        "group": np.arange(N_ROWS) // 3,
        "weight": rng.integers(1, 30, N_ROWS) / 7,
    }
    two, three = data["two"], data["three"]
    for repeat in range(2):
        data[f"part_{repeat}"] = (np.arange(N_ROWS) // 3 * (1 + 4 * repeat) + repeat) % 6
        data[f"fold_{repeat}"] = rng.permutation(N_ROWS) // 3 % 3 if repeat else two * 0 + _folds()
        for j in range(N_CONFIGURATIONS):
            wrong = rng.random(N_ROWS) < 0.3
            end = f"{repeat}_{j}"
            data[f"labels_two_{end}"] = np.where(wrong, 1 - two, two)
            data[f"labels_three_{end}"] = np.where(wrong, rng.integers(0, 3, N_ROWS), three)
            data[f"score_{end}"] = np.round(two + rng.normal(size=N_ROWS), 1)
            data[f"probability_{end}"] = np.round(0.6 * rng.random(N_ROWS) + 0.35 * two, 2)
            data[f"value_{end}"] = np.round(data["real"] + rng.random(N_ROWS), 1)
            for n_classes, truth in ((2, two), (3, three)):
                raw = rng.integers(1, 6, (N_ROWS, n_classes)) + 2 * np.eye(n_classes)[truth]
                for k, column in enumerate((raw / raw.sum(axis=1, keepdims=True)).T):
                    data[f"class_{n_classes}_{end}_{k}"] = column
    return data


def _folds() -> np.ndarray:
    """Three folds that hold every class."""
    return np.arange(N_ROWS) // 3 % 3


def make_cases() -> list[Case]:
    """Every metric, and every plan with some of them."""
    cases = []
    names = bbc.metrics.names()
    with (HERE / "cases.csv").open(newline="") as file:
        recorded = dict.fromkeys(line["metric"] for line in csv.DictReader(file))
    # New ones are last, so that the seeds of the others stay.
    for name in dict.fromkeys([*recorded, *names]):
        info = names[name]
        if bbc.metrics.get(name).censoring:  # the C interface has no weights of events
            continue
        for truth in TRUTHS[info.target]:
            start = PREDICTIONS[info.predicts]
            if start == "labels":
                start += f"_{truth}"
            elif start == "class":
                start += "_2" if truth == "two" else "_3"
            cases.append(Case(name, truth, start, seed=len(cases)))
    plain = [
        ("accuracy", "three", "labels_three"),
        ("roc_auc", "two", "score"),
        ("brier_score", "two", "class_2"),
        ("mean_squared_error", "real", "value"),
        ("concordance_index", "time", "value"),
        ("f1_macro", "three", "labels_three"),
        ("roc_auc_ovr", "three", "class_3"),
    ]
    plans: list[dict[str, object]] = [
        {"seed": 2**53 - 1},
        {"n_repeats": 2},
        {"groups": "group"},
        {"stratified": 1},
        {"weights": "weight"},
        {"folds": "fold"},
        {"n_repeats": 2, "folds": "fold", "weights": "weight", "groups": "group"},
    ]
    for metric, truth, predictions in plain:
        for number, plan in enumerate(plans):
            if plan.get("stratified") and truth in ("real", "time"):
                continue
            cases.append(Case(metric, truth, predictions, **({"seed": 100 + number} | plan)))  # type: ignore[arg-type]
    two_level: list[dict[str, object]] = [
        {},
        {"n_repeats": 2},
        {"folds": "part", "weights": "weight"},
        {"n_repeats": 2, "folds": "part", "groups": "group"},
    ]
    for metric, truth, predictions in plain:
        for number, plan in enumerate(two_level):
            own = {"seed": 200 + number, "drawn": "part"} | plan
            cases.append(Case(metric, truth, predictions, **own))  # type: ignore[arg-type]
    published = [replace(case, published=1) for case in cases if depends_on_size(case.metric)]
    return cases + published


def is_plain(case: Case) -> bool:
    """Whether rows are drawn with equal weights and scored together."""
    plan = (case.groups, case.stratified, case.weights, case.folds, case.drawn, case.published)
    return case.n_repeats == 1 and not any(plan) and case.seed < 100


def depends_on_size(name: str) -> bool:
    """Whether the published algorithm differs."""
    metric = bbc.metrics.get(name)
    return metric.kernel == "r2" or metric._compiled.size_dependent


def truth_of(data: dict[str, np.ndarray], case: Case) -> np.ndarray:
    """The truth as bbc.correct takes it."""
    if case.truth != "time":
        return data[case.truth]
    return np.array(
        list(zip(data["event"] == 1, data["time"], strict=True)),
        dtype=[("event", bool), ("time", float)],
    )


def predictions_of(data: dict[str, np.ndarray], case: Case) -> list[np.ndarray]:
    """One array per repeat."""
    repeats = []
    for repeat in range(case.n_repeats):
        columns = []
        for j in range(N_CONFIGURATIONS):
            name = f"{case.predictions}_{repeat}_{j}"
            own = [f"{name}_{k}" for k in range(case.n_outputs)] if case.n_outputs > 1 else [name]
            columns.append(np.stack([data[column] for column in own], axis=1))
        array = np.stack(columns, axis=1)
        repeats.append(array if case.n_outputs > 1 else array[:, :, 0])
    return repeats


def folds_of(data: dict[str, np.ndarray], case: Case) -> np.ndarray | None:
    """Folds of shape (n_repeats, n_rows)."""
    name = case.folds or case.drawn
    if not name:
        return None
    return np.stack([data[f"{name}_{repeat}"] for repeat in range(case.n_repeats)])


def correct(data: dict[str, np.ndarray], case: Case) -> bbc.PerformanceEstimate:
    """What Python gives."""
    return bbc.correct(
        truth_of(data, case),
        predictions_of(data, case),
        metric=case.metric,
        method="bbc-two-level" if case.drawn else "bbc",
        folds=folds_of(data, case),
        pooling="fold" if case.folds else "pooled",
        groups=data[case.groups] if case.groups else None,
        stratify_bootstrap=bool(case.stratified),
        sample_weight=data[case.weights] if case.weights else None,
        n_bootstraps=N_BOOTSTRAPS,
        confidence_level=0.8,
        size_correction=not case.published,
        random_state=case.seed,
    )


def results_of(estimate: bbc.PerformanceEstimate) -> dict[str, object]:
    """What a line of the table says came out."""
    assert estimate.confidence_interval is not None
    assert estimate.apparent is not None
    assert estimate.replicates is not None
    assert estimate.replicate_winners is not None
    low, high = estimate.confidence_interval
    numbers = {"estimate": estimate.estimate, "low": low, "high": high}
    numbers["apparent"] = estimate.apparent
    return {
        **{name: float(value).hex() for name, value in numbers.items()},
        "winner": estimate.winner,
        "n_redrawn": estimate.n_redrawn,
        "winners": " ".join(map(str, estimate.replicate_winners)),
        "replicates": " ".join(float(value).hex() for value in estimate.replicates),
    }


def main() -> None:
    """Write both tables."""
    data = make_data()
    with (HERE / "data.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(data)
        for row in zip(*data.values(), strict=True):
            writer.writerow(float(x).hex() if isinstance(x, np.floating) else int(x) for x in row)
    lines = []
    for case in make_cases():
        metric = bbc.metrics.get(case.metric)
        parameters = dict(metric.parameters)
        kernel = {
            "kernel": metric.kernel,
            "average": parameters.get("average", "binary"),
            "negate": int(metric.sign < 0),
        }
        results = results_of(correct(data, case))
        lines.append({**vars(case), "n_outputs": case.n_outputs, **kernel, **results})
    with (HERE / "cases.csv").open("w", newline="") as file:
        dict_writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        dict_writer.writeheader()
        dict_writer.writerows(lines)


if __name__ == "__main__":
    main()
