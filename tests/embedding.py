"""Builds and installs the C++ library as its users do."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
NINJA = f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}"
_COMMON = ("-G", "Ninja", NINJA)
#: Where `make test` has compiled the kernel already; the two kinds of library share their objects.
_BUILD = ROOT / "build" / "default"


def run(*command: object, **environment: object) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {name: str(value) for name, value in environment.items()},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install_library(folder: Path, shared: str) -> Path:
    """The prefix that the library and its headers are installed in; `shared` is ON or OFF."""
    prefix = folder / "prefix"
    _BUILD.mkdir(parents=True, exist_ok=True)
    with (_BUILD / "installing").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process of pytest may install the other kind
        try:
            _configure(shared)
            run(BIN / "cmake", "--build", _BUILD, "--target", "bbc", "-j2")
            run(
                BIN / "cmake", "--install", _BUILD, "--prefix", prefix, "--component", "development"
            )
        finally:
            _configure("OFF")
    return prefix


def _configure(shared: str) -> None:
    run(BIN / "cmake", "-S", ROOT, "--preset", "default", NINJA, f"-DBUILD_SHARED_LIBS={shared}")


def build_examples(prefix: Path, folder: Path) -> Path:
    """The example consumers, built against an installed library."""
    run(
        BIN / "cmake",
        *("-S", ROOT / "cpp" / "examples" / "embed", "-B", folder, *_COMMON),
        f"-DCMAKE_PREFIX_PATH={prefix}",
    )
    run(BIN / "cmake", "--build", folder, "-j2")
    return folder


def build_by_flags(prefix: Path, source: str, program: Path, compiler: tuple[str, ...]) -> None:
    """One example, compiled by hand with what pkg-config says."""
    (libraries,) = {path.parent for path in prefix.rglob("bbc.pc")}
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    static = () if list(prefix.rglob("libbbc.so")) else ("--static",)
    asked = ("env", "pkg-config", "--cflags", "--libs", *static, "bbc")
    flags = run(*asked, PATH=path, PKG_CONFIG_PATH=libraries).split()
    source_file = ROOT / "cpp" / "examples" / "embed" / source
    run(*compiler, source_file, *flags, f"-Wl,-rpath,{libraries.parent}", "-o", program)
