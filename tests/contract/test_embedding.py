"""The compiled library, installed and used by projects of its own in C++ and C."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bbc

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def run(*command: object) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=["OFF", "ON"], ids=["static", "shared"])
def examples(request, tmp_path_factory):
    """The example consumers, built against an installed package."""
    folder = tmp_path_factory.mktemp("embed")
    # Unoptimised: what is tested is the package, not its speed.
    common = ("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}", "-DCMAKE_CXX_FLAGS=-O1")
    prefix = folder / "prefix"
    run(
        BIN / "cmake",
        *("-S", ROOT, "-B", folder / "library", *common),
        *(f"-DBUILD_SHARED_LIBS={request.param}", f"-DCMAKE_INSTALL_PREFIX={prefix}"),
    )
    run(BIN / "cmake", "--build", folder / "library", "-j2")
    run(BIN / "cmake", "--install", folder / "library", "--component", "development")
    run(
        BIN / "cmake",
        *("-S", ROOT / "cpp" / "examples" / "embed", "-B", folder / "examples", *common),
        f"-DCMAKE_PREFIX_PATH={prefix}",
    )
    run(BIN / "cmake", "--build", folder / "examples", "-j2")
    return folder / "examples"


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


def test_pipeline_of_small_problems_runs(examples):
    printed = run(examples / "pipeline", 200)
    assert re.match(r"[\d.e+]+ problems per second; mean corrected accuracy 0\.\d+", printed)


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_report_errors(examples, tmp_path, program):
    path = tmp_path / "one_class.csv"
    path.write_text("y,a\n1,0.5\n1,0.25\n1,0.75\n")
    done = subprocess.run([examples / program, path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "class" in done.stderr
