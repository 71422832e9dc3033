"""The installed C++ library, built once per kind for all tests that use it; instruction sets."""

import pytest

from bbc import _core
from embedding import install_library


@pytest.fixture(scope="session", params=["OFF", "ON"], ids=["static", "shared"])
def installed(request, tmp_path_factory):
    """Prefix of an installation, static or shared."""
    return install_library(tmp_path_factory.mktemp("library"), request.param)


@pytest.fixture
def limit_simd():
    """Lower the instruction set for the rest of a test."""
    yield _core.limit_simd
    _core.limit_simd("avx512")
