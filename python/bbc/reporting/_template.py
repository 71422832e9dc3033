"""The pages: self-contained, without scripts and external links."""

import base64
import io
from typing import Any, NamedTuple

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


# Rules for the report alone, so that nothing else in a notebook changes; `article` gives them
# precedence over a notebook's own rules for tables and headings.
_STYLE = """article.bbc-report { max-width: 52rem; line-height: 1.55; overflow-wrap: break-word; }
article.bbc-report * { box-sizing: border-box; }
article.bbc-report h1 { font-size: 1.05em; font-weight: 600; color: var(--bbc-soft); margin: 0; }
article.bbc-report h2 { font-size: 1.2em; color: inherit; margin: 1.8em 0 .5em; }
article.bbc-report .headline { font-size: 1.6em; line-height: 1.3; margin: .4em 0 .6em; }
article.bbc-report figure { margin: 1rem 0; }
article.bbc-report figure img { width: 100%; height: auto; background: #ffffff;
  border: 1px solid var(--bbc-line); border-radius: .4rem; padding: .5rem; }
article.bbc-report figcaption { color: var(--bbc-soft); font-size: .92em; }
article.bbc-report table { border: 0; border-collapse: collapse; width: 100%; margin: 0;
  table-layout: fixed; font-size: 1em; }
article.bbc-report .wide { overflow-x: auto; }
article.bbc-report .wide table { width: auto; min-width: 60%; table-layout: auto; }
article.bbc-report .wide th { width: auto; }
article.bbc-report .wide td, article.bbc-report .wide th { overflow-wrap: normal; }
article.bbc-report pre { overflow-x: auto; white-space: pre-wrap; font-size: .85em; }
article.bbc-report a { color: inherit; text-decoration: underline; }
article.bbc-report th, article.bbc-report td { text-align: left; vertical-align: top;
  padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--bbc-line);
  overflow-wrap: anywhere; }
article.bbc-report th { font-weight: 600; width: 35%; }
article.bbc-report .numbers td, article.bbc-report .numbers thead th { width: auto;
  font-variant-numeric: tabular-nums; }
article.bbc-report blockquote { margin: 0; padding: .8rem 1rem; background: var(--bbc-panel);
  border: 0; border-radius: .4rem; }
article.bbc-report .finding { border-left: .25rem solid var(--bbc-alarm); padding-left: .8rem;
  margin: .8rem 0; }
article.bbc-report .finding strong { color: var(--bbc-alarm); }
article.bbc-report footer { margin-top: 2.5rem; color: var(--bbc-soft); font-size: .9em; }
@media (max-width: 30rem) {
  article.bbc-report th { width: 45%; }
  article.bbc-report table.numbers { font-size: .85em; }
}
@media print {
  article.bbc-report { max-width: none; --bbc-soft: #333333; --bbc-line: #999999;
    --bbc-alarm: #000000; --bbc-panel: #ffffff; }
  article.bbc-report figure, article.bbc-report .finding, article.bbc-report blockquote,
  article.bbc-report tr, article.bbc-report p { break-inside: avoid; }
  article.bbc-report h2, article.bbc-report h2 + p { break-after: avoid; }
  article.bbc-report figure img { max-height: 8.5cm; object-fit: contain; }
}
"""

# A notebook's theme need not be the system's, so all colors derive from that of its text. No
# iframe: it would know the system's theme only, and notebooks that are not trusted drop it.
_INLINE = """<article class="bbc-report">
<style>
article.bbc-report { color: inherit;
  --bbc-soft: color-mix(in srgb, currentColor 78%, transparent);
  --bbc-line: color-mix(in srgb, currentColor 25%, transparent);
  --bbc-panel: color-mix(in srgb, currentColor 7%, transparent);
  --bbc-alarm: color-mix(in srgb, #d9480f 60%, currentColor); }
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ title }}</title>
<style>
:root { --ink: #1c2226; --paper: #ffffff; --bbc-soft: #4a545b; --bbc-line: #c9d0d5;
  --bbc-alarm: #9a3412; --bbc-panel: #f3f5f7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecef; --paper: #15191c; --bbc-soft: #b4bec5; --bbc-line: #3c464d;
    --bbc-alarm: #f5a37a; --bbc-panel: #1f2529; }
}
@media screen and (prefers-color-scheme: dark) {
  article.bbc-report figure img { filter: invert(.915) hue-rotate(180deg); }
}
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 54rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.55 system-ui, sans-serif; }
@media print {
  :root { --ink: #000000; --paper: #ffffff; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
}
"""

_HEAD = (
    "{% if inline %}"
    + _INLINE
    + _STYLE
    + """</style>
{% else %}"""
    + _PAGE
    + _STYLE
    + """</style>
</head>
<body>
<main><article class="bbc-report">
{% endif %}
<header><h1>{{ title }}</h1></header>
"""
)

_FINDING = """{% macro finding(each) %}<div class="finding">
<strong>{{ each.code }} {{ each.kind.title }}</strong>: {{ each.detail }}.<br>
{{ each.kind.why }} What to do: {{ each.kind.advice }}.</div>
{% endmacro %}
"""

_FINDINGS = """{% if findings or notes %}
<section aria-label="Limitations"><h2>Limitations</h2>
{% for each in findings %}{{ finding(each) }}{% endfor %}
{% for text in notes %}<div class="finding">{{ text }}</div>
{% endfor %}
</section>
{% endif %}
"""

_NUMBERS = """{% if rows %}
<section aria-label="Performance"><h2>Performance</h2>
<table class="numbers"><thead><tr><th scope="col"></th><th scope="col">corrected</th>
<th scope="col">{{ level }} interval</th><th scope="col">apparent</th></tr></thead><tbody>
{% for row in rows %}<tr><th scope="row">{{ row[0] }}</th><td>{{ row[1] }}</td>
<td>{{ row[2] }}</td><td>{{ row[3] }}</td></tr>
{% endfor %}
</tbody></table>
{% for text in undefined %}<p>{{ text }}</p>{% endfor %}
{% if csv %}<p><a download="performance.csv" href="data:text/csv;base64,{{ csv }}">All numbers and
curves (CSV)</a></p>{% endif %}</section>
{% endif %}
"""

_PARTS = """{% for part in parts %}
<section aria-label="{{ part.title }}"><h2>{{ part.title }}</h2>
{% for text in part.texts %}<p>{{ text }}</p>
{% endfor %}
{% for each in part.findings %}{{ finding(each) }}{% endfor %}
{% if part.table %}<div class="wide">{{ part.table | safe }}</div>{% endif %}
{% for picture in part.pictures %}<figure>
<img src="data:image/png;base64,{{ picture.data }}" alt="{{ picture.alt }}">
<figcaption>{{ picture.caption }}</figcaption></figure>
{% endfor %}</section>
{% endfor %}
{% if learners %}<section aria-label="Configurations"><h2>Configurations</h2>
<table><tbody>
{% for learner, grid in learners %}<tr><th scope="row">{{ learner }}</th><td>{{ grid }}</td></tr>
{% endfor %}
</tbody></table></section>{% endif %}
"""

_FACTS = """{% if facts %}<section aria-label="How it was obtained"><h2>How it was obtained</h2>
<table><tbody>
{% for label, value in facts %}<tr>
{% if label %}<th scope="row">{{ label }}</th>{% else %}<td></td>{% endif %}
<td>{{ value }}</td></tr>
{% endfor %}
</tbody></table></section>{% endif %}
"""

_METHODS = """{% if methods %}
<section aria-label="For the methods section"><h2>For the methods section</h2>
<blockquote><p>{{ methods }}</p>
{% if citation %}<p>[1] {{ citation }}.</p>{% endif %}
</blockquote></section>{% endif %}
"""

_CHECKS = """{% if checks %}
<section aria-label="{{ checks_title }}"><h2>{{ checks_title }}</h2>
<table><tbody>
{% for item, answer in checks %}<tr><th scope="row">{{ item }}</th><td>{{ answer }}</td></tr>
{% endfor %}
</tbody></table>
{% if open_items %}<p>Not answered by this page: {{ open_items }}.</p>{% endif %}</section>
{% endif %}
"""

_FOOT = """<footer>Made by bbc {{ version }}.</footer>
</article>
{% if not inline %}</main>
</body>
</html>
{% endif %}"""

#: Every page; what it has nothing for is left out.
TEMPLATE = (
    _FINDING
    + _HEAD
    + """{% if headline %}<p class="headline">{{ headline }}</p>{% endif %}
{% for text in lead %}<p>{{ text }}</p>
{% endfor %}
"""
    + _FINDINGS
    + _NUMBERS
    + _PARTS
    + _FACTS
    + _METHODS
    + _CHECKS
    + _FOOT
)
