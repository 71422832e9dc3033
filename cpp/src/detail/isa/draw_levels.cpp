#include "detail/isa/draw_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>
#endif

namespace bbc::detail {
namespace portable {
namespace {
/// Calls function(i, word) for the words of the range's first `n` blocks, in order.
template <class Function>
void for_each_word(const PhiloxRange& range, int n, const Function& function) {
  PhiloxCounter counter{range.first_block, range.replicate, range.attempt, range.stream};
  for (int block = 0; block < n; ++block, ++counter[0]) {
    const PhiloxCounter four = philox4x32(counter, range.key);
    for (int i = 0; i < 4; ++i) function(4 * block + i, four[static_cast<std::size_t>(i)]);
  }
}

void words(const PhiloxRange& range, int n, std::uint32_t* words) {
  for_each_word(range, n, [&](int i, std::uint32_t word) { words[i] = word; });
}

bool scaled(const PhiloxRange& range, int n, std::uint32_t bound, std::uint32_t* scaled) {
  const std::uint32_t threshold = rejection_threshold(bound);
  bool accepted = true;
  for_each_word(range, n, [&](int i, std::uint32_t word) {
    const std::uint64_t product = std::uint64_t{word} * bound;
    accepted &= static_cast<std::uint32_t>(product) >= threshold;
    scaled[i] = static_cast<std::uint32_t>(product >> 32U);
  });
  return accepted;
}

bool scale(const std::uint32_t* words, int n, std::uint32_t bound, std::uint32_t* scaled) {
  const std::uint32_t threshold = rejection_threshold(bound);
  bool accepted = true;
  for (int i = 0; i < n; ++i) {
    const std::uint64_t product = std::uint64_t{words[i]} * bound;
    accepted &= static_cast<std::uint32_t>(product) >= threshold;
    scaled[i] = static_cast<std::uint32_t>(product >> 32U);
  }
  return accepted;
}

std::uint64_t draw_replicate_batch(const PhiloxRange& range, int n_replicates,
                                   std::uint32_t n_units, std::uint16_t* counts) {
  std::uint32_t drawn[kMostUnitsOfBatch] = {};
  std::uint64_t again = 0;
  PhiloxRange own = range;
  for (int i = 0; i < n_replicates; ++i, ++own.replicate, counts += n_units) {
    again |= std::uint64_t{!scaled(own, static_cast<int>((n_units + 3) / 4), n_units, drawn)} << i;
    for (std::uint32_t j = 0; j < n_units; ++j) ++counts[drawn[j]];
  }
  return again;
}

}  // namespace
}  // namespace portable
const DrawKernel kDrawPortable{portable::words, portable::scaled, portable::scale,
                               portable::draw_replicate_batch};

#ifdef BBC_X86
BBC_BEGIN_AVX2
namespace avx2 {
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
}  // namespace avx2
BBC_END_TARGET
const DrawKernel kDrawAvx2 = avx2::kKernel;

BBC_BEGIN_AVX512
namespace avx512 {
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
}  // namespace avx512
BBC_END_TARGET
const DrawKernel kDrawAvx512 = avx512::kKernel;
#endif

}  // namespace bbc::detail
