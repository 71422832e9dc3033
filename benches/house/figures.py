"""What the house costs its heirs: sizes, crumbs, packing, circles, ways of calls; figures.csv.

`python -m benches.house.figures before` writes the lines labelled "before" anew and keeps the
others. Lines of R are those of all files in bbcr/R, cpp11.R included; what is said of results is
Python's file there too, and not counted. Modules are all files of the package but `__init__.py`
and `__main__.py`. A packing line has a `**` in a call, a dict or a signature that passes on a
bundle of options (`PACKED`); "all" counts every `**` but that of places in messages. A circle is a
set of modules each of which imports the others, imports for type checkers included.
"""

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from benches.house.__main__ import PACKAGE, ROOT, label_of, microseconds, passed, write_labelled
from sklearn.naive_bayes import GaussianNB

import bbc

TABLE = Path(__file__).with_name("figures.csv")
PACKED = re.compile(
    r"(?:\w+\.)*_?(?:options|chosen|design|required_design|settings|facts|found|more|own|shared|common"
    r"|reading|columns|arguments|bootstrap|wanted|draws|CHOSEN|several)(?:\b|$)"
)
#: What issue 33 aims at.
AIMS = {
    "lines of python/bbc": 27500,
    "lines of bbcr/R": 8500,
    "modules under 60 lines": 10,
    "** packing lines": 25,
    "circles of modules": 0,
    "functions of correct, two metrics": 65,
    "files of correct, two metrics": 12,
    "functions of BBC.fit": 200,
    "files of BBC.fit": 25,
    "functions of compare": 60,
    "files of compare": 12,
}

Figure = tuple[str, float]


def sources() -> dict[str, str]:
    """The text of each module, by its dotted name below the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts)] = path.read_text(encoding="utf-8")
    return found


def packing_lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of what follows `**`, of each line with one."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            starred = [word.value for word in node.keywords if word.arg is None]
        elif isinstance(node, ast.Dict):
            starred = [
                value for key, value in zip(node.keys, node.values, strict=True) if key is None
            ]
        else:
            starred = []
        yield from ((each.lineno, ast.unparse(each)) for each in starred)
        if isinstance(node, ast.FunctionDef) and node.args.kwarg is not None:
            yield node.args.kwarg.lineno, node.args.kwarg.arg


def imports(name: str, text: str, modules: set[str]) -> set[str]:
    """Modules of the package that a module imports."""
    package = name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = package[: len(package) - node.level + 1]
        base += node.module.split(".") if node.module else []
        for alias in node.names:
            for parts in ([*base, alias.name], [*base, alias.name, "__init__"], [*base]):
                if ".".join(parts) in modules:
                    found.add(".".join(parts))
                    break
            else:
                found.add(".".join([*base, "__init__"]))
    return (found & modules) - {name}


def circles(texts: dict[str, str]) -> list[set[str]]:
    """Sets of modules that import each other, directly or not."""
    graph = {name: imports(name, text, set(texts)) for name, text in texts.items()}
    graph.pop("__init__", None)  # the package as a whole stands above its modules

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            for name in graph[todo.pop()]:
                if name in graph and name not in seen:
                    seen.add(name)
                    todo.append(name)
        return seen

    below = {name: reached(name) for name in graph}
    found = []
    for name in graph:
        same = {other for other in below[name] if name in below[other]}
        if same and same not in found:
            found.append(same)
    return found


def rooms() -> Iterator[Figure]:
    texts = sources()
    lengths = {name: len(text.splitlines()) for name, text in texts.items()}
    own = {k: n for k, n in lengths.items() if k.split(".")[-1] not in ("__init__", "__main__")}
    yield "lines of python/bbc", sum(lengths.values())
    scripts = (ROOT / "r-bridge" / "bbcr" / "R").glob("*.R")
    of_r = [line.strip() for p in scripts for line in p.read_text(encoding="utf-8").splitlines()]
    yield "lines of bbcr/R", len(of_r)
    yield "code of bbcr/R", sum(line != "" and line[0] != "#" for line in of_r)
    yield "modules", len(own)
    yield "modules under 60 lines", sum(count < 60 for count in own.values())
    yield "modules over 600 lines", sum(count > 600 for count in own.values())
    lines = {
        (name, number, packed)
        for name, text in texts.items()
        for number, packed in packing_lines(text)
        if not packed.startswith("at(")
    }
    yield "** lines of all kinds", len({line[:2] for line in lines})
    yield "** packing lines", len({line[:2] for line in lines if PACKED.match(line[2])})
    yield "circles of modules", len(circles(texts))


def calls() -> dict[str, Callable[[], Any]]:
    """The calls whose ways are counted."""
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 10)
    P = rng.random((20, 10))
    folds = np.arange(20) % 5
    options: dict[str, Any] = {"n_bootstraps": 100, "random_state": 0, "n_threads": 1}
    X, truth = rng.normal(size=(40, 2)), np.tile([0, 1], 20)
    grid = {"var_smoothing": [1e-9, 1e-1]}
    search = bbc.BBC(GaussianNB(), grid, scoring="roc_auc", cv=2, n_bootstraps=100, random_state=0)
    one = {"metric": "roc_auc"} | options
    return {
        "correct": lambda: bbc.correct(y, P, **one),
        "correct, two metrics": lambda: bbc.correct(
            y, P, metric="roc_auc", secondary=["log_loss"], **options
        ),
        "correct, method tt": lambda: bbc.correct(y, P, method="tt", folds=folds, **one),
        "BBC.fit": lambda: search.fit(X, truth),
        "compare": lambda: bbc.compare(
            {"a": bbc.Predictions(y, P[:, :5]), "b": bbc.Predictions(y, P[:, 5:])}, **one
        ),
        "subgroups": lambda: bbc.correct(y, P, **one).subgroups(np.arange(20) % 4 < 2),
        "tuning_path": lambda: bbc.correct(y, P, **one).tuning_path(),
        "clinical_performance": lambda: bbc.correct(y, P, **one).clinical(thresholds=[0.5]),
    }


def ways() -> Iterator[Figure]:
    for name, call in calls().items():
        call()  # imports, caches
        found = passed(call)
        yield f"functions of {name}", len(found)
        yield f"files of {name}", len({code.co_filename for code in found})


def times() -> Iterator[Figure]:
    rng = np.random.default_rng(0)
    y, P = np.tile([0, 1], 10), rng.random((20, 50))

    def call() -> Any:
        return bbc.correct(y, P, metric="roc_auc", n_bootstraps=100, random_state=0, n_threads=1)

    yield "us of correct, 20 x 50 x 100", min(microseconds(call, 2000) for _ in range(3))


def main() -> None:
    label = label_of("benches.house.figures", __doc__)
    warnings.simplefilter("ignore")  # findings of so few rows
    found = [*rooms(), *ways(), *times()]
    lines = [[what, f"{value:.5g}", str(AIMS.get(what, ""))] for what, value in found]
    write_labelled(TABLE, ["what", "value", "aim"], label, lines)
    for what, shown, aim in lines:
        print(f"{what:<40}{shown:<10}{aim}")


if __name__ == "__main__":
    main()
