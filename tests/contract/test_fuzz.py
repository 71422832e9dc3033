"""A short run of the fuzzer; `make fuzz` is the long one."""

import math

import pytest

from fuzz.kernel import run
from nightly import nightly


@pytest.mark.parametrize("cases", [200, *nightly(2000)])
def test_kernel_and_oracle_agree_on_random_problems(cases):
    assert run(seed=20180707, cases=cases, seconds=math.inf) == cases
