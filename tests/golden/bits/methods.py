"""Writes the table of the other methods, which Python and R must give alike.

BBC-F, calibrated intervals, searches by rungs, blocks of rows, the one-standard-error rule,
cut-offs, ensembles, TT, dominated configurations, lower bounds, families compared and WMC; of
these, the C interface has cut-offs and ensembles. Run it only when they are meant to change, in
tests/: python -m golden.bits.methods

Data are those of generate.py, and for bounds and WMC the columns of scores.csv. Each line of
methods.csv says what is computed and what comes out: `integers`, counted from 0, and `reals` as
hexadecimal floats, both in the order of `results_of`.
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import bbc
from families import compared_arrays

from . import generate

N_ROWS, N_CONFIGURATIONS, N_FOLDS = 120, 21, 4
COMPLEXITY = (3, 1, 2, 1, 0)
FAMILIES = {"three": slice(0, 3), "one": slice(3, 4), "other": slice(4, 5)}
RULES: dict[str, Any] = {
    "": "best",
    "one_standard_error": bbc.one_standard_error(COMPLEXITY),
    "best_threshold": bbc.best_threshold(),
    "greedy_ensemble": bbc.greedy_ensemble(4),
    "top_k": bbc.top_k(3),
}


@dataclass(frozen=True)
class Case:
    """One line of the table; empty where the function has no such argument."""

    function: str
    metric: str = ""
    truth: str = ""
    predictions: str = ""
    seed: int = 0
    n_repeats: int = 1
    weights: str = ""
    method: str = ""
    rule: str = ""
    variant: str = ""

    @property
    def of_table(self) -> generate.Case:
        """The same data as a case of generate.py."""
        return generate.Case(
            self.metric, self.truth, self.predictions, self.seed, self.n_repeats, folds="fold"
        )


def make_scores() -> dict[str, np.ndarray]:
    """A truth, folds and scores with ties, large enough to be split."""
    rng = np.random.default_rng(20240601)
    two = np.arange(N_ROWS) % 3 % 2
    columns = {"two": two, "fold": np.arange(N_ROWS) // 3 % N_FOLDS}
    for j in range(N_CONFIGURATIONS):
        columns[f"score_{j}"] = np.round(8 * (two + rng.normal(size=N_ROWS))).astype(int)
    return columns


def make_cases() -> list[Case]:
    """Every method with metrics of each family, and every bound."""
    data = [
        ("accuracy", "three", "labels_three"),
        ("roc_auc", "two", "score"),
        ("brier_score", "two", "class_2"),
        ("mean_squared_error", "real", "value"),
        ("concordance_index", "time", "value"),
    ]
    cases = []
    for metric, truth, predictions in data:
        for n_repeats in (1, 2):
            plans: list[dict[str, str]] = [
                {"function": "correct", "method": "bbc-f"},
                {"function": "correct", "method": "bbc-f", "weights": "weight"},
                {"function": "correct", "method": "bbc-f", "rule": "one_standard_error"},
                {"function": "correct", "method": "bbc", "rule": "one_standard_error"},
                {"function": "tt"},
                {"function": "dominated"},
                {"function": "dominated", "rule": "one_standard_error"},
            ]
            cases += [
                Case(
                    metric=metric,
                    truth=truth,
                    predictions=predictions,
                    seed=1000 + number,
                    n_repeats=n_repeats,
                    **plan,  # type: ignore[arg-type]
                )
                for number, plan in enumerate(plans)
            ]
    cases += _cases_of_choices(data)
    for method in ("bbc", "bbc-f", "delong", "hanley-mcneil", "bt", "mabt", "nb"):
        rules = ("",) if method in ("bbc", "bbc-f", "nb") else ("best", "top10%")
        variants = ("standard", "published") if len(rules) > 1 else ("standard",)
        for rule in rules:
            cases += [
                Case("bound", seed=seed, method=method, rule=rule, variant=variant)
                for variant in variants
                for seed in (1, 2)
            ]
    cases += _cases_of_comparisons(data)
    cases += [
        Case("correct", *each, 1300, 2, weights, "bbc-two-level", variant="calibrated")
        for each in data
        for weights in ("", "weight")
    ]
    cases += [
        Case("correct", *each, 1400, 1, weights, "bbc", variant="rungs")
        for each in data
        for weights in ("", "weight")
    ]
    cases += [Case("correct", *each, 1500, 1, "", "bbc", variant="blocks") for each in data]
    cases += [
        Case("wmc", seed=seed, variant=variant) for variant in ("wmc", "wmcs") for seed in (1, 2)
    ]
    return cases


def _cases_of_comparisons(data: list[tuple[str, str, str]]) -> list[Case]:
    """Each side, and each kind of draws; four folds of two repeats are the columns `part`."""
    plans = [
        (1, "", "bbc", "two-sided"),
        (1, "weight", "bbc", "greater"),
        (2, "", "bbc-two-level", "two-sided"),
        (2, "weight", "bbc-two-level", "less"),
    ]
    return [
        Case("compare", *each, 1200, n_repeats, weights, method, variant=variant)
        for each in data
        for n_repeats, weights, method, variant in plans
    ]


def _cases_of_choices(data: list[tuple[str, str, str]]) -> list[Case]:
    """Ensembles by every metric, and cut-offs by some."""
    cut = [(metric, "two", "score") for metric in ("accuracy", "f1", "mcc", "f1_macro")]
    chosen = [(*each, rule) for each in data for rule in ("greedy_ensemble", "top_k")]
    chosen += [(*each, "best_threshold") for each in cut]
    return [
        Case("correct", *each, 1100, n_repeats, weights, method, rule)
        for *each, rule in chosen
        for n_repeats, weights, method in ((1, "", "bbc"), (2, "weight", "bbc-two-level"))
    ]


def compute(data: dict[str, np.ndarray], scores: dict[str, np.ndarray], case: Case) -> Any:
    """What Python gives."""
    if case.function == "bound":
        return bbc.baselines.bound(
            scores["two"],
            np.stack([scores[f"score_{j}"] for j in range(N_CONFIGURATIONS)], axis=1),
            scores["fold"],
            method=case.method,  # type: ignore[arg-type]
            rule=case.rule or None,  # type: ignore[arg-type]
            variant=case.variant,  # type: ignore[arg-type]
            n_bootstraps=200,
            random_state=case.seed,
        )
    if case.function == "wmc":
        errors = np.stack([scores[f"score_{j}"] for j in range(N_CONFIGURATIONS)], axis=1) / 8
        return bbc.baselines.wmc(
            errors, n_train=90, n_test=30, shrink=case.variant == "wmcs", random_state=case.seed
        )
    table = case.of_table
    if case.function == "compare":
        return _compared(data, case)
    y, predictions = generate.truth_of(data, table), generate.predictions_of(data, table)
    calibrated = case.variant == "calibrated"  # which takes the four folds of `part`
    if calibrated:
        table = replace(table, folds="part")
    design: dict[str, Any] = {
        "metric": case.metric,
        "folds": generate.folds_of(data, table),
        "sample_weight": data[case.weights] if case.weights else None,
    }
    if case.function == "tt":
        return bbc.correct(y, predictions, **design, method="tt")
    if case.variant == "rungs":
        predictions = [with_holes(array) for array in predictions]
        paired = case.metric in ("roc_auc", "concordance_index")
        design |= {"missing": "rungs", "pooling": "rung" if paired else "pooled"}
    if case.variant == "blocks":
        design["block_length"] = "auto" if case.metric != "concordance_index" else 3
    design["selection"] = RULES[case.rule]
    design |= {"n_bootstraps": generate.N_BOOTSTRAPS, "random_state": case.seed}
    if case.function == "dominated":
        return bbc.baselines.dominated(y, predictions, dropping_level=0.8, **design)
    if calibrated:
        design["interval"] = "calibrated"
    return bbc.correct(y, predictions, method=case.method, confidence_level=0.8, **design)  # type: ignore[arg-type]


def with_holes(predictions: np.ndarray) -> np.ndarray:
    """What a search leaves that dropped two configurations after 12 rows and one after 24."""
    found = predictions.astype(float)
    found[12:, [0, 3]] = np.nan
    found[24:, 1] = np.nan
    return found


def _compared(data: dict[str, np.ndarray], case: Case) -> Any:
    table = replace(case.of_table, folds="part")
    predictions = generate.predictions_of(data, table)
    return compared_arrays(
        generate.truth_of(data, table),
        {name: [array[:, own] for array in predictions] for name, own in FAMILIES.items()},
        metric=case.metric,
        method=case.method,  # type: ignore[arg-type]
        folds=generate.folds_of(data, table),
        sample_weight=data[case.weights] if case.weights else None,
        n_bootstraps=generate.N_BOOTSTRAPS,
        confidence_level=0.8,
        alternative=case.variant,  # type: ignore[arg-type]
        random_state=case.seed,
    )


def results_of(result: Any) -> tuple[list[int], list[float]]:
    """The integers and the reals of a line of the table, -1 and nothing where there is none."""
    if isinstance(result, bbc.baselines.Dominance):
        return [result.best, *result.dominated.astype(int)], result.share_worse.tolist()
    if isinstance(result, bbc.Comparison):
        return _of_comparison(result)
    if isinstance(result, bbc.results.WeightedMeanCorrection):
        numbers = [result.estimate, result.apparent, result.shrinkage, result.monte_carlo_error]
        return [result.winner], [*numbers, *result.weights, *result.errors]
    result = getattr(result, "record", result)
    interval = result.confidence_interval
    ends = [] if interval is None else list(interval)
    if isinstance(result, bbc.PerformanceEstimate):
        winners = [] if result.replicate_winners is None else result.replicate_winners.tolist()
        drawn = [] if result.replicates is None else result.replicates.tolist()
        integers = [result.winner, result.n_redrawn, *winners]
        chosen = (result.replicate_thresholds, result.weights, result.membership_frequency)
        drawn += [value for each in chosen if each is not None for value in each.tolist()]
        return integers, [result.estimate, *ends, result.apparent or 0.0, *drawn]
    winner = -1 if result.winner is None else result.winner
    integers = [winner, result.n_splits, result.n_bootstraps]
    reals = [] if result.estimate is None else [result.estimate]
    weight = [] if result.effective_sample_size is None else [result.effective_sample_size]
    return [*integers, *result.candidates, *result.evaluation_rows], [*reals, *ends, *weight]


def _of_comparison(result: bbc.Comparison) -> tuple[list[int], list[float]]:
    reals = [each.estimate for each in result.estimates.values()]
    for each in result.differences:
        limits = [] if each.confidence_interval is None else list(each.confidence_interval)
        tested = (each.standard_error, each.degrees_of_freedom, each.p_value)
        numbers = [each.estimate, *limits, *tested, each.first_better, each.second_better]
        reals += [value for value in numbers if value is not None]
    return [each.winner for each in result.estimates.values()], reals


def line_of(result: Any) -> dict[str, str]:
    """The results as text."""
    integers, reals = results_of(result)
    return {
        "integers": " ".join(str(int(value)) for value in integers),
        "reals": " ".join(float(value).hex() for value in reals),
    }


def write(name: str, lines: Iterable[dict[str, Any]]) -> None:
    """Write one table beside those of generate.py."""
    lines = list(lines)
    with (generate.HERE / name).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def main() -> None:
    """Write both tables."""
    data, scores = generate.make_data(), make_scores()
    rows = zip(*scores.values(), strict=True)
    write("scores.csv", (dict(zip(scores, row, strict=True)) for row in rows))
    write(
        "methods.csv",
        (
            {**vars(case), "n_outputs": case.of_table.n_outputs}
            | line_of(compute(data, scores, case))
            for case in make_cases()
        ),
    )


if __name__ == "__main__":
    main()
