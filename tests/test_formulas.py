"""Formulas of the documentation become MathML when it is built, without a network."""

import importlib.util
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
SPEC = importlib.util.spec_from_file_location("mathml", DOCS / "_extensions" / "mathml.py")
EXTENSION = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(EXTENSION)
# Code has dollars of its own.
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+?)\$", re.DOTALL)


def formulas():
    for page in sorted(DOCS.glob("*.md")):
        text = CODE.sub("", page.read_text(encoding="utf-8"))
        for number, found in enumerate(FORMULA.finditer(text), start=1):
            latex = (found[1] or found[2]).strip()
            yield pytest.param(latex, found[1] is not None, id=f"{page.name}-{number}")


@pytest.mark.parametrize(("latex", "display"), list(formulas()))
def test_every_formula_is_translated(latex, display):
    found = EXTENSION.mathml(latex, display=display)
    assert found.startswith("<math ")
    assert f'display="{"block" if display else "inline"}"' in found


@pytest.mark.parametrize(
    "latex",
    [r"\sqart{x}", r"\frac{a", r"\frac{a}", "x^{2", "a & b", r"\left( x", "x_"],
)
def test_what_is_no_formula_is_refused(latex):
    """Seen to fail where the translator alone decides: it takes all but the last two."""
    with pytest.raises(ValueError, match="formula"):
        EXTENSION.mathml(latex, display=True)


def test_no_page_loads_a_script_for_formulas():
    assert "mathjax" not in (DOCS / "conf.py").read_text(encoding="utf-8")
