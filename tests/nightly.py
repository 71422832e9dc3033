"""Tests of which `make test` runs a sample, and `make nightly` the others."""

from typing import Any

import pytest


def nightly(*cases: Any) -> list[Any]:
    """Parameters that are tried every night."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly)
        for case in cases
    ]
