"""
One correction and its picture
==============================

Where the replicates lie, and how far from them the uncorrected number is.
"""

import bbc

simulated = bbc.simulate.auc(80, 100, random_state=3)
result = bbc.correct(
    simulated.y, simulated.predictions, metric="roc_auc", random_state=1, n_bootstraps=2000
)
print(result.summary())

# %%
# The grey bars are the scores that the chosen configurations reached out of bag, one per replicate.
# The dashed line is the apparent score: nearly all replicates lie below it.

bbc.plots.ReplicateDisplay.from_estimate(result)

# %%
# These predictions are simulated, so that the truth is known:

true = simulated.true_performance[result.winner]
print(f"true AUC of the winner  {true:.3f}")
print(f"apparent                {result.apparent:.3f}, off by {result.apparent - true:+.3f}")
print(f"corrected               {result.estimate:.3f}, off by {result.estimate - true:+.3f}")
