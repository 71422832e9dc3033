#include "detail/isa/draw_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512
namespace bbc::detail {
namespace {

typedef std::uint64_t U64x BBC_VECTOR(64) BBC_MAY_ALIAS;
constexpr int kLanes = 8;

// The plain forms of these intrinsics make gcc 12 warn of uninitialised values.
inline U64x upper_halves(U64x a) {
  return (U64x)_mm512_maskz_shuffle_epi32(0xFFFF, (__m512i)a, (_MM_PERM_ENUM)0xF5);
}
inline U64x multiply(U64x a, U64x b) {
  return (U64x)_mm512_maskz_mul_epu32(0xFF, (__m512i)a, (__m512i)b);
}
inline U64x first_of_pairs(U64x a, U64x b) { return BBC_SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14); }
inline U64x second_of_pairs(U64x a, U64x b) { return BBC_SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15); }
inline U64x minimum(U64x a, U64x b) {
  return (U64x)_mm512_maskz_min_epu32(0xFFFF, (__m512i)a, (__m512i)b);
}

#include "detail/isa/draw_loops.hpp"

}  // namespace

const DrawKernel kDrawAvx512 = kKernel;

}  // namespace bbc::detail
BBC_END_TARGET
#endif
