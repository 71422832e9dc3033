"""Builds and installs the C++ library as its users do."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
_NINJA = f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}"
_COMMON = ("-G", "Ninja", _NINJA)
#: Where `make test-cpp` has built the static library already.
_PRESET = ROOT / "build" / "default"


def run(*command: object) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install_library(folder: Path, shared: str) -> Path:
    """The prefix that the library and its headers are installed in; `shared` is ON or OFF."""
    if shared == "ON":
        build = folder / "library"
        run(BIN / "cmake", "-S", ROOT, "-B", build, *_COMMON, "-DBUILD_SHARED_LIBS=ON")
    else:
        build = _PRESET
        run(BIN / "cmake", "-S", ROOT, "--preset", "default", _NINJA)
    run(BIN / "cmake", "--build", build, "--target", "bbc", "-j2")
    prefix = folder / "prefix"
    run(BIN / "cmake", "--install", build, "--prefix", prefix, "--component", "development")
    return prefix


def build_examples(prefix: Path, folder: Path) -> Path:
    """The example consumers, built against an installed library."""
    run(
        BIN / "cmake",
        *("-S", ROOT / "cpp" / "examples" / "embed", "-B", folder, *_COMMON),
        f"-DCMAKE_PREFIX_PATH={prefix}",
    )
    run(BIN / "cmake", "--build", folder, "-j2")
    return folder
