"""What benchmarks write down: tables with the CPU's name, and the memory of their process."""

import csv
from contextlib import suppress
from pathlib import Path
from typing import Any

Line = dict[str, Any]


def cpu_name() -> str:
    """The CPU as the operating system calls it; virtual machines hide its name."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    found = dict(reversed([line.split(":", 1) for line in lines if ":" in line]))
    known = {name.strip(): value.strip() for name, value in found.items()}
    numbers = " ".join(known.get(name, "?") for name in ("cpu family", "model", "stepping"))
    return f"{known.get('model name', 'unknown')} ({numbers})"


def write_csv(lines: list[Line], path: Path) -> None:
    """Write lines with the CPU's name; four digits say all that a benchmark knows."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*lines[0], "cpu"], lineterminator="\n")
        writer.writeheader()
        for line in lines:
            rounded = {
                name: f"{value:.4g}" if isinstance(value, float) else value
                for name, value in line.items()
            }
            writer.writerow({**rounded, "cpu": cpu_name()})


def lines_of(path: Path) -> list[Line]:
    """The lines of a table that is there, to go on with; none without one."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return [
            {name: _value(text) for name, text in line.items() if name != "cpu"}
            for line in csv.DictReader(file)
        ]


def _value(text: str) -> Any:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def mib_now() -> float:
    """Resident memory of this process."""
    return _mib("VmRSS")


def mib_at_most() -> float:
    """Largest resident memory of this process so far (getrusage's begins with its parent's)."""
    return _mib("VmHWM")


def forget_peak() -> None:
    """Let `mib_at_most` begin anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def _mib(field: str) -> float:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{field}:"):
            return float(line.split()[1]) / 1024
    raise OSError(f"/proc/self/status has no {field}")
