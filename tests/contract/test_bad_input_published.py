"""The published numbers of refusals are those of the tests, and R has the same defects."""

import re
from pathlib import Path

import test_bad_input
import test_bad_input_c
import test_bad_input_command_line

from defects import CASES

ROOT = Path(__file__).parents[2]
R_TEST = ROOT / "r-bridge" / "bbcr" / "tests" / "testthat" / "test-bad-input.R"
# Which class is the event, and names of rows, are R's own questions.
ONLY_IN_R = {"a function", "unnamed event", "unnamed event of numbers", "rows in another order"}
R_PROTOCOLS_TEST = ROOT / "r-bridge" / "python" / "tests" / "test_from_r.py"


def test_the_published_numbers_are_those_of_the_tests():
    in_r = int(re.search(r"expect_identical\(n_refusals, (\d+)\)", R_TEST.read_text())[1])
    numbers = [
        test_bad_input.N_REFUSALS,
        test_bad_input_command_line.N_REFUSALS,
        test_bad_input_c.N_REFUSALS,
        in_r,
        int(re.search(r'"(\d+) refusals', R_PROTOCOLS_TEST.read_text())[1]),
    ]
    page = (ROOT / "docs" / "refused.md").read_text()
    table = page[page.index("| interface | refusals |") :]
    assert [int(n) for n in re.findall(r"\| (\d+) \|$", table, re.MULTILINE)] == numbers


def test_r_knows_the_defects_by_the_same_names():
    text = R_TEST.read_text()
    defects = text[text.index("DEFECTS <- list(") : text.index("# How a defect enters")]
    names = re.findall(r'^  "([^"]+)" =', defects, re.MULTILINE)
    assert len(names) > 70
    assert set(names) - ONLY_IN_R <= set(CASES)
