"""The installed C++ library, built once per kind for all tests that use it."""

import pytest

from embedding import install_library


@pytest.fixture(scope="session", params=["OFF", "ON"], ids=["static", "shared"])
def installed(request, tmp_path_factory):
    """Prefix of an installation, static or shared."""
    return install_library(tmp_path_factory.mktemp("library"), request.param)
