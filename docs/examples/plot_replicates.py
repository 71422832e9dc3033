"""
One correction and its picture
==============================

Where the replicates lie, and how far from their mean the uncorrected number is.
"""

import numpy as np

import bbc

# A hundred configurations, each right on 70 % of new rows.
simulated = bbc.simulate.accuracy(
    80, 100, true_performance=np.full(100, 0.7), random_state=0
)
result = bbc.correct(
    simulated.y,
    simulated.predictions,
    metric="accuracy",
    random_state=1,
)
print(result.summary())

# %%
# The grey bars are the scores that the chosen configurations reached out of bag, one per replicate.
# Their mean is the corrected estimate; the shaded range holds the middle 95 % of them.

bbc.plots.ReplicateDisplay.from_estimate(result)

# %%
# These predictions are simulated, so that the truth is known:

true = simulated.true_performance[result.winner]
print(f"truth      {true:.3f}")
print(f"apparent   {result.apparent:.3f}, off by {result.apparent - true:+.3f}")
print(f"corrected  {result.estimate:.3f}, off by {result.estimate - true:+.3f}")
