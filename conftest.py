"""What tests and examples leave behind."""

import sys

import pytest


@pytest.fixture(autouse=True)
def closed_figures():
    """Figures of pyplot stay open, and more than 20 raise a warning."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
