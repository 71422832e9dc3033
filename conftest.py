"""What tests and examples leave behind."""

import sys

import pytest


def pytest_configure(config):
    """Tests that are asked for by name run, the nightly ones among them."""
    if config.option.markexpr == "not nightly" and all("::" in name for name in config.args):
        config.option.markexpr = ""


@pytest.fixture(autouse=True)
def closed_figures():
    """Figures of pyplot stay open, and more than 20 raise a warning."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
