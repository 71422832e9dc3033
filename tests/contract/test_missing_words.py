"""Words of text files that stand for no value: `na=`."""

import io

import numpy as np
import pytest

import bbc
from bbc.cli import main

Y = [1, 0, 1, 0, 1, 0]
A = ["0.9", "0.2", "n/a", "0.4", "0.7", "0.1"]
B = ["0.8", "-99", "0.6", "0.3", "0.9", "0.2"]


def text(**columns):
    """A CSV file."""
    rows = zip(*columns.values(), strict=True)
    return io.StringIO("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]))


def wide(na=None, **columns):
    return bbc.Predictions.from_wide(text(**columns), truth="y", na=na)


def holes(predictions):
    return np.argwhere(np.isnan(predictions.values[0])).tolist()


def test_words_are_holes():
    found = wide(["n/a", "-99"], y=Y, a=A, b=B)
    assert holes(found) == [[1, 1], [2, 0]]
    assert found.values[0][0].tolist() == [0.9, 0.8]
    assert holes(wide("n/a", y=Y, a=A)) == [[2, 0]]
    assert wide("n/a", y=Y, a=A, b=B).values[0][1, 1] == -99  # a number, unless it is said
    usual = ["0.9", "0.2", "NA", "", "0.7", "null"]
    assert holes(wide(y=Y, a=usual)) == [[2, 0], [3, 0], [5, 0]]
    comma = [one.replace(".", ",") for one in A]
    file = io.StringIO("\n".join(["y;a", *(f"{y};{a}" for y, a in zip(Y, comma, strict=True))]))
    found = bbc.Predictions.from_wide(file, truth="y", na=["n/a"])
    assert holes(found) == [[2, 0]]
    assert found.values[0][0, 0] == 0.9


def test_whole_numbers_have_holes_too():
    found = wide("-1", y=Y, a=[3, -1, 2, 5, 4, 0], b=[1, 0, 0, 1, 1, 0])
    assert holes(found) == [[1, 0]]


def test_a_long_table():
    columns = {"row": list("abcdef"), "model": ["NA"] * 6, "y": Y, "p": A}
    read = bbc.Predictions.from_long
    roles = {"truth": "y", "row": "row", "configuration": "model", "prediction": "p"}
    found = read(text(**columns), na="n/a", **roles)
    assert (holes(found), found.names) == ([[2, 0]], ("NA",))  # a name is a name
    with pytest.raises(ValueError, match=r'column .p. has .n/a. in data row 2 .*na="n/a"$'):
        read(text(**columns), **roles)


@pytest.mark.parametrize(
    ("columns", "na", "match"),
    [
        ({"a": A, "b": B}, None, r'column .a. has .n/a. in data row 2 .* say na="n/a"$'),
        ({"a": A}, None, r'column .a. has .n/a. in data row 2 .* say na="n/a"$'),
        ({"a": [*A[:5], "-"]}, None, r'has .n/a. in data row 2 .* say na=\["-", "n/a"\]$'),
        ({"a": [*A[:5], "NA"]}, None, r'has .n/a. in data row 2 .* say na=\["NA", "n/a"\]$'),
        ({"a": [*A[:5], "NA"]}, "n/a", r'has .NA. in data row 5 .* say na=\["NA", "n/a"\]$'),
        ({"a": [*A[:2], "NaN", *A[3:]]}, [], r'has .NaN. in data row 2 .* say na="NaN"$'),
        ({"a": ["x", "y", "n/a", "0.1", "0.2", "0.3"], "b": B}, None, "is text and others are num"),
    ],
)
def test_words_among_numbers_are_refused(columns, na, match):
    with pytest.raises(ValueError, match=match):
        wide(na, y=Y, **columns)


def test_labels_may_be_words():
    labels = ["1", "2", "other", "2", "1", "1"]
    assert wide(y=labels, a=labels[::-1]).values.shape == (1, 6, 1)


def test_a_class_may_have_such_a_name():
    y, labels = ["NA", "yes"] * 3, ["NA", "NA", "yes"] * 2
    with pytest.raises(ValueError, match=r"'y' is 'NA' in 3 rows, which stands .* say na=\[\]$"):
        wide(y=y, a=labels)
    c = bbc.correct(wide([], y=y, a=labels), metric="accuracy", n_bootstraps=40, random_state=1)
    assert c.apparent == 0.5
    with pytest.raises(ValueError, match="'y' is '-' in 2 rows, which stands for no value"):
        wide("-", y=["-", "yes", "no"] * 2, a=labels)
    with pytest.raises(ValueError, match="'y' is '-99' in 1 rows, which stands for no value"):
        wide("-99", y=[1.5, 2.5, -99, 3.5, 1.0, 2.0], a=A)


def test_sites_keep_their_names():
    columns = {"y": Y, "a": A, "site": ["n/a", "n/a", "x", "x", "NA", "NA"]}
    p = bbc.Predictions.from_wide(text(**columns), truth="y", groups="site", na="n/a")
    assert p.groups.tolist() == columns["site"]


def test_scores_of_folds(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(
        "param_a,split0_test_score,split1_test_score\n1,0.7,0.8\n2,n/a,0.9\n3,0.7,0.5\n"
    )
    with pytest.raises(ValueError, match="'split0_test_score' holds text"):
        bbc.FoldScores(path, metric="accuracy")
    found = bbc.FoldScores(path, metric="accuracy", na="n/a")
    assert found.configurations.tolist() == [0, 2]
    assert found.names == ("a=1", "a=2", "a=3")


@pytest.mark.parametrize("na", [3, [3], {"NA": 1}, b"NA"])
def test_na_is_words(na):
    with pytest.raises(TypeError, match="na must be a word or several"):
        wide(na, y=Y, a=A)


def test_frames_have_no_words():
    frame = {"y": Y, "a": [0.1] * 6}
    with pytest.raises(ValueError, match='na="NA" is for files of text'):
        bbc.Predictions.from_wide(frame, truth="y", na="NA")
    with pytest.raises(ValueError, match='na="NA" is for files of text'):
        bbc.FoldScores(np.ones((3, 2)), metric="accuracy", na="NA")


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(text(y=Y * 4, a=[*A[:2], "-", *A[3:]] * 4, b=B * 4).getvalue())
    words = ["correct", str(path), "--truth", "y", "--metric", "roc_auc", "--seed", "1", "--json"]
    assert main(words) == 1
    assert "say --na -\n" in capsys.readouterr().err
    assert main([*words, "--na", "-", "--na=-99", "--missing", "drop-rows"]) == 0
    path.write_text(text(y=["NA", "b"] * 12, a=["b", "b"] * 12).getvalue())
    words[words.index("roc_auc")] = "accuracy"
    assert main(words) == 1
    assert "say --na ''" in capsys.readouterr().err
    assert main([*words, "--na", ""]) == 0
