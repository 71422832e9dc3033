"""The first ten minutes of somebody who has nothing: `make newcomer`.

In a fresh Debian made by debootstrap, a user without rights follows README in a folder whose name
has spaces and parentheses, from an archive without git, with the tools of that Debian: before there
is a compiler, and after; then pastes each block of README alone. Every step must work, or fail in
one line that says what to do. Time and size of each go to benches/newcomer. Needs root.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "newcomer"
TABLES = ROOT / "benches" / "newcomer"
NAMES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
FOLDER = "/home/anna/bbc (copy 1)"
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "OMP_NUM_THREADS": "1",
}
APT = "apt-get update -qq && apt-get install -y -q --no-install-recommends"
BLOCK = re.compile(r"```(python|sh|r)\n(.*?)```", re.DOTALL)
INSTALLS = re.compile(r"^(make|MAKEFLAGS|python3 -m venv)\b", re.MULTILINE)
RUNS = {"python": "python -", "sh": "sh -eu", "r": "Rscript -"}


@dataclass(frozen=True)
class Step:
    """What is done, by whom, and, where it must fail, the line that it must say."""

    name: str
    command: str
    says: str = ""
    without: str = ""
    user: str = "anna"
    pasted: str = ""


def blocks() -> list[tuple[str, str]]:
    """Language and code of README's blocks."""
    return BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def steps() -> Iterator[Step]:
    """The steps in order; each finds what the ones before it left."""
    install = next(code for language, code in blocks() if "venv" in code)
    enter = f'cd "{FOLDER}" && '
    activate = f'. "{FOLDER}/env/bin/activate" && mkdir -p ~/here && cd ~/here && '
    missing = "bbc is compiled here, and needs g++ 12"
    yield Step("Python and make, from Debian", f"{APT} python3-venv make", user="root")
    yield Step("without a compiler: pip install .", enter + install, missing, "Downloading numpy")
    yield Step("without rights: make demo", enter + "make demo", "Install g++ 12 or newer")
    yield Step("without rights: make try", enter + "make try", "Ask root for it")
    yield Step("g++ and headers, from Debian", f"{APT} g++ python3-dev", user="root")
    yield Step("README: pip install .", enter + install)
    for number, (language, code) in enumerate(blocks(), start=1):
        if language != "r" and not INSTALLS.search(code):
            name = f"README: block {number} ({language})"
            yield Step(name, activate + RUNS[language], pasted=code)
    yield Step("bbc demo", activate + "bbc demo")
    archive = "python -m pip install -q build && python -m build --sdist --outdir ~/dist"
    yield Step("source archive", f'{activate} {archive} "{FOLDER}"')
    old = "python3 -m venv ~/old && ~/old/bin/pip install -q pip==23.2"
    yield Step(
        "pip 23.2: a wheel from the archive",
        f"{old} && ~/old/bin/pip wheel --no-deps -w ~/dist ~/dist/*.tar.gz",
    )
    fresh = "python3 -m venv ~/fresh && ~/fresh/bin/pip install ~/dist/*.whl"
    yield Step("the wheel, in an environment of its own", f"{fresh} && ~/fresh/bin/bbc metrics")
    yield Step("make demo", enter + "make demo")
    packages = "r-base-dev r-cran-codetools r-cran-cpp11 r-cran-generics"
    yield Step("R, from Debian", f"{APT} {packages}", user="root")
    library = "mkdir -p ~/R && export R_LIBS=~/R &&"
    install = "MAKEFLAGS=-j2 R CMD INSTALL --no-docs r-bridge/bbcr"
    yield Step("R CMD INSTALL", f"{enter} {library} {install}")
    for number, (language, code) in enumerate(blocks(), start=1):
        if language == "r":
            yield Step(f"README: block {number} (r)", f"{library} {RUNS['r']}", pasted=code)


def run(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command of this machine, which must work."""
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


def made(system: str) -> Path:
    """A fresh root of that Debian, with this checkout as an archive without git."""
    base, root = PLACE / f"{system}.base", PLACE / system
    done = PLACE / f"{system}.made"
    if not done.exists():
        shutil.rmtree(base, ignore_errors=True)
        run("debootstrap", "--variant=minbase", "--include=ca-certificates", system, base)
        done.touch()
    if root.exists():
        shutil.rmtree(root)
    run("cp", "-a", base, root)
    run("useradd", "--root", root, "--create-home", "--shell", "/bin/sh", "anna")
    home = Path(f"{root}{FOLDER}")
    home.mkdir()
    packed = subprocess.Popen(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE)
    run("tar", "-x", "-C", home, stdin=packed.stdout)
    run("chroot", root, "chown", "-R", "anna:anna", "/home/anna")
    # Debian and Python's registry are reached as this machine reaches them.
    for path in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf"):
        if Path(path).exists():
            shutil.copy(path, f"{root}{path}")
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", root / "etc/ssl/certs")
    shutil.copytree("/etc/apt/apt.conf.d", root / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    return root


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """The root with what programs expect of a running system."""
    run("mount", "-t", "proc", "proc", root / "proc")
    (root / "dev/shm").mkdir(exist_ok=True)
    run("mount", "-t", "tmpfs", "tmpfs", root / "dev/shm")
    try:
        yield
    finally:
        run("umount", root / "proc", root / "dev/shm")


def mib(root: Path) -> int:
    """Size of the root."""
    return int(run("du", "-sxm", root, capture_output=True).stdout.split()[0])


def walk(system: str, cached: bool) -> bool:
    """Take all steps in that Debian; returns whether each did what it should."""
    root, lines, good = made(system), [], True
    log = (PLACE / f"{system}.log").open("w", encoding="utf-8")
    with mounted(root):
        size = mib(root)
        for step in steps():
            home = "/root" if step.user == "root" else f"/home/{step.user}"
            given = ENVIRONMENT | {"HOME": home, "USER": step.user}
            if cached and (root / "usr/lib/ccache").exists():
                given["PATH"] = f"/usr/lib/ccache:{given['PATH']}"
                given |= {"CCACHE_BASEDIR": "/", "CCACHE_NOHASHDIR": "1", "CXX": "c++"}
            command = step.command
            if cached and "g++" in command and step.user == "root":
                command += " ccache"
            started = time.monotonic()
            done = subprocess.run(
                ["chroot", f"--userspec={step.user}:{step.user}", root, "sh", "-c", command],
                input=step.pasted,
                env=given,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            seconds = time.monotonic() - started
            now = mib(root)
            fails = bool(step.says)
            right = (done.returncode != 0) == fails and step.says in done.stdout
            right = right and not (step.without and step.without in done.stdout)
            good = good and right
            result = ("fails in one line" if fails else "works") if right else "WRONG"
            lines.append((step.name, step.user, result, f"{seconds:.0f}", max(now - size, 0)))
            said = f"{step.name}: {result}, {seconds:.0f} s, {now - size} MiB"
            print(f"{NAMES[system]}: {said}", flush=True)
            log.write(f"### {step.name}: {result}\n{done.stdout}\n")
            log.flush()
            size = now
            write(system, lines)
    return good


def write(system: str, lines: list[tuple[object, ...]]) -> None:
    """The table so far."""
    TABLES.mkdir(exist_ok=True)
    with (TABLES / f"{system}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["step", "user", "result", "seconds", "mib"])
        writer.writerows(lines)


def main(words: list[str]) -> int:
    """Walk through each system."""
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        sys.exit("make newcomer: needs root, and debootstrap (Debian: apt-get install debootstrap)")
    PLACE.mkdir(parents=True, exist_ok=True)
    cached = "--ccache" in words
    systems = [word for word in words if word in NAMES] or list(NAMES)
    return 0 if sum(walk(system, cached) for system in systems) == len(systems) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
