#include <cmath>

#include "detail/isa/confusion_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>
#endif

namespace bbc::detail {
namespace portable {
namespace {
constexpr int kWide = 2;
typedef double Doubles BBC_VECTOR(16) BBC_MAY_ALIAS;

Doubles widen(const std::uint16_t* counts) {
  return Doubles{static_cast<double>(counts[0]), static_cast<double>(counts[1])};
}

Doubles root(Doubles values) { return Doubles{std::sqrt(values[0]), std::sqrt(values[1])}; }

#include "detail/isa/confusion_loops.hpp"
}  // namespace
}  // namespace portable
const ConfusionKernel kConfusionPortable = portable::kKernel;

#ifdef BBC_X86
BBC_BEGIN_AVX2
namespace avx2 {
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
}  // namespace avx2
BBC_END_TARGET
const ConfusionKernel kConfusionAvx2 = avx2::kKernel;

BBC_BEGIN_AVX512
namespace avx512 {
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
}  // namespace avx512
BBC_END_TARGET
const ConfusionKernel kConfusionAvx512 = avx512::kKernel;
#endif

}  // namespace bbc::detail
