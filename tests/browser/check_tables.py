"""The reader of the page in the browser, which reads tables of strangers: run by `make browser`.

Node, which emscripten needs, runs the page's own scripts.
"""

import csv
import importlib.util
import json
import random
import subprocess
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from bbc._digits import decimals, shown

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "try"
TABLES = ROOT / "tests" / "golden" / "tables"


class Line(NamedTuple):
    """A case of the specification, and its table."""

    line: dict[str, str]
    text: str


#: Elements that functions of arrays which look at all of them are called on.
COUNTED = """
let visited = 0;
for (const name of ["indexOf", "includes", "find", "findIndex", "filter", "every", "some", "map",
                    "forEach", "join", "sort", "reduce"]) {
  const own = Array.prototype[name];
  Object.defineProperty(Array.prototype, name, {
    value(...given) { visited += this.length; return own.apply(this, given); },
  });
}
const bytesOf = (text) => new TextEncoder().encode(text).buffer;
const METRIC = { name: "accuracy", average: "binary", kernel: "zero_one", target: "classes",
                 predicts: "labels", needs_classes: "", family: "additive", skewed: false };
function readAndTaken(text, more = {}) {
  const table = tableOf(decoded(bytesOf(text)), {});
  const guess = guessed(table.columns);
  guess.ranks = guess.ranks.map((place) => table.columns[place].name);
  const own = [guess.truth, guess.folds];
  const configurations = table.columns.map((_, place) => place)
    .filter((place) => !own.includes(place) && !guess.left[place]);
  const choices = { truth: guess.truth, folds: guess.folds, configurations, method: "bbc",
                    positive: "", ...more };
  const problem = problemOf(table.columns, choices, METRIC, guess);
  const taken = takenText(problem, choices, table.columns, { ...table, ...guess });
  return { table, guess, problem, taken, facts: classSizes(METRIC, problem.target) };
}
"""


def build() -> ModuleType:
    """The program that builds the page."""
    spec = importlib.util.spec_from_file_location("build_try", PAGE / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases_of_the_page() -> list[Line]:
    """The lines of the specification, with the text of the tables."""
    with (TABLES / "cases.csv").open(encoding="utf-8", newline="") as lines:
        return [
            Line(line, (TABLES / line["file"]).read_text(encoding="utf-8"))
            for line in csv.DictReader(lines)
            if line["page"] != "-"
        ]


def answer(script: str) -> object:
    """What a script prints as JSON, after the page's own scripts."""
    sources = [build().wording(), build().rules()]
    names = ("numbers.js", "wording.js", "findings.js", "table.js", "problem.js", "pictures.js")
    sources += [(PAGE / name).read_text(encoding="utf-8") for name in names]
    text = "\n".join([*sources, COUNTED, script]).replace('"use strict";', "")
    done = subprocess.run(["node", "-"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_numbers_have_the_digits_that_python_gives_them():
    draw = random.Random(1)
    sizes = [None, 0.0, 1e-9, 1e-7, 5e-7, 1e-5, 0.0005, 0.002, 0.005, 0.03, 2.0]
    cases = []
    for _ in range(500):
        low = draw.choice([draw.uniform(-2, 2), draw.randrange(-100, 100) / 100])
        width = draw.choice([0.0, 0.1, 0.3, draw.uniform(0, 1)])
        value = draw.choice([draw.uniform(-1, 1), 1234.5678 * draw.random(), -0.0004, 2e15])
        cases.append(([draw.choice(sizes) for _ in range(3)], (low, low + width), value))
    script = f"""
    console.log(JSON.stringify({json.dumps(cases)}.map(([[estimate, low, high], ends, value]) => {{
      const places = decimals({{ estimate, low, high }}, {{ low: ends[0], high: ends[1] }});
      return [places, shown(value, places)];
    }})));
    """
    expected = []
    for errors, interval, value in cases:
        places = decimals(errors, interval)
        expected.append([places, shown(value, places)])
    assert answer(script) == expected


def test_costs_grow_with_the_table():
    """Twice-named columns, ranks and classes were looked for in lists, one for each."""
    script = """
    const wide = (n) => {
      const names = Array.from({ length: n }, (_, i) => `c${i}`);
      const lines = [0, 1, 0, 1].map((y) => [y, ...names.map((_, i) => (i + y) % 2)].join(","));
      return [["y", ...names].join(","), ...lines].join("\\n");
    };
    const tall = (n) => "y,a,fold\\n" + Array.from({ length: n },
      (_, i) => `k${i >> 1},k${i >> 1},f${i >> 1}`).join("\\n");
    const cost = (text) => { visited = 0; readAndTaken(text); return visited; };
    console.log(JSON.stringify([wide, tall].map((make) => [cost(make(500)), cost(make(2000))])));
    """
    for small, large in answer(script):
        assert large < 6 * small


def test_columns_of_any_name_are_read():
    script = """
    const found = readAndTaken("__proto__,y,constructor,hasOwnProperty,<b>\\n" +
                               "0,0,1,0,1\\n1,1,1,0,0\\n1,0,1,1,0\\n0,1,0,1,1\\n");
    console.log(JSON.stringify([found.problem.columns.map(({ name }) => name), found.taken,
                                {}.polluted === undefined]));
    """
    names, taken, clean = answer(script)
    assert names == ["__proto__", "constructor", "hasOwnProperty", "<b>"]
    assert "4 configurations (__proto__, constructor, hasOwnProperty, <b>)" in taken
    assert clean


def test_many_classes_are_no_arguments_of_a_call():
    """A call takes no hundred thousand arguments."""
    script = """
    const codes = Int32Array.from({ length: 300000 }, (_, i) => i);
    const sizes = classSizes(METRIC, { codes, classes: Array.from(codes) });
    console.log(JSON.stringify(sizes));
    """
    assert answer(script)["n_of_rarest"] == 1


@pytest.mark.parametrize(("low", "high"), [(1e20, 1e20 + 16384), (0, 1), (-1e308, 1e308), (5, 5)])
def test_ticks_end(low, high):
    """Beyond 2^53 a number plus one is the same number, and the page stopped."""
    found = answer(f"console.log(JSON.stringify(ticks({low!r}, {high!r}, 5.5)));")
    assert len(found) <= 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("y,a\n0,1\0\n", "NUL"),
        ("y,a,a\n0,1,2\n", "two columns"),
        (",y,a,\n1,0,1,2\n", "two columns"),
        (",\n1,\n", "no column with a name"),
        ('y,a\n0,"1', "never closed"),
        ("", "empty"),
    ],
)
def test_refusals(text, reason):
    script = f"""
    let found = [];
    try {{ readAndTaken({json.dumps(text)}); }}
    catch (error) {{ found = [error instanceof Refusal, error.message]; }}
    console.log(JSON.stringify(found));
    """
    refused, message = answer(script)
    assert refused
    assert reason in message


def test_a_mark_at_the_start_is_no_part_of_the_first_name():
    text = json.dumps("\ufeffy,a\n0,1\n")
    read = f"tableOf(decoded(bytesOf({text})))"
    assert answer(f"console.log(JSON.stringify({read}.columns[0].name));") == "y"


#: What the page does with a table and the choices of a case: the columns taken, or a refusal.
SPECIFIED = """
const found = CASES.map((one) => {
  try {
    const table = tableOf(decoded(bytesOf(one.text)), one.how);
    const guess = guessed(table.columns);
    guess.ranks = guess.ranks.map((place) => table.columns[place].name);
    const placeOfName = (name) => table.columns.findIndex((column) => column.name === name);
    const [truth, folds] = [one.truth, one.folds].map(placeOfName);
    const said = Object.values(guess.left).join(" ");
    const configurations = table.columns.map((_, place) => place).filter((place) => {
      const chosen = !guess.left[place] || one.listed;
      const { name } = table.columns[place];
      return chosen && place !== truth && place !== folds && !one.ignore.includes(name);
    });
    const choices = { truth, folds, configurations, method: "bbc", positive: one.positive };
    try {
      const problem = problemOf(table.columns, choices, METRICS[one.metric], guess);
      const names = problem.columns.map(({ name }) => name);
      return { names, said, decimal: table.decimal };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { said: error.message + " " + said };
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { said: error.message };
  }
});
console.log(JSON.stringify(found));
"""


def test_tables_of_the_specification():
    """Without a browser; with one, `check_try.py` reads the same list."""
    cases = cases_of_the_page()
    given = [
        {
            "text": case.text,
            "how": {name: case.line[name] for name in ("header", "decimal")},
            "listed": bool(case.line["names"]),
            "ignore": case.line["ignore"].split("|"),
            "positive": case.line["pos_label"],
            **{name: case.line[name] for name in ("truth", "folds", "metric")},
        }
        for case in cases
    ]
    metrics = {metric["name"]: metric for metric in build().facts()["metrics"]}
    script = f"const CASES = {json.dumps(given)}; const METRICS = {json.dumps(metrics)};"
    for case, found in zip(cases, answer(script + SPECIFIED), strict=True):
        line, said = case.line, case.line["page"] or case.line["text"]
        if said:
            assert said.lower() in found["said"].lower(), (line["case"], found)
            continue
        assert found.get("names") == line["taken"].split("|"), (line["case"], found)
        assert found["decimal"] == line["found"], line["case"]
