#include "detail/metrics/sorted_scores.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

constexpr int kMostDigitBits = 11;

constexpr std::size_t row_of(std::uint64_t packed) { return packed & 0xFFFFFFFFU; }

/// The smallest and largest score, several at a time: compilers make vectors of it.
std::pair<double, double> extremes(std::span<const double> scores) {
  constexpr std::size_t kWays = 8;
  double low[kWays];
  double high[kWays];
  std::fill_n(low, kWays, scores[0]);
  std::fill_n(high, kWays, scores[0]);
  std::size_t i = 0;
  for (; i + kWays <= scores.size(); i += kWays) {
    for (std::size_t k = 0; k < kWays; ++k) {
      low[k] = scores[i + k] < low[k] ? scores[i + k] : low[k];
      high[k] = scores[i + k] > high[k] ? scores[i + k] : high[k];
    }
  }
  for (; i < scores.size(); ++i) {
    low[0] = std::min(low[0], scores[i]);
    high[0] = std::max(high[0], scores[i]);
  }
  return {*std::min_element(low, low + kWays), *std::max_element(high, high + kWays)};
}

}  // namespace

/// Radix sort by a code of two digits, on which the scores are mapped without ever changing
/// their order; what shares a code is put in order afterwards.
void ScoreSorter::sort(std::span<const double> scores, SortedScores& sorted) {
  if (scores.empty()) {
    sorted = {};
    return;
  }
  const auto [low, high] = extremes(scores);
  const int digit_bits =
      std::clamp(static_cast<int>(std::bit_width(scores.size())), 4, kMostDigitBits);
  const auto most = static_cast<double>((1U << (2 * digit_bits)) - 1U);
  double scale = most / (high - low);
  // One score only, or a range whose width or inverse overflows: one code for all.
  if (!std::isfinite(scale) || !std::isfinite(high - low)) scale = 0.0;
  sort_by_code(scores, low, scale, digit_bits);
  sort_within_buckets(scores, sorted);
}

void ScoreSorter::sort_by_code(std::span<const double> scores, double low, double scale,
                               int digit_bits) {
  const std::size_t n = scores.size();
  packed_.resize(n);
  if (scale == 0.0) {
    std::iota(packed_.begin(), packed_.end(), std::uint64_t{0});
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto code =
        static_cast<std::uint32_t>(static_cast<std::int32_t>((scores[i] - low) * scale));
    packed_[i] = std::uint64_t{code} << 32U | i;
  }
  const std::size_t n_digits = std::size_t{1} << digit_bits;
  const std::uint64_t mask = n_digits - 1;
  const int first_shift = 32;
  const int second_shift = 32 + digit_bits;
  starts_.assign(2 * n_digits, 0);
  std::uint32_t* first_starts = starts_.data();
  std::uint32_t* second_starts = first_starts + n_digits;
  for (std::size_t i = 0; i < n; ++i) {
    ++first_starts[packed_[i] >> first_shift & mask];
    ++second_starts[packed_[i] >> second_shift];
  }
  std::uint32_t first_sum = 0;
  std::uint32_t second_sum = 0;
  for (std::size_t digit = 0; digit < n_digits; ++digit) {
    first_sum += std::exchange(first_starts[digit], first_sum);
    second_sum += std::exchange(second_starts[digit], second_sum);
  }
  other_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    other_[first_starts[packed_[i] >> first_shift & mask]++] = packed_[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    packed_[second_starts[other_[i] >> second_shift]++] = other_[i];
  }
}

void ScoreSorter::sort_within_buckets(std::span<const double> scores, SortedScores& sorted) {
  const std::size_t n = scores.size();
  const auto code = [&](std::size_t i) { return packed_[i] >> 32U; };
  const auto score = [&](std::uint64_t packed) { return scores[row_of(packed)]; };
  sorted.rows.resize(n);
  sorted.tied_with_next.clear();
  for (std::size_t first = 0; first + 1 < n;) {
    if (code(first) != code(first + 1)) {
      ++first;
      continue;
    }
    std::size_t last = first + 2;
    while (last < n && code(last) == code(first)) ++last;
    const auto from = packed_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = packed_.begin() + static_cast<std::ptrdiff_t>(last);
    const auto less = [&](std::uint64_t a, std::uint64_t b) {
      return score(a) != score(b) ? score(a) < score(b) : a < b;
    };
    if (!std::is_sorted(from, to, less)) std::sort(from, to, less);
    for (std::size_t i = first; i + 1 < last; ++i) {
      if (score(packed_[i]) != score(packed_[i + 1])) continue;
      if (sorted.tied_with_next.empty()) sorted.tied_with_next.assign(n, 0);
      sorted.tied_with_next[i] = 1;
    }
    first = last;
  }
  for (std::size_t i = 0; i < n; ++i)
    sorted.rows[i] = static_cast<std::int32_t>(row_of(packed_[i]));
}

SortedScores sorted_scores(std::span<const double> scores) {
  SortedScores sorted;
  ScoreSorter().sort(scores, sorted);
  return sorted;
}

}  // namespace bbc::detail
