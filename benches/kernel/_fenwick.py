"""The concordance index in C++, compiled on first use."""

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
SOURCE = Path(__file__).with_name("_fenwick.cpp")
LIBRARY = Path(__file__).resolve().parents[2] / "build" / "benches" / "fenwick.so"


def _library() -> Any:
    if not LIBRARY.exists() or LIBRARY.stat().st_mtime < SOURCE.stat().st_mtime:
        LIBRARY.parent.mkdir(parents=True, exist_ok=True)
        flags = ["-std=c++20", "-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run(["c++", *flags, str(SOURCE), "-o", str(LIBRARY)], check=True)
    function = ctypes.CDLL(str(LIBRARY)).fenwick_correction
    function.restype = ctypes.c_double
    return function


def fenwick_tree(y: Array, predictions: Array, metric: str, n_bootstraps: int) -> float:
    """Concordance index in C++, a scalar tree per replicate and configuration."""
    del metric
    n_rows, n_configurations = predictions.shape
    arrays = [
        np.ascontiguousarray(y["time"]),
        np.ascontiguousarray(y["event"]).astype(np.uint8),
        np.ascontiguousarray(predictions.T),
    ]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    return float(_library()(n_rows, n_configurations, n_bootstraps, *pointers))
