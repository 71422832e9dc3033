"""A short run of the fuzzer; `make fuzz` is the long one."""

from fuzz.kernel import run

SECONDS = 15.0


def test_kernel_and_oracle_agree_on_random_problems():
    # The cases are always the same, from the first on; a fast machine gets further.
    assert run(seed=20180707, cases=1_000_000, seconds=SECONDS) > 0
