"""Small inputs have small costs: what is counted here grows with the input, and no faster.

`benches/inputs` measures times. Here comparisons of names are counted, lines of Python that are
executed, and bytes that are asked for, on inputs of which one is four times the other.
"""

import gzip
import io
import json
import os
import re
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from sklearn.dummy import DummyClassifier

import bbc
from bbc import _core, _names
from bbc._titles import concise, metric_title
from bbc.cli import main
from bbc.errors import InvalidValueError
from families import compared_arrays

N = 500
LONG = {name: name for name in ("row", "configuration", "prediction")}
ROWS = 20
RNG = np.random.default_rng(0)
Y = np.arange(ROWS) % 2
FEW: dict[str, Any] = {"n_bootstraps": 40, "random_state": 0}


class Name(str):
    """Text that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        Name.compared += 1
        return str.__eq__(self, other)

    def __ne__(self, other):
        return not self == other


def names(n: int, word: str = "configuration") -> list[str]:
    return [Name(f"{word} {i}") for i in range(n)]


def scores(n: int) -> Any:
    return RNG.random((ROWS, n))


def estimate(n: int) -> bbc.PerformanceEstimate:
    return bbc.PerformanceEstimate(
        estimate=0.5,
        metric="accuracy",
        method="bbc",
        greater_is_better=True,
        n_rows=n,
        n_configurations=n,
        names=names(n),
        replicates=RNG.random(n),
        replicate_winners=np.arange(n),
        metric_range=(0.0, 1.0),
    )


def wide(n: int) -> dict[str, Any]:
    table = dict(zip(names(n), scores(n).T, strict=True))
    return {"y": Y} | table


def text(n: int) -> str:
    lines = [
        ["y", *names(n)],
        *([str(y), *map(str, row)] for y, row in zip(Y, scores(n), strict=True)),
    ]
    return "\n".join(map(",".join, lines))


def long(n: int) -> dict[str, Any]:
    row, configuration = np.divmod(np.arange(4 * n), n)
    named = np.array(names(n), dtype=object)[configuration]
    return {"row": row, "configuration": named, "y": row % 2, "prediction": RNG.random(4 * n)}


def with_classes(n: int) -> Any:
    y = np.array([f"class {i // 2}" for i in range(n)], dtype=object)
    return bbc.correct(y, y[::-1, None], metric="accuracy", **FEW)


def listed(n: int) -> Any:
    half = names(n)
    return bbc.Predictions.from_wide(
        wide(n), truth="y", names=half[: n // 2], ignore=half[n // 2 :]
    )


def families(n: int) -> Any:
    each = [name for name in names(n // 10, "family") for _ in range(10)]
    given = {"by": each, "reference": each[0], "metric": "roc_auc"}
    return compared_arrays(Y, scores(n), **given, **FEW)


def subgroups(n: int) -> Any:
    y = np.arange(n) % 2
    by = [f"s{i // 50}" for i in range(n)]
    c = bbc.correct(y, RNG.integers(0, 2, (n, 2)), metric="accuracy", **FEW)
    return c.subgroups(by, reference="s0")


def in_groups(n: int) -> Any:
    named = [Name(f"g{i // 2}") for i in range(n)]
    given = {"groups": named, "folds": named, "metric": "roc_auc"}
    return bbc.correct(np.arange(n) % 2, RNG.random((n, 2)), **given, **FEW)


def refused(document: str) -> None:
    with pytest.raises(ValueError, match="has no field"):
        bbc.PerformanceEstimate.from_json(document)


#: Calls on n of something. What they need is made before.
CALLS: dict[str, tuple[Callable[[int], Any], Callable[[Any], Any]]] = {
    "names": (lambda n: n, lambda n: bbc.correct(Y, scores(n), metric="roc_auc", names=names(n))),
    "groups and folds": (lambda n: n, in_groups),
    "classes": (lambda n: n, with_classes),
    "families": (lambda n: n, families),
    "subgroups": (lambda n: n, subgroups),
    "columns": (wide, lambda table: bbc.Predictions.from_wide(table, truth="y")),
    "listed columns": (lambda n: n, listed),
    "text": (text, lambda table: bbc.Predictions.from_wide(io.StringIO(table), truth="y")),
    "long": (long, lambda table: bbc.Predictions.from_long(table, truth="y", **LONG)),
    "long, listed": (
        long,
        lambda table: bbc.Predictions.from_long(
            table, truth="y", names=list(dict.fromkeys(table["configuration"])), **LONG
        ),
    ),
    "fold scores": (
        lambda n: {f"split{fold}_test_score": RNG.random(3) for fold in range(n)},
        lambda table: bbc.correct(table, metric="accuracy", **FEW),
    ),
    "document": (
        lambda n: estimate(n).to_json(),
        lambda document: bbc.PerformanceEstimate.from_json(document),
    ),
    "unknown fields": (
        lambda n: json.dumps({"type": "bbc.PerformanceEstimate"} | dict.fromkeys(names(n), 1)),
        refused,
    ),
    "summary": (estimate, lambda result: result.summary()),
    "html": (estimate, lambda result: result._repr_html_()),
    "json": (estimate, lambda result: result.to_json()),
    "frame": (estimate, lambda result: result.to_frame()),
    "concise names": (names, concise),
    "repeated names": (names, lambda many: list(_names.again(many))),
}


def cost(call: Callable[[Any], Any], made: Any) -> tuple[int, int, int]:
    """Comparisons of names, lines and calls of ours, and bytes at most."""
    events = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal events
        if "/bbc/" not in frame.f_code.co_filename:
            return None
        events += 1
        return trace

    Name.compared = 0
    tracemalloc.start()
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call(made)
    finally:
        sys.settrace(before)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return Name.compared, events, most


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_costs_grow_with_the_input(name):
    """Four times the input is at most about four times as much, where a square would be 16."""
    make, call = CALLS[name]
    call(make(100))  # what is loaded once
    small, large = (cost(call, make(n)) for n in (N, 4 * N))
    for what, least, few, many in zip(
        ("comparisons", "lines", "bytes"), (N, N, 500_000), small, large, strict=True
    ):
        assert many <= 6.5 * max(few, least), what


def test_a_refusal_of_columns_compares_each_name_once():
    """10,000 names took 1.6 s."""
    header = ",".join(["y", *(f"c{i}" for i in range(3000)), "c0"])
    with pytest.raises(ValueError, match="two columns 'c0'"):
        bbc.Predictions.from_wide(io.StringIO(f"{header}\n"), truth="y", header=True)
    many = names(3000)
    Name.compared = 0
    assert list(_names.again([*many, Name("configuration 7")])) == ["configuration 7"]
    assert Name.compared < 100


# What ends in NUL: numpy's own strings drop it.


def test_groups_that_differ_by_a_nul_are_apart():
    groups = [f"{i // 4}" + "\0" * (i % 4 < 2) for i in range(40)]
    y, p = np.arange(40) % 2, RNG.random((40, 3))
    codes = np.unique(groups, return_inverse=True)[1]
    assert len(set(codes)) == 10  # as numpy sees them
    for given in (groups, tuple(groups), np.array(groups, dtype=object)):
        e = bbc.correct(y, p, metric="roc_auc", groups=given, random_state=0)
        assert e.design.n_groups == 20
    known = {name: place for place, name in enumerate(groups)}
    numbers = [known[name] for name in groups]
    expected = bbc.correct(y, p, metric="roc_auc", groups=numbers, random_state=0)
    assert np.array_equal(e.replicates, expected.replicates)


def test_folds_classes_and_labels_that_differ_by_a_nul_are_apart():
    y = ["a", "a\0"] * 20
    p = RNG.random((40, 3))
    e = bbc.correct(y, p, metric="roc_auc", pos_label="a\0", folds=y * 1, random_state=0)
    assert e.n_folds == 2
    assert e.pos_label == "a\0"
    assert e.design.class_counts == (("a", 20), ("a\0", 20))
    numbers = bbc.correct([0, 1] * 20, p, metric="roc_auc", folds=[0, 1] * 20, random_state=0)
    assert np.array_equal(e.replicates, numbers.replicates)
    assert bbc.PerformanceEstimate.from_json(e.to_json()) == e
    wrong = np.array([["a"], ["a\0"]] * 20, dtype=object)[::-1]
    found = bbc.correct(y, wrong, metric="accuracy", random_state=0)
    assert found.apparent == 0
    kept = bbc.results.OutOfSamplePredictions(y=y, labels=[wrong.tolist()], groups=y)
    assert set(kept.y) == set(kept.groups) == set(y)
    by = bbc.correct([0, 1] * 20, p, metric="roc_auc", random_state=0).subgroups(sorted(y))
    assert [each.name for each in by.groups] == ["a", "a\0"]


def test_names_that_differ_by_a_nul_are_apart():
    named = ["m", "m\0"]
    e = bbc.correct(Y, scores(2), metric="roc_auc", names=named, random_state=0)
    assert e.names == ("m", "m\0")
    table = long(2) | {"configuration": np.array(named * 4, dtype=object)}
    found = bbc.Predictions.from_long(table, truth="y", names=["m\0"], **LONG)
    assert found.names == ("m\0",)
    assert bbc.Predictions.from_long(table, truth="y", **LONG).names == ("m", "m\0")


def test_a_table_of_text_with_nul_is_refused(tmp_path):
    content = "y,a,g\n0,0.1,x\n1,0.2,x\0\n"
    with pytest.raises(ValueError, match="NUL"):
        bbc.Predictions.from_wide(io.StringIO(content), truth="y", groups="g")
    path = tmp_path / "table.csv"
    path.write_text(content + "0,0.3,z\n" * 200_000)  # so large that pyarrow splits it
    with pytest.raises(ValueError, match="NUL"):
        bbc.Predictions.from_wide(path, truth="y", groups="g")


def test_a_store_refuses_what_it_would_merge(tmp_path):
    y = ["a", "b"] * 20
    groups = [f"{i // 2 % 10}" + "\0" * (i // 2 % 2) for i in range(40)]
    protocol = bbc.CVT(DummyClassifier(), {"strategy": ["prior"]}, cv=2, store=tmp_path / "run.bbc")
    with pytest.raises(ValueError, match=r"cannot keep '1\\x00', which ends in NUL"):
        protocol.fit(np.zeros((40, 1)), y, groups=groups)


# Limits of counts.

COUNTS = {
    "n_bootstraps": lambda n: bbc.correct(Y, scores(2), metric="roc_auc", n_bootstraps=n),
    "n_threads": lambda n: bbc.correct(Y, scores(2), metric="roc_auc", n_threads=n),
    "n_rounds": bbc.greedy_ensemble,
    "k": bbc.top_k,
    "n_bins": lambda n: bbc.correct(Y, scores(2), metric="brier_score").calibration(n_bins=n),
    "n_permutations": lambda n: bbc.negative_control(
        bbc.BBC(DummyClassifier(), {}), scores(2), Y, n_permutations=n
    ),
    "block_length": lambda n: bbc.correct(Y, scores(2), metric="roc_auc", block_length=n),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_have_limits(name):
    """10**18 rounds were taken, and 2**31 threads ended in an error of the binding."""
    most = _core.limit_of(name)
    for n in (most + 1, 2**31, 2**63, 10**18, 10**5000):
        if n > most:
            with pytest.raises(InvalidValueError, match=f"{name} must be at most {most}"):
                COUNTS[name](n)


def test_the_kernel_has_the_limit_of_any_count():
    assert _core.limit_of("n_bootstraps") == 2**32 - 1
    assert _core.limit_of("n_rounds") == 10**6
    assert _core.limit_of("anything else") == 2**31 - 1


def test_the_documentation_has_the_limits():
    text = (Path(__file__).parents[2] / "docs" / "refused.md").read_text(encoding="utf-8")
    table = text.partition("| argument | at most |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.*`.*) \| (\d+) \|$", table, re.MULTILINE)
    told = {name: int(most) for names, most in rows for name in re.findall(r"`(\w+)`", names)}
    assert len(told) == 14
    assert {name: _core.limit_of(name) for name in told} == told


def test_rivals_have_a_limit():
    """Time grows with the square of their number."""
    most = _core.MOST_RIVALS
    told = f"predictions have {most + 1} configurations, at most {most} can be compared"
    predictions = np.broadcast_to(np.arange(4.0)[:, None] / 4, (4, most + 1))
    c = bbc.correct(Y[:4], predictions.copy(), metric="brier_score", n_bootstraps=40)
    for test in ("mcs", "argmin"):
        with pytest.raises(InvalidValueError, match=told):
            c.possible_winners(test=test)
    assert f"at most {most} configurations" in (
        Path(__file__).parents[2] / "docs" / "refused.md"
    ).read_text(encoding="utf-8")
    assert f"{most:,}" in bbc.Correction.possible_winners.__doc__


def test_the_c_header_has_the_limits():
    """It named those of rows, configurations and replicates, and none of threads and rounds."""
    header = Path(__file__).parents[2] / "cpp" / "include" / "bbc" / "c.h"
    text = " ".join(re.sub(r"[*/]", " ", header.read_text(encoding="utf-8")).split())
    assert f" {_core.limit_of('n_threads')} threads and" in text
    assert f"all cores, at most {_core.limit_of('n_threads')};" in text
    assert f" {_core.limit_of('n_rounds')} rounds of" in text
    assert f"(0: 25; at most {_core.limit_of('n_rounds')})" in text
    assert "There may be 2^31 - 1 rows" in text  # test_the_kernel_has_the_limit_of_any_count
    assert " 2^32 - 1 replicates" in text


def test_pairs_have_a_limit():
    y = np.arange(804) % 2
    c = bbc.correct(y, y[:, None], metric="accuracy", **FEW)
    with pytest.raises(ValueError, match="by has 201 subgroups, at most 200"):
        c.subgroups(np.arange(804) // 4)


# Documents and files that ask for more than they hold.


@pytest.mark.filterwarnings("ignore")
def test_a_count_that_no_array_backs_costs_nothing(tmp_path):
    """A document of 2.8 kB with 10^8 configurations took 2.3 GiB."""
    e = bbc.correct(Y, scores(5), metric="roc_auc", **FEW)
    document = json.loads(e.to_json()) | {"n_configurations": 10**8}
    result = bbc.PerformanceEstimate.from_json(json.dumps(document))
    bbc.report(e, tmp_path / "once.html")  # what is loaded once
    tracemalloc.start()
    result.summary(), result._repr_html_(), result.to_frame(), result.findings, repr(result)
    bbc.report(result, tmp_path / "page.html")
    bbc.plots.selection(result)
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()
    assert "100000000 configurations" in result.summary()
    for field in ("n_configurations", "n_rows", "winner"):
        with pytest.raises(ValueError, match=field):
            bbc.PerformanceEstimate.from_json(json.dumps(document | {field: 2**40}))


@pytest.mark.filterwarnings("ignore")
def test_shares_are_as_they_were():
    e = bbc.correct(Y, scores(7), metric="roc_auc", **FEW)
    counts = np.bincount(e.replicate_winners, minlength=7)
    assert np.array_equal(e.selection_frequency, counts / 40)
    assert not e.selection_frequency.flags.writeable


def test_numbers_of_thousands_of_digits_are_refused():
    with pytest.raises(ValueError, match="text is not JSON: Exceeds the limit"):
        bbc.PerformanceEstimate.from_json('{"a": ' + "1" * 5000 + "}")
    long_number = "1" * 5000
    table = io.StringIO(f"y,a\n0,{long_number}\n1,2\n")
    read = bbc.Predictions.from_wide(table, truth="y")
    assert read.values.dtype.kind == "U"  # text, as beyond 64 bits


def test_a_long_cell_does_not_cost_as_much_in_every_row(tmp_path):
    """A cell of 130,000 characters beside 60,000 others asked for 31 GB."""
    rows = "".join(f"{i % 2},0.{1 + i % 7},x\n" for i in range(30_000))
    content = f"y,a,c\n{rows}1,0.5,{'x' * 130_000}\n"
    path = tmp_path / "table.csv"
    path.write_text(content.replace(",x\n", f",{'x' * 50}\n"))  # large: by pyarrow, if it is there
    for source in (io.StringIO(content), path):
        tracemalloc.start()
        with pytest.raises(ValueError, match="column 'c' has a cell of 130000 characters"):
            bbc.Predictions.from_wide(source, truth="y", ignore=["c"])
        assert tracemalloc.get_traced_memory()[1] < 100e6
        tracemalloc.stop()
    tracemalloc.start()
    y = np.arange(20_001) % 2
    named = [*(f"g{i // 4}" for i in range(20_000)), "x" * 130_000]
    e = bbc.correct(y, RNG.random((20_001, 1)), metric="roc_auc", groups=named, **FEW)
    assert e.design.n_groups == 5001
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()


def test_a_file_that_unpacks_to_many_times_its_size_is_refused(tmp_path):
    path = tmp_path / "table.csv.gz"
    with gzip.open(path, "wb") as file:
        file.write(b"y,a\n")
        file.write((b"0" + b" " * 100_000 + b",0.5\n") * 700)
    with pytest.raises(ValueError, match="unpacks to more than 64 MiB"):
        bbc.Predictions.from_wide(path, truth="y")


def test_a_parquet_file_that_unpacks_to_many_times_its_size_is_refused(tmp_path):
    path = tmp_path / "table.parquet"
    zeros = pa.array(np.zeros(2**22, np.int8)).dictionary_encode()
    table = pa.table({"y": zeros, "a": zeros, "b": zeros})
    parquet.write_table(table, path, row_group_size=2**22, max_rows_per_page=2**22)
    with pytest.raises(ValueError, match="unpacks to more than 96 MiB"):
        bbc.Predictions.from_wide(path, truth="y")


def test_devices_and_pipes_are_no_files(tmp_path, capsys):
    pipe, endless = tmp_path / "pipe.json", tmp_path / "endless.json"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    for path in (pipe, endless):
        assert main(["show", str(path)]) != 0
        assert "is a device or a pipe, not a file" in capsys.readouterr().err
    table = tmp_path / "table.csv"
    table.symlink_to("/dev/zero")
    assert main(["correct", str(table), "--truth", "y", "--metric", "accuracy"]) != 0
    assert "is a device, not a file" in capsys.readouterr().err


def test_titles_of_any_metric_are_made_at_once():
    """A name in a document that was negated a thousand times was followed as often."""
    named = "neg_" * 5000 + "log_loss"
    document = json.loads(estimate(2).to_json()) | {"metric": named}
    result = bbc.PerformanceEstimate.from_json(json.dumps(document))
    assert result.summary()
    assert metric_title(named).startswith("neg neg")
    assert metric_title("neg_log_loss") != metric_title("log_loss")
