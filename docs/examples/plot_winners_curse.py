"""
The winner's curse
==================

The best of many scores is optimistic, more so with many configurations and few rows.

All configurations have the same true accuracy, 0.7. Nothing is gained by selecting among them, yet the
winner's apparent accuracy grows with the number of configurations. The predictions are simulated, and
each point is the mean of 100 simulations.
"""

import numpy as np
from matplotlib import pyplot as plt

import bbc

TRUTH = 0.7


def means(n_rows, n_configurations):
    """Mean apparent and mean corrected accuracy of the winner."""
    results = []
    for seed in range(100):
        simulated = bbc.simulate.accuracy(
            n_rows,
            n_configurations,
            true_performance=np.full(n_configurations, TRUTH),
            random_state=seed,
        )
        results.append(
            bbc.correct(
                simulated.y,
                simulated.predictions,
                metric="accuracy",
                random_state=1,
            )
        )
    return (
        np.mean([result.apparent for result in results]),
        np.mean([result.estimate for result in results]),
    )


configurations = [1, 2, 5, 10, 20, 50, 100, 200, 500]
rows = [20, 40, 80, 160, 320, 640]
panels = [
    (
        "configurations, 80 rows",
        configurations,
        [means(80, n) for n in configurations],
    ),
    ("rows, 100 configurations", rows, [means(n, 100) for n in rows]),
]

figure, axes = plt.subplots(
    1, 2, figsize=(8, 3.6), sharey=True, layout="constrained"
)
for ax, (label, sizes, values) in zip(axes, panels, strict=True):
    apparent, corrected = zip(*values, strict=True)
    ax.plot(sizes, apparent, "s--", color="#c2491d", label="apparent")
    ax.plot(sizes, corrected, "o-", color="#1b5e8a", label="corrected")
    ax.axhline(TRUTH, color="black", linewidth=1, label="truth")
    ax.set_xscale("log")
    ax.set_xticks(sizes[::2], [str(size) for size in sizes[::2]])
    ax.set_xticks([], minor=True)
    ax.set_xlabel(label)
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("accuracy of the winner")
axes[0].legend(frameon=False, loc="upper left")

# %%
# In numbers:

for label, sizes, values in panels:
    print(f"{label}:")
    for size, (apparent, corrected) in zip(sizes, values, strict=True):
        print(
            f"  {size:4d}  apparent {apparent:.3f}  corrected {corrected:.3f}"
        )
