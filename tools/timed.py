"""Run a command and say how long it took: python tools/timed.py NAME WORD...

What several take is gathered in build/times.txt.
"""

import subprocess
import sys
import time
from pathlib import Path

TIMES = Path("build/times.txt")


def processor_seconds() -> str:
    """What processes that have ended used of processors, where the system says it."""
    try:
        import resource
    except ImportError:
        return ""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f", {used.ru_utime + used.ru_stime:.0f} s of processors"


def main(name: str, command: list[str]) -> int:
    """Run the command; returns its exit code."""
    started = time.monotonic()
    code = subprocess.run(command, check=False, close_fds=False).returncode  # with jobs of make
    result = "" if code == 0 else ", FAILED"
    line = f"{name}: {time.monotonic() - started:.0f} s{processor_seconds()}{result}"
    print(f"==== {line}", flush=True)
    TIMES.parent.mkdir(exist_ok=True)
    with TIMES.open("a", encoding="utf-8") as file:
        print(line, file=file)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
