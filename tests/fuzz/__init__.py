"""Differential fuzzers: random problems, answered by bbc and by the oracle."""
