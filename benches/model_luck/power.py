"""How often the test of model luck speaks: its power, and how often finding BBC011 follows.

    python -m benches.model_luck.power [--runs 400] [--quick]

100 configurations, 5 folds. Each fitted model has an accuracy (an AUC) of its own, normal about
.75 (.76) with the luck as its standard deviation. `rho` correlates the rows' noise between
configurations. Scores of the AUC have an offset and a scale of their own in each fitted model,
which fold scores do not see. Writes `power.csv` and `power.png` beside itself.
"""

import argparse
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
N_CONFIGURATIONS, N_FOLDS = 100, 5
LUCK = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05)


@dataclass(frozen=True)
class Setting:
    """One curve."""

    metric: str
    n_rows: int
    rho: float

    @property
    def label(self) -> str:
        name = {"accuracy": "accuracy", "roc_auc": "AUC, offsets"}[self.metric]
        return f"{name}, {self.n_rows} rows, rho {self.rho:g}"

    def draw(self, luck: float, rng: np.random.Generator) -> tuple[Any, Any, Any]:
        """Truth, predictions and folds; luck is in units of the metric."""
        n, shape = self.n_rows, (self.n_rows, N_CONFIGURATIONS)
        folds = np.arange(n) // 2 % N_FOLDS
        y = np.arange(n) % 2
        common = np.sqrt(self.rho) * rng.normal(size=(n, 1))
        noise = common + np.sqrt(1 - self.rho) * rng.normal(size=shape)
        models = (N_FOLDS, N_CONFIGURATIONS)
        if self.metric == "accuracy":
            skill = np.clip(rng.normal(0.75, luck, models), 0.01, 0.99)
            right = noise < ndtri(skill)[folds]
            return y, np.where(right, y[:, None], 1 - y[:, None]), folds
        skill = np.clip(rng.normal(0.76, luck, models), 0.5, 0.99)
        scores = y[:, None] * (np.sqrt(2) * ndtri(skill))[folds] + noise
        scale, offset = np.exp(rng.normal(0, 0.5, models)), rng.normal(0, 1, models)
        return y, scale[folds] * scores + offset[folds], folds


SETTINGS = (
    Setting("accuracy", 500, 0.0),
    Setting("accuracy", 500, 0.8),
    Setting("accuracy", 100, 0.5),
    Setting("roc_auc", 500, 0.5),
    Setting("roc_auc", 100, 0.5),
)


def point(setting: Setting, luck: float, runs: int) -> Line:
    """Shares of runs with a small p-value, and with the finding."""
    small = found = 0
    biases = []
    for seed in range(runs):
        y, predictions, folds = setting.draw(luck, np.random.default_rng([seed, setting.n_rows]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BBCWarning)
            e = bbc.correct(
                y,
                predictions,
                metric=setting.metric,
                folds=folds,
                n_bootstraps=200,
                random_state=seed,
                n_threads=1,
            )
        assert e.model_luck is not None
        assert e.model_luck.p_value is not None
        small += e.model_luck.p_value <= 0.05
        found += any(one.code == "BBC011" for one in e.findings)
        biases.append(e.model_luck.predicted_bias)
    line = {
        "setting": setting.label,
        "luck": luck,
        "runs": runs,
        "power": small / runs,
        "power_se": float(np.sqrt(small * (runs - small) / runs**3)),
        "bbc011": found / runs,
        "predicted_bias": float(np.mean(biases)),
    }
    print(line, flush=True)
    return line


def draw(lines: list[Line], path: Path) -> None:
    """Power by luck; dashed: the finding, which needs a bias that matters."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(8, 4), sharey=True, layout="constrained")
    for ax, metric in zip(axes, ("accuracy", "roc_auc"), strict=True):
        for setting in (one for one in SETTINGS if one.metric == metric):
            own = [line for line in lines if line["setting"] == setting.label]
            luck = [line["luck"] for line in own]
            (curve,) = ax.plot(luck, [line["power"] for line in own], "o-", ms=3)
            curve.set_label(setting.label)
            ax.plot(luck, [line["bbc011"] for line in own], "--", color=curve.get_color())
        ax.axhline(0.05, color="0.7", lw=0.8)
        ax.set_xlabel("standard deviation of a fitted model's performance")
        ax.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.17))
    axes[0].set_ylabel("share of p <= .05 (dashed: of BBC011)")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--quick", action="store_true", help="a few runs, written nowhere")
    given = parser.parse_args()
    runs = 5 if given.quick else given.runs
    lines = [point(setting, luck, runs) for setting in SETTINGS for luck in LUCK]
    if given.quick:
        return
    write_csv(lines, HERE / "power.csv")
    draw(lines, HERE / "power.png")


if __name__ == "__main__":
    main()
