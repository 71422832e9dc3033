"""
One correction and its replicates
=================================

The distribution of the replicates, and the distance of their mean from the apparent score.
"""

import numpy as np

import bbc

# A hundred configurations, each with a true accuracy of 0.7.
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
# The grey histogram shows the out-of-bag scores of the selected configurations, one per replicate.
# Their mean is the corrected estimate; the shaded range contains the middle 95 % of them.

result.plot()

# %%
# The predictions are simulated, so the true accuracy is known:

true = simulated.true_performance[result.winner]
print(f"truth      {true:.3f}")
print(f"apparent   {result.apparent:.3f}, off by {result.apparent - true:+.3f}")
print(f"corrected  {result.estimate:.3f}, off by {result.estimate - true:+.3f}")
