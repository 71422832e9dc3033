"""The program for Spark, without it: its functions take lines, as Spark's iterator gives them."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest

import bbc

PROGRAM = Path(__file__).parents[2] / "docs" / "clusters" / "spark_blocks.py"


@pytest.mark.parametrize("n_configurations", [30, 100, 130])
def test_parts_give_the_bits_of_one_call(n_configurations):
    program = runpy.run_path(str(PROGRAM))
    predictions = program["predictions_of"](n_configurations)
    lines = (SimpleNamespace(predictions=column.tolist()) for column in predictions.T)
    wanted = bbc.correct(program["y"], predictions, metric="roc_auc", random_state=1)
    assert program["corrected"](lines) == wanted
    columns = dict(zip(map(str, range(n_configurations)), predictions.T, strict=True))
    named = bbc.correct(program["y"], pa.table(columns), metric="roc_auc", random_state=1)
    assert named.replicates.tobytes() == wanted.replicates.tobytes()
