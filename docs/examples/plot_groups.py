"""
Rows that come in groups
========================

Five rows per patient are not five times the information.

Each configuration has a true accuracy of 0.6, and is right or wrong on all five rows of a patient
together. With a bootstrap of rows, rows of the same patient are in bag and out of bag, so the estimate
remains optimistic. A bootstrap of patients avoids this.
"""

import numpy as np
from matplotlib import pyplot as plt

import bbc

rng = np.random.default_rng(0)
estimates = {"apparent": [], "rows drawn": [], "patients drawn": []}
for seed in range(60):
    simulated = bbc.simulate.accuracy(
        40, 50, true_performance=np.full(50, 0.6), random_state=seed
    )
    y, predictions = (
        np.repeat(simulated.y, 5),
        np.repeat(simulated.predictions, 5, axis=0),
    )
    patients = np.repeat(np.arange(40), 5)
    options = {"metric": "accuracy", "random_state": 1}
    by_row = bbc.correct(y, predictions, **options)
    by_patient = bbc.correct(y, predictions, groups=patients, **options)
    estimates["apparent"].append(by_row.apparent)
    estimates["rows drawn"].append(by_row.estimate)
    estimates["patients drawn"].append(by_patient.estimate)

figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
ax.boxplot(list(estimates.values()), orientation="horizontal", widths=0.6)
ax.set_yticks(range(1, 4), list(estimates))
ax.invert_yaxis()
ax.axvline(0.6, color="black", linewidth=1, linestyle=":")
ax.set_xlabel("accuracy of the winner; the truth is 0.6")
ax.spines[["top", "right"]].set_visible(False)

# %%
# Means over 60 simulations of 40 patients:

for name, values in estimates.items():
    print(f"{name:<16}{np.mean(values):.3f}")
