"""The pages: self-contained, without scripts and external links."""

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ title }}</title>
<style>
:root { --ink: #1c2226; --soft: #4a545b; --paper: #ffffff; --line: #c9d0d5;
  --alarm: #9a3412; --panel: #f3f5f7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecef; --soft: #b4bec5; --paper: #15191c; --line: #3c464d;
    --alarm: #f5a37a; --panel: #1f2529; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 52rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.05rem; font-weight: 600; color: var(--soft); margin: 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
.headline { font-size: 1.6rem; line-height: 1.3; margin: .6rem 0 1rem; }
figure { margin: 1rem 0; }
figure img { width: 100%; height: auto; background: #ffffff; border: 1px solid var(--line);
  border-radius: .4rem; padding: .5rem; }
figcaption { color: var(--soft); font-size: .92rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; width: 35%; }
.numbers td, .numbers thead th { width: auto; font-variant-numeric: tabular-nums; }
blockquote { margin: 0; padding: .8rem 1rem; background: var(--panel); border-radius: .4rem; }
.finding { border-left: .25rem solid var(--alarm); padding-left: .8rem; margin: .8rem 0; }
.finding strong { color: var(--alarm); }
@media (max-width: 30rem) { th { width: 45%; } .numbers { font-size: .85rem; } }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .9rem; }
@media print {
  :root { --ink: #000000; --soft: #333333; --paper: #ffffff; --line: #999999;
    --alarm: #000000; --panel: #ffffff; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  figure, .finding, blockquote, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
</style>
</head>
<body>
<header><h1>{{ title }}</h1></header>
<main>
"""

_FINDINGS = """{% if findings or notes %}
<section aria-labelledby="findings"><h2 id="findings">Limitations</h2>
{% for each in findings %}<div class="finding">
<strong>{{ each.code }} {{ each.kind.title }}</strong>: {{ each.detail }}.<br>
{{ each.kind.why }} What to do: {{ each.kind.advice }}.</div>
{% endfor %}
{% for text in notes %}<div class="finding">{{ text }}</div>
{% endfor %}
{% if findings %}<p>All codes are explained in docs/findings.md of bbc's sources.</p>{% endif %}

</section>
{% endif %}
"""

_FACTS = """<section aria-labelledby="facts"><h2 id="facts">How it was obtained</h2>
<table><tbody>
{% for label, value in facts %}<tr>
{% if label %}<th scope="row">{{ label }}</th>{% else %}<td></td>{% endif %}
<td>{{ value }}</td></tr>
{% endfor %}
</tbody></table></section>
"""

_METHODS = """<section aria-labelledby="methods"><h2 id="methods">For the methods section</h2>
<blockquote><p>{{ methods }}</p>
{% if citation %}<p>[1] {{ citation }}.</p>{% endif %}
</blockquote></section>
"""

_FOOT = """</main>
<footer>Made by bbc {{ version }}.</footer>
</body>
</html>
"""

TEMPLATE = (
    _HEAD
    + """<p class="headline">{{ headline }}</p>
{% if uncorrected %}<p>{{ uncorrected }}</p>{% endif %}
{% if infeasible %}<p>There is no interval: {{ infeasible }}</p>{% endif %}
"""
    + _FINDINGS
    + """{% if pictures %}
<section aria-labelledby="pictures"><h2 id="pictures">Pictures</h2>
{% for picture in pictures %}<figure>
<img src="data:image/png;base64,{{ picture.data }}" alt="{{ picture.alt }}">
<figcaption>{{ picture.caption }}</figcaption></figure>
{% endfor %}
</section>
{% endif %}
"""
    + _FACTS
    + _METHODS
    + """<section aria-labelledby="checklist"><h2 id="checklist">Checklist (TRIPOD+AI, REFORMS)</h2>
<table><tbody>
{% for item, answer in checklist %}<tr><th scope="row">{{ item }}</th><td>{{ answer }}</td></tr>
{% endfor %}
</tbody></table></section>
"""
    + _FOOT
)

CLINICAL = (
    _HEAD
    + """<p class="headline">{{ headline }}</p>
<p>{{ uncorrected }}</p>
"""
    + _FINDINGS
    + """<section aria-labelledby="performance"><h2 id="performance">Performance</h2>
<table class="numbers"><thead><tr><th scope="col"></th><th scope="col">corrected</th>
<th scope="col">{{ level }} interval</th><th scope="col">apparent</th></tr></thead><tbody>
{% for row in rows %}<tr><th scope="row">{{ row[0] }}</th><td>{{ row[1] }}</td>
<td>{{ row[2] }}</td><td>{{ row[3] }}</td></tr>
{% endfor %}
</tbody></table>
{% for text in undefined %}<p>{{ text }}</p>{% endfor %}
<p><a download="performance.csv" href="data:text/csv;base64,{{ csv }}">All numbers and curves
(CSV)</a></p></section>
{% for title, text, shown in parts %}
<section aria-labelledby="part{{ loop.index }}"><h2 id="part{{ loop.index }}">{{ title }}</h2>
<p>{{ text }}</p>
{% for picture in shown %}<figure>
<img src="data:image/png;base64,{{ picture.data }}" alt="{{ picture.alt }}">
<figcaption>{{ picture.caption }}</figcaption></figure>
{% endfor %}</section>
{% endfor %}
{% if learners %}<section aria-labelledby="learners"><h2 id="learners">Configurations</h2>
<table><tbody>
{% for learner, grid in learners %}<tr><th scope="row">{{ learner }}</th><td>{{ grid }}</td></tr>
{% endfor %}
</tbody></table></section>{% endif %}
"""
    + _FACTS
    + _METHODS
    + """<section aria-labelledby="checklist"><h2 id="checklist">TRIPOD+AI (2024)</h2>
<table><tbody>
{% for item, answer in answered %}<tr><th scope="row">{{ item }}</th><td>{{ answer }}</td></tr>
{% endfor %}
</tbody></table>
<p>Not answered by this page: {{ open_items }}.</p></section>
"""
    + _FOOT
)
