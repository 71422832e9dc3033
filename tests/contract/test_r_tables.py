"""What R repeats of Python is what Python says: words of columns, ready learners."""

import re
from pathlib import Path

from bbc._validation import _columns, _lines

BRIDGE = Path(__file__).parents[2] / "r-bridge"
R = BRIDGE / "bbcr" / "R"


def after(text, start, end=r"\n\)"):
    """The source of one object."""
    (found,) = re.findall(rf"^{start}(.*?){end}", text, re.MULTILINE | re.DOTALL)
    return found


def test_columns_that_are_no_configuration_have_the_same_names():
    text = (R / "columns.R").read_text()
    words = re.findall(r'(?:"([^"]+)"|(\w+)) = "(\w*)"', after(text, r"design_words <- c\("))
    assert {quoted or plain: argument for quoted, plain, argument in words} == (
        _columns.DESIGN_WORDS
    )
    truths = re.findall(r'"(\w+)"', after(text, r"truth_words <- c\("))
    assert set(truths) == _columns.TRUTH_WORDS
    identifiers = re.findall(r'"(\w+)"', after(text, r"identifier_words <- c\(", r"\)"))
    assert set(identifiers) == _columns.IDENTIFIER_WORDS
    (fewest,) = re.findall(r"^fewest_identified <- (\d+)$", text, re.MULTILINE)
    assert int(fewest) == _columns.FEWEST_IDENTIFIED
    (index,) = re.findall(r'^index_names <- "\^\((.*)\)\$"$', text, re.MULTILINE)
    assert index.replace("[0-9]", r"\d") == _columns.INDEX.pattern


def test_long_tables_are_told_by_the_same_limit():
    text = (R / "frames.R").read_text()
    (lines,) = re.findall(r"^lines_per_row <- ([\d.]+)$", text, re.MULTILINE)
    assert float(lines) == _lines.LINES_PER_ROW
    (pairs,) = re.findall(r"^pairs_of_lines <- ([\d.]+)$", text, re.MULTILINE)
    assert float(pairs) == _lines.PAIRS


def test_ready_learners_of_r_and_the_bridge_are_one_file():
    assert (BRIDGE / "python" / "src" / "bbc_r" / "ready.R").samefile(R / "ready.R")
