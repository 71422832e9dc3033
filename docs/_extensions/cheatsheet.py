"""The cheat sheet as a PDF of one page, from its Markdown: headings and their tables."""

import logging
import re
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure
from sphinx.application import Sphinx

_A4 = (8.27, 11.69)
_MARGIN, _GAP, _LINE = 0.05, 0.03, 0.019  # parts of the page
_SIZE = 6.4  # of code, in points, and the width of a character as a part of the page
_CHARACTER = 0.602 * _SIZE / 72 / _A4[0]
_COLOUR = "#0b5cad"
_SECTION = re.compile(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (.*) \| `(.*)` \|$", re.MULTILINE)


def sections(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each heading with the rows of its table: what it is for, and the code."""
    return [(title, _ROW.findall(body)) for title, body in _SECTION.findall(text)]


def write(source: Path, target: Path) -> None:
    """Draw the sections in two columns; they must fit on the page."""
    found = sections(source.read_text(encoding="utf-8"))
    half = sum(2 * len(rows) + 2 for _, rows in found) / 2
    figure = Figure(figsize=_A4)
    figure.text(_MARGIN, 0.955, "bbc: cheat sheet", size=17, weight="bold")
    width = (1 - 2 * _MARGIN - _GAP) / 2
    column, used, y = 0, 0, 0.92
    for title, rows in found:
        if column == 0 and used + len(rows) > half:
            column, y = 1, 0.92
        x = _MARGIN + column * (width + _GAP)
        figure.text(x, y - _LINE, title, size=12, weight="bold", color=_COLOUR)
        y -= 1.9 * _LINE
        for purpose, code in rows:
            figure.text(x, y - 0.8 * _LINE, purpose, size=9)
            if len(code) * _CHARACTER > width:
                raise ValueError(f"code is wider than a column: {code}")
            figure.text(x, y - 1.65 * _LINE, code, size=_SIZE, family="monospace")
            y -= 2.05 * _LINE
        y -= 0.8 * _LINE
        used += 2 * len(rows) + 2
        if y < 0.02:
            raise ValueError(f"the cheat sheet is longer than a page: {title}")
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    with rc_context({"pdf.fonttype": 42}):
        figure.savefig(target, format="pdf", metadata={"CreationDate": None})


def make(app: Sphinx) -> None:
    """Write it among the site's extra files."""
    write(Path(app.srcdir, "cheatsheet.md"), Path(app.config.runnable_folder, "cheatsheet.pdf"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the PDF before pages are read."""
    app.connect("builder-inited", make)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
