#include "detail/isa/pair_counts.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX2

namespace bbc::detail {
namespace {

constexpr int kBytes = 32;
typedef std::uint16_t Words BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
typedef std::int32_t Ints BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
typedef double Doubles BBC_VECTOR(kBytes) BBC_MAY_ALIAS;

Words bytes_to_words(const std::uint8_t* from) {
  const auto* bytes = reinterpret_cast<const __m128i*>(from);
  return (Words)_mm256_cvtepu8_epi16(_mm_load_si128(bytes));
}
Ints bytes_to_ints(const std::uint8_t* from) {
  const auto* bytes = reinterpret_cast<const __m128i*>(from);
  return (Ints)_mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes));
}
Ints words_to_ints(const std::uint16_t* from) {
  const auto* words = reinterpret_cast<const __m128i*>(from);
  return (Ints)_mm256_cvtepu16_epi32(_mm_load_si128(words));
}
Doubles ints_to_doubles(const std::int32_t* from) {
  const auto* ints = reinterpret_cast<const __m128i*>(from);
  return (Doubles)_mm256_cvtepi32_pd(_mm_load_si128(ints));
}

#include "detail/isa/pair_counts_loops.hpp"

}  // namespace

const PairCountKernel kPairCountsAvx2 = kKernel;

}  // namespace bbc::detail

BBC_END_TARGET
#endif
