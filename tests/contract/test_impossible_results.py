"""A result whose JSON says what no run can have said is refused before anything is allocated."""

import json
import tracemalloc

import pytest

import bbc

S = bbc.simulate.accuracy(60, 5, random_state=0)
GIVEN = {"metric": "accuracy", "random_state": 0}
RESULTS = {
    "PerformanceEstimate": bbc.correct(S.y, S.predictions, n_bootstraps=50, **GIVEN),
    "PossibleWinners": bbc.correct(S.y, S.predictions, **GIVEN).possible_winners(),
}
IMPOSSIBLE = (3_000_000_000, 3e9, 10**30, -1, 2.5, "junk", None, True, [5])


@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.parametrize("field", ["n_configurations", "n_rows"])
@pytest.mark.parametrize("value", IMPOSSIBLE, ids=str)
def test_sizes_that_are_none_are_refused(kind, field, value):
    """3e9 configurations once loaded, and asked for 22 GiB; "junk" was a number of rows."""
    told = json.loads(RESULTS[kind].to_json()) | {field: value}
    if field == "n_rows" and value == 3_000_000_000:
        return  # that many rows can be, and nothing of their size is kept
    text = json.dumps(told)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=f"{kind}: {field}"):
            type(RESULTS[kind]).from_json(text)
        assert tracemalloc.get_traced_memory()[1] < 20 * len(text) + 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", RESULTS)
def test_what_was_written_is_read(kind):
    text = RESULTS[kind].to_json()
    assert type(RESULTS[kind]).from_json(text).to_json() == text
