"""Possible winners with few events and few groups: python -m benches.inference.events.

Settings in which intervals of the winner were too short: 10 to 50 events of 100 rows, 5 to 40
groups whose rows' errors correlate by a half, squared errors of 50 rows; 5 and 50 configurations
that are equal, or of which the first is better. `events.csv`: how often the set of each method
holds the best configuration (of equal ones: the first, and all of them), and which share of the
configurations it holds. The argmin test takes no groups. A minute of one core.
"""

import warnings
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import write_csv
from ..limits._worlds import world
from ._study import SETS

HERE = Path(__file__).resolve().parent
REPETITIONS, AHEAD = 200, 0.6  # standard deviations of the scores' noise
#: Metric, events, rows, rows of a group.
SETTINGS = (
    *(("roc_auc", m, 100, 1) for m in (10, 20, 50)),
    *((metric, n // 2, n, size) for metric in ("roc_auc", "accuracy")
      for n, size in ((50, 10), (100, 10), (200, 10), (200, 5))),
    ("mean_squared_error", 25, 50, 1),
)  # fmt: skip


def one(made: Any, metric: str, better: bool) -> tuple[Any, Any]:
    """Truth and predictions, of which the first may be better."""
    scores = made.scores.copy()
    if better:
        scores[:, 1:] -= AHEAD * (made.y[:, None] - 0.5)
    if metric == "accuracy":
        return made.y, (scores > made.shift / 2).astype(int)
    if metric == "roc_auc":
        return made.y, scores
    errors = made.scores - made.shift * made.y[:, None]
    errors[:, 1:] *= 1.3 if better else 1.0
    return np.zeros(len(errors)), errors


def main() -> None:
    warnings.simplefilter("ignore")
    lines = []
    for number, (metric, m, n, size) in enumerate(SETTINGS):
        for c in (5, 50):
            for better in (False, True):
                rng = np.random.default_rng([33, number, c, better])
                found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in SETS}
                refused = dict.fromkeys(SETS, 0)
                for seed in range(REPETITIONS):
                    made = world(rng, m, n, c, 0.8, size, 0.5 if size > 1 else 0.0)
                    y, predictions = one(made, metric, better)
                    corrected = bbc.correct(
                        y,
                        predictions,
                        metric=metric,
                        groups=made.groups,
                        random_state=seed,
                        n_threads=1,
                    )
                    for name in SETS:
                        try:
                            held = corrected.possible_winners(test=name)
                        except ValueError:
                            refused[name] += 1
                            continue
                        every = held.possible.all()
                        found[name].append((held.possible[0], every, held.n_possible / c))
                for name, values in found.items():
                    covered, every, share = np.mean(values or [(np.nan,) * 3], axis=0)
                    lines.append(
                        {
                            "metric": metric,
                            "n_events": m,
                            "n_rows": n,
                            "n_groups": n // size if size > 1 else "",
                            "n_configurations": c,
                            "first_is_better": better,
                            "method": name,
                            "coverage": float(covered) if values else "",
                            "all_best": "" if better or not values else float(every),
                            "size": float(share) if values else "",
                            "refused": refused[name],
                            "repetitions": REPETITIONS,
                        }
                    )
                    print(*lines[-1].values(), flush=True)
    write_csv(lines, HERE / "events.csv")


if __name__ == "__main__":
    main()
