"""
Is the winner better than the runner-up?
========================================

A paired bootstrap of the difference, both scored on the same rows.

The winner was chosen for its score on these rows, so the difference flatters
it. That zero lies inside the interval says that the data do not tell the two
apart.
"""

import bbc

simulated = bbc.simulate.auc(120, 50, correlation=0.5, random_state=6)
display = bbc.plots.DifferenceDisplay.from_predictions(
    simulated.y, simulated.predictions, metric="roc_auc", random_state=1
)

# %%
# The predictions are simulated, so that the truth is known:

for name, index in ("winner", display.winner), ("runner-up", display.runner_up):
    print(f"true AUC of the {name:<10} {simulated.true_performance[index]:.3f}")
