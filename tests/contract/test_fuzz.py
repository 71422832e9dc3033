"""A short run of the fuzzer; `make fuzz` is the long one."""

import math

from fuzz.kernel import run

CASES = 400


def test_kernel_and_oracle_agree_on_random_problems():
    assert run(seed=20180707, cases=CASES, seconds=math.inf) == CASES
