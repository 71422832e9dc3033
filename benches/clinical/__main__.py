"""Bias of calibration slope, net benefit and ROC curve of a tuned winner, and cover of their bands.

``python -m benches.clinical [n_repetitions]`` writes bias.csv: 100 rows, 50 configurations, whose
true values are known exactly; the winner by log loss. About three minutes of one core.

In the world "equal" all configurations are the same, so whatever is apparent beyond their truth is
selection. In the world "unequal" the truth is that of the configuration that wins on all rows;
replicates choose on fewer rows, and a little worse: the pessimism of every bootstrap correction.
"""

import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np

import bbc
from bbc._validation import asked
from bbc._winners import Winners
from bbc.clinical import WinnerPerformance

from .._tables import write_csv
from ._world import Configuration, draw, worlds

_N_ROWS, _N_CONFIGURATIONS, _N_BOOTSTRAPS = 100, 50, 400
_THRESHOLDS = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
_RATES = np.array([0.05, 0.1, 0.2, 0.3, 0.5])
_HERE = Path(__file__).parent


def main(n_repetitions: int) -> None:
    """All worlds; a line per quantity."""
    lines = []
    for name, configurations in worlds(np.random.default_rng(0), _N_CONFIGURATIONS).items():
        found: dict[str, list[tuple[float, float, float, bool]]] = defaultdict(list)
        bands: dict[str, list[tuple[float, bool]]] = defaultdict(list)
        for seed in range(n_repetitions):
            _one(np.random.default_rng(1000 + seed), configurations, found, bands)
        for quantity, values in found.items():
            truth, apparent, corrected, covered = np.array(values, dtype=float).T
            lines.append(
                {
                    "world": name,
                    "quantity": quantity,
                    "truth": float(truth.mean()),
                    "bias_apparent": float((apparent - truth).mean()),
                    "bias_corrected": float((corrected - truth).mean()),
                    "standard_error": float((corrected - truth).std() / len(truth) ** 0.5),
                    "coverage": float(covered.mean()),
                    "n_repetitions": len(values),
                }
            )
        for quantity, covers in bands.items():
            pointwise, whole = np.array(covers, dtype=float).T
            for kind, share in (("pointwise", pointwise), ("simultaneous", whole)):
                lines.append(
                    dict.fromkeys(lines[0], "")
                    | {
                        "world": name,
                        "quantity": f"{quantity}: {kind} band",
                        "coverage": float(share.mean()),
                        "n_repetitions": len(covers),
                    }
                )
    write_csv(lines, _HERE / "bias.csv")


def _one(
    rng: np.random.Generator,
    configurations: list[Configuration],
    found: dict[str, list[tuple[float, float, float, bool]]],
    bands: dict[str, list[tuple[float, bool]]],
) -> None:
    """One sample."""
    y, risks = draw(rng, configurations, _N_ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        winner = WinnerPerformance(
            Winners(
                asked(
                    y,
                    risks,
                    {
                        "metric": "log_loss",
                        "n_bootstraps": _N_BOOTSTRAPS,
                        "random_state": int(rng.integers(2**31)),
                        "n_threads": 1,
                    },
                )
            )
        )
    truth = configurations[winner.performance.winner]
    calibration = winner.calibration()
    slope = calibration.slope
    if slope.apparent is not None and slope.estimate is not None:
        assert slope.confidence_interval is not None
        low, high = slope.confidence_interval
        found["calibration slope"].append(
            (truth.slope, slope.apparent, slope.estimate, low <= truth.slope <= high)
        )
    decision = winner.decision_curve(thresholds=_THRESHOLDS)
    benefits = np.array([truth.net_benefit(t) for t in _THRESHOLDS])
    roc = winner.roc_curve().curve
    places = [round(100 * x) for x in _RATES]
    sensitivities = truth.roc(roc.x)
    for curve, values, name, shown in (
        (decision.net_benefit, benefits, "net benefit at", range(len(_THRESHOLDS))),
        (roc, sensitivities, "sensitivity at 1 - specificity", places),
        (calibration.curve, truth.observed(calibration.curve.x), "", ()),
    ):
        assert curve.lows is not None
        assert curve.highs is not None
        inside = (curve.lows <= values) & (values <= curve.highs)
        for i in shown:
            found[f"{name} {curve.x[i]:g}"].append(
                (values[i], curve.apparent[i], curve.estimates[i], bool(inside[i]))
            )
        whole = (curve.simultaneous_lows <= values) & (values <= curve.simultaneous_highs)
        middle = slice(1, -1)  # ROC curves are fixed at their ends
        bands[name.split(" at")[0] or "calibration curve"].append(
            (float(inside[middle].mean()), bool(whole[middle].all()))
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 800)
