"""The program for Spark, without it: its functions take batches of Arrow, as Spark's tasks do."""

import runpy
from pathlib import Path

import numpy as np
import pyarrow as pa

import bbc

PROGRAM = Path(__file__).parents[2] / "docs" / "clusters" / "spark_blocks.py"


def test_tasks_in_any_order_give_the_bits_of_one_call():
    program = runpy.run_path(str(PROGRAM))
    predictions = program["predictions_of"](30)
    table = pa.table(
        {
            "configuration": pa.array(range(30), pa.int32()),
            "predictions": pa.array(predictions.T.tolist(), pa.list_(pa.float64())),
        }
    )
    states = []
    for rows in np.array_split(np.random.default_rng(1).permutation(30), 3):
        batches = table.take(rows).to_batches(max_chunksize=4)
        states += [out["state"][0].as_py() for out in program["scored"](batches)]
    wanted = bbc.correct(program["y"], predictions, metric="roc_auc", random_state=1)
    assert program["merged"](states[::-1]) == wanted
    by_table = pa.table(dict(zip(map(str, range(30)), predictions.T, strict=True)))
    named = bbc.correct(program["y"], by_table, metric="roc_auc", random_state=1)
    assert named.replicates.tobytes() == wanted.replicates.tobytes()
