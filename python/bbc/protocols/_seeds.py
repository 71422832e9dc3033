"""Seeds derived from that of the run, for whatever is left to chance."""

import hashlib
from typing import Any

import numpy as np

from .._typing import IndexArray


def derived_seed(seed: int, *purpose: object) -> int:
    """Return a seed of 31 bits that depends on the run's seed and the purpose only."""
    text = repr((seed, *purpose)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "little") >> 1


def rows_digest(rows: IndexArray) -> str:
    """Return a digest of a set of rows, whatever their order."""
    return hashlib.blake2b(np.sort(rows).astype("<i8").tobytes(), digest_size=16).hexdigest()


def seed_estimator(estimator: Any, seed: int, digest: str) -> Any:
    """Give a seed to every part of the estimator that was left to chance.

    It depends on the run's seed and the training rows only, so that a fit is a function of its
    data: the same on any worker, in any order, and when NCV uses it twice.
    """
    params = estimator.get_params(deep=True)
    unset = sorted(
        key
        for key, value in params.items()
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    )
    if unset:
        estimator.set_params(**{key: derived_seed(seed, digest, key) for key in unset})
    return estimator
