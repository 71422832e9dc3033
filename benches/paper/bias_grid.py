"""Bias of five protocols on 196 simulated settings."""

from typing import Any

import numpy as np

import bbc

from ._matrices import drop, ncv_estimate, right_by_fold, tt_estimate
from ._study import Cell, Claim, Row, Study, generator, mean_and_error

LAWS = ((9, 6), (14, 6), (24, 6), (54, 6))
SIZES = (20, 40, 60, 80, 100, 500, 1000)
CONFIGURATIONS = (50, 100, 200, 300, 500, 1000, 2000)
N_FOLDS = 10
N_REPETITIONS = 500
SETTING = ("beta_a", "beta_b", "n_rows", "n_configurations")
# Models trained, as a share of CVT's: nested cross-validation trains each pair of folds once.
NCV_MODELS = (N_FOLDS - 1) / 2 + 1
# Minimum of predictions before the first dropping test: as published, and our default.
DROPPING = {"BBCD": 1, "BBCD-50": 50}
PROTOCOLS = ("CVT", "TT", "NCV", "BBC", *DROPPING)


def cells(quick: bool) -> list[Cell]:
    laws = LAWS[:1] if quick else LAWS
    sizes = (20, 100) if quick else SIZES
    configurations = (50, 200) if quick else CONFIGURATIONS
    return [
        {
            "beta_a": a,
            "beta_b": b,
            "n_rows": n_rows,
            "n_configurations": n_configurations,
            "n_repetitions": 20 if quick else N_REPETITIONS,
        }
        for a, b in laws
        for n_rows in sizes
        for n_configurations in configurations
    ]


def run(cell: Cell, quick: bool) -> list[Row]:
    law, n_rows = (cell["beta_a"], cell["beta_b"]), cell["n_rows"]
    n_configurations = cell["n_configurations"]
    rng = generator("bias_grid", law, n_rows, n_configurations)
    found = [repetition(law, n_rows, n_configurations, rng) for _ in range(cell["n_repetitions"])]
    rows = []
    for place, protocol in enumerate(PROTOCOLS):
        bias, error = mean_and_error([repeat[0][place] for repeat in found])
        rows.append(
            {
                **{key: cell[key] for key in SETTING},
                "protocol": protocol,
                "bias": bias,
                "standard_error": error,
                "n_repetitions": len(found),
                "models_fraction": float(np.mean([repeat[1][place] for repeat in found])),
            }
        )
    return rows


def repetition(
    law: tuple[float, float], n_rows: int, n_configurations: int, rng: np.random.Generator
) -> tuple[list[float], list[float]]:
    """Bias and share of CVT's models of every protocol on one simulated matrix."""
    s = bbc.simulate.accuracy(n_rows, n_configurations, beta=law, n_folds=N_FOLDS, random_state=rng)
    seed = s.parameters["random_state"]
    e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=seed, n_threads=1)
    by_fold = right_by_fold(s.predictions == s.y[:, None], N_FOLDS)
    truth = float(s.true_performance[e.winner])
    assert e.apparent is not None
    bias = [
        e.apparent - truth,
        tt_estimate(by_fold, n_rows) - truth,
        ncv_estimate(by_fold, n_rows) - truth,
        s.bias(e),
    ]
    share = [1.0, 1.0, NCV_MODELS, 1.0]
    dropped: dict[int, tuple[float, float]] = {}
    for min_predictions in DROPPING.values():
        # The tests of a seed are the same, so only the first of them that is made matters.
        first = -(-min_predictions * N_FOLDS // n_rows)
        if first not in dropped:
            dropped[first] = with_dropping(s, min_predictions, seed)
        bias.append(dropped[first][0])
        share.append(dropped[first][1])
    return bias, share


def with_dropping(
    s: bbc.simulate.Simulation, min_predictions: int, seed: int
) -> tuple[float, float]:
    """Bias of BBCD, and its share of CVT's models."""
    kept = drop(
        s.y, s.predictions, s.folds, metric="accuracy", min_predictions=min_predictions, seed=seed
    )
    survivors = s.predictions[:, kept.survivors]
    e = bbc.correct(
        s.y, survivors, metric="accuracy", labels=[0, 1], random_state=seed, n_threads=1
    )
    bias = e.estimate - float(s.true_performance[kept.survivors[e.winner]])
    return bias, kept.n_models_trained / (N_FOLDS * s.true_performance.size)


def select(rows: list[Row], protocol: str, **keys: Any) -> list[Row]:
    """Rows of one protocol and, if given, some settings."""
    return [
        row
        for row in rows
        if row["protocol"] == protocol
        and all(row[key] in np.atleast_1d(value) for key, value in keys.items())
    ]


def biases(rows: list[Row], protocol: str, **keys: Any) -> np.ndarray:
    return np.array([row["bias"] for row in select(rows, protocol, **keys)])


def gaps(rows: list[Row], protocol: str) -> tuple[np.ndarray, np.ndarray]:
    """Bias less that of nested cross-validation, and the latter's standard errors, by setting."""
    nested = select(rows, "NCV")
    errors = np.array([row["standard_error"] for row in nested])
    return biases(rows, protocol) - biases(rows, "NCV"), errors


def claims(rows: list[Row]) -> list[Claim]:
    figure = [row for row in rows if row["beta_a"] == LAWS[0][0]]
    cvt = biases(rows, "CVT")
    highest = max(select(rows, "CVT"), key=lambda row: row["bias"])
    fewest = min(row["n_repetitions"] for row in rows)
    found = [
        Claim("settings run, and the fewest repetitions of one (information)",
              f"{cvt.size}, {fewest}", "196, 500", True),
        Claim("CVT: settings in which it is optimistic", f"{(cvt > 0).sum()} of {cvt.size}",
              "all", bool((cvt > 0).all())),
        Claim.number("CVT: largest bias", highest["bias"], 0.17,
                     float(np.hypot(highest["standard_error"] * np.sqrt(2), 0.01 / np.sqrt(12)))),
    ]  # fmt: skip
    ncv = biases(rows, "NCV")
    found.append(
        Claim(
            "NCV: mean and largest absolute bias",
            f"{abs(ncv).mean():.3f}, {abs(ncv).max():.3f}",
            "almost unbiased",
            bool(abs(ncv).mean() < 0.01),
        )
    )
    for protocol, mean, worst in (("BBC", -0.013, -0.034), ("BBCD", -0.005, -0.018)):
        gap, spread = gaps(figure, protocol)
        found += [
            Claim.number(f"{protocol} - NCV, Figure 1's law: mean", float(gap.mean()), mean,
                         float(np.hypot(np.sqrt((spread**2).mean() / gap.size),
                                        0.001 / np.sqrt(12)) * np.sqrt(2))),
            Claim.number(f"{protocol} - NCV, Figure 1's law: worst", float(gap.min()), worst,
                         float(spread.max() * np.sqrt(2))),
        ]  # fmt: skip
        gap, _ = gaps(rows, protocol)
        found.append(
            Claim(f"{protocol} - NCV, all laws run: mean and worst (information)",
                  f"{gap.mean():.4f}, {gap.min():.4f}", "", True)
        )  # fmt: skip
    for sizes, sign, word in (
        ((20, 40), 1, "optimistic"),
        ((60, 80, 100), -1, "over-corrects"),
        ((500, 1000), -1, "conservative"),
    ):
        tt = biases(figure, "TT", n_rows=sizes)
        if tt.size:
            found.append(
                Claim(
                    f"TT, Figure 1's law, rows in {sizes}: mean bias",
                    f"{tt.mean():+.3f}",
                    word,
                    bool(np.sign(tt.mean()) == sign),
                )
            )
    return found


def draw(rows: list[Row], figure: Any) -> None:
    grid = figure.subplots(2, 3, sharex=True, sharey=True)
    first = [row for row in rows if row["beta_a"] == LAWS[0][0]]
    for axes, protocol in zip(grid.flat, PROTOCOLS, strict=True):
        for n_configurations in sorted({row["n_configurations"] for row in first}):
            line = select(first, protocol, n_configurations=n_configurations)
            axes.plot(
                range(len(line)),
                [row["bias"] for row in line],
                marker=".",
                label=str(n_configurations),
            )
        sizes = sorted({row["n_rows"] for row in first})
        axes.set_xticks(range(len(sizes)), sizes)
        axes.axhline(0, color="black", lw=0.8)
        axes.set(title=protocol, ylim=(-0.1, 0.2))
    grid[0, 2].legend(title="configurations", fontsize=7, title_fontsize=7)
    for axes in grid[:, 0]:
        axes.set_ylabel("bias of accuracy")
    for axes in grid[1]:
        axes.set_xlabel("rows")


STUDY = Study(
    name="bias_grid",
    source="Paper 000, section 5.1 and Figure 1",
    title="bias of the protocols' estimates, mean true accuracy 60 %",
    cells=cells,
    run=run,
    claims=claims,
    draw=draw,
    scale="Full size: 196 settings of 500 repetitions; about 17 minutes of one core.",
    notes="""
On the law of Figure 1 the paper's four numbers come out as printed: its text speaks of that law.

BBCD tests from the first fold as published; BBCD-50 is the same with our default of 50 predictions
before the first test. Nested cross-validation runs on the same matrix less the held-out fold. The
published program draws new predictions for each outer fold instead: the mean is the same, the
variance is not. It also tests once more after the last fold, and so do we here. BBCD lies above BBC
by .010 with 20 rows, .007 with 80 and .001 with 500: dropping on few predictions brings some of the
optimism back.

A trap on the way: sums of fold accuracies such as 5/6 round, and ties that rounding decides, by way
of the sum of all folds less the one that is left out, go to configurations that are wrong in that
fold. With 60 rows, 2000 configurations and a mean accuracy of .9, where the best are all tied, that
makes nested cross-validation look .079 too pessimistic. Counts of right calls have no such bias.
""",
)
