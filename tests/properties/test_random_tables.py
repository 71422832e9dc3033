"""Tables and studies are random programs: what is read is what was written, or it is refused."""

from collections import Counter

import numpy as np
import pytest

import bbc
from dialects import studied, verdict_of_study, verdict_of_table, written

N_PROGRAMS = 200


def test_tables_give_what_was_written_or_are_refused(tmp_path):
    found = Counter()
    for seed in range(N_PROGRAMS):
        table = written(np.random.default_rng(seed), tmp_path)
        try:
            found[verdict_of_table(table)] += 1
        except AssertionError as error:
            raise AssertionError(f"table {seed}, {table.options}") from error
    assert found["number"] > 2 * found["refused"] > 0


def test_studies_are_corrected_for_what_they_deploy_or_are_refused():
    found = Counter()
    for seed in range(N_PROGRAMS):
        study = studied(np.random.default_rng(seed))
        try:
            found[verdict_of_study(study)] += 1
        except AssertionError as error:
            raise AssertionError(f"study {seed}: {study.rule}, {study.metric}") from error
    assert found["number"] > 2 * found["refused"] > 0


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_byte_order_mark_may_stand_before_a_quote(tmp_path, quote):
    path = tmp_path / "table.csv"
    path.write_text(f"{quote}a, b{quote};y\n.2;0\n.7;1\n.6;1\n.4;0\n", encoding="utf-8-sig")
    assert bbc.Predictions.from_wide(path, truth="y").names == ("a, b",)
