"""Run a long command and say how far it is: python tools/aloud.py LOG WORD...

Its output goes to the file LOG. Shown are pip's downloads, the files that the compiler has
finished, apt's packages, and, if the command fails, the end of the log.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

_STEPS = (
    (re.compile(r"\[(\d+)/(\d+)\] (?:Building|Linking|Compiling)"), "compiled {} of {} files"),
    (re.compile(r"\s*Downloading (\S+?)(?:-\d\S*)? \(([^)]*)\)"), "downloading {} ({})"),
    (re.compile(r"Installing collected packages: (.*)"), "installing {}"),
    (re.compile(r"Need to get (\S+ \S+)"), "downloading {} of packages"),
    (re.compile(r"Get:(\d+) \S+ \S+ \S+ (\S+)"), "downloading package {}, {}"),
    (re.compile(r"Unpacking (\S+)"), "unpacking {}"),
    (re.compile(r"Setting up (\S+)"), "setting up {}"),
)
_PATIENCE = 10.0  # seconds between lines, where there is no terminal
_END = 30


def shown(line: str) -> str | None:
    """What a line of the command says, in few words; None if nothing of interest."""
    for pattern, words in _STEPS:
        if found := pattern.match(line):
            text = words.format(*found.groups())
            return text if len(text) < 72 else f"{text[:69]}..."
    return None


def main(log: Path, command: list[str]) -> int:
    """Run the command; returns its exit code."""
    terminal, started, last, drawn = sys.stdout.isatty(), time.monotonic(), 0.0, False
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8", errors="replace") as file:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        assert process.stdout is not None
        for line in process.stdout:
            file.write(line)
            file.flush()
            text, now = shown(line), time.monotonic()
            if text is None or not (terminal or now - last >= _PATIENCE):
                continue
            minutes, seconds = divmod(int(now - started), 60)
            begin, end = ("\r\033[K", "") if terminal else ("", "\n")
            print(f"{begin}  {minutes}:{seconds:02d} {text}", end=end, flush=True)
            last, drawn = now, terminal
    if drawn:
        print("\r\033[K", end="", flush=True)
    code = process.wait()
    if code != 0:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        print("\n".join(lines[-_END:]), file=sys.stderr)
        print(f"{' '.join(command[:3])} ... failed; all that it said is in {log}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
