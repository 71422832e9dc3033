"""What README shows was run: each of its blocks alone, and it prints what README says it prints.

`python tests/test_readme.py` writes what they print into README, and fails if that is new; with the
word `r` for R's alone, as `make test-r` does with the bbcr that it has checked. Blocks that install
something are run in fresh systems, by `make newcomer`.
"""

import csv
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MEASURED = ROOT / "benches" / "kernel"
SPLITS = ROOT / "benches" / "demo" / "splits.csv"
BLOCK = re.compile(r"```(python|sh|r)\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
INSTALLS = re.compile(r"^(make|R CMD|python3 -m venv)\b", re.MULTILINE)
COMMANDS = {"python": [sys.executable, "-"], "r": ["Rscript", "-"]}


def blocks(kind):
    """The language, code and output of each block that installs nothing."""
    found = BLOCK.findall(README.read_text(encoding="utf-8"))
    return [
        (code, shown) for name, code, shown in found if name == kind and not INSTALLS.search(code)
    ]


def printed(kind, code, folder):
    """What a block prints when it is pasted alone, in a folder of its own."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        COMMANDS[kind],
        input=code,
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("code", "shown"), blocks("python"))
def test_each_block_of_python_runs_alone(code, shown, tmp_path):
    assert shown
    assert printed("python", code, tmp_path) == shown


def test_its_ten_splits_were_fitted():
    """The first of them is its first block."""
    with SPLITS.open(newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    assert [row["seed"] for row in rows] == list(range(10))
    first, text = rows[0], " ".join(README.read_text().split())
    scores = (first["apparent"], first["corrected"], first["truth"])
    assert "apparent {:.3f}, corrected {:.3f}, on the other 509 rows {:.3f}".format(*scores) in text
    said = re.search(
        r"apparent score is off by ([+-][\d.]+), the corrected one by ([+-][\d.]+)\.", text
    )
    for name, value in zip(("apparent", "corrected"), said.groups(), strict=True):
        error = sum(row[name] - row["truth"] for row in rows) / len(rows)
        assert value == f"{error:+.3f}"


def test_no_address_is_made_up():
    assert "https://HOST" not in README.read_text(encoding="utf-8")


def measured(name):
    with (MEASURED / name).open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("problem", "peer", "claim"),
    [
        ("roc_auc 500 x 500", "numpy presort + cumsum", "AUC of 500 configurations on 500 rows"),
        ("accuracy 1000 x 2000", "numpy product", "accuracy of 2000 configurations on 1000 rows"),
        ("concordance_index 500 x 500", "scalar Fenwick tree, C++", "concordance index of 500"),
    ],
)
def test_the_speed_that_it_claims_was_measured(problem, peer, claim):
    """Within a fifth, as far as one measurement is from the next."""
    rows = {row["contestant"]: row for row in measured("speed.csv") if row["problem"] == problem}
    text = " ".join(README.read_text().split())
    said = re.search(rf"{claim}.*? ([\d.]+) ms, ([\d.]+) times faster", text)
    assert float(said[1]) == pytest.approx(float(rows["bbc"]["median_ms"]), rel=0.2)
    assert float(said[2]) == pytest.approx(float(rows[peer]["times_bbc_is_faster"]), rel=0.2)


def test_the_memory_that_the_guide_claims_was_measured():
    rows = {row["metric"]: row for row in measured("memory.csv")}
    text = " ".join((ROOT / "docs" / "reproducibility.md").read_text().split())
    in_memory = rows.pop("concordance_index")
    said = re.search(r"takes ([\d.]+) MiB beyond ([\d.]+) MiB of data", text)
    assert int(said[1]) == round(float(in_memory["mib_beyond_data"]))
    assert int(said[2]) == round(float(in_memory["data_mib"]))
    beyond = sorted(float(row["mib_beyond_data"]) for row in rows.values())
    said = re.search(r"take ([\d.]+) to ([\d.]+) MiB beyond", text)
    assert [int(said[1]), int(said[2])] == [round(beyond[0]), round(beyond[-1])]


def filled(found, kinds):
    """A block with what it prints now, if it is of these languages."""
    kind, code, shown = found.groups()
    if not shown or kind not in kinds or INSTALLS.search(code):
        return found.group()
    return f"```{kind}\n{code}```\n\n```text\n{printed(kind, code, ROOT / 'build')}```\n"


if __name__ == "__main__":
    before = README.read_text(encoding="utf-8")
    after = BLOCK.sub(partial(filled, kinds=sys.argv[1:] or ["python", "r"]), before)
    README.write_text(after, encoding="utf-8")
    sys.exit(0 if before == after else "README shows what is not printed: see git diff README.md")
