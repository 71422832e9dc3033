"""Predictions in a Spark table, one line per configuration: scored where they are, merged here."""

import pickle

import numpy as np
import pyarrow as pa
from sklearn.datasets import load_breast_cancer

import bbc

y = load_breast_cancer().target


def correction():
    """The same problem for every task; the seed must be given."""
    return bbc.adapters.StreamingCorrection(y, metric="roc_auc", random_state=1)


def scored(batches):
    """Add each configuration of a task's batches, and send what a correction keeps of them."""
    part = correction()
    for batch in batches:
        numbers, lists = batch["configuration"], batch["predictions"]
        for place, number in enumerate(numbers.to_pylist()):
            column = lists[place].values.to_numpy()  # of Arrow's memory
            part.add(column[:, None], first_configuration=number, n_threads=1)
    yield pa.RecordBatch.from_pydict({"state": [pickle.dumps(part.state)]})


def merged(states):
    """The correction by all configurations."""
    whole = correction()
    for state in states:
        whole.merge(pickle.loads(state))
    return whole.finish()


def predictions_of(n_configurations=300):
    """Scores that are alike but for noise, in the place of a search's."""
    rng = np.random.default_rng(0)
    return y[:, None] + rng.normal(0, 1.5, (len(y), n_configurations))


if __name__ == "__main__":
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").getOrCreate()
    lines = [(number, column.tolist()) for number, column in enumerate(predictions_of().T)]
    table = spark.createDataFrame(lines, "configuration int, predictions array<double>")
    states = table.repartition(4).mapInArrow(scored, "state binary").collect()
    print(merged(row.state for row in states))
