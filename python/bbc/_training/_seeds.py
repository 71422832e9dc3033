"""Seeds of learners and splitters, derived from that of the run."""

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
    """Return a digest of a set of rows, independent of their order."""
    return _digest(np.sort(rows).astype("<i8").tobytes())


def configuration_digests(configurations: Sequence[Configuration]) -> list[str]:
    """Return for each configuration a digest of its learner's name and its hyper-parameters.

    It does not depend on the rest of the grid, so a grid can grow. Configurations with the same
    description are told apart by their order.
    """
    n_equal: Counter[str] = Counter()
    digests = []
    for each in configurations:
        text = _description((each.estimator_name, each.params))
        digests.append(_digest(f"{text}, occurrence {n_equal[text]}".encode(errors="replace")))
        n_equal[text] += 1
    return digests


def seed_estimator(estimator: Any, seed: int, luck: str) -> Any:
    """Set every `random_state` of the estimator that is None.

    The seed depends on the run's seed, on `luck`, and on the parameter's name: fits with the same
    `luck`, such as those of a configuration, get the same seeds.
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
    """Describe a value by its content, equally in all processes and versions of Python.

    Different values may have the same description, such as two functions of the same name.
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
