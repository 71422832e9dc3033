"""
How many rows does the interval need?
=====================================

The width of the corrected interval against the number of rows.

A tuned model's interval must allow for the selection among its configurations.
Data sets are drawn under assumptions, and each is corrected.
"""

import numpy as np
from matplotlib import pyplot as plt

import bbc


def assumed(n_rows, random_state):
    """Fifty correlated configurations with an AUC of 0.8, one row in four positive."""
    return bbc.simulate.auc(
        n_rows,
        50,
        true_performance=np.full(50, 0.8),
        minority=0.25,
        correlation=0.8,
        random_state=random_state,
    )


plan = bbc.plan_rows(assumed, width=0.15, random_state=0)
print(plan.summary())
plan.plot()
plt.show()
