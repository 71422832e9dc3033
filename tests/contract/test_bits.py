"""The same bits from Python and C; R checks the same table (r-bridge/bbcr/tests)."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import bbc
from c_interface import Library
from golden.bits import generate, methods, reading

LINES = reading.lines("cases.csv")
DATA = reading.columns("data.csv")


def expected(line):
    return {
        "estimate": float.fromhex(line["estimate"]),
        "low": float.fromhex(line["low"]),
        "high": float.fromhex(line["high"]),
        "apparent": float.fromhex(line["apparent"]),
        "winner": int(line["winner"]),
        "n_redrawn": int(line["n_redrawn"]),
        "winners": [int(text) for text in line["winners"].split()],
        "replicates": [float.fromhex(text) for text in line["replicates"].split()],
    }


def test_the_table_covers_every_metric():
    names = {name for name in bbc.metrics.names() if not bbc.metrics.get(name).censoring}
    assert {line["metric"] for line in LINES} >= names


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['metric']}-{line['seed']}")
@pytest.mark.parametrize("simd", ["portable", "avx2", "avx512"])
def test_python(line, simd, limit_simd):
    limit_simd(simd)
    case = reading.case_of(generate.Case, line)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        e = generate.correct(DATA, case)
    low, high = e.confidence_interval
    assert expected(line) == {
        "estimate": e.estimate,
        "low": low,
        "high": high,
        "apparent": e.apparent,
        "winner": e.winner,
        "n_redrawn": e.n_redrawn,
        "winners": e.replicate_winners.tolist(),
        "replicates": e.replicates.tolist(),
    }


@pytest.fixture(scope="module")
def library(installed):
    return Library(installed)


only_shared = pytest.mark.parametrize("installed", ["ON"], indirect=True)


def problem_of(case):
    """The arrays of a case, and what it says of metric, truth and draws."""
    metric = bbc.metrics.get(case.metric)
    labels = case.predictions.startswith("labels")
    dtype = np.int64 if labels else np.float64
    arrays = [np.ascontiguousarray(a, dtype) for a in generate.predictions_of(DATA, case)]
    options = {
        "metric": metric.kernel.encode(),
        "average": str(dict(metric.parameters).get("average", "binary")).encode(),
        "negate": int(metric.sign < 0),
        "n_rows": generate.N_ROWS,
        "n_bootstraps": generate.N_BOOTSTRAPS,
        "seed": case.seed,
        "confidence_level": 0.8,
        "as_published": case.published,
    }
    if metric.target in ("binary", "classes"):
        options["labels"] = DATA[case.truth].astype(np.int64)
    else:
        options["values"] = DATA[case.truth]
    if metric.target == "survival":
        options["events"] = DATA["event"].astype(np.uint8)
    if case.groups:
        options["units"] = DATA[case.groups].astype(np.int32)
    if case.stratified:
        options["strata"] = DATA[case.truth].astype(np.int32)
    if case.weights:
        options["row_weights"] = DATA[case.weights]
    if case.folds:
        options["folds"] = generate.folds_of(DATA, case).astype(np.int32)
    if case.drawn:
        options["drawn_folds"] = generate.folds_of(DATA, case).astype(np.int32)
    return arrays, options


@only_shared
def test_c(library):
    for line in LINES:
        arrays, options = problem_of(reading.case_of(generate.Case, line))
        assert options["metric"].decode() == line["kernel"]
        result, replicates, winners = library.correct(arrays, options)
        assert expected(line) == {
            "estimate": result.estimate,
            "low": result.low,
            "high": result.high,
            "apparent": result.apparent,
            "winner": result.winner,
            "n_redrawn": result.n_redrawn,
            "winners": winners.tolist(),
            "replicates": replicates.tolist(),
        }, line["metric"]


CHOICES = {"best_threshold": 0, "greedy_ensemble": 4, "top_k": 3}


@only_shared
@pytest.mark.parametrize(
    "line",
    [line for line in reading.lines("methods.csv") if line["rule"] in CHOICES],
    ids=lambda line: f"{line['rule']}-{line['metric']}-{line['method']}",
)
def test_c_chooses(library, line):
    case = reading.case_of(methods.Case, line)
    drawn = "fold" if case.method == "bbc-two-level" else ""
    table = replace(case.of_table, folds="", drawn=drawn, weights=case.weights)
    arrays, options = problem_of(table)
    options |= {"selection": case.rule.encode(), "selection_size": CHOICES[case.rule]}
    chosen = {
        "replicate_thresholds": np.full(generate.N_BOOTSTRAPS, np.nan),
        "weights": np.full(generate.N_CONFIGURATIONS, np.nan),
        "selection_frequency": np.full(generate.N_CONFIGURATIONS, np.nan),
    }
    result, replicates, winners = library.correct(arrays, options, **chosen)
    written = [each for each in chosen.values() if not np.isnan(each).any()]
    assert len(written) == (1 if case.rule == "best_threshold" else 2)
    ends = [result.low, result.high]
    reals = [result.estimate, *ends, result.apparent, *replicates]
    reals += [value for each in written for value in each]
    integers = [result.winner, result.n_redrawn, *winners]
    assert integers == [int(text) for text in line["integers"].split()]
    assert reals == [float.fromhex(text) for text in line["reals"].split()]
    e = methods.compute(DATA, {}, case)
    np.testing.assert_array_equal(result.threshold, np.nan if e.threshold is None else e.threshold)
