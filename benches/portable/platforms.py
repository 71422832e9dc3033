"""The platforms on which the kernel is built, and how."""

import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
_NODE = "-O1 -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sWASM_ASYNC_COMPILATION=0 -sEXIT_RUNTIME=1"
_OF_ARITHMETIC = ("golden_bits", "elementary", "error_function", "fixed_point", "draws")


@dataclass(frozen=True)
class Platform:
    """One line of the table.

    `tests` are the names of the C++ tests that are built, without `test_`; none means all.
    `script` builds something else than the library and its tests, in a folder by a compiler.
    """

    name: str
    compiler: tuple[str, ...]
    packages: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    runs: bool = True
    note: str = ""
    script: str = ""


def _zig(target: str, system: str, note: str) -> Platform:
    """Builds the library and one program, which cannot run here."""
    return Platform(
        f"zig-{target}",
        (sys.executable, "-m", "ziglang", "c++", "-target", target),
        options=(f"-DCMAKE_SYSTEM_NAME={system}", "-DCMAKE_INSTALL_NAME_TOOL=true"),
        tests=("golden_bits",),
        runs=False,
        note=note,
    )


PLATFORMS = (
    Platform(
        "x86_64-linux-libc++",
        ("clang++-19",),
        ("clang-19", "libc++-19-dev", "libc++abi-19-dev"),
        ("-DCMAKE_CXX_FLAGS=-stdlib=libc++", "-DBBC_WARNINGS_AS_ERRORS=ON"),
    ),
    Platform(
        "aarch64-linux",
        ("aarch64-linux-gnu-g++",),
        ("g++-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"),
        (
            *("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"),
            *("-DCMAKE_EXE_LINKER_FLAGS=-static", "-DBBC_WARNINGS_AS_ERRORS=ON"),
            "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64",
        ),
        note="under qemu-user, so no speed is measured; look-ups of the 0-1 loss are ldr and add "
        "of 16 bytes, interleaving is zip1 and zip2 (no tbl), nothing is fused",
    ),
    Platform(
        "x86_64-windows",
        ("x86_64-w64-mingw32-g++-posix",),
        ("g++-mingw-w64-x86-64-posix", "wine64"),
        (
            *("-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_EXE_LINKER_FLAGS=-static"),
            "-DCMAKE_CROSSCOMPILING_EMULATOR=/usr/lib/wine/wine64",
        ),
        note="under wine; gcc gets the portable loops (GCC bug 54412)",
    ),
    Platform(
        "r-windows",
        ("x86_64-w64-mingw32-g++-posix",),
        ("g++-mingw-w64-x86-64-posix", "r-base-core", "r-cran-cpp11"),
        runs=False,
        note="the DLL of the R package, by R's own build, linked to a stub of R.dll",
        script="r_windows.sh",
    ),
    Platform(
        "wasm",
        ("em++",),
        ("emscripten", "nodejs"),
        (
            "-DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake",
            "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG",
            f"-DCMAKE_CXX_FLAGS=-fwasm-exceptions -include {HERE / 'emscripten.hpp'}",
            f"-DCMAKE_EXE_LINKER_FLAGS={_NODE}",
        ),
        tests=_OF_ARITHMETIC,
        note="in node, one thread; tests of threads and of rounding modes need what it lacks",
    ),
    _zig("aarch64-macos", "Darwin", "linked, not run"),
    _zig("x86_64-macos", "Darwin", "linked, not run"),
    _zig("x86_64-windows-gnu", "Windows", "linked, not run; clang has AVX2 and AVX-512 here"),
)
