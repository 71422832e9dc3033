"""Tables of any make become the same predictions; what cannot be right is refused."""

import io
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bbc
from bbc.cli import main

COLUMNS = {
    "y": [0, 1, 1, 0],
    "fold": ["a", "a", "b", "b"],
    "c1": [0.1, 0.9, 0.5, float("nan")],
    "c2": [0.3, 0.2, 0.8, 0.1],
}
LONG = {
    "row": [7, 7, 9, 9, 7, 9],
    "configuration": ["lin", "svm", "lin", "svm", "lin", "lin"],
    "repeat": [1, 1, 1, 1, 2, 2],
    "fold": [1, 1, 2, 2, 2, 1],
    "y": [0, 0, 1, 1, 0, 1],
    "prediction": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
}
from_wide = bbc.Predictions.from_wide
MAKERS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "mapping": dict,
    "csv": lambda columns: io.StringIO(pd.DataFrame(columns).to_csv(index=False, na_rep="NA")),
}


def from_long(table, **given):
    """A table whose columns are called as what they are."""
    named = {name: name for name in ("row", "configuration", "prediction")}
    return bbc.Predictions.from_long(table, **named | given)


@pytest.mark.parametrize(
    "names", [[0, 1, 2, "y"], ["y", 0, 1, 2], [2, 0, 1, "y"], [10, "y", 20, 30]]
)
def test_columns_may_have_numbers_for_names(names):
    """They were taken for numbers of rows."""
    rng = np.random.default_rng(0)
    columns = {name: rng.random(8).round(3) if name != "y" else np.arange(8) % 2 for name in names}
    predictions = from_wide(pd.DataFrame(columns), truth="y")
    scores = [name for name in names if name != "y"]
    assert predictions.names == tuple(map(str, scores))
    np.testing.assert_array_equal(predictions.y, columns["y"])
    for place, name in enumerate(scores):
        np.testing.assert_array_equal(predictions.values[0, :, place], columns[name])


@pytest.mark.parametrize(("one", "other"), [(1, "1"), (0.1, "0.1"), (True, "True")])
def test_names_that_are_one_as_text_are_refused(one, other):
    """The later column took the place of the other one, in silence."""
    columns = {"y": [0, 1, 1, 0], one: [0.1, 0.9, 0.5, 0.2], other: [0.3, 0.2, 0.8, 0.1]}
    for table in (columns, pd.DataFrame(columns)):
        with pytest.raises(ValueError, match=rf"table has two columns '{other}': rename one"):
            from_wide(table, truth="y")
    with pytest.raises(ValueError, match=f"predictions has two configurations '{other}'"):
        bbc.Predictions(columns.pop("y"), columns)


@pytest.mark.parametrize("index", [None, "age", "c3"])
def test_the_index_of_a_frame_is_no_configuration(index, tmp_path):
    """Ages that were sorted by class won with an AUC of 1."""
    names = pd.Index([30.5, 41.2, 55.0, 61.7], name=index)
    frame = pd.DataFrame(COLUMNS | {"c2": [0.3, 0.2, 0.8, 0.1]}, index=names)
    path = tmp_path / "table.parquet"
    frame.to_parquet(path)
    column = index or "__index_level_0__"
    for table in (path, pa.Table.from_pandas(frame)):
        assert from_wide(table, truth="y", folds="fold").names == ("c1", "c2")
        asked = from_wide(table, truth="y", folds="fold", names=["c1", column])
        assert asked.names == ("c1", column)
        weighted = from_wide(table, truth="y", folds="fold", sample_weight=column)
        np.testing.assert_array_equal(weighted.sample_weight, names)


@pytest.mark.parametrize("name", ["__index_level_0__", "level_1", "Unnamed: 3"])
def test_names_of_an_index_that_became_a_column_are_refused(name):
    table = {"y": [0, 1] * 5, "a": np.arange(10) / 7, name: np.arange(10) / 3}
    with pytest.raises(ValueError, match=f"column '{name}' seems to describe the rows"):
        from_wide(table, truth="y")
    with pytest.raises(ValueError, match=f"column '{name}' seems to describe the rows"):
        bbc.correct(table.pop("y"), pa.table(table), metric="roc_auc")


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_wide_tables_of_any_make(make):
    predictions = from_wide(make(COLUMNS), truth="y", folds="fold")
    np.testing.assert_array_equal(predictions.y, COLUMNS["y"])
    np.testing.assert_array_equal(predictions.folds, [[0, 0, 1, 1]])
    np.testing.assert_array_equal(predictions.values[0], np.array([COLUMNS["c1"], COLUMNS["c2"]]).T)
    assert predictions.names == ("c1", "c2")
    assert np.isnan(predictions.values[0, 3, 0])


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_long_tables_of_any_make(make):
    predictions = from_long(make(LONG), truth="y", fold="fold", repeat="repeat")
    assert predictions.names == ("lin", "svm")
    np.testing.assert_array_equal(predictions.y, [0, 1])
    np.testing.assert_array_equal(predictions.folds, [[0, 1], [1, 0]])
    np.testing.assert_array_equal(
        predictions.values, [[[0.1, 0.2], [0.3, 0.4]], [[0.5, np.nan], [0.6, np.nan]]]
    )


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_files(suffix, tmp_path):
    path = tmp_path / f"table{suffix}"
    frame = pd.DataFrame(COLUMNS)
    if suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
    assert from_wide(path, truth="y", ignore=["fold"]).names == ("c1", "c2")


def test_labels_stay_text_and_names_stay_as_written():
    text = (
        "row,configuration,y,prediction\n01,0.10,cat,cat\n1,0.10,dog,NA\n"
        "01,0.1,cat,dog\n1,0.1,dog,dog\n"
    )
    predictions = from_long(io.StringIO(text), truth="y")
    assert predictions.names == ("0.10", "0.1")
    assert predictions.n_rows == 2
    assert predictions.values.tolist() == [[["cat", "dog"], [None, "dog"]]]


def test_row_names_of_r_are_left_out():
    text = '"","y","c1"\n"1",0,0.5\n"2",1,0.7\n'
    assert from_wide(io.StringIO(text), truth="y").names == ("c1",)
    named = from_wide(io.StringIO(text), truth="y", groups="")
    assert (named.names, named.groups.tolist()) == (("c1",), ["1", "2"])


def test_numbers_with_underscores_are_names():
    text = "y,g,c1\n0,1_0,0.5\n1,10,0.7\n"
    assert from_wide(io.StringIO(text), truth="y", groups="g").groups.tolist() == ["1_0", "10"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("y,c1\n", "no rows"),
        ('""\n1\n', "has no column 'y'"),
        ("y,c1\n1,2,3\n", r"data row 0 \(the first is 0\) has 3 cells, the header has 2"),
        ("y,c1,c1\n1,2,3\n", "two columns 'c1'"),
        ("y,who,c1\n1,anna,0.5\n0,otto,0.1\n", "column 'who' is text and others are numbers"),
        ("y\n1\n", "no column left"),
    ],
)
def test_wide_refuses(text, reason):
    with pytest.raises(ValueError, match=reason):
        from_wide(io.StringIO(text), truth="y")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"y": [0, 0, 1, 1, 1, 1]}, "row 7 has y=0 and y=1"),
        ({"fold": [4, 9, 9, 9, 9, 4]}, "row 7 has fold=4 and fold=9"),
        ({"repeat": [1] * 6}, "row 7 has two predictions of configuration lin"),
        ({"row": [7, 7, 9, 9, None, 9]}, r"column 'row' is empty in data row 4 \(the first is 0\)"),
    ],
)
def test_long_refuses(change, reason):
    with pytest.raises(ValueError, match=reason):
        from_long(pd.DataFrame(LONG | change), truth="y", fold="fold", repeat="repeat")


@pytest.mark.parametrize("kind", ["uint8", "uint64", "bool", "float32", "str", "object"])
def test_long_tables_of_any_type(kind):
    """Unsigned integers, for one, are what a column of 0 and 1 often is in a Parquet file."""
    table = pd.DataFrame(LONG).astype({"y": kind, "fold": kind})
    read = from_long(table, truth="y", fold="fold", repeat="repeat")
    expected = from_long(pd.DataFrame(LONG), truth="y", fold="fold", repeat="repeat")
    assert read.y.tolist() == expected.y.astype(kind).tolist()
    np.testing.assert_array_equal(read.values, expected.values)


def test_long_lists_of_columns_say_that_they_go_on():
    table = {f"c{place}": [0, 1] for place in range(11)}
    with pytest.raises(ValueError, match=r"no column 'y'; it has c0, .*, c9, \.\.\.$"):
        from_wide(table, truth="y")


def test_other_things_are_no_tables():
    with pytest.raises(TypeError, match="table must be a path, a pandas, polars or pyarrow table"):
        from_wide(7, truth="y")
    with pytest.raises(
        ValueError, match=r"must end in one of \.csv, \.tsv, \.csv\.gz, \.tsv\.gz, \.parquet"
    ):
        from_wide("table.xlsx", truth="y")


def test_integers_beyond_floats_stay_apart():
    large = [2**63 + 1, 2**63 + 2, 7]
    text = "y,c\n" + "".join(f"{label},{label}\n" for label in large)
    predictions = from_wide(io.StringIO(text), truth="y")
    assert predictions.y.tolist() == large
    beyond = [str(label) for label in (2**64 + 1, 2**64 + 2)]
    text = "y,c\n" + "".join(f"{label},{label}\n" for label in beyond)
    assert from_wide(io.StringIO(text), truth="y").y.tolist() == beyond
    # But among other numbers an integer is a number, also where it stands first.
    for first, second in ((f"{10**20}", "1.5"), (f"-{2**63 + 1}", "0.25")):
        for cells in ((first, second), (second, first)):
            text = "y,c\n" + "".join(f"{cell},0\n" for cell in cells)
            assert from_wide(io.StringIO(text), truth="y").y.tolist() == [float(c) for c in cells]
    text = f"y,c\n1,{10**20}\n0,\n"
    assert from_wide(io.StringIO(text), truth="y").values[0, 0, 0] == 1e20


@pytest.mark.parametrize(
    ("column", "advice"),
    [
        ("Fold", r'by its name.*: name it, folds="Fold", or leave it out, ignore=\["Fold"\]'),
        ("weight", r'name it, sample_weight="weight", or'),
        (" row_id", r'configuration: leave it out, ignore=\[" row_id"\]'),
        ("counted", r"it numbers them from 0 on.*: leave it out"),
    ],
)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_columns_that_describe_rows_are_no_configurations(make, column, advice):
    columns = {"y": [0, 1, 1, 0], "c": [0.1, 0.9, 0.5, 0.2], column: [0, 1, 2, 3]}
    with pytest.raises(ValueError, match=advice):
        from_wide(make(columns), truth="y")
    assert from_wide(make(columns), truth="y", ignore=[column]).names == ("c",)


ROWS = [f"p{number:02}" for number in range(40)]
TRUTH = (np.arange(40) % 2).tolist()


def of_predictions(configurations=("rf", "svm", "knn"), **changes):
    """A table with a line per prediction."""
    rng = np.random.default_rng(0)
    n = len(configurations)
    table = {
        "trial": np.repeat(configurations, 40).tolist(),
        "fold": (np.arange(40) % 4).tolist() * n,
        "row_id": ROWS * n,
        "y": TRUTH * n,
        "probability": rng.random(40 * n).round(3).tolist(),
    }
    return {name: values for name, values in (table | changes).items() if values is not None}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("ignored", [(), ("row_id",), ("row_id", "trial")])
@pytest.mark.parametrize("configurations", [("rf", "svm", "knn"), (0, 1, 2)])
def test_a_long_table_is_not_read_as_a_wide_one(make, ignored, configurations):
    """Its lines were taken for rows: .835 [.823, .847] for .901 [.835, .955]."""
    table = of_predictions(configurations)
    said = "a line per prediction, of each 'row_id' by each 'trial': read it by bbc.Predictions."
    with pytest.raises(ValueError, match=said):
        from_wide(make(table), truth="y", folds="fold", ignore=ignored)
    read = from_long(
        make(table), truth="y", row="row_id", configuration="trial", prediction="probability"
    )
    assert (read.n_rows, read.n_configurations) == (40, 3)
    assert from_wide(make(table), truth="y", folds="fold", names=["probability"]).n_rows == 120
    del table["fold"]
    frame = pd.DataFrame(table)
    with pytest.raises(ValueError, match=f"predictions: it has {said}"):
        bbc.correct(frame.pop("y"), frame, metric="roc_auc")


def test_a_line_that_stands_twice_makes_no_wide_table():
    """Three answers to three refusals gave one configuration on all lines, and a wrong AUC."""
    table = {name: [*values, values[5]] for name, values in of_predictions().items()}
    for ignored in ((), ("row_id",), ("row_id", "trial")):
        with pytest.raises(ValueError, match="a line per prediction, of each 'row_id' by each"):
            from_wide(table, truth="y", folds="fold", ignore=ignored)
    asked = {"truth": "y", "row": "row_id", "configuration": "trial", "prediction": "probability"}
    twice = r"row p05 has two predictions of configuration rf, in data rows 5 and 120 \(the first"
    with pytest.raises(ValueError, match=twice + r" is 0\), which are equal: leave one out"):
        from_long(table, **asked)
    table["probability"][-1] = 0.99
    with pytest.raises(ValueError, match=twice + r" is 0\); name the column of the partitions"):
        from_long(table, **asked)


def test_long_tables_of_classes_and_without_rows_are_recognized():
    p = np.random.default_rng(1).random(120).round(3)
    classes = of_predictions(probability=None, fold=None, p_a=p, p_b=1 - p)
    with pytest.raises(ValueError, match=r"CLASS=p_a.* .*CLASS=p_b"):
        from_wide(classes, truth="y", ignore=["row_id", "trial"])
    said = r"of 3 configurations \('trial'\), and no column says of which row: add one"
    with pytest.raises(ValueError, match=said):
        from_wide(of_predictions(row_id=None, fold=None), truth="y", ignore=["trial"])


def test_wide_tables_with_repeated_patients_are_taken():
    """Visits of patients are rows; so are those of one model, without a column that crosses."""
    rng = np.random.default_rng(2)
    visits = {
        "y": TRUTH,
        "patient": np.repeat(np.arange(20), 2),
        "visit": np.tile([1, 2], 20),
        "rf": rng.random(40).round(3),
    }
    several = visits | {"svm": rng.random(40).round(3)}
    assert from_wide(several, truth="y", groups="patient", ignore=["visit"]).names == ("rf", "svm")
    del visits["visit"]
    assert from_wide(visits, truth="y", groups="patient").names == ("rf",)
    sites = {"y": TRUTH, "site": ["a", "b"] * 20, "rf": visits["rf"]}
    assert from_wide(sites, truth="y", ignore=["site"]).names == ("rf",)


def joined(path, content, n_rows):
    """A text file of scores with something in its lines; large ones are split by pyarrow."""
    rng = np.random.default_rng(3)
    lines = [f"{row % 2},{rng.random():.6f},{rng.random():.6f}" for row in range(n_rows)]
    path.write_text(content("y,a,b", lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("n_rows", [40, 80_000])
def test_lines_of_joined_files_are_refused(n_rows, tmp_path):
    path, half = tmp_path / "table.csv", n_rows // 2

    def again(header, lines):
        return "\n".join([header, *lines[:half], header, *lines[half:]])

    def marked(header, lines):
        return "\ufeff" + "\n".join([header, *lines[:half], "\ufeff" + lines[half], *lines[half:]])

    with pytest.raises(ValueError, match=rf"line {half + 2} repeats the header"):
        from_wide(joined(path, again, n_rows), truth="y")
    with pytest.raises(ValueError, match=f"line {half + 2} has a byte order mark"):
        from_wide(joined(path, marked, n_rows), truth="y")


def test_the_line_that_repeats_the_header_is_counted_with_blank_ones():
    with pytest.raises(ValueError, match="line 8 repeats the header"):
        from_wide(io.StringIO('\n\ny,"a"\n\n1,"x\n"\n\ny,a\n'), truth="y")


@pytest.mark.parametrize("n_rows", [40, 80_000])
def test_a_column_without_name_and_cells_is_left_out(n_rows, tmp_path):
    """Lines end in a separator; a column with cells stays, and is refused as before."""

    def ended(header, lines):
        return "\n".join(line + "," for line in [header, *lines])

    found = from_wide(joined(tmp_path / "table.csv", ended, n_rows), truth="y")
    assert (found.names, found.n_rows) == (("a", "b"), n_rows)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_class_that_is_missing_is_refused_with_its_row(make):
    """In the words of Python: '<' not supported between NoneType and str."""
    truth = ["ill", "well", None, "ill"]
    if make is MAKERS["csv"]:
        truth[2] = ""
    wide = COLUMNS | {"y": truth}
    said = r"column 'y' is empty in data row 2|column 'y' is 'NA' in 1 rows"
    with pytest.raises(ValueError, match=said):
        from_wide(make(wide), truth="y", folds="fold")
    with pytest.raises(ValueError, match=r"column 'y' is empty in|column 'y' is 'NA' in 1 rows"):
        from_long(make(LONG | {"y": ["ill", "ill", "well", "well", "ill", None]}), truth="y")


def test_a_class_called_na_is_no_gap_in_silence():
    lines = "y,a\n" + "".join(f"{'NA' if i % 2 else 'b'},0.{i}1\n" for i in range(8))
    with pytest.raises(ValueError, match="'NA' in 4 rows, which stands for no value"):
        from_wide(io.StringIO(lines), truth="y")


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_names_that_are_words_for_gaps_are_names(make):
    """A site called NA is a site; an empty cell is none, in a file and in a frame."""
    table = {"y": [0, 1, 1, 0], "site": ["NA", "EU", "NA", "EU"], "a": [0.1, 0.9, 0.5, 0.2]}
    for role in ("groups", "folds"):
        found = from_wide(make(table), truth="y", **{role: "site"})
        assert len(np.unique(getattr(found, role))) == 2
    long = LONG | {
        name: ["NA" if cell == "lin" else cell for cell in cells] for name, cells in LONG.items()
    }
    assert from_long(make(long), truth="y", repeat="repeat").names == ("NA", "svm")
    table["site"][2] = ""
    with pytest.raises(ValueError, match="column 'site' is empty in data row 2"):
        from_wide(make(table), truth="y", groups="site")


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_percentages_are_refused_with_what_to_write(make):
    table = {"y": [0, 1, 1, 0], "a": [0.1, 0.9, 0.5, 0.2], "b": [None, "73.1%", "5 %", "12%"]}
    said = r"cells of column 'b' end in %, such as '73.1%' in data row 1 .*: write 0.731"
    with pytest.raises(ValueError, match=said):
        from_wide(make(table), truth="y")
    with pytest.raises(ValueError, match=said):
        bbc.correct(table["y"], pd.DataFrame(table)[["a", "b"]], metric="roc_auc")
    lines = LONG | {"prediction": ["10,5%", "20%", "30%", "40%", "50%", "60%"]}
    with pytest.raises(ValueError, match=r"column 'prediction' end in %.*: write 0.105"):
        from_long(make(lines), truth="y", repeat="repeat")
    labels = {"y": ["5%", "x", "x", "5%"], "a": ["x", "x", "5%", "5%"]}
    assert from_wide(make(labels), truth="y").names == ("a",)


@pytest.mark.parametrize("make", [MAKERS[name] for name in ("pandas", "polars", "pyarrow")])
def test_frames_whose_numbers_have_decimal_commas_are_refused(make):
    """Which pandas leaves as text, unless it is told of the comma."""
    table = {"y": [0, 1, 1, 0], "a": ["0,1", "0,9", "1", None], "b": ["0,25", "0,5", "2,0", "1e-3"]}
    said = r"columns 'a', 'b' are text with decimal commas, such as '0,1': .*decimal=\",\""
    with pytest.raises(ValueError, match=said):
        from_wide(make(table), truth="y")
    y = table.pop("y")
    with pytest.raises(ValueError, match=said):
        bbc.correct(y, make(table), metric="roc_auc")
    thousands = {"y": y, "a": ["1,250", "950", "2,100", "1,000"]}
    assert from_wide(make(thousands), truth="y").values.dtype.kind in "OU"


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        (("model", "fold1", "fold2", "fold3"), True),
        (("param_C", "mean_test_score", "rank", "split0_test_score", "split1_test_score"), True),
        (("a", "b", "c", "cv1", "cv2"), False),
        (("cv1", "a", "b"), False),
        (("svm_cv5", "forest_cv10"), False),
    ],
)
def test_scores_of_folds_are_no_predictions(names, refused):
    rng = np.random.default_rng(5)
    table = {"y": [0, 1] * 10} if names[0] != "model" else {}
    table |= {name: rng.random(20).round(3) for name in names}
    truth = next(iter(table)) if table.keys() & {"y"} else "fold1"
    if not refused:
        assert from_wide(table, truth=truth).names == names
        return
    with pytest.raises(ValueError, match=r"hold scores of folds .*: give it to bbc") as error:
        from_wide(table, truth=truth)
    of_search = any(name.startswith("split0_test_") for name in names)
    assert ("bbc.correct(table)" if of_search else "bbc.FoldScores") in str(error.value)
    scores = [name for name in names if "fold" in name or "split" in name]
    assert from_wide(table, truth=truth, names=scores[1:]).names == tuple(scores[1:])


def test_labels_for_a_metric_of_scores_are_a_column_of_text(capsys, tmp_path):
    """The advice was to fit models in another way."""
    table = {"y": [0, 1, 1, 0], "a": ["cat", "dog", "dog", "cat"], "b": ["dog", "cat"] * 2}
    said = "the column of 'a' is text, metric 'roc_auc' reads scores: give numbers"
    found = from_wide(table, truth="y")
    with pytest.raises(TypeError, match=said) as caught:
        bbc.correct(found, metric="roc_auc")
    assert "fit" not in str(caught.value)
    pd.DataFrame(table).to_csv(tmp_path / "t.csv", index=False)
    assert main(["correct", str(tmp_path / "t.csv"), "--truth", "y", "--metric", "roc_auc"]) == 1
    assert said in capsys.readouterr().err


def test_a_long_text_that_is_left_out_takes_no_memory():
    """Filled up to the longest, two thousand remarks would take 800 MB."""
    table = {"y": [0, 1] * 1000, "a": np.arange(2000) / 7, "remark": ["x" * 100_000] + ["x"] * 1999}
    tracemalloc.start()
    try:
        assert from_wide(pd.DataFrame(table), truth="y", ignore=["remark"]).names == ("a",)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_cells_of_several_values_are_refused_but_where_they_are_ignored(make, tmp_path):
    """Seen to fail: TypeError: unhashable type."""
    parts = [[0.1, 0.2]] * 4
    for name, role in (("c2", {}), ("y", {}), ("fold", {"folds": "fold"}), ("g", {"groups": "g"})):
        table = make(COLUMNS | {name: parts})
        with pytest.raises(
            ValueError, match=f"table: column '{name}' has several values in a cell"
        ):
            from_wide(table, truth="y", **({"folds": "fold"} | role))
    table = make(COLUMNS | {"parts": parts})
    assert from_wide(table, truth="y", folds="fold", ignore=["parts"]).names == ("c1", "c2")
    with pytest.raises(ValueError, match="column 'configuration' has several values in a cell"):
        from_long(make(LONG | {"configuration": [["a"]] * 6}), truth="y")
    path = tmp_path / "lists.parquet"
    pd.DataFrame(COLUMNS | {"c2": parts}).to_parquet(path)
    with pytest.raises(ValueError, match=r"lists\.parquet: column 'c2' has several values"):
        from_wide(str(path), truth="y", folds="fold")


def test_frames_with_a_name_twice_are_refused_by_it(tmp_path):
    """Seen to fail: narwhals' DuplicateError, and pyarrow's "Multiple matches for FieldRef"."""
    frame = pd.DataFrame(COLUMNS).set_axis(["y", "fold", "c", "c"], axis=1)
    arrow = pa.table([pa.array(column) for column in COLUMNS.values()], list(frame.columns))
    path = tmp_path / "twice.parquet"
    pq.write_table(arrow, path)
    for table, called in ((frame, "table"), (arrow, "table"), (str(path), r".*twice\.parquet")):
        with pytest.raises(ValueError, match=f"^{called} has two columns 'c': rename one$"):
            from_wide(table, truth="y", folds="fold")
    twice = pd.DataFrame([[0.1, 0.2, 0.3]], columns=["fold1", "fold1", "fold2"])
    with pytest.raises(ValueError, match="has two columns 'fold1': rename one"):
        bbc.correct(twice, metric="accuracy")
