"""Values of scikit-survival 0.28 for the cases of make.R whose times do not tie.

Writes sksurv.csv. scikit-survival weighs an event at t by G(t), the kernel by G(t-): without ties
they are the same. Survival probabilities are exp(-t exp(risk / 2) / 10).
"""

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


DATA = np.genfromtxt(HERE / "cases.csv", delimiter=",", names=True)


def values(case, tau):
    from sksurv.metrics import (
        brier_score,
        concordance_index_ipcw,
        cumulative_dynamic_auc,
        integrated_brier_score,
    )
    from sksurv.util import Surv

    rows = DATA[DATA["case"] == case]
    y, risk = Surv.from_arrays(rows["event"] == 1, rows["time"]), rows["risk"]
    at = np.quantile(rows["time"], [0.25, 0.5, 0.75])
    survival = np.exp(-at * np.exp(risk[:, None] / 2) / 10)
    return {
        "case": int(case),
        "uno": concordance_index_ipcw(y, y, risk)[0],
        "uno_to_tau": concordance_index_ipcw(y, y, risk, tau)[0],
        **{f"auc_{k + 1}": auc for k, auc in enumerate(cumulative_dynamic_auc(y, y, risk, at)[0])},
        **{f"brier_{k + 1}": loss for k, loss in enumerate(brier_score(y, y, survival, at)[1])},
        "integrated": integrated_brier_score(y, y, survival, at),
    }


if __name__ == "__main__":
    TAUS = np.genfromtxt(HERE / "uno.csv", delimiter=",", names=True)
    with (HERE / "sksurv.csv").open("w", newline="") as file:
        table = [values(line["case"], line["tau"]) for line in TAUS[:4]]
        writer = csv.DictWriter(file, table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {k: repr(float(v)) if k != "case" else v for k, v in r.items()} for r in table
        )
