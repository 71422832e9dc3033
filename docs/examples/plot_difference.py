"""
Is the winner better than the runner-up?
========================================

Their difference on the same rows, with the interval of ``bbc.compare``: its
standard error is from the rows' values of both configurations, and allows for
training rows that folds share. The histogram has the difference in bootstrap
samples of the rows, which vary less.

The winner was selected by its score on these rows, so the difference is
biased in its favour. Zero lies inside the interval all the same: the data do
not show that the winner is better.
"""

import bbc

simulated = bbc.simulate.auc(120, 50, correlation=0.5, random_state=6)
display = bbc.plots.difference(
    simulated.y, simulated.predictions, metric="roc_auc", random_state=1
)

# %%
# The predictions are simulated, so the true AUCs are known:

for name, index in (
    ("winner", display.shown.winner),
    ("runner-up", display.shown.runner_up),
):
    print(f"true AUC of the {name:<10} {simulated.true_performance[index]:.3f}")
