#include "detail/isa/confusion_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512

namespace bbc::detail {
namespace {

constexpr int kWide = 8;
typedef double Doubles BBC_VECTOR(64) BBC_MAY_ALIAS;

Doubles widen(const std::uint16_t* counts) {
  const __m128i words = _mm_load_si128(reinterpret_cast<const __m128i*>(counts));
  return (Doubles)_mm512_maskz_cvtepi32_pd(0xFF, _mm256_cvtepu16_epi32(words));
}

Doubles root(Doubles values) { return (Doubles)_mm512_maskz_sqrt_pd(0xFF, (__m512d)values); }

#include "detail/isa/confusion_loops.hpp"

}  // namespace

const ConfusionKernel kConfusionAvx512 = kKernel;

}  // namespace bbc::detail

BBC_END_TARGET
#endif
