"""Large files are read by pyarrow to the same columns, or by csv alone where they may differ."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bbc import _cells, _tables

TABLES = sorted((Path(__file__).parents[1] / "golden" / "tables").glob("*.[ct]sv"))
ODD = [
    *("", "NA", "nan", "-nan", "nan(1)", "None", "inf", "-Infinity", "1e400", "5e-324", "1e", "e1"),
    *("0", "-0", "+1", "007", "0x1F", "0X1f", "1_0", " 1", "1 ", "1.", ".5", "-.5", "1,5", "1;5"),
    *("1.250", "1,250", "1.250.000", "12 500", "9223372036854775807", "9223372036854775808"),
    *("18446744073709551615", "18446744073709551616", "9007199254740993", "9007199254740993.0"),
    *("a", "true", "\u0663", "0.1", "0.30000000000000004", "2.2250738585072011e-308", "1e23", "x"),
    *('"', '"a"', 'b"c', "", "\u00e9", "#1", "'1'", "\\n"),
]


def both(path, monkeypatch):
    """What the two roads make of a file: its columns, or the error."""
    found = []
    for split in (_tables._split, lambda *_: []):
        with monkeypatch.context() as patched:
            patched.setattr(_tables, "_LARGE", 0)
            patched.setattr(_tables, "_split", split)
            try:
                table = _tables.read(path)
                found.append({name: told(table, name) for name in table.columns})
            except ValueError as error:
                found.append(str(error))
    return found


def told(table, name):
    """A column as text, and what was read from it."""
    cells = dataclasses.asdict(dataclasses.replace(_cells.scanned(table.columns[name]), text=None))
    values = cells.pop("values")
    kind = None if values is None else values.dtype.kind
    numbers = values if kind is None or kind in "OU" else values.view(np.int64)
    return cells, kind, None if numbers is None else numbers.tolist(), table.column(name).tolist()


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_tables_of_all_kinds(path, monkeypatch):
    fast, slow = both(path, monkeypatch)
    assert fast == slow


def test_plain_files_are_read_by_pyarrow(tmp_path, monkeypatch):
    path = tmp_path / "plain.csv"
    path.write_text('"y","a"\r\n0,0.25\r\n1,NA\r\n', newline="")
    monkeypatch.setattr(_tables, "_LARGE", 0)
    table = _tables.read(path)
    assert not isinstance(table.columns["a"], np.ndarray)
    assert _cells._converted(table.columns["y"]).tolist() == [0, 1]
    np.testing.assert_array_equal(_cells._converted(table.columns["a"]), [0.25, np.nan])
    monkeypatch.setattr(_tables, "_LARGE", 100)
    assert isinstance(_tables.read(path).columns["a"], np.ndarray)


@pytest.mark.parametrize(
    "text",
    [
        'y,a\n0,"1\n2"\n',
        'y,"a\nb"\n0,1\n',
        'y,a"b\n0,1\n',
        "y,a\n0,1,2\n1,2\n",
        "y,a\n0,1\n\n\r\n1,2",
        "y,a\r0,1\r1,2\r",
        "y,a\n0,\x001\n",
        "y,a\n",
        "\ufeffy,a\n0,1\n",
        "\n\ny;a\n0;1,5\n",
        "y\n0\n \n1\n",
        "\n\r\n",
        "",
    ],
)
def test_files_that_are_not_plain(text, tmp_path, monkeypatch):
    path = tmp_path / "odd.csv"
    path.write_text(text, encoding="utf-8", newline="")
    fast, slow = both(path, monkeypatch)
    assert fast == slow


def test_a_file_that_is_not_utf8(tmp_path, monkeypatch):
    path = tmp_path / "latin.csv"
    path.write_bytes(b"y,a\n" + b"0,1\n" * 40_000 + b"0,\xe9\n")
    fast, slow = both(path, monkeypatch)
    assert fast == slow
    assert "is not a table of text" in fast


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(*[st.sampled_from(ODD) | st.floats().map(repr)] * 3), min_size=1, max_size=6)
    | st.lists(st.tuples(*[st.sampled_from(ODD[:40])] * 2), min_size=1, max_size=3)
)
def test_any_cells(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("cells") / "any.csv"
    names = [f"c{place}" for place in range(len(rows[0]))]
    path.write_text("\n".join(map(",".join, [names, *rows])), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as monkeypatch:
        fast, slow = both(path, monkeypatch)
    assert fast == slow
