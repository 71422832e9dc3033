"""Coverage of intervals where the errors of neighbouring rows are correlated.

`python -m benches.series` writes coverage.csv. Absolute errors of fifty equally good
configurations; errors are normal, autoregressive of order one, half of their variance shared.
Rows are drawn one by one, or in blocks whose length is found (`block_length="auto"`). The truth is
the expected absolute error, whichever configuration wins. About four minutes of one core.
"""

import re
import warnings
from pathlib import Path

import numpy as np
from benches._tables import Line, write_csv
from scipy.signal import lfilter

import bbc

_N_CONFIGURATIONS = 50
_TRUTH = float(np.sqrt(2 / np.pi))
_REPETITIONS = 200


def _series(memory: float, n_rows: int, n_series: int, rng: np.random.Generator) -> np.ndarray:
    """Stationary series of variance one, in columns."""
    shocks = rng.normal(size=(n_rows, n_series))
    shocks[1:] *= np.sqrt(1 - memory**2)
    return lfilter([1.0], [1.0, -memory], shocks, axis=0)


def _simulated(memory: float, n_rows: int, drawn: str) -> Line:
    rng = np.random.default_rng([31, round(100 * memory), n_rows])
    covered, widths, lengths = [], [], []
    for _ in range(_REPETITIONS):
        errors = _series(memory, n_rows, 1, rng) + _series(memory, n_rows, _N_CONFIGURATIONS, rng)
        e = bbc.correct(
            np.zeros(n_rows),
            np.sqrt(0.5) * errors,
            metric="mean_absolute_error",
            block_length="auto" if drawn == "blocks" else None,
            n_bootstraps=300,
            random_state=rng,
            n_threads=1,
        )
        low, high = e.confidence_interval
        covered.append(low <= _TRUTH <= high)
        widths.append(high - low)
        lengths += [int(re.search(r"blocks of (\d+)", note)[1]) for note in e.notes]
    return {
        "correlation of neighbours": memory,
        "rows": n_rows,
        "drawn": drawn,
        "median length": float(np.median(lengths)) if lengths else "",
        "coverage": float(np.mean(covered)),
        "width": float(np.mean(widths)),
        "repetitions": _REPETITIONS,
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore", bbc.errors.BBCWarning)
    write_csv(
        [
            _simulated(memory, n_rows, drawn)
            for memory in (0.0, 0.8, 0.95)
            for n_rows in (100, 240, 1000)
            for drawn in ("rows", "blocks")
        ],
        Path(__file__).parent / "coverage.csv",
    )
