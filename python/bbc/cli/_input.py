"""Predictions and analysis from the options of a command."""

import argparse
import sys
from typing import Any

import numpy as np

from ..adapters import from_long, from_wide
from ..adapters._read import parsed
from ..predictions import OutOfSamplePredictions


def read_predictions(arguments: argparse.Namespace) -> OutOfSamplePredictions:
    """The table that the options describe."""
    table: Any = sys.stdin if arguments.file == "-" else arguments.file
    columns = {
        "truth": arguments.truth,
        "folds": arguments.folds,
        "groups": arguments.groups,
        "sample_weight": arguments.sample_weight,
    }
    if not arguments.long:
        _refuse_long_options(arguments)
        return from_wide(table, ignore=arguments.ignore, **columns)
    return from_long(
        table,
        row=arguments.row,
        configuration=arguments.configuration,
        prediction=_prediction(arguments.prediction),
        repeat=arguments.repeat,
        **columns,
    )


def analysis_options(
    arguments: argparse.Namespace, predictions: OutOfSamplePredictions
) -> dict[str, Any]:
    """Options of the analysis as keywords of `bbc.correct`."""
    return {
        "metric": arguments.metric,
        "pos_label": _label(arguments.pos_label, predictions),
        "n_bootstraps": arguments.n_bootstraps,
        "confidence_level": arguments.confidence_level,
        "random_state": arguments.seed,
        "n_threads": arguments.n_threads,
    }


def _refuse_long_options(arguments: argparse.Namespace) -> None:
    defaults = {"row": "row", "configuration": "configuration", "prediction": None, "repeat": None}
    for name, default in defaults.items():
        if getattr(arguments, name) != default:
            raise ValueError(f"--{name} needs --long")


def _prediction(options: list[str] | None) -> str | dict[str, str]:
    if options is None:
        return "prediction"
    if len(options) == 1:
        return options[0]
    columns = {}
    for text in options:
        label, sign, column = text.partition("=")
        if not sign:
            raise ValueError(f"--prediction {text}: write CLASS=COLUMN, once per class")
        columns[label] = column
    return columns


def _label(text: str | None, predictions: OutOfSamplePredictions) -> Any:
    """The label of the truth that a word of the command line stands for."""
    if text is None or predictions.y.dtype.kind in "US":
        return text
    shown = {str(label): label for label in np.unique(predictions.y).tolist()}
    return shown[text] if text in shown else parsed(np.array([text])).item()
