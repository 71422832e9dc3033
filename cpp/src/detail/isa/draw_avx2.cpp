#include "detail/isa/draw_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX2
namespace bbc::detail {
namespace {

typedef std::uint64_t U64x BBC_VECTOR(32) BBC_MAY_ALIAS;
constexpr int kLanes = 4;

inline U64x upper_halves(U64x a) { return (U64x)_mm256_shuffle_epi32((__m256i)a, 0xF5); }
inline U64x multiply(U64x a, U64x b) { return (U64x)_mm256_mul_epu32((__m256i)a, (__m256i)b); }
inline U64x first_of_pairs(U64x a, U64x b) { return BBC_SHUFFLE(a, b, 0, 4, 2, 6); }
inline U64x second_of_pairs(U64x a, U64x b) { return BBC_SHUFFLE(a, b, 1, 5, 3, 7); }
inline U64x minimum(U64x a, U64x b) { return (U64x)_mm256_min_epu32((__m256i)a, (__m256i)b); }

#include "detail/isa/draw_loops.hpp"

}  // namespace

const DrawKernel kDrawAvx2 = kKernel;

}  // namespace bbc::detail
BBC_END_TARGET
#endif
