"""Blocks of configurations in any order, as processes of a cluster add them."""

from typing import Any

from bbc import _validation
from bbc.streaming import Stream


def stream(y: Any, **options: Any) -> Stream:
    """A correction without blocks yet."""
    return Stream(_validation.asked(y, None, options))


def in_order(y: Any, blocks: Any, **options: Any) -> Any:
    """The result of blocks by their first configuration, added in the order that they have."""
    found = stream(y, **options)
    for first, block in blocks:
        found.add(block, first, n_threads=1)
    return found.finish()
