#include "detail/draw_kernel.hpp"

namespace bbc::detail {
namespace {

/// Calls function(i, word) for the words of the range's first `n` blocks, in order.
template <class Function>
void for_each_word(const PhiloxRange& range, int n, const Function& function) {
  PhiloxCounter counter{range.first_block, range.first_replicate, range.attempt, range.stream};
  for (int block = 0; block < n; ++block) {
    const PhiloxCounter four = philox4x32(counter, range.key);
    for (int i = 0; i < 4; ++i) function(4 * block + i, four[static_cast<std::size_t>(i)]);
    if (++counter[0] == range.n_blocks) {
      counter[0] = 0;
      ++counter[1];
    }
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

}  // namespace

const DrawKernel kDrawPortable{words, scaled};

}  // namespace bbc::detail
