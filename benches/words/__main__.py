"""How often a sentence of the report is false on null data, of each kind of verdict; words.csv.

Nothing is to be found in these data: risks are calibrated, subgroups alike, configurations blind.
A verdict that its interval or p-value carries is then false in at most its level of the reports.
"""

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bbc
from bbc.reporting import _words

from .._tables import write_csv

HERE = Path(__file__).resolve().parent
LEVEL = 0.05


def risks(rng: np.random.Generator, n_rows: int, n_configurations: int) -> tuple[np.ndarray, ...]:
    """Events, and the risks with which they happen, by configurations that hardly differ."""
    logit = rng.normal(-1.0, 1.0, n_rows)
    y = (rng.random(n_rows) < 1 / (1 + np.exp(-logit))).astype(int)
    noise = rng.normal(0.0, 0.02, (n_rows, n_configurations)) if n_configurations > 1 else 0.0
    return y, 1 / (1 + np.exp(-logit[:, None] - noise))


def slope(rng: np.random.Generator, n_rows: int, n_configurations: int, seed: int) -> bool:
    """Whether calibrated risks are called too extreme, or not extreme enough."""
    y, predicted = risks(rng, n_rows, n_configurations)
    c = bbc.correct(y, predicted, metric="log_loss", random_state=seed, n_bootstraps=400)
    found = c.calibration()
    interval = found.slope.confidence_interval
    if found.slope.estimate is None or interval is None:
        return False
    text = _words.say(
        "calibration_slope",
        _words.slope_facts(
            found.slope.estimate,
            (interval.low, interval.high),
            0.95,
            len(found.slope.replicates),
        ),
    )
    return "risks are too extreme." in text or "not extreme enough." in text


def subgroups(rng: np.random.Generator, n_rows: int, n_configurations: int, seed: int) -> bool:
    """Whether any two of four subgroups, alike, are said to differ."""
    y, predicted = risks(rng, n_rows, n_configurations)
    c = bbc.correct(y, predicted, metric="log_loss", random_state=seed, n_bootstraps=400)
    found = c.subgroups(np.arange(n_rows) % 4)
    return "differs between" in _words.say("subgroup_differences", _words.subgroup_facts(found))


def negative_control(rng: np.random.Generator, n_rows: int, n_columns: int, seed: int) -> bool:
    """Whether estimates on permuted truths are said to beat chance."""
    y, predicted = risks(rng, n_rows, n_columns)

    def estimate(permuted: np.ndarray, at: int) -> bbc.PerformanceEstimate:
        c = bbc.correct(permuted, predicted, metric="roc_auc", random_state=at, n_bootstraps=100)
        return c.record

    made = [estimate(rng.permutation(y), seed + at) for at in range(10)]
    return bool(bbc.results.NegativeControl(made, [0.5] * 10).suspect)


def model_luck(rng: np.random.Generator, n_rows: int, n_configurations: int, seed: int) -> bool:
    """Whether fitted models without luck are said to differ (BBC011)."""
    y, predicted = risks(rng, n_rows, n_configurations)
    found = bbc.correct(
        y, predicted, metric="roc_auc", folds=np.arange(n_rows) % 5, random_state=seed,
        n_bootstraps=400,
    )  # fmt: skip
    return "BBC011" in {each.code for each in found.findings}


def overtuned(rng: np.random.Generator, n_rows: int, n_configurations: int, seed: int) -> bool:
    """Whether a search is said to have been too long (BBC019), though no configuration is worse."""
    y, predicted = risks(rng, n_rows, max(2, n_configurations))
    c = bbc.correct(y, predicted, metric="log_loss", random_state=seed, n_bootstraps=400)
    path = c.tuning_path()
    return "BBC019" in {each.code for each in path.findings}


def worse_than_chance(rng: np.random.Generator, n_rows: int, n_columns: int, seed: int) -> bool:
    """Whether scores that say nothing are said to rank worse than chance (BBC020)."""
    y, _ = risks(rng, n_rows, 1)
    found = bbc.correct(
        y, rng.random((n_rows, n_columns)), metric="roc_auc", random_state=seed, n_bootstraps=100
    )
    return "BBC020" in {each.code for each in found.findings}


def no_possible_winner(rng: np.random.Generator, n_rows: int, n_columns: int, seed: int) -> bool:
    """Whether a configuration that is as good as all others is said not to be the best."""
    y, predicted = risks(rng, n_rows, max(2, n_columns))
    c = bbc.correct(y, predicted, metric="log_loss", random_state=seed, n_bootstraps=400)
    found = c.possible_winners()
    return not bool(np.asarray(found.possible)[0])


def families_differ(rng: np.random.Generator, n_rows: int, n_columns: int, seed: int) -> bool:
    """Whether one of two halves of configurations, alike, is said to be better."""
    y, predicted = risks(rng, n_rows, max(2, n_columns))
    half = predicted.shape[1] // 2
    families = {
        "first": bbc.Predictions(y, predicted[:, :half]),
        "second": bbc.Predictions(y, predicted[:, half:]),
    }
    found = bbc.compare(families, metric="log_loss", random_state=seed, n_bootstraps=400)
    return "was better than" in found.conclusion


#: Each sentence that judges, and the level at which it may be false.
VERDICTS: dict[str, tuple[Callable[[np.random.Generator, int, int, int], bool], float]] = {
    "risks are too extreme, or not extreme enough": (slope, LEVEL),
    "the performance differs between subgroups": (subgroups, LEVEL),
    "the estimate beats chance on permuted truths": (negative_control, LEVEL),
    "fitted models differ (BBC011)": (model_luck, LEVEL),
    "the search was too long (BBC019)": (overtuned, LEVEL),
    "the winner ranks worse than chance (BBC020)": (worse_than_chance, 0.001),
    "this configuration is not the best": (no_possible_winner, LEVEL),
    "one family is better": (families_differ, LEVEL),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.words", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=500, help="of each setting")
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the table")
    parser.add_argument("--from", dest="first", type=int, default=0, help="number of a verdict")
    parser.add_argument("--name", default="words.csv", help="of the table")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = []
    for number, (sentence, (verdict, level)) in enumerate(VERDICTS.items()):
        if number < options.first:
            continue
        for n_rows, n_configurations in ((100, 1), (400, 1), (200, 20)):
            n_false = 0
            for repetition in range(options.repetitions):
                rng = np.random.default_rng([number, n_rows, n_configurations, repetition])
                n_false += verdict(rng, n_rows, n_configurations, repetition)
            share = n_false / options.repetitions
            lines.append(
                {
                    "sentence": sentence,
                    "rows": n_rows,
                    "configurations": n_configurations,
                    "reports": options.repetitions,
                    "share_false": share,
                    "standard_error": float(np.sqrt(share * (1 - share) / options.repetitions)),
                    "level": level,
                }
            )
            print(lines[-1], flush=True)
    write_csv(lines, options.output / options.name)


if __name__ == "__main__":
    main()
