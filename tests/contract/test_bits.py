"""The same bits from Python and C; R checks the same table (r-bridge/bbcr/tests)."""

import warnings

import numpy as np
import pytest

import bbc
from c_interface import Library
from golden.bits import generate, reading

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


@pytest.mark.parametrize("installed", ["ON"], indirect=True)
def test_c(installed):
    library = Library(installed)
    for line in LINES:
        case = reading.case_of(generate.Case, line)
        repeats = generate.predictions_of(DATA, case)
        kind = bbc.metrics.get(case.metric).target
        labels = case.predictions.startswith("labels")
        arrays = [np.ascontiguousarray(a, np.int64 if labels else np.float64) for a in repeats]
        options = {
            "metric": line["kernel"].encode(),
            "average": line["average"].encode(),
            "negate": int(line["negate"]),
            "n_rows": generate.N_ROWS,
            "n_bootstraps": generate.N_BOOTSTRAPS,
            "seed": case.seed,
            "confidence_level": 0.8,
        }
        if kind in ("binary", "classes"):
            options["labels"] = DATA[case.truth].astype(np.int64)
        else:
            options["values"] = DATA[case.truth]
        if kind == "survival":
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
