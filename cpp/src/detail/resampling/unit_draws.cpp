#include "detail/resampling/unit_draws.hpp"

#include <algorithm>
#include <bit>

#include "detail/support/aligned.hpp"

namespace bbc::detail {
namespace {

/// Blocks made at a time: their words stay in the first-level cache, and what each call sets up
/// (0.1 us) is spread over many draws.
constexpr int kBuffered = 256;
constexpr int kRoom = 4 * (kBuffered + kPhiloxStep);

/// Counts draws of more units than caches hold counts of. Each count that is not there is waited
/// for, so drawn units are first sorted into stretches of units, whose counts fit the second-level
/// cache: 10^7 rows take 0.6 of the time.
class StretchCounts {
 public:
  /// Counts of fewer units stay in the last-level cache.
  static constexpr std::int64_t kFewest = std::int64_t{1} << 22U;

  explicit StretchCounts(std::int64_t n_units)
      : waiting_(static_cast<std::size_t>((n_units + kStretch - 1) / kStretch)),
        room_(waiting_.size() * kMost) {}

  void add(std::uint32_t unit, std::uint16_t* counts) {
    std::size_t& n = waiting_[unit / kStretch];
    if (n == kMost) {  // against all odds
      ++counts[unit];
      return;
    }
    room_.data()[unit / kStretch * kMost + n] = static_cast<std::uint16_t>(unit % kStretch);
    ++n;
  }

  /// Counts the units that wait.
  void finish(std::uint16_t* counts) {
    const std::uint16_t* units = room_.data();
    for (std::size_t& n : waiting_) {
      for (std::size_t i = 0; i < n; ++i) ++counts[units[i]];
      n = 0;
      units += kMost;
      counts += kStretch;
    }
  }

 private:
  static constexpr std::uint32_t kStretch = 1U << 16U;
  /// As many draws as a stretch has units are expected: this is ten standard deviations more.
  static constexpr std::size_t kMost = kStretch + 10 * 256;

  std::vector<std::size_t> waiting_;  // of each stretch
  Aligned<std::uint16_t> room_;
};

}  // namespace

/// The words of one replicate in order, without end.
class UnitDraws::BufferedWordStream {
 public:
  /// `n_expected` words will do for most replicates.
  BufferedWordStream(const DrawKernel& kernel, const PhiloxRange& range, std::int64_t n_expected)
      : kernel_(kernel),
        range_(range),
        n_blocks_(
            static_cast<int>(std::min<std::int64_t>(kBuffered, n_expected / 4 + kPhiloxStep))) {}

  std::uint32_t below(std::uint32_t bound, std::uint32_t threshold) {
    for (;;) {
      const std::uint64_t product = std::uint64_t{next()} * bound;
      if (static_cast<std::uint32_t>(product) >= threshold) {
        return static_cast<std::uint32_t>(product >> 32U);
      }
    }
  }

  /// Draws as many units as there are, with replacement.
  void draw(const std::vector<std::int32_t>& units, std::uint16_t* counts) {
    const auto bound = static_cast<std::uint32_t>(units.size());
    const std::int32_t* const of = units.data();
    for (std::int64_t left = bound; left > 0;) {
      if (at_ == end_) refill();
      const auto n = static_cast<int>(std::min<std::int64_t>(left, end_ - at_));
      if (kernel_.scale(words_ + at_, n, bound, scaled_)) {
        for (int i = 0; i < n; ++i) ++counts[of[scaled_[i]]];
        at_ += n;
        left -= n;
        continue;
      }
      // The words behind a rejected one move up.
      const std::uint32_t threshold = rejection_threshold(bound);
      for (int i = 0; i < n; ++i, --left) ++counts[of[below(bound, threshold)]];
    }
  }

 private:
  std::uint32_t next() {
    if (at_ == end_) refill();
    return words_[at_++];
  }

  void refill() {
    kernel_.words(range_, n_blocks_, words_);
    range_.first_block += static_cast<std::uint32_t>(n_blocks_);
    at_ = 0;
    end_ = 4 * n_blocks_;
  }

  const DrawKernel& kernel_;
  PhiloxRange range_;
  int n_blocks_;
  int at_ = 0;
  int end_ = 0;
  alignas(64) std::uint32_t words_[kRoom];
  std::uint32_t scaled_[kRoom];
};

void UnitDraws::add(std::int64_t first, int n_replicates, std::uint32_t attempt,
                    std::int64_t n_units, std::uint16_t* counts) const {
  PhiloxRange range{key_, stream_, attempt, static_cast<std::uint32_t>(first), 0};
  if (n_units >= StretchCounts::kFewest) {
    StretchCounts sorted(n_units);
    for (int i = 0; i < n_replicates; ++i, ++range.replicate, counts += n_units) {
      add_one(range, n_units, [&](std::uint32_t unit) { sorted.add(unit, counts); });
      sorted.finish(counts);
    }
    return;
  }
  if (n_units > kMostUnitsOfBatch) {
    for (int i = 0; i < n_replicates; ++i, ++range.replicate, counts += n_units) {
      add_one(range, n_units, [&](std::uint32_t unit) { ++counts[unit]; });
    }
    return;
  }
  for (int done = 0; done < n_replicates; done += kMostInBatch) {
    const int n = std::min(kMostInBatch, n_replicates - done);
    std::uint64_t again = kernel_.draw_replicate_batch(
        range, n, static_cast<std::uint32_t>(n_units), counts + done * n_units);
    for (; again != 0; again &= again - 1) {
      const int i = std::countr_zero(again);
      PhiloxRange rejected = range;
      rejected.replicate += static_cast<std::uint32_t>(i);
      std::uint16_t* to = counts + (done + i) * n_units;
      std::fill_n(to, n_units, std::uint16_t{0});
      add_one(rejected, n_units, [&](std::uint32_t unit) { ++to[unit]; });
    }
    range.replicate += kMostInBatch;
  }
}

template <class Count>
void UnitDraws::add_one(PhiloxRange range, std::int64_t n_units, const Count& count) const {
  alignas(64) std::uint32_t drawn[kRoom];
  const auto bound = static_cast<std::uint32_t>(n_units);
  const std::uint32_t threshold = rejection_threshold(bound);
  for (std::int64_t left = n_units; left > 0; range.first_block += kBuffered) {
    const auto n = static_cast<int>(std::min<std::int64_t>(4 * kBuffered, left));
    const int n_blocks = (n + 3) / 4;
    if (kernel_.scaled(range, n_blocks, bound, drawn)) {
      for (int i = 0; i < n; ++i) count(drawn[i]);
      left -= n;
      continue;
    }
    kernel_.words(range, n_blocks, drawn);
    // The words behind a rejected one move up; those past the last draw are not looked at.
    for (int i = 0; i < 4 * n_blocks && left > 0; ++i) {
      const std::uint64_t product = std::uint64_t{drawn[i]} * bound;
      if (static_cast<std::uint32_t>(product) < threshold) continue;
      count(static_cast<std::uint32_t>(product >> 32U));
      --left;
    }
    // A short buffer leaves the blocks behind it for the draws that are still missing.
    range.first_block -= static_cast<std::uint32_t>(kBuffered - n_blocks);
  }
}

void UnitDraws::add(std::int64_t replicate, std::uint32_t attempt,
                    std::span<const std::vector<std::int32_t>> units_of_stratum,
                    std::uint16_t* counts) const {
  std::int64_t n_units = 0;
  for (const auto& units : units_of_stratum) n_units += static_cast<std::int64_t>(units.size());
  BufferedWordStream words(
      kernel_, {key_, stream_, attempt, static_cast<std::uint32_t>(replicate), 0}, n_units);
  for (const auto& units : units_of_stratum) words.draw(units, counts);
}

void UnitDraws::add_two_level(std::int64_t replicate, std::uint32_t attempt,
                              std::span<const std::vector<std::vector<std::int32_t>>> units,
                              std::uint16_t* unit_counts, std::uint16_t* fold_counts) const {
  auto n_words = static_cast<std::int64_t>(units.size());
  for (const auto& of_fold : units) {
    for (const auto& of_stratum : of_fold) n_words += static_cast<std::int64_t>(of_stratum.size());
  }
  BufferedWordStream words(
      kernel_, {key_, stream_, attempt, static_cast<std::uint32_t>(replicate), 0}, n_words);
  const auto n_folds = static_cast<std::uint32_t>(units.size());
  const std::uint32_t threshold = rejection_threshold(n_folds);
  std::vector<std::uint32_t> drawn(n_folds);
  for (std::uint32_t& fold : drawn) fold = words.below(n_folds, threshold);
  for (const std::uint32_t fold : drawn) {
    ++fold_counts[fold];
    for (const auto& of_stratum : units[fold]) words.draw(of_stratum, unit_counts);
  }
}

}  // namespace bbc::detail
