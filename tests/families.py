"""Comparisons of arrays that share a truth and a design of their rows."""

from typing import Any

import bbc

_OF_ROWS = (
    *("times", "folds", "groups", "stratified_by", "sample_weight", "pos_label", "labels"),
    "names",
)


def compared_arrays(y: Any, predictions: Any, **options: Any) -> bbc.Comparison:
    """What `bbc.compare` says of a dict of arrays, or with `by` of parts of one."""
    design = {name: options.pop(name) for name in _OF_ROWS if name in options}
    if not isinstance(predictions, dict):
        return bbc.compare(bbc.Predictions(y, predictions, **design), **options)
    families = {name: bbc.Predictions(y, each, **design) for name, each in predictions.items()}
    return bbc.compare(families, **options)


def by_name(correction: Any) -> dict[str, Any]:
    """The estimates of a correction by all of its metrics."""
    return {correction.metric: correction, **correction.secondary}
