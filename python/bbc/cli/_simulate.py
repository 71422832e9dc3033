"""``bbc simulate``: a table of predictions with known performance."""

import argparse
import csv
import sys
from collections.abc import Callable
from typing import Any, TextIO

import numpy as np

from .. import simulate
from ..simulate import Simulation
from ._output import refuse_place

GENERATORS: dict[str, Callable[..., Simulation]] = {
    "accuracy": simulate.accuracy,
    "auc": simulate.auc,
    "regression": simulate.regression,
    "survival": simulate.survival,
}


def run_simulate(arguments: argparse.Namespace) -> None:
    """Simulate, write the table, print the true performance."""
    refuse_place(arguments.output)
    simulated = GENERATORS[arguments.generator](
        arguments.n_rows,
        arguments.n_configurations,
        correlation=arguments.correlation,
        random_state=arguments.seed,
    )
    if arguments.output is None:
        _write(simulated, sys.stdout)
    else:
        with open(arguments.output, "w", encoding="utf-8", newline="") as stream:
            _write(simulated, stream)
    best = int(np.argmax(simulated.true_performance))
    print(
        f"bbc: metric {simulated.metric}; the truly best configuration is c{best} with "
        f"{simulated.true_performance[best]:.6g}; seed {simulated.parameters['random_state']}",
        file=sys.stderr,
    )


def _write(simulated: Simulation, stream: TextIO) -> None:
    y, predictions = simulated.y, simulated.predictions
    fields = {name: y[name] for name in y.dtype.names} if y.dtype.names else {"y": y}
    columns = [*map(_plain, fields.values()), simulated.folds.tolist()]
    names = [f"c{index}" for index in range(predictions.shape[1])]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*fields, "fold", *names])
    # Not writerows, which Ctrl-C does not interrupt.
    for place, row in enumerate(zip(*columns, strict=True)):
        writer.writerow([*row, *_plain(predictions[place])])


def _plain(values: Any) -> list[Any]:
    """Python numbers, whose text restores every bit; events as 0 and 1."""
    plain: list[Any] = values.astype(np.int64).tolist() if values.dtype.kind == "b" else []
    return plain or values.tolist()
