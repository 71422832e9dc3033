"""
A series whose outcomes look ahead
==================================

How well does the past of a share tell how much it will move in the next five days?

The prices are those of one share on 1064 days from 2004 to 2008, a sample that comes with matplotlib. Rows
depend on each other in two ways: calm and wild times last for weeks, and the outcomes of neighbouring days
have four of their five days in common.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.cbook import get_sample_data
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bbc

prices = get_sample_data("goog.npz")["price_data"]
days = pd.DatetimeIndex(prices["date"])
moves = pd.Series(np.log(prices["adj_close"]), days).diff().abs()


def mean_move(n_days):
    """Logarithm of the mean absolute move of the last days."""
    return np.log(moves.rolling(n_days).mean().clip(lower=1e-4))


X = pd.DataFrame({f"{n} days": mean_move(n) for n in (1, 2, 5, 10, 22, 66)})
X["range"] = np.log(prices["high"] / prices["low"])
y = mean_move(5).shift(-5)
known = X.notna().all(axis=1) & y.notna()
X, y = X[known], y[known]
learners = {
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor()),
}
grid = {
    "ridge": {"ridge__alpha": np.logspace(-1, 4, 11).round(1)},
    "neighbours": {
        "kneighborsregressor__n_neighbors": [1, 2, 4, 8, 16, 32, 64, 128],
    },
}
options = {
    "scoring": ["mean_absolute_error", "r2"],
    "refit": "mean_absolute_error",
    "random_state": 0,
}

# %%
# Shuffled folds train on days whose outcomes overlap those that they predict. Drawing single days takes them
# for independent. The index of days tells that they are not, and the result says so:

shuffled = KFold(8, shuffle=True, random_state=0)
by_days = bbc.BBC(learners, grid, cv=shuffled, **options)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", bbc.errors.BBCWarning)
    by_days = by_days.fit(X, y)
for finding in by_days.performance_.findings:
    print(finding)

# %%
# Here folds are stretches of days. The five days before each are left out of training (purged), because their
# outcomes reach into it; so are the 27 days after it: the outcomes of its last days reach into five of
# them, and a month more is embargoed. Blocks of neighbouring days are drawn:


def purged_folds(n_rows, n_folds, purge, embargo):
    """Stretches of rows, and all other rows but those near them."""
    for test in np.array_split(np.arange(n_rows), n_folds):
        first, last = test[0] - purge, test[-1] + purge + embargo
        yield np.r_[0 : max(first, 0), min(last + 1, n_rows) : n_rows], test


folds = list(purged_folds(len(y), 8, purge=5, embargo=22))
purged = bbc.BBC(learners, grid, cv=folds, **options)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", bbc.errors.BBCWarning)
    purged = purged.fit(X, y)
by_blocks = bbc.correct(purged, block_length="auto")
print(by_blocks.notes[0])
print(by_blocks.to_frame()[["metric", "estimate", "low", "high"]])

# %%
# Shuffled folds are too good, and their interval is half as long as it should be. By R², little of the next
# week can be told from the past.

bbc.plots.forest(
    {
        "shuffled, days drawn": by_days.performance_,
        "purged, blocks drawn": by_blocks,
    }
)

# %%
# What the winner said, and what happened:

winner = by_blocks.winner
figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
ax.plot(y.index, 100 * np.exp(y), color="0.75", label="happened")
ax.plot(
    y.index,
    100 * np.exp(purged.oos_predictions_.scores[0, :, winner]),
    color="#1b5e8a",
    label="predicted",
)
ax.set_ylabel("mean absolute move, %")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False)

# %%
# The page to publish:

# sphinx_gallery_capture_repr_block = ("_repr_html_",)
bbc.report(by_blocks)
