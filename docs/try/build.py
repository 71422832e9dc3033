"""The page that corrects predictions in the browser: one HTML file with the kernel inside.

`python docs/try/build.py FOLDER` compiles the kernel with emscripten, takes metrics, findings and
the citation from the package, and writes FOLDER/index.html.
"""

import base64
import gzip
import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import bbc
from bbc._sentences import FILE, cases, needs, parsed, say
from bbc._titles import metric_title
from bbc._validation import _columns, _fold_scores, _lines, _texts
from bbc.findings import FINDINGS
from bbc.metrics._spec import METRICS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHARED = ("numbers.js", "wording.js", "findings.js")
WORKER = ("table.js", "problem.js", "worker.js")
PAGE = ("words.js", "pictures.js", "page.js")
EXPORTS = ("correct", "answer_text", "kernel_version")
# They need a search, groups, repeats or other methods.
ELSEWHERE = ("004", "005", "007", "009", "010", "012", "018", "019")
TOOLCHAIN = "cmake/Modules/Platform/Emscripten.cmake"
GROUPS = {
    "labels": "predicted labels",
    "score": "scores",
    "probability": "probabilities of the positive class",
    "class_probabilities": "probabilities of the positive class",
    "value": "predicted numbers",
}


def compiled(folder: Path, emscripten: Path) -> bytes:
    """The kernel as WebAssembly, for one thread."""
    flags = f"-msimd128 -fwasm-exceptions -include {ROOT / 'benches/portable/emscripten.hpp'}"
    tools = Path(sys.executable).parent
    configure = [f"{tools}/cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"]
    configure += [f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"]
    configure += [f"-DCMAKE_TOOLCHAIN_FILE={emscripten / TOOLCHAIN}"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG"]
    configure += [f"-DCMAKE_CXX_FLAGS={flags}", "-DBBC_BUILD_TESTS=OFF", "-DBBC_INSTALL=OFF"]
    run(*configure)
    run(tools / "cmake", "--build", folder, "--target", "bbc", "--parallel", os.cpu_count())
    target = folder / "kernel.wasm"
    exported = ",".join(f"_{name}" for name in (*EXPORTS, "malloc", "free"))
    link = ["em++", "-std=c++20", "-O2", "-DNDEBUG", "-ffp-contract=off", *flags.split()]
    link += [f"-I{ROOT / 'cpp/include'}", HERE / "kernel.cpp", folder / "cpp/libbbc.a"]
    link += ["--no-entry", "-sSTANDALONE_WASM=1", "-sALLOW_MEMORY_GROWTH=1"]
    link += ["-sERROR_ON_UNDEFINED_SYMBOLS=0", f"-sEXPORTED_FUNCTIONS={exported}", "-o", target]
    run(*link)
    return target.read_bytes()


def run(*command: object) -> None:
    """Run a command, which says how far it is; end if it fails."""
    words = [str(word) for word in command]
    if subprocess.run(words, check=False).returncode != 0:
        sys.exit(f"{words[0]} failed")


def facts() -> dict[str, object]:
    """What the page knows of metrics and findings: nothing is written twice."""
    metrics = []
    for metric in METRICS.values():
        if metric.predicts not in GROUPS or metric.sign < 0:
            continue
        parameters = dict(metric.parameters)
        worst = metric.lowest if metric.greater_is_better else metric.highest
        names = ("name", "kernel", "family", "greater_is_better", "target", "predicts")
        names += ("needs_classes", "target_range", "prediction_range")
        metrics.append(
            {name: getattr(metric, name) for name in names}
            | {"average": parameters.get("average", "binary"), "beta": parameters.get("beta", 1.0)}
            | {"range": shown(metric.range), "group": GROUPS[metric.predicts]}
            | {"unbounded": math.isinf(worst), "title": metric_title(metric.name)}
            | {"skewed": metric._facts["skewed"]}
        )
    kinds = [
        {name: getattr(kind, name) for name in ("code", "title", "why", "advice", "level")}
        for kind in FINDINGS.values()
    ]
    return {"metrics": metrics, "findings": kinds, "citation": say("citation", {"method": "bbc"})}


def rules() -> str:
    """The rules of columns, for the worker."""
    found = {
        "design": _columns.DESIGN_WORDS,
        "truth": sorted(_columns.TRUTH_WORDS),
        "identifier": sorted(_columns.IDENTIFIER_WORDS),
        "fewestIdentified": _columns.FEWEST_IDENTIFIED,
        "index": _columns.INDEX.pattern,
        "percent": _texts.PERCENT.pattern,
        "foldScores": _fold_scores.FOLD.pattern,
        "besideFolds": _fold_scores.BESIDE_FOLDS,
        "linesPerRow": _lines.LINES_PER_ROW,
        "pairs": _lines.PAIRS,
        "missing": sorted(_texts.MISSING),
    }
    return f"const RULES = {json.dumps(found)};"


def wording() -> str:
    """The package's sentences and conditions, for the page and the worker."""
    found = {
        "given": FILE["given"],
        "findings": {code: form(kind["cases"]) for code, kind in FILE["findings"].items()},
        "sentences": {name: form(given) for name, given in FILE["sentences"].items()},
    }
    return f"const WORDING = {json.dumps(found)};"


def form(given: str | list[list[str]]) -> list[dict[str, object]]:
    """A sentence with its conditions read."""
    return [
        {"when": parsed(when), "needs": sorted(needs(when)), "text": text}
        for when, text in cases(given)
    ]


def shown(limits: tuple[float, float]) -> list[float | str]:
    """JSON has no infinity: as in PerformanceEstimate.to_json."""
    names = {float("inf"): "Infinity", float("-inf"): "-Infinity"}
    return [names.get(limit, limit) for limit in limits]


def page(kernel: bytes) -> str:
    """The file, with a policy that runs these scripts and opens no connection."""
    shared, script, worker = (
        "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)
        for names in (SHARED, PAGE, WORKER)
    )
    shared += wording()
    style = (HERE / "try.css").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src '{digest(shared)}' '{digest(script)}' "
        "'wasm-unsafe-eval' blob:; "
        f"style-src '{digest(style)}'; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "style": style,
        "version": bbc.__version__,
        "elsewhere": ", ".join(f"BBC{code}" for code in ELSEWHERE),
        "kernel": base64.b64encode(gzip.compress(kernel, 9, mtime=0)).decode(),
        "shared": shared,
        "worker": f"{rules()}\n{worker}",
        "example": (HERE / "example.csv").read_text(encoding="utf-8"),
        "facts": json.dumps(facts()).replace("</", "<\\/"),
        "script": script,
    }
    text = (HERE / "index.html").read_text(encoding="utf-8")
    for name, part in parts.items():
        assert "</script" not in part, name
        text = text.replace("{{" + name + "}}", part)
    return text


def digest(text: str) -> str:
    """The hash by which a policy allows a script or a style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def main(folder: Path) -> None:
    """Build the page."""
    compiler = shutil.which("em++")
    if compiler is None:
        sys.exit("em++ is needed: apt-get install emscripten")
    folder.mkdir(parents=True, exist_ok=True)
    text = page(compiled(folder / "kernel", Path(compiler).resolve().parent))
    (folder / "index.html").write_text(text, encoding="utf-8")
    print(f"{folder / 'index.html'}: {len(text.encode()) / 1000:.0f} KB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
