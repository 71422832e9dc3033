"""Seeds derived from that of the run, for whatever is left to chance."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from .._typing import IndexArray
from ._configurations import Configuration

#: Changes with the seeds of learners: a store compares it, so that no run mixes two rules.
RULE = "2: one seed per configuration"
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def derived_seed(seed: int, *purpose: object) -> int:
    """Return a seed of 31 bits that depends on the run's seed and the purpose only."""
    text = repr((seed, *purpose)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "little") >> 1


def rows_digest(rows: IndexArray) -> str:
    """Return a digest of a set of rows, whatever their order."""
    return _digest(np.sort(rows).astype("<i8").tobytes())


def configuration_digests(configurations: Sequence[Configuration]) -> list[str]:
    """Return for each configuration a digest of its learner's name and its hyper-parameters.

    It does not depend on the configuration's place, nor on what else the grid holds, so a grid can
    grow. Of configurations that are described alike, each has a digest of its own.
    """
    seen: Counter[str] = Counter()
    digests = []
    for one in configurations:
        text = _description((one.estimator_name, one.params))
        digests.append(_digest(f"{text}, occurrence {seen[text]}".encode(errors="replace")))
        seen[text] += 1
    return digests


def seed_estimator(estimator: Any, seed: int, luck: str) -> Any:
    """Give a seed to every part of the estimator that was left to chance.

    It depends on the run's seed, on `luck`, and on the name of the part. Fits with the same `luck`,
    such as those of one configuration, share what chance gives to a learner.
    """
    params = estimator.get_params(deep=True)
    unset = sorted(
        key
        for key, value in params.items()
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    )
    if unset:
        estimator.set_params(**{key: derived_seed(seed, luck, key) for key in unset})
    return estimator


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _description(value: Any) -> str:
    """Describe a value by its content, alike in all processes and versions of Python.

    Unlike values may be described alike: two functions of one name, for instance.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        items = (f"{_description(key)}: {_description(item)}" for key, item in value.items())
        return f"{{{', '.join(sorted(items))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_description, value))}]"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_description, value)))}}}"
    if isinstance(value, partial):
        return f"partial{_description([value.func, value.args, value.keywords])}"
    if hasattr(value, "get_params") and not isinstance(value, type):
        return f"{type(value).__name__}{_description(value.get_params(deep=False))}"
    return _ADDRESS.sub("", repr(value))
