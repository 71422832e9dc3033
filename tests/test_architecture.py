"""Rules of the repository that no type checker knows."""

import ast
import hashlib
import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports
from numpydoc.validate import validate

from signatures import public_objects

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "bbc"
SOURCES = ("python", "cpp", "tests", "benches", "r-bridge", "docs")
SUFFIXES = {
    ".py",
    ".pyi",
    ".cpp",
    ".hpp",
    ".h",
    ".c",
    ".R",
    ".md",
    ".rst",
    ".toml",
    ".cmake",
    ".txt",
}
CODE = {".py", ".pyi", ".cpp", ".hpp", ".h", ".c", ".R"}
GENERATED = {"build", "dist", "__pycache__", "_build", "_generated"}

# Missing docstring, summary, undocumented or unknown parameters, no Returns, no example.
DOCSTRING_RULES = {"GL08", "SS01", "PR01", "PR02", "RT01", "EX01"}
OTHER_WORDS = {
    "oof": "predictions",
    "preds": "predictions",
    "resubstitution": "apparent",
    "n_boot": "n_bootstraps",
    "n_candidates": "n_configurations",
    "best_model": "winner",
    "conf_level": "confidence_level",
}


def files(suffixes: set[str], *folders: str) -> Iterator[Path]:
    for folder in folders:
        for parent, folders_below, names in os.walk(ROOT / folder):
            folders_below[:] = [
                name for name in folders_below if name not in GENERATED and name[0] != "."
            ]
            yield from (Path(parent) / name for name in names if Path(name).suffix in suffixes)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> Iterator[str]:
    """Dotted names that a file imports; relative ones start with a dot."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def own_methods() -> list[str]:
    """Public methods that our classes define themselves."""
    return [
        f"{path}.{name}"
        for path, value in public_objects().items()
        if inspect.isclass(value)
        for name, member in vars(value).items()
        if not name.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, classmethod))
    ]


def complaints(path: str, rules: set[str]) -> list[str]:
    return [text for code, text in validate(path)["errors"] if code in rules]


def test_imports_flow_down_the_layers(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    failed = lint_imports(config_filename="pyproject.toml", no_cache=True, no_logo=True)
    assert failed == 0, capsys.readouterr().out


def test_only_the_engine_imports_the_compiled_module_for_statistics():
    """Beside it what says the limits of arguments and metrics, and what reads large arrays."""
    importers = {
        path.relative_to(PACKAGE).parts[0]
        for path in files({".py"}, "python/bbc")
        if any(name.split(".")[-1] == "_core" or "._core." in name for name in imported(path))
    }
    assert importers == {"_counts.py", "_engine", "_frozen.py", "metrics"}


def test_warnings_are_given_in_one_place():
    """By `bbc._warn.warn`, which finds the line of the caller."""
    pattern = re.compile(r"\bwarnings\.warn|stacklevel")
    givers = {
        relative(path)
        for path in files({".py"}, "python")
        if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert givers == {"python/bbc/_warn.py"}


def test_oracles_know_nothing_of_the_package():
    guilty = [
        relative(path)
        for path in files({".py"}, "tests/reference")
        if any(name == "bbc" or name.startswith("bbc.") for name in imported(path))
    ]
    assert guilty == []


def test_no_file_is_too_long():
    long = {
        relative(path): lines
        for path in files(CODE, *SOURCES)
        if (lines := len((text := path.read_text(encoding="utf-8")).splitlines())) > 700
        and not text.startswith("# Written by")  # nobody reads what is generated
    }
    assert long == {}


def test_no_function_is_too_long():
    """Lines of code: the signature of a public function and its documentation may be longer."""
    long = {}
    for path in files({".py"}, *SOURCES):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            code = node.body[1:] if ast.get_docstring(node) is not None else node.body
            lines = node.end_lineno - code[0].lineno + 1 if code else 0
            if lines > 60:
                long[f"{relative(path)}: {node.name}"] = lines
    assert long == {}


def test_each_header_of_the_kernel_has_a_test():
    """A program in tests/cpp includes it by name, and not only through others."""
    pattern = re.compile(r'#include [<"]((?:bbc|detail/\w+)/\w+\.hp?p?)[>"]')
    tested = {
        name
        for path in files({".cpp", ".hpp"}, "tests/cpp")
        for name in pattern.findall(path.read_text(encoding="utf-8"))
    }
    headers = {
        path.relative_to(root).as_posix()
        for root in (ROOT / "cpp/include", ROOT / "cpp/src")
        for path in files({".h", ".hpp"}, str(root))
    }
    # Inner loops are pasted once per instruction set; their kernels are tested.
    loops = {name for name in headers if name.endswith("_loops.hpp")}
    assert headers - loops - tested == set()


# Public functions and classes of the kernel that compute nothing in floating point.
WITHOUT_ARITHMETIC = {
    *("Metric", "Sampler", "Target", "infeasible", "metric_names", "tells_errors", "too_few_folds"),
}


def test_public_functions_of_the_kernel_set_their_arithmetic_first():
    """Whatever the caller's rounding is; tests/contract/test_arithmetic.py tries what follows."""
    definition = re.compile(
        r"^(?!struct|class|enum|namespace|using|extern)(?:[^\s}#/][^;{}(]*[\s&*])?(?P<name>(?:\w+::)*\w+)"
        r"\((?:[^;{}]|\{\}(?!\n))*\{\n(?P<first>.*)\n",
        re.MULTILINE,
    )
    guilty, guarded = [], 0
    for path in (ROOT / "cpp" / "src").glob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        public = re.sub(r"^namespace \{.*?^\}  // namespace$", "", text, flags=re.DOTALL | re.M)
        for found in definition.finditer(public):
            name = found["name"]
            if path.name == "c.cpp" or "Impl::" in name or name.startswith("detail::"):
                continue
            if found["first"].strip() == "const detail::Arithmetic arithmetic;":
                guarded += 1
            elif name.split("::")[0] not in WITHOUT_ARITHMETIC:
                guilty.append(f"{relative(path)}: {name}")
    assert guilty == []
    assert guarded >= 45


def test_every_function_of_a_public_header_is_exported():
    """Without BBC_API a program could not be linked with the shared library."""
    declared = re.compile(r"^\[\[nodiscard\]\] (?!constexpr|inline).*", re.M)
    lines = {
        f"{path.name}: {line}"
        for path in files({".hpp"}, "cpp/include/bbc")
        for line in declared.findall(path.read_text(encoding="utf-8"))
    }
    assert len(lines) > 40
    assert {line for line in lines if "BBC_API" not in line} == set()


def test_no_result_depends_on_functions_of_the_c_library():
    """They differ in the last bit between libraries and processors; we have our own in `detail`."""
    names = "log|log2|log10|log1p|exp|exp2|expm1|pow|erf|erfc|lgamma|tgamma|cbrt|hypot"
    pattern = re.compile(rf"(?<!\bdetail::)\b(?:{names}|a?(?:sin|cos|tan)h?|atan2)[fl]?\(")
    callers = {
        relative(path): found
        for path in files({".cpp", ".hpp"}, "cpp")
        if path.stem not in ("elementary", "error_function")
        and (found := pattern.findall(re.sub("//.*", "", path.read_text(encoding="utf-8"))))
    }
    assert callers == {}
    support = ROOT / "cpp" / "src" / "detail" / "support"
    own = (support / "elementary.cpp").read_text(encoding="utf-8")
    assert set(re.findall(r"std::(\w+)\(", own)) == {"fabs", "nearbyint"}


# Each folder of the kernel's private part, and those that its files include.
FOLDERS_OF_THE_KERNEL = {
    "support": set(),
    "metrics": {"support"},
    "isa": {"metrics", "support"},
    "fast": {"metrics", "isa", "support"},
    "evaluation": {"fast", "metrics", "isa", "support"},
    "resampling": {"metrics", "isa", "support"},
    "choices": {"evaluation", "resampling", "metrics", "isa", "support"},
    "intervals": {"metrics", "support"},
    "c_interface": {"support"},
    "statistics": {"support"},
}


def test_folders_of_the_kernel_include_only_those_below():
    """Each names what it builds on, and nothing includes what is built on it."""
    detail = ROOT / "cpp" / "src" / "detail"
    included = {
        folder: {
            name
            for path in files({".cpp", ".hpp"}, f"{detail / folder}")
            for name in re.findall(r'#include "detail/(\w+)/', path.read_text(encoding="utf-8"))
        }
        - {folder}
        for folder in FOLDERS_OF_THE_KERNEL
    }
    assert {path.name for path in detail.iterdir()} == set(FOLDERS_OF_THE_KERNEL)
    assert {f: names - FOLDERS_OF_THE_KERNEL[f] for f, names in included.items()} == {
        folder: set() for folder in FOLDERS_OF_THE_KERNEL
    }


def test_what_not_all_compilers_know_has_its_place():
    """Another compiler needs another compiler.hpp."""
    pattern = re.compile(
        r"__builtin_|__attribute__|\[\[(?:gnu|clang)::|#pragma (?!once)|_Pragma|_MSC_"
    )
    spellers = {
        relative(path).removeprefix("cpp/")
        for path in files({".cpp", ".hpp", ".h"}, "cpp/src", "cpp/include")
        if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert spellers == {
        "include/bbc/export.h",
        "src/detail/support/compiler.hpp",
        "src/detail/isa/simd.hpp",  # target attributes
        "src/detail/isa/simd.cpp",  # which of them the processor has
    }


def test_predictions_are_read_in_one_place():
    """Another process may write to them: column_reader.cpp copies what it checks.

    Elsewhere each value that is read becomes a bit, or a number of which any will do. A place in
    memory, a count or the end of a loop never depends on it.
    """
    pattern = re.compile(r"\bview\(\w[^)]*,|\bdata\.scores\(|\bpredictions\(row,")
    readers = {
        relative(path).removeprefix("cpp/src/")
        for path in files({".cpp", ".hpp"}, "cpp/src")
        if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert readers == {
        "bound.cpp",  # copies, too
        "censoring.cpp",  # losses, which are read as predictions are
        "difference.cpp",  # whether columns are equal
        "detail/evaluation/fold_scale.cpp",  # copies of whole numbers
        "detail/fast/error_patterns.cpp",  # whether a label is wrong
        "detail/fast/loss_grid.cpp",  # costs, of which those written are checked
        "detail/fast/near_pairs.cpp",  # whether a risk is larger
        "detail/metrics/column_reader.cpp",
    }


def test_the_lock_of_python_is_released_in_one_way():
    """By WithoutGil: pybind11's own aborts where Python ends while a thread is in the kernel."""
    pattern = re.compile(r"gil_scoped|PyEval_|PyGILState")
    users = {
        relative(path)
        for path in files({".cpp", ".hpp"}, "cpp")
        if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert users == {"cpp/bindings/gil.hpp"}


def test_the_environment_is_read_in_one_place():
    """While the library is loaded: later, getenv races with any thread that calls setenv."""
    readers = {
        relative(path): found
        for path in files({".cpp", ".hpp", ".h", ".c"}, "cpp", "r-bridge")
        if not path.name.startswith("kernel_")  # links to the kernel's sources, made by R's build
        and (found := len(re.findall(r"\bgetenv\b", path.read_text(encoding="utf-8"))))
    }
    assert readers == {"cpp/src/detail/isa/simd.cpp": 1}


@pytest.mark.parametrize("word", OTHER_WORDS)
def test_one_word_per_thing(word):
    # But for a method of AutoGluon's.
    pattern = re.compile(
        rf"(?<![A-Za-z0-9])(?<!predict_proba_){word}(?![A-Za-z0-9])", re.IGNORECASE
    )
    guilty = [
        f"{relative(path)}: say {OTHER_WORDS[word]}"
        for path in files(SUFFIXES, *SOURCES)
        if path != Path(__file__).resolve() and pattern.search(path.read_text(encoding="utf-8"))
    ]
    assert guilty == []


def test_no_test_is_skipped():
    # importorskip and skipif hide what nobody runs; every test runs everywhere.
    pattern = re.compile(r"\b(pytest\.skip|mark\.skip|skipif|importorskip|unittest\.skip)")
    guilty = [
        relative(path)
        for path in files({".py"}, "tests")
        if path != Path(__file__).resolve() and pattern.search(path.read_text(encoding="utf-8"))
    ]
    assert guilty == []


def test_no_path_of_somebodys_machine():
    pattern = re.compile(r"(?<![\w.])/(work|root|home|Users)/\w")
    guilty = [
        relative(path)
        for path in [*files(SUFFIXES, *SOURCES), *ROOT.glob("*.md"), *ROOT.glob("*.toml")]
        if pattern.search(path.read_text(encoding="utf-8"))
    ]
    assert guilty == []


@pytest.mark.parametrize(("path", "value"), public_objects().items(), ids=public_objects())
def test_public_names_are_documented_with_an_example(path, value):
    rules = set(DOCSTRING_RULES)
    if inspect.isclass(value):
        rules -= {"RT01"}
        if issubclass(value, Exception):
            rules -= {"EX01", "PR01"}
        if "Attributes\n" in str(value.__doc__):  # frozen specs and results: one list is enough
            rules -= {"PR01"}
    assert complaints(path, rules) == []


@pytest.mark.parametrize("path", own_methods())
def test_methods_are_documented(path):
    assert complaints(path, DOCSTRING_RULES - {"EX01", "RT01"}) == []


RUNS_CODE = {"pickle", "cloudpickle", "dill", "shelve", "subprocess", "marshal", "runpy", "code"}
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}


@pytest.mark.parametrize("path", list(files({".py"}, "python")), ids=relative)
def test_nothing_runs_what_files_hold(path):
    """SECURITY.md: stores, results and tables from strangers are data."""
    assert not RUNS_CODE & {name.split(".")[0] for name in imported(path)}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert not RUNS_TEXT & {node.func.id for node in calls if isinstance(node.func, ast.Name)}
    for keyword in (keyword for node in calls for keyword in node.keywords):
        if keyword.arg == "allow_pickle":
            assert isinstance(keyword.value, ast.Constant)
            assert keyword.value.value is False


def test_a_changed_bit_has_an_entry_in_the_changelog():
    """The record of replicates of all metrics and plans; its digest stands in CHANGELOG.md."""
    record = ROOT / "tests" / "golden" / "bits"
    digest = hashlib.sha256(
        b"".join((record / name).read_bytes() for name in ("data.csv", "cases.csv", "methods.csv"))
    ).hexdigest()[:16]
    assert f"record {digest}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), (
        f"tests/golden/bits changed: say in CHANGELOG.md which bits and why, with `record {digest}`"
    )


def test_no_two_test_files_have_one_name():
    """Pytest cannot collect them together."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(set(names)) == sorted(names)
