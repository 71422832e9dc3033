"""Cases of which `make test` runs every other one, and `make nightly` all."""

import itertools
import os
from collections.abc import Sequence
from typing import Any


def in_turn(*axes: Sequence[Any]) -> list[Any]:
    """The product of some axes; by day those whose places sum to an even number."""
    places = itertools.product(*(range(len(axis)) for axis in axes))
    cases = [
        tuple(axis[i] for axis, i in zip(axes, place, strict=True))
        for place in places
        if sum(place) % 2 == 0 or "BBC_NIGHTLY" in os.environ
    ]
    return cases if len(axes) > 1 else [case for (case,) in cases]
