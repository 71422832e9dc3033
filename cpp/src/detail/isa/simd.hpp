#pragma once

#include <string_view>

#include "detail/support/arithmetic.hpp"
#include "detail/support/compiler.hpp"

namespace bbc::detail {

/// Instruction sets that inner loops exist for. `avx512` needs F, BW, VL, DQ and VNNI. Each
/// level includes those before it.
enum class SimdLevel { portable, avx2, avx512 };

/// What this processor offers, lowered by the environment variable BBC_SIMD (portable, avx2
/// or avx512) as it was when the library was loaded. Throws Error when the variable named
/// anything else. No level changes a bit of any result.
[[nodiscard]] SimdLevel simd_level();

/// Lowers it further from now on, by the same names; for tests and benchmarks.
void limit_simd(std::string_view name);

}  // namespace bbc::detail

// Code for one instruction set stands between BBC_BEGIN_<LEVEL> and BBC_END_TARGET, after all
// includes, in an anonymous namespace, and calls no inline function of the standard library: the
// linker could keep that copy for everybody. Attributes instead of compiler flags, because R
// packages may not pass flags. Nothing in there is ever contracted to a fused multiply-add.
//
// On Windows gcc aligns the stack to 16 bytes and assumes 32 or 64 of vectors on it, which crashes
// (GCC bug 54412): there it gets the portable loops.
#if defined(__x86_64__) && !(defined(_WIN32) && !defined(__clang__))
#define BBC_X86 1
#define BBC_AVX2_FEATURES "avx2,bmi,bmi2,popcnt"
#define BBC_AVX512_FEATURES "avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"
#if defined(__clang__)
#define BBC_BEGIN_TARGET(features)                                                         \
  BBC_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function)) \
  BBC_PRAGMA(clang fp contract(off))
#define BBC_END_TARGET BBC_PRAGMA(clang attribute pop)
#else
// From gcc 14 on, what follows the target is no longer heeded.
#define BBC_BEGIN_TARGET(features) \
  BBC_PRAGMA(GCC push_options)     \
  BBC_PRAGMA(GCC optimize("fp-contract=off")) BBC_PRAGMA(GCC target(features))
#define BBC_END_TARGET BBC_PRAGMA(GCC pop_options)
#endif
#define BBC_BEGIN_AVX2 BBC_BEGIN_TARGET(BBC_AVX2_FEATURES)
#define BBC_BEGIN_AVX512 BBC_BEGIN_TARGET(BBC_AVX512_FEATURES)
/// Of the loops <name>Portable, <name>Avx2 and <name>Avx512, those of a level.
#define BBC_OF_LEVEL(level, name)              \
  ((level) == SimdLevel::avx512 ? name##Avx512 \
   : (level) == SimdLevel::avx2 ? name##Avx2   \
                                : name##Portable)
#else
#define BBC_OF_LEVEL(level, name) (static_cast<void>(level), name##Portable)
#endif
