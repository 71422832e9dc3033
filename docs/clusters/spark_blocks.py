"""Predictions in a Spark table, one line per configuration: the driver scores them part by part."""

from itertools import islice

import numpy as np
from sklearn.datasets import load_breast_cancer

import bbc

y = load_breast_cancer().target


def blocks(lines, size=100):
    """Matrices of so many configurations, of lines in the order of their numbers."""
    lines = iter(lines)
    while columns := [line.predictions for line in islice(lines, size)]:
        yield np.array(columns).T


def corrected(lines):
    """The correction by all configurations."""
    return bbc.correct(y, bbc.Blocks(blocks(lines)), metric="roc_auc", random_state=1)


def predictions_of(n_configurations=300):
    """Scores that are alike but for noise, in the place of a search's."""
    rng = np.random.default_rng(0)
    return y[:, None] + rng.normal(0, 1.5, (len(y), n_configurations))


if __name__ == "__main__":
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").getOrCreate()
    lines = [(number, column.tolist()) for number, column in enumerate(predictions_of().T)]
    table = spark.createDataFrame(lines, "configuration int, predictions array<double>")
    print(corrected(table.repartition(4).sort("configuration").toLocalIterator()))
