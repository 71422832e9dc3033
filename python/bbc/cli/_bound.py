"""``bbc bound``: the conservative bound of one method, or every method side by side."""

import argparse
import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from .. import metrics
from .._bounds import bound
from ..api import correct
from ..errors import BBCWarning, UndefinedMetricError
from ..predictions import OutOfSamplePredictions
from ..results import Bound, PerformanceEstimate
from ._input import analysis_options, read_predictions, say_taken
from ._messages import Bar, error_text
from ._output import say

# The bounds of one selected configuration: with "bbc" and "bbc-f" the ten methods of Paraschakis et
# al. (2024), Table 2.
_BOUNDS = (
    ("delong", "best"),
    ("delong", "top10%"),
    ("hanley-mcneil", "best"),
    ("hanley-mcneil", "top10%"),
    ("bt", "best"),
    ("bt", "top10%"),
    ("mabt", "top10%"),
    ("nb", "best"),
)


_ALL_ROWS = ("bbc", "bbc-two-level", "bbc-f")


class Line(NamedTuple):
    """The result of one method."""

    method: str
    estimate: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""


def run_bound(arguments: argparse.Namespace) -> None:
    """Read, apply one method or all, write a table."""
    taken = read_predictions(arguments)
    predictions = taken.predictions
    options = analysis_options(arguments, predictions)
    methods = (
        _methods(predictions, options) if arguments.all else _one(predictions, options, arguments)
    )
    lines = list(_lines(methods, arguments))
    if all(line.estimate is None for line in lines):
        raise ValueError(lines[0].note)
    say_taken(taken, options)
    if arguments.json:
        say(json.dumps([line._asdict() for line in lines], indent=2))
        return
    say(
        f"{arguments.metric}, {predictions.n_rows} rows, "
        f"{predictions.n_configurations} configurations"
    )
    say(_row("method", "estimate", "low", "high", ""))
    for line in lines:
        say(_row(line.method, *map(_number, line[1:4]), line.note))


def _lines(
    methods: Mapping[str, Callable[[], Any]], arguments: argparse.Namespace
) -> Iterator[Line]:
    bar = Bar(len(methods), "methods")
    apparent_shown = False
    for place, (name, method) in enumerate(methods.items()):
        bar.update(place)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", BBCWarning)  # notes are in the table
                answer = method()
        except ValueError as error:
            # All methods take the arguments of the first one: an error there is an error of all.
            if place == 0 and not isinstance(error, UndefinedMetricError):
                raise
            yield Line(name, None, note=error_text(error, arguments))
            continue
        if not apparent_shown and not isinstance(answer, Bound):
            apparent_shown = True
            yield Line("apparent", answer.apparent, note="uncorrected: the best of many")
        yield _line(name, answer)
    bar.close()


def _one(
    predictions: OutOfSamplePredictions, options: dict[str, Any], arguments: argparse.Namespace
) -> dict[str, Callable[[], Any]]:
    """The bound of one method: a lower one of a score, an upper one of a loss."""
    method, rule = arguments.method, arguments.rule
    metric = metrics.get(options["metric"])
    if method in _ALL_ROWS:
        if rule is not None:
            raise ValueError(f"--rule: {method} uses all rows")
        side: Any = "greater" if metric.greater_is_better else "less"
        own = partial(
            correct, predictions.y, predictions, method=method, alternative=side, **options
        )
        return {method: own}
    if metric.name != "roc_auc" or predictions.folds is None or predictions.n_repeats > 1:
        raise ValueError(
            f"--method {method} is for --metric roc_auc, with --folds and without repeats"
        )
    name = method if rule is None else f"{method}, {rule}"
    return {name: partial(_bound, predictions, options, method, rule)}


def _methods(
    predictions: OutOfSamplePredictions, options: dict[str, Any]
) -> dict[str, Callable[[], Any]]:
    metric = metrics.get(options["metric"])
    corrected = partial(correct, predictions.y, predictions, **options)
    methods: dict[str, Callable[[], Any]] = {"bbc": corrected}
    if metric.has_classes:
        methods["bbc stratified"] = partial(corrected, stratify_bootstrap=True)
    if predictions.folds is None:
        return methods
    methods["bbc by fold"] = partial(corrected, pooling="fold")
    methods["bbc-two-level"] = partial(corrected, method="bbc-two-level")
    methods["bbc-f"] = partial(corrected, method="bbc-f")
    methods["tt"] = partial(
        correct,
        predictions.y,
        predictions,
        method="tt",
        metric=options["metric"],
        pos_label=options["pos_label"],
        n_threads=options["n_threads"],
    )
    if metric.name == "roc_auc" and predictions.n_repeats == 1 and predictions.scores is not None:
        for method, rule in _BOUNDS:
            methods[f"{method}, {rule}"] = partial(_bound, predictions, options, method, rule)
    return methods


def _bound(
    predictions: OutOfSamplePredictions, options: dict[str, Any], method: Any, rule: Any
) -> Bound:
    design = predictions.groups, predictions.sample_weight, predictions.stratified_by
    if any(each is not None for each in design):
        raise ValueError("bounds do not support groups, weights and stratified-by")
    assert predictions.scores is not None
    assert predictions.folds is not None
    names = ("confidence_level", "pos_label", "random_state", "n_threads")
    return bound(
        predictions.y,
        predictions.scores[0],
        predictions.folds[0],
        method=method,
        rule=rule,
        **{name: options[name] for name in names},
    )


def _line(name: str, answer: PerformanceEstimate | Bound) -> Line:
    low, high = answer.confidence_interval or (None, None)
    if isinstance(answer, Bound):
        note = answer.infeasible or f"one-sided lower bound, configuration {answer.winner}"
        return Line(name, answer.estimate, low, note=note)
    found = map(str, answer.data_findings)
    notes = [text for text in (answer.infeasible, *found, *answer.notes) if text]
    return Line(name, answer.estimate, low, high, "; ".join(notes))


def _row(*cells: str) -> str:
    widths = (22, 10, 10, 10)
    padded = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False)]
    return "".join([*padded, *cells[len(widths) :]]).rstrip()


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
