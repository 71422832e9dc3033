"""What the pages of `report.html` are made of, and how they are rendered."""

import base64
import io
from importlib import resources
from typing import Any, NamedTuple

from .._names import printable
from ..errors import MissingExtraError
from ..findings import Finding

_DPI = 144
_LOWEST = 2.4  # inches: an axis with its labels


class Picture(NamedTuple):
    """A picture with its description."""

    data: str
    alt: str
    caption: str


class Part(NamedTuple):
    """A section of a page: its heading, paragraphs, pictures, and HTML of a result's own."""

    title: str
    texts: list[str]
    pictures: list[Picture]
    table: str = ""
    findings: tuple[Finding, ...] = ()


def png(display: Any) -> str:
    """A PNG, drawn without pyplot so that no figure stays open."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "reports need matplotlib: python -m pip install 'bbc-cv[report]'"
        ) from error
    figure = Figure(figsize=(6.4, max(_LOWEST, display._height)), layout="constrained")
    display.plot(ax=figure.subplots())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI)
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def rendered(shown: dict[str, Any], *, inline: bool) -> str:
    """A page as HTML, or as an element of a notebook."""
    try:
        from jinja2 import Environment, FunctionLoader
    except ImportError as error:
        raise MissingExtraError(
            "reports need jinja2: python -m pip install 'bbc-cv[report]'"
        ) from error
    loader = FunctionLoader(_file)
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, finalize=_shown)
    return environment.get_template("report.html").render(shown, inline=inline)


def _file(name: str) -> str:
    """A file beside this one; bbcr reads the same rules of style."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _shown(value: Any) -> Any:
    """Text without control characters and lone surrogates."""
    made = hasattr(value, "__html__")  # by the template, of what was shown before
    return printable(value) if isinstance(value, str) and not made else value
