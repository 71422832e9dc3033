#include "detail/isa/pair_counts.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512

namespace bbc::detail {
namespace {

constexpr int kBytes = 64;
constexpr int kWide = 8;
typedef double Doubles BBC_VECTOR(64) BBC_MAY_ALIAS;

Doubles widen(const std::uint16_t* counts) {
  const __m128i words = _mm_load_si128(reinterpret_cast<const __m128i*>(counts));
  return (Doubles)_mm512_maskz_cvtepi32_pd(0xFF, _mm256_cvtepu16_epi32(words));
}

#include "detail/isa/pair_counts_loops.hpp"

}  // namespace

const PairCountKernel kPairCountsAvx512 = kKernel;

}  // namespace bbc::detail

BBC_END_TARGET
#endif
