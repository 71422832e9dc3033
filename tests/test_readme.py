"""What README shows was run: its Python blocks are executed, and print what it says they print."""

import contextlib
import csv
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MEASURED = ROOT / "benches" / "kernel"


def test_readme_prints_what_it_shows():
    text = README.read_text()
    blocks = re.findall(r"```python\n(.*?)```\s*(?:```text\n(.*?)```)?", text, flags=re.DOTALL)
    assert len(blocks) >= 2
    namespace: dict[str, object] = {}
    for code, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(README), "exec"), namespace)
        if shown:
            assert printed.getvalue().strip() == shown.strip()


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


def test_the_memory_that_it_claims_was_measured():
    rows = {row["metric"]: row for row in measured("memory.csv")}
    text = " ".join(README.read_text().split())
    in_memory = rows.pop("concordance_index")
    said = re.search(r"takes ([\d.]+) MiB beyond ([\d.]+) MiB of data", text)
    assert int(said[1]) == round(float(in_memory["mib_beyond_data"]))
    assert int(said[2]) == round(float(in_memory["data_mib"]))
    beyond = sorted(float(row["mib_beyond_data"]) for row in rows.values())
    said = re.search(r"take ([\d.]+) to ([\d.]+) MiB beyond", text)
    assert [int(said[1]), int(said[2])] == [round(beyond[0]), round(beyond[-1])]
