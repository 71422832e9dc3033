#include "detail/isa/confusion_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX2

namespace bbc::detail {
namespace {

constexpr int kWide = 4;
typedef double Doubles BBC_VECTOR(32) BBC_MAY_ALIAS;

Doubles widen(const std::uint16_t* counts) {
  const __m128i words = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(counts));
  return (Doubles)_mm256_cvtepi32_pd(_mm_cvtepu16_epi32(words));
}

Doubles root(Doubles values) { return (Doubles)_mm256_sqrt_pd((__m256d)values); }

#include "detail/isa/confusion_loops.hpp"

}  // namespace

const ConfusionKernel kConfusionAvx2 = kKernel;

}  // namespace bbc::detail

BBC_END_TARGET
#endif
