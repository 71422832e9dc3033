"""Tables written from known predictions in dialects drawn at random, and studies with known scores.

What is read back is what was written, or the table is refused.
"""

import csv
import gzip
import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pandas as pd

import bbc
from bbc.errors import ArgumentError

optuna.logging.set_verbosity(optuna.logging.WARNING)

CLASSES = {
    "codes": [0, 1],
    "words": ["no", "yes"],
    "three": ["a", "b", "c"],
    "missing words": ["NA", "none"],
    "booleans": [False, True],
}


@dataclass
class Written:
    """What a table was written from, and how it is read."""

    path: Path
    y: Any
    predictions: Any
    names: list[str]
    folds: Any
    options: dict[str, Any]
    is_long: bool
    separator: str

    def read(self, source: Any = None) -> bbc.Predictions:
        """The predictions, from the file or from another form of it."""
        read = bbc.Predictions.from_long if self.is_long else bbc.Predictions.from_wide
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read(self.path if source is None else source, **self.options)


def _known(rng: np.random.Generator) -> tuple[Any, Any, list[str]]:
    """Truth, predictions and names of configurations."""
    n_rows, n_configurations = int(rng.integers(8, 30)), int(rng.integers(1, 5))
    kind = rng.choice([*CLASSES, "numbers"])
    of_labels = kind != "numbers" and bool(rng.random() < 0.4)
    if kind == "numbers":
        y = np.round(rng.normal(size=n_rows) * 10, 2)
        predictions = np.round(rng.normal(size=(n_rows, n_configurations)) * 10, 3)
    else:
        classes = np.array(CLASSES[kind], object)
        y = classes[rng.integers(0, len(classes), n_rows)]
        predictions = (
            classes[rng.integers(0, len(classes), (n_rows, n_configurations))]
            if of_labels
            else np.round(rng.random((n_rows, n_configurations)), 3)
        )
    style = rng.choice(["model", "C=", "number", "odd"])
    names = {
        "model": [f"model {place}" for place in range(n_configurations)],
        "C=": [f"C={10.0**place:g}, l1" for place in range(n_configurations)],
        "number": [str(3 * place + 1) for place in range(n_configurations)],
        "odd": [f'the "{place}"; é' for place in range(n_configurations)],
    }[style]
    return y, predictions, names


def written(rng: np.random.Generator, folder: Path) -> Written:
    """A table in a dialect; some of them cannot be read without doubt."""
    y, predictions, names = _known(rng)
    n_rows, n_configurations = predictions.shape
    folds = rng.permutation(np.arange(n_rows) % 3) + 1 if rng.random() < 0.5 else None
    holes = rng.random((n_rows, n_configurations)) < (0.1 if rng.random() < 0.3 else 0)
    if holes.all(axis=0).any() or holes.all(axis=1).any():
        holes[:] = False
    mark = "," if rng.random() < 0.3 else "."
    gap = rng.choice(["", "NA", "NaN"])

    def cell(value: Any) -> str:
        return str(value).replace(".", mark) if isinstance(value, float) else str(value)

    def predicted(row: int, place: int) -> str:
        return gap if holes[row, place] else cell(predictions[row, place])

    is_long = bool(rng.random() < 0.4)
    if is_long:
        header = ["id", "trial", "truth", "guess"]
        lines = [
            [f"r{row}", names[place], cell(y[row]), predicted(row, place)]
            for place in range(n_configurations)
            for row in range(n_rows)
        ]
        options = {"row": "id", "configuration": "trial", "prediction": "guess"}
        of_lines = [int(line[0][1:]) for line in lines]
    else:
        header = ["truth", *names]
        lines = [
            [cell(y[row]), *(predicted(row, place) for place in range(n_configurations))]
            for row in range(n_rows)
        ]
        options = {}
        of_lines = list(range(n_rows))
    if folds is not None:
        header.append("part")
        lines = [[*line, str(folds[row])] for line, row in zip(lines, of_lines, strict=True)]
        options["fold" if is_long else "folds"] = "part"
    if rng.random() < 0.2:  # R's row names
        header.insert(0, "")
        lines = [[str(number + 1), *line] for number, line in enumerate(lines)]
    if is_long and rng.random() < 0.5:
        lines = [lines[place] for place in rng.permutation(len(lines))]
    order = rng.permutation(len(header)) if rng.random() < 0.3 else np.arange(len(header))
    table = [[line[place] for place in order] for line in [header, *lines]]
    separator = ";" if mark == "," else str(rng.choice([",", ";", "\t"]))
    path = _file(rng, folder, table, separator)
    options["truth"] = "truth"
    values = np.where(holes, None, predictions)
    return Written(path, y, values, names, folds, options, is_long, separator)


def _file(rng: np.random.Generator, folder: Path, table: list[list[str]], separator: str) -> Path:
    text = io.StringIO(newline="")
    csv.writer(
        text,
        delimiter=separator,
        lineterminator=str(rng.choice(["\n", "\r\n"])),
        quoting=csv.QUOTE_ALL if rng.random() < 0.5 else csv.QUOTE_MINIMAL,
    ).writerows(table)
    content = text.getvalue()
    if rng.random() < 0.2:
        content = content.rstrip("\r\n")
    raw = content.encode("utf-8-sig" if rng.random() < 0.2 else "utf-8")
    name = "table.tsv" if separator == "\t" else "table.csv"
    if rng.random() < 0.2:
        name, raw = f"{name}.gz", gzip.compress(raw)
    path = folder / name
    path.write_bytes(raw)
    return path


def verdict_of_table(table: Written) -> str:
    """Whether a table gives what was written, as a file and as a frame: "number" or "refused"."""
    frame = pd.read_csv(table.path, sep=table.separator, encoding="utf-8-sig")
    found = set()
    for source in (None, frame):
        try:
            made = table.read(source)
        except ValueError:
            found.add("refused")
            continue
        _same(table, made)
        found.add("number")
    return "number" if "number" in found else "refused"


def _same(table: Written, made: bbc.Predictions) -> None:
    """Names, truth, folds and predictions are those that were written; rows may be in any order."""
    assert sorted(made.names or ()) == sorted(table.names)
    places = [table.names.index(name) for name in made.names or ()]
    outputs = made.values
    assert outputs.shape[:3] == (1, len(table.y), len(table.names))

    def parts(y: Any, folds: Any, values: Any) -> list[list[tuple[str, ...]]]:
        """The rows of each fold: which numbers and which order they have does not matter."""
        folds = np.zeros(len(y), int) if folds is None else folds
        rows = [(_plain(y[row]), *map(_plain, values[row])) for row in range(len(y))]
        found = ([rows[row] for row in np.flatnonzero(folds == fold)] for fold in set(folds))
        return sorted(map(sorted, found))

    folds = None if made.folds is None else np.asarray(made.folds).reshape(-1)
    assert (folds is None) == (table.folds is None)
    ours = parts(made.y, folds, outputs[0])
    theirs = parts(table.y, table.folds, table.predictions[:, places])
    assert ours == theirs, (ours[0][:3], theirs[0][:3])


def _plain(value: Any) -> str:
    """A number or a word, however it is kept."""
    if value is None or value != value:  # NaN
        return "-"
    if isinstance(value, bool | np.bool_):
        return str(value)
    try:
        return repr(float(value))
    except ValueError:
        return str(value)


@dataclass
class Study:
    """A study, the scores of its trials, and the rule by which its value follows from them."""

    study: optuna.Study
    scores: Any
    rule: str
    greater_is_better: bool
    metric: str


_RULES = {
    "mean": np.mean,
    "sum": np.sum,
    "per cent": lambda scores: 100 * np.mean(scores),
    "first": lambda scores: scores[0],
    "median": np.median,
}


def studied(rng: np.random.Generator) -> Study:
    """A study drawn at random; of some one cannot repeat the choice."""
    n_folds, n_trials = int(rng.integers(2, 6)), int(rng.integers(2, 7))
    rule = str(rng.choice(list(_RULES), p=[0.5, 0.15, 0.15, 0.1, 0.1]))
    metric = str(rng.choice(["accuracy", "roc_auc", "neg_log_loss", "r2", "mean_squared_error"]))
    rises = metric != "mean_squared_error"
    scores = rng.uniform(0.5, 0.9, (n_folds, n_trials))
    scores = -scores if metric == "neg_log_loss" else scores
    if rng.random() < 0.2:  # ties
        scores = np.round(scores, 1)
    direction = "maximize" if rises != (rng.random() < 0.1) else "minimize"
    study = optuna.create_study(direction=direction)
    distribution = optuna.distributions.FloatDistribution(0, 100)
    kept = []
    for number in range(n_trials):
        state = optuna.trial.TrialState.COMPLETE
        if rng.random() < 0.1 and n_trials - number > 1:
            state = optuna.trial.TrialState.FAIL
        kept += [number] if state == optuna.trial.TrialState.COMPLETE else []
        study.add_trial(
            optuna.trial.create_trial(
                state=state,
                value=float(_RULES[rule](scores[:, number])) if kept[-1:] == [number] else None,
                params={"x": float(number)},
                distributions={"x": distribution},
                user_attrs={"fold_scores": scores[:, number].tolist()},
            )
        )
    return Study(study, scores[:, kept], rule, direction == "maximize", metric)


def verdict_of_study(made: Study) -> str:
    """Whether a study is corrected for the trial that it deploys: "number", or "refused"."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            e = bbc.correct(made.study, metric=made.metric, random_state=1, n_bootstraps=50)
        except ArgumentError:
            return "refused"
    failed = sum(trial.state.name == "FAIL" for trial in made.study.trials)
    lost = [found.detail for found in e.findings if found.code == "BBC026"]
    assert bool(lost) == bool(failed)
    assert all(f"{failed} fit" in detail for detail in lost), lost
    value = made.study.best_value
    assert e.deployed is not None
    assert e.deployed.is_corrected
    assert e.deployed.score == value
    own = [_RULES[made.rule](column) for column in made.scores.T]
    best = max(own) if made.greater_is_better else min(own)
    assert np.isclose(own[e.winner], best, rtol=1e-12)
    assert e.greater_is_better == made.greater_is_better
    np.testing.assert_allclose(e.apparent, made.scores[:, e.winner].mean(), rtol=1e-12)
    return "number"
