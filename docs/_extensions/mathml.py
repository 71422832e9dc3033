"""Formulas as MathML, which browsers show without a script and without a network.

``$$...$$`` and ``$...$`` of a page are LaTeX, and are translated when the page is built. A formula
that cannot be translated fails the build.
"""

from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

_NUMBER_OF_PARTS = {
    "mfrac": 2, "msub": 2, "msup": 2, "mover": 2, "munder": 2, "msubsup": 3, "munderover": 3,
}  # fmt: skip


def mathml(latex: str, *, display: bool) -> str:
    """The formula as an element ``math``; ValueError for what is no formula."""
    try:
        found = convert(latex, display="block" if display else "inline")
        parts = list(ElementTree.fromstring(found).iter())
    except Exception as error:
        raise ValueError(f"no formula: {latex}") from error
    # The translator takes unknown commands for text, and lets an argument be missing.
    for part in parts:
        kind = part.tag.rpartition("}")[2]
        if (part.text or "").startswith("\\"):
            raise ValueError(f"unknown {part.text} in the formula {latex}")
        if len(part) != _NUMBER_OF_PARTS.get(kind, len(part)):
            raise ValueError(f"something is missing in the formula {latex}")
    if latex.count("{") != latex.count("}"):
        raise ValueError(f"a brace is missing in the formula {latex}")
    return found


def inline(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    writer.body.append(mathml(node.astext(), display=False))
    raise nodes.SkipNode


def displayed(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, which scrolls on a narrow screen."""
    writer.body.append(f'<div class="formula">{mathml(node.astext(), display=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Take the place of MathJax, which pages would load from a network."""
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
