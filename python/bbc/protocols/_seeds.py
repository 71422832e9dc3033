"""Seeds: drawn once per run, and derived from it for whatever is left to chance."""

import hashlib
from typing import Any

import numpy as np

from .._typing import IndexArray

# R holds integers up to 2^53 - 1 exactly.
_N_SEEDS = 2**53


def run_seed(random_state: Any) -> int:
    """Return the run's seed: the given int, or one drawn from the generator or the system."""
    if random_state is None:
        return int(np.random.default_rng().integers(_N_SEEDS))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_N_SEEDS))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(_N_SEEDS, dtype=np.int64))
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool):
        seed = int(random_state)
        if 0 <= seed < _N_SEEDS:
            return seed
        raise ValueError(f"random_state must be between 0 and 2^53 - 1, got {seed}")
    raise TypeError(
        "random_state must be None, an int or a numpy random generator, got "
        f"{type(random_state).__name__}"
    )


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
