"""The kernel's log, log1p and exp are the correctly rounded ones, however they are compiled."""

import ctypes
import math
from decimal import Context, Decimal

import numpy as np
import pytest

from embedding import ROOT, run
from nightly import nightly

SOURCE = """
#include "detail/support/elementary.hpp"

#define EACH(function)                                                        \\
  extern "C" void each_##function(const double* x, double* y, std::size_t n) { \\
    for (std::size_t i = 0; i < n; ++i) y[i] = bbc::detail::function(x[i]);   \\
  }
EACH(log)
EACH(log1p)
EACH(exp)
EACH(erf)
EACH(erfc)
"""
FUNCTIONS = ("log", "log1p", "exp", "erf", "erfc")
UNITS = ("elementary", "error_function")
COMPILED = {"as it is": ("-O0",), "for this processor": ("-O3", "-march=native")}

# Found by Lefevre and Muller's exhaustive search, and near powers of two by Taylor's series: the
# bits after the 53 that count are one and the same 45 to 90 times.
HARD = {
    "log": (
        "0x1.fd15daa6ce332p+732",
        "0x1.b7f71a488641ap+340",
        "0x1.613955dc802f8p-35",
        "0x1.0000000000006p+0",
        "0x1.0000000000018p+0",
    ),
    "log1p": (
        "0x1.200000000001bp-46",
        "0x1.080000000016bp-42",
        "0x1.02000000015abp-38",
        "0x1.039d33161ce58p+77",
        "0x1.0p-53",
        "-0x1.0p-54",
    ),
    "exp": (
        "0x1.c01a3eff3c558p-1",
        "0x1.9e4e63c1b1276p-1",
        "0x1.00d48a707b93ep-1",
        "0x1.f00e34002be6fp-1",
        "0x1.0p-53",
        "-0x1.0p-54",
        "0x1.7ffffffffffffp-52",
    ),
}


def compiled(folder, flags):
    """A function that applies one of the kernel's functions to an array."""
    source = folder / "each.cpp"
    source.write_text("#include <cstddef>\n" + SOURCE, encoding="utf-8")
    library = folder / "each.so"
    detail = ROOT / "cpp" / "src" / "detail"
    run(
        *("c++", "-std=c++20", "-ffp-contract=off", "-shared", "-fPIC", *flags),
        *("-I", detail.parent, source, *(detail / "support" / f"{unit}.cpp" for unit in UNITS)),
        *("-o", library),
    )
    loaded = ctypes.CDLL(str(library))

    def apply(function, x):
        x = np.ascontiguousarray(x, dtype=np.float64)
        y = np.empty_like(x)
        pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (x, y))
        loaded[f"each_{function}"](*pointers, ctypes.c_size_t(len(x)))
        return y

    return apply


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    return {
        name: compiled(tmp_path_factory.mktemp("each"), flags) for name, flags in COMPILED.items()
    }


def arguments(function, n):
    """Of all sizes, and more of those where digits are lost."""
    rng = np.random.default_rng(20)
    near = rng.choice([-1.0, 1.0], n) * 2.0 ** rng.uniform(-56, -2, n)
    if function == "log":
        return np.concatenate(
            [rng.random(n), 1 + near, 2.0 ** rng.uniform(-1074, 1024, n), 1 - rng.random(n) / 256]
        )
    if function == "log1p":
        return np.concatenate([10 * rng.random(n), near, 2.0 ** rng.uniform(0, 1024, n)])
    return np.concatenate([rng.uniform(-1, 1, n), near, rng.uniform(-745.2, 709.8, n)])


def exact(function, x):
    """By decimal arithmetic with sixty digits."""
    context = Context(prec=60, Emin=-(10**6), Emax=10**6)
    if function == "exp":
        return float(context.exp(Decimal(x)))
    argument = Decimal(x)
    if function == "log1p":  # 1 + x has 330 digits or less where x is below 2^-1000
        argument = Context(prec=1200).add(argument, 1)
        context.prec += max(0, -math.frexp(x)[1] // 3)  # as many as are lost beside 1
    return float(context.ln(argument))


@pytest.mark.parametrize("n", [3_000, *nightly(10_000)])
@pytest.mark.parametrize("function", HARD)
def test_random_arguments(builds, function, n):
    """A hundred thousand in all by night; one in about five hundred tells a good libm from this."""
    x = arguments(function, n)
    assert builds["as it is"](function, x).tolist() == [exact(function, a) for a in x.tolist()]


@pytest.mark.parametrize("function", HARD)
def test_hard_arguments(builds, function):
    x = [float.fromhex(text) for text in HARD[function]]
    if function == "exp":  # 1 + k 2^-53 is a half-way case, next to exp of the nearest number
        x += [math.log1p(k * 2.0**-53) for k in range(1, 400, 2)]
    assert builds["as it is"](function, x).tolist() == [exact(function, a) for a in x]


def test_subnormal_results_are_rounded_once(builds):
    x = np.linspace(-745.2, -708.3, 3_000)
    assert builds["as it is"]("exp", x).tolist() == [exact("exp", a) for a in x.tolist()]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_bit_depends_on_compiler_or_processor(builds, function):
    x = arguments("exp" if function[:2] == "er" else function, 100_000)
    first, second = (build(function, x) for build in builds.values())
    assert first.tobytes() == second.tobytes()
