"""Every C++ file includes the standard headers of the names that it uses.

A header may come through another header of ours, but never through one of the standard library:
which of those include which differs between compilers and their versions.
"""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("cpp", "tests/cpp", "benches", "r-bridge/bbcr/src")
# Loops are pasted into sources that have included what they need; cpp11 writes the other file.
SOURCES = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.[ch]pp"))
    if not path.name.endswith("_loops.hpp") and path.name != "cpp11.cpp"
]
# Whatever header of the library is included, these are there.
EVERYWHERE = {"size_t", "ptrdiff_t"}
# Where C++ declares what; of several headers any one will do.
DECLARED = {
    "algorithm": "all_of any_of binary_search clamp copy copy_if copy_n count count_if equal "
    "equal_range fill fill_n find find_if find_if_not for_each is_sorted lexicographical_compare "
    "lower_bound max max_element min min_element minmax minmax_element move none_of nth_element "
    "pair reverse rotate sort stable_sort transform unique upper_bound",
    "array": "array begin end get to_array",
    "atomic": "atomic memory_order_acquire memory_order_relaxed memory_order_release",
    "bit": "bit_cast bit_width countr_zero popcount",
    "cfenv": "fegetenv fegetround fenv_t fesetenv fesetround",
    "charconv": "from_chars",
    "chrono": "duration hours milliseconds steady_clock",
    "cmath": "abs acos ceil copysign erf erfc exp expm1 fabs floor frexp hypot ilogb isfinite "
    "isinf isnan ldexp lgamma log log1p lround nan nearbyint nextafter pow round "
    "signbit sqrt",
    "condition_variable": "condition_variable",
    "cstddef": "byte max_align_t",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t",
    "cstdio": "fflush fprintf printf snprintf",
    "cstdlib": "abort abs aligned_alloc atoi atoll exit free getenv malloc strtod strtoll strtoull",
    "cstring": "memchr memcmp memcpy memset strcmp",
    "ctime": "clock",
    "exception": "current_exception exception exception_ptr rethrow_exception",
    "filesystem": "filesystem directory_iterator",
    "fstream": "ifstream ios",
    "functional": "function greater invoke negate",
    "iostream": "cerr cout",
    "istream": "ws",
    "iterator": "back_inserter begin distance end istreambuf_iterator make_move_iterator next prev",
    "limits": "numeric_limits",
    "locale": "locale",
    "map": "map pair begin end erase_if",
    "memory": "make_shared make_unique shared_ptr unique_ptr",
    "list": "list begin end",
    "mutex": "lock_guard mutex try_to_lock unique_lock",
    "new": "align_val_t bad_alloc nothrow nothrow_t",
    "numbers": "e inv_pi inv_sqrtpi ln2 numbers pi sqrt2",
    "numeric": "accumulate gcd inner_product iota",
    "optional": "nullopt optional",
    "random": "mt19937 uniform_int_distribution",
    "ratio": "milli nano",
    "set": "set begin end",
    "span": "span begin end",
    "sstream": "istringstream ostringstream",
    "stdexcept": "runtime_error",
    "string": "getline stoull string to_string begin end",
    "string_view": "string_view",
    "system_error": "errc",
    "thread": "thread this_thread",
    "tuple": "get make_tuple tie tuple",
    "type_traits": "decay_t is_arithmetic_v is_constructible_v is_default_constructible_v "
    "is_empty_v is_enum_v is_integral_v is_same_v is_trivial_v is_trivially_copyable_v "
    "remove_cv_t remove_pointer_t",
    "unordered_map": "unordered_map pair begin end",
    "utility": "as_const exchange get move pair swap",
    "variant": "get get_if holds_alternative variant visit",
    "vector": "vector begin end erase_if",
}


def headers_of(name: str) -> set[str]:
    """The standard headers that declare a name."""
    return {header for header, names in DECLARED.items() if name in names.split()}


@cache
def included(path: Path) -> frozenset[str]:
    """What a file includes, itself or through headers of ours."""
    found: set[str] = set()
    for name in re.findall(r'#include [<"]([\w/.]+)[>"]', path.read_text(encoding="utf-8")):
        homes = (path.parent, ROOT / "cpp" / "include", ROOT / "cpp" / "src", ROOT / "tests/cpp")
        own = next((home / name for home in homes if (home / name).is_file()), None)
        found |= {name} if own is None else {name} | included(own)
    return frozenset(found)


def used(path: Path) -> set[str]:
    """The names of the standard library that a file spells, without its namespaces."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    spelled = re.findall(r"\bstd::(\w+)(?:::(\w+))?", text)
    inner = {"chrono", "filesystem", "numbers", "ranges"}
    return {
        second if first in inner and second else first for first, second in spelled
    } - EVERYWHERE


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_used_is_included(path):
    lacking = {
        name: headers_of(name) for name in used(path) if not headers_of(name) & included(path)
    }
    assert lacking == {}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "cpp" / "src").rglob("*.cpp")), ids=lambda path: path.name
)
def test_every_source_of_the_kernel_refuses_fast_math(path):
    assert "detail/support/arithmetic.hpp" in included(path)


@pytest.mark.parametrize("flag", ["-ffast-math", "-freciprocal-math", "-ffinite-math-only"])
def test_fast_math_is_refused(flag):
    command = ["c++", "-std=c++20", "-fsyntax-only", "-I", "cpp/include", "-I", "cpp/src"]
    command += [flag, "-include", "detail/support/arithmetic.hpp", "-x", "c++", "/dev/null"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "build it without -ffast-math" in done.stderr
    assert done.returncode != 0
