"""The compiled library, installed and used by projects of its own in C++ and C."""

import re
import subprocess

import numpy as np
import pytest

import bbc
from embedding import BIN, NINJA, ROOT, build_by_flags, build_examples, run
from nightly import nightly

QUICK_START = ROOT / "docs" / "quickstart"


@pytest.fixture(scope="module")
def examples(installed, tmp_path_factory):
    """The example consumers, built against an installed package."""
    return build_examples(installed, tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """A CSV of a truth and scores, and the same as arrays."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    values = rng.random((60, 15)) + 0.3 * y[:, None]
    path = tmp_path_factory.mktemp("data") / "scores.csv"
    header = ",".join(["y", *(f"c{j}" for j in range(15))])
    rows = (
        f"{t}," + ",".join(repr(float(v)) for v in row) for t, row in zip(y, values, strict=True)
    )
    path.write_text("\n".join([header, *rows]) + "\n")
    return path, y, values


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_print_the_numbers_of_python(examples, scores, program):
    path, y, values = scores
    printed = run(examples / program, path, 11)
    expected = bbc.correct(y, values, metric="roc_auc", random_state=11)
    low, high = expected.confidence_interval
    numbers = [float(text) for text in re.findall(r"[-\d.e]+(?=\s)", printed)]
    assert numbers == [expected.estimate, low, high, expected.apparent, expected.winner]


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_print_what_the_documentation_shows(examples, program):
    shown = QUICK_START / "correct_csv.txt"
    assert run(examples / program, QUICK_START / "scores.csv", 1) == shown.read_text()


@pytest.mark.parametrize(
    ("source", "compiler"),
    [("correct_csv.c", ("cc",)), *nightly(("correct_csv.cpp", ("c++", "-std=c++20")))],
)
def test_pkg_config_is_enough(installed, tmp_path, source, compiler):
    build_by_flags(installed, source, tmp_path / "program", compiler)
    shown = (QUICK_START / "correct_csv.txt").read_text()
    assert run(tmp_path / "program", QUICK_START / "scores.csv", 1) == shown


def test_pipeline_of_small_problems_runs(examples):
    printed = run(examples / "pipeline", 200)
    assert re.match(r"[\d.e+]+ problems per second; mean corrected accuracy 0\.\d+", printed)


def refusal(program, *arguments):
    """The one line by which a program refuses, without its name."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    name, _, why = done.stderr.rstrip("\n").partition(": ")
    assert name == program.name
    assert "\n" not in why
    return why


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_report_errors(examples, tmp_path, program):
    path = tmp_path / "one_class.csv"
    path.write_text("y,a\n1,0.5\n1,0.25\n1,0.75\n")
    assert "class" in refusal(examples / program, path)


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("1,0.5", "line 3: 2 columns, but the header has 3"),
        ("1,0.5,0.25,0.75", "line 3: 4 columns, but the header has 3"),
        ("", "line 3: 1 columns, but the header has 3"),
        ("yes,0.5,0.25", "line 3, column 1: 'yes' is not a number"),
        ("2,0.5,0.25", "line 3, column 1: the label '2' is not 0 or 1"),
        ("1,,0.25", "line 3, column 2: '' is not a number"),
        ("1,0.5,", "line 3, column 3: '' is not a number"),
        ("1,nan,0.25", "line 3, column 2: 'nan' is not a number"),
        ("1,0.5,0.25x", "line 3, column 3: '0.25x' is not a number"),
    ],
)
def test_consumers_say_where_a_table_is_wrong(examples, tmp_path, program, end, row, why):
    path = tmp_path / "scores.csv"
    lines = ["y,a,b", "0,0.5,0.25", row, "1,0.75,0.5", "0,0.25,0.75", "1,0.5,0.5"]
    path.write_text("".join(line + end for line in lines), newline="")
    assert refusal(examples / program, path) == f"{path}, {why}"


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
@pytest.mark.parametrize("seed", ["x", "", "1x", "-1", "1.5", str(2**64)])
def test_consumers_refuse_what_is_no_seed(examples, program, seed):
    why = f"the seed '{seed}' is not a whole number from 0 to 2^64 - 1"
    assert refusal(examples / program, QUICK_START / "scores.csv", seed) == why


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_name_a_file_that_is_not_there(examples, tmp_path, program):
    path = tmp_path / "none.csv"
    assert refusal(examples / program, path) == f"cannot read {path}"


MAJOR, MINOR = map(int, bbc.__version__.split(".")[:2])


@pytest.mark.parametrize(("minor", "fits"), [(MINOR, True), (MINOR - 1, False), (MINOR + 1, False)])
def test_another_minor_version_before_1_is_another_interface(installed, tmp_path, minor, fits):
    (tmp_path / "ask.cmake").write_text(
        f"""set(PACKAGE_FIND_VERSION {MAJOR}.{minor})
set(PACKAGE_FIND_VERSION_MAJOR {MAJOR})
set(PACKAGE_FIND_VERSION_MINOR {minor})
set(CMAKE_SIZEOF_VOID_P 8)
include({next(installed.rglob("bbcConfigVersion.cmake"))})
message(STATUS "fits: ${{PACKAGE_VERSION_COMPATIBLE}}")
"""
    )
    printed = run(BIN / "cmake", "-P", tmp_path / "ask.cmake")
    assert ("fits: TRUE" in printed) == fits


@pytest.mark.parametrize("installed", ["ON"], indirect=True)
def test_programs_are_linked_with_one_minor_version(installed):
    names = {path.name for path in installed.rglob("libbbc.so*")}
    assert names == {"libbbc.so", f"libbbc.so.{MAJOR}.{MINOR}", f"libbbc.so.{bbc.__version__}"}


def test_another_project_can_contain_the_library(tmp_path):
    """By add_subdirectory: its tests and its installation are then left out."""
    source = ROOT / "cpp" / "examples" / "embed" / "correct_csv.cpp"
    (tmp_path / "CMakeLists.txt").write_text(
        f"""cmake_minimum_required(VERSION 3.24)
project(container LANGUAGES CXX)
add_subdirectory({ROOT} bbc)
add_executable(program {source})
target_link_libraries(program PRIVATE bbc::bbc)
"""
    )
    build = tmp_path / "build"
    run(BIN / "cmake", "-S", tmp_path, "-B", build, "-G", "Ninja", NINJA)
    targets = run(BIN / "ninja", "-C", build, "-t", "targets", "all")
    assert "bbc/cpp/libbbc.a" in targets
    assert "fuzz_c" not in targets
    assert "libbbc" not in (build / "bbc" / "cpp" / "cmake_install.cmake").read_text()


@pytest.mark.parametrize("installed", ["ON"], indirect=True)
def test_only_the_public_interface_is_exported(installed):
    """What the headers mark with BBC_API, and the exception, which programs catch by its type."""
    (library,) = installed.rglob(f"libbbc.so.{bbc.__version__}")
    names = run("nm", "-D", "-C", "--defined-only", "--format=just-symbols", library).splitlines()
    c_functions = {name for name in names if re.fullmatch(r"bbc_\w+", name)}
    functions = {
        found[1] for name in names if (found := re.match(r"bbc::(?:\w+::)?([~\w]+=?)[(\[]", name))
    }
    types = {name for name in names if name.endswith(" for bbc::Error")}
    others = [name for name in names if not re.match(r"bbc(_|::(?!detail))", name)]
    assert types == {f"{kind} for bbc::Error" for kind in ("vtable", "typeinfo", "typeinfo name")}
    assert set(others) == types

    marked = re.compile(r"BBC_API(?:\s[\w:<>*&]+)*?\s[*&]?([~\w]+=?)\(")
    headers = installed / "include" / "bbc"
    assert c_functions == set(marked.findall((headers / "c.h").read_text()))
    assert functions == {
        name for path in headers.glob("*.hpp") for name in marked.findall(path.read_text())
    }
