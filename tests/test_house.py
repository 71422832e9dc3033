"""The house grows only where a commit says why: limits of lines, names, parameters and calls."""

import pytest

import bbc
import house
import signatures

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def test_nothing_has_grown():
    grown = house.grown(house.measured(), house.limits())
    assert not grown, (
        "make room, or raise the limit in tests/house.toml and say why:\n" + "\n".join(grown)
    )


def test_what_has_no_limit_or_a_smaller_one_is_named():
    found = {"lines": {"a": 5, "b": 5}, "calls": {"c": 1}}
    told = house.grown(found, {"lines": {"a": 4, "b": 5}})
    assert told == ["lines: a is 5, at most 4", "calls: c is 1, at most 0"]


def test_options_that_are_counted_are_options():
    assert set(house.OPTIONS) <= set(signatures.parameters(bbc.correct).keys())
    assert set(house.PROTOCOLS) <= set(bbc.__all__)
