#include "detail/isa/draw_kernel.hpp"

namespace bbc::detail {
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

const DrawKernel kDrawPortable{words, scaled, scale, draw_replicate_batch};

}  // namespace bbc::detail
