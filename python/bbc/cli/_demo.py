"""``bbc demo``: tune on ten splits of real data, correct, and compare with the rows held back."""

import argparse
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, ParameterGrid, train_test_split
from sklearn.tree import DecisionTreeClassifier

from ..adapters import keep_predictions
from ..api import correct
from ..errors import BBCWarning
from ..findings import Finding
from ..plots._display import APPARENT, CORRECTED, NEUTRAL, pyplot
from ._output import refuse_place

SEEDS = range(10)
_ROWS = 60
# The grid of README's first example.
_GRID = {
    "criterion": ["gini", "entropy"],
    "max_depth": [1, 2, 3, 4, 6, 8, None],
    "max_features": [None, "sqrt", "log2"],
    "min_samples_leaf": [1, 2, 3, 5, 8],
}
# No line crosses a number.
_LABEL = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
# A row's picture: errors of at most so much, in so many characters on either side of the truth.
_WIDEST, _REACH = 0.1, 10
_HEAD = f"""\
seed  apparent  corrected  the rest    apparent   corrected  -{_WIDEST}{0:>{_REACH - 3}}\
{f"+{_WIDEST}":>{_REACH}}"""


@dataclass(frozen=True)
class Split:
    """One split: the tuned model's two scores, and its accuracy on the rows held back."""

    name: str
    apparent: float
    corrected: float
    truth: float
    findings: tuple[Finding, ...] = ()

    @property
    def errors(self) -> tuple[float, float]:
        """By how much the apparent and the corrected score are too high."""
        return self.apparent - self.truth, self.corrected - self.truth

    def line(self) -> str:
        """A row of the table, with its picture."""
        apparent, corrected = self.errors
        picture = list(f"{'':{_REACH}}|{'':{_REACH}}")
        for mark, error in (("x", apparent), ("o", corrected)):
            place = _REACH + round(error / _WIDEST * _REACH)
            picture[min(max(place, 0), 2 * _REACH)] = mark
        return (
            f"{self.name:>4}  {self.apparent:8.3f}  {self.corrected:9.3f}  {self.truth:8.3f}    "
            f"{apparent:+8.3f}   {corrected:+9.3f}  {''.join(picture).rstrip()}"
        )


def run_demo(arguments: argparse.Namespace) -> None:
    """Run the demonstration."""
    if arguments.plot is not None:
        refuse_place(arguments.plot)
        pyplot()  # refuses before the tuning if matplotlib is missing
    started = time.perf_counter()
    X, y = load_breast_cancer(return_X_y=True)
    n_configurations = len(ParameterGrid(_GRID))
    print(
        f"A decision tree is tuned on {_ROWS} rows of the breast-cancer data ({n_configurations} "
        "configurations,\n"
        f"10 folds). The other {len(y) - _ROWS} rows show how accurate the tuned model is.\n"
    )
    print(f"{'':37}too high by")
    print(_HEAD, flush=True)
    splits = []
    for seed in SEEDS:
        splits.append(tuned(X, y, seed))
        print(splits[-1].line(), flush=True)
    mean = average(splits)
    print(f"{mean.line()}\n{'':61}x apparent, o corrected\n")
    print(_conclusion(splits, mean))
    for split in splits:
        for finding in split.findings:
            print(f"Split {split.name} has finding {finding.code}: {finding.kind.title}.")
    if arguments.plot is not None:
        draw([*splits, mean], arguments.plot)
        print(f"Picture: {arguments.plot}")
    print(f"({time.perf_counter() - started:.0f} s in all)")


def tuned(X: Any, y: Any, seed: int) -> Split:
    """Tune on some rows, and score the tuned model on the others."""
    X_tune, X_rest, y_tune, y_rest = train_test_split(
        X, y, train_size=_ROWS, stratify=y, random_state=seed
    )
    tree = DecisionTreeClassifier(random_state=0)
    search = keep_predictions(GridSearchCV(tree, _GRID, cv=10, n_jobs=-1)).fit(X_tune, y_tune)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BBCWarning)  # said below the table
        corrected = correct(search, random_state=1)
    truth = float(search.score(X_rest, y_rest))
    warned = tuple(each for each in corrected.findings if each.kind.level == "warning")
    return Split(str(seed), float(search.best_score_), corrected.estimate, truth, warned)


def average(splits: list[Split]) -> Split:
    """The means of several splits."""
    scores = np.array([(split.apparent, split.corrected, split.truth) for split in splits])
    return Split("mean", *scores.mean(axis=0).tolist())


def _conclusion(splits: list[Split], mean: Split) -> str:
    errors = np.array([split.errors for split in splits])
    (lowest, low), (highest, high) = errors.min(axis=0), errors.max(axis=0)
    apparent, corrected = mean.errors
    uncertainty = errors[:, 1].std(ddof=1) / len(splits) ** 0.5
    return (
        f"A single split is noise: its apparent score is off by {lowest:+.3f} to {highest:+.3f}, "
        f"its corrected\nscore by {low:+.3f} to {high:+.3f}. On average, the apparent score is off "
        f"by {apparent:+.3f}, the corrected\none by {corrected:+.3f} (with a standard error of "
        f"about {uncertainty:.3f})."
    )


def draw(splits: list[Split], path: Path) -> None:
    """The errors of each split; those of the last one, the mean, apart."""
    figure, ax = pyplot().subplots(figsize=(7.2, 3.0), layout="constrained")
    places = np.arange(len(splits), dtype=float)
    places[-1] += 0.5
    errors = np.array([split.errors for split in splits])
    for column, (label, colour, marker) in enumerate(
        (("apparent", APPARENT, "s"), ("corrected", CORRECTED, "o"))
    ):
        x, own = places + 0.16 * column - 0.08, errors[:, column]
        ax.plot(x[:-1], own[:-1], marker, color=colour, label=label)
        ax.plot(x[-1], own[-1], marker, color=colour, markersize=10)
        beside = (places[-1] + 0.4, own[-1])
        ax.annotate(f"{own[-1]:+.3f}", beside, va="center", color=colour, bbox=_LABEL)
    ax.axhline(0, color="black", linewidth=1)
    ax.axvline(places[-1] - 0.75, color=NEUTRAL, linewidth=0.8)
    ax.set_xticks(places, [split.name for split in splits])
    ax.set_xlim(-0.6, places[-1] + 1.3)
    ax.set_xlabel("split (seed)")
    ax.set_ylabel("score minus accuracy\non the other rows")
    ax.set_ylim(-1.1 * _WIDEST, 1.1 * _WIDEST)
    ax.yaxis.set_major_locator(pyplot().MultipleLocator(_WIDEST / 2))
    ax.yaxis.set_major_formatter("{x:+.2f}")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, loc="lower left", ncols=2, bbox_to_anchor=(-0.01, 0.96))
    figure.savefig(path, dpi=150)
    pyplot().close(figure)
