"""The reader of the page in the browser, which reads tables of strangers: run by `make browser`.

Node, which emscripten needs, runs the page's own scripts.
"""

import importlib.util
import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "try"

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


def answer(script: str) -> object:
    """What a script prints as JSON, after the page's own scripts."""
    spec = importlib.util.spec_from_file_location("build_try", PAGE / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    sources = [build.wording(), build.rules()]
    names = ("numbers.js", "wording.js", "findings.js", "table.js", "problem.js", "pictures.js")
    sources += [(PAGE / name).read_text(encoding="utf-8") for name in names]
    text = "\n".join([*sources, COUNTED, script]).replace('"use strict";', "")
    done = subprocess.run(["node", "-"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


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
