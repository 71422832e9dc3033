"""A tool is a random program: our doors say what scikit-learn says of it, or refuse."""

from collections import Counter

import numpy as np
import pytest

from nightly import nightly
from programs import drawn, verdict

N_PROGRAMS = 200
PARTS = 8
NOW = 2  # the others every night


def seeds(part):
    return range(part, N_PROGRAMS, PARTS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", [*range(NOW), *nightly(*range(NOW, PARTS))])
def test_programs_agree_with_scikit_learn_or_are_refused(part):
    found = Counter()
    for seed in seeds(part):
        program = drawn(np.random.default_rng(seed))
        try:
            program.fitted()
        except Exception:  # nonsense, as scikit-learn says
            found["nonsense"] += 1
            continue
        try:
            found[verdict(program)] += 1
        except AssertionError as error:
            raise AssertionError(f"program {seed}: {program.search}") from error
    assert found["number"] > found["refused"]
