"""
Lower bounds for a selected configuration
=========================================

Lower confidence bounds for the AUC of the winner, by several methods.
"""

from matplotlib import pyplot as plt

import bbc

simulated = bbc.simulate.auc(300, 100, random_state=2)
comparison = bbc.baselines.compare_bounds(
    simulated.y, simulated.predictions, simulated.folds, random_state=1
)
print(comparison)

# %%
# BBC and BBC-F use all rows; the others select on three quarters of the rows and evaluate on the
# rest. The dotted line is the true AUC of the configuration that BBC selects.

bounds = [bound for bound in comparison.bounds if bound.low is not None]
figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
for place, bound in enumerate(bounds):
    ax.plot(
        [bound.low, bound.estimate],
        [place, place],
        color="#1b5e8a",
        linewidth=2,
    )
    ax.plot(bound.low, place, "|", color="#1b5e8a", markersize=12)
    ax.plot(bound.estimate, place, "o", color="#1b5e8a")
ax.set_yticks(
    range(len(bounds)),
    [f"{bound.method} {bound.rule or ''}".strip() for bound in bounds],
)
ax.invert_yaxis()
ax.axvline(
    simulated.true_performance[bounds[0].winner],
    color="black",
    linewidth=1,
    linestyle=":",
)
ax.set_xlabel("roc_auc: lower 95 % bound and estimate")
ax.spines[["top", "right"]].set_visible(False)
