#include "detail/unit_draws.hpp"

#include <algorithm>

namespace bbc::detail {
namespace {

/// Blocks made at a time: their words stay in the first-level cache, and what each call sets up
/// (0.1 us) is spread over many draws.
constexpr int kBuffered = 256;
constexpr int kRoom = 4 * (kBuffered + kPhiloxStep);

/// Number of blocks of a replicate that is read on its own.
constexpr std::uint32_t kEndless = 0xFFFFFFFFU;

}  // namespace

/// The words of one replicate in order, without end.
class UnitDraws::Words {
 public:
  Words(const DrawKernel& kernel, const PhiloxRange& range) : kernel_(kernel), range_(range) {
    range_.n_blocks = kEndless;
  }

  std::uint32_t below(std::uint32_t bound, std::uint32_t threshold) {
    for (;;) {
      const std::uint64_t product = std::uint64_t{next()} * bound;
      if (static_cast<std::uint32_t>(product) >= threshold) {
        return static_cast<std::uint32_t>(product >> 32U);
      }
    }
  }

 private:
  std::uint32_t next() {
    if (at_ == 4 * kBuffered) {
      kernel_.words(range_, kBuffered, words_);
      range_.first_block += kBuffered;
      at_ = 0;
    }
    return words_[at_++];
  }

  const DrawKernel& kernel_;
  PhiloxRange range_;
  int at_ = 4 * kBuffered;
  alignas(64) std::uint32_t words_[kRoom];
};

void UnitDraws::add(std::int64_t first, int n_replicates, std::uint32_t attempt,
                    std::int64_t n_units, std::uint16_t* counts) const {
  alignas(64) std::uint32_t drawn[kRoom];
  const std::int64_t n_blocks = (n_units + 3) / 4;
  PhiloxRange range{key_, stream_, attempt, static_cast<std::uint32_t>(n_blocks), 0, 0};
  const int together = static_cast<int>(kBuffered / n_blocks);
  for (int done = 0; done < n_replicates;) {
    range.first_replicate = static_cast<std::uint32_t>(first + done);
    const int n = std::min(together, n_replicates - done);
    if (n == 0 || !kernel_.scaled(range, n * static_cast<int>(n_blocks),
                                  static_cast<std::uint32_t>(n_units), drawn)) {
      add_one(range, n_units, counts + done * n_units);
      ++done;
      continue;
    }
    for (int i = 0; i < n; ++i, ++done) {
      const std::uint32_t* from = drawn + 4 * i * n_blocks;
      std::uint16_t* to = counts + done * n_units;
      for (std::int64_t j = 0; j < n_units; ++j) ++to[from[j]];
    }
  }
}

void UnitDraws::add_one(PhiloxRange range, std::int64_t n_units, std::uint16_t* counts) const {
  alignas(64) std::uint32_t drawn[kRoom];
  const auto bound = static_cast<std::uint32_t>(n_units);
  const std::uint32_t threshold = rejection_threshold(bound);
  range.n_blocks = kEndless;
  for (std::int64_t left = n_units; left > 0; range.first_block += kBuffered) {
    const auto n = static_cast<int>(std::min<std::int64_t>(4 * kBuffered, left));
    const int n_blocks = (n + 3) / 4;
    if (kernel_.scaled(range, n_blocks, bound, drawn)) {
      for (int i = 0; i < n; ++i) ++counts[drawn[i]];
      left -= n;
      continue;
    }
    kernel_.words(range, n_blocks, drawn);
    // The words behind a rejected one move up; those past the last draw are not looked at.
    for (int i = 0; i < 4 * n_blocks && left > 0; ++i) {
      const std::uint64_t product = std::uint64_t{drawn[i]} * bound;
      if (static_cast<std::uint32_t>(product) < threshold) continue;
      ++counts[product >> 32U];
      --left;
    }
    // A short buffer leaves the blocks behind it for the draws that are still missing.
    range.first_block -= static_cast<std::uint32_t>(kBuffered - n_blocks);
  }
}

void UnitDraws::add(std::int64_t replicate, std::uint32_t attempt,
                    std::span<const std::vector<std::int32_t>> units_of_stratum,
                    std::uint16_t* counts) const {
  Words words(kernel_, {key_, stream_, attempt, 0, static_cast<std::uint32_t>(replicate), 0});
  for (const auto& units : units_of_stratum) {
    const auto bound = static_cast<std::uint32_t>(units.size());
    const std::uint32_t threshold = rejection_threshold(bound);
    for (std::size_t i = 0; i < units.size(); ++i) {
      ++counts[units[words.below(bound, threshold)]];
    }
  }
}

}  // namespace bbc::detail
