#pragma once

#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bit>
#include <span>

#include "detail/fast/zero_one_sums.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// Largest count whose products of two fit bytes.
inline constexpr int kNearMost = 15;

/// Pairs of rows that are compared one by one: the same for all configurations, of which each has
/// some in the right order. How often a pair counts depends on the replicate alone, so that
/// configurations add pairs up as the 0-1 loss adds rows up, by look-up of six at a time.
class NearPairs {
 public:
  /// A pair is in the right order where its first row has the higher risk; a tie counts one half.
  NearPairs(std::span<const RowPair> pairs, const Predictions& risks, const ZeroOneKernel& kernel,
            const Control& control);

  /// Adds twice what configurations [first, last), at most kPanel, have in the right order to
  /// twice[(configuration - first) * kBlock + lane]. Counts are at most `most`, up to kNearMost.
  void add(const std::uint8_t* lines, int most, std::int64_t first, std::int64_t last,
           const StopFlag& stop, std::int32_t* twice) const;
  static constexpr std::int64_t kPanel = 512;

  /// The same of one configuration.
  void add(const std::uint8_t* lines, std::int64_t configuration, double* twice) const;

  /// The same for counts of any size, and slow.
  template <class Count>
  void add_exact(const Count* lines, std::int64_t configuration, double* twice) const {
    for_each_chunk(configuration, [&](const RowPair* pairs, std::uint64_t wanted, double times) {
      for (; wanted != 0; wanted &= wanted - 1) {
        const RowPair& pair = pairs[std::countr_zero(wanted)];
        const Count* first = lines + std::int64_t{pair.first} * kLine;
        const Count* second = lines + std::int64_t{pair.second} * kLine;
        for (int l = 0; l < kLine; ++l) {
          twice[l] += times * static_cast<double>(first[l]) * static_cast<double>(second[l]);
        }
      }
    });
  }

  /// The same where every row counts once.
  [[nodiscard]] double plain_key(std::int64_t configuration) const;

 private:
  /// Whether any pair ties; then a second set of patterns counts the tied pairs too.
  bool pack(const Predictions& risks, std::int64_t repeat, const Control& control);
  [[nodiscard]] double times() const { return patterns_.n_repeats() == 1 ? 2.0 : 1.0; }

  template <class Function>
  void for_each_chunk(std::int64_t configuration, const Function& function) const {
    for (std::int64_t chunk = 0; chunk < patterns_.n_chunks(); ++chunk) {
      for (std::int64_t repeat = 0; repeat < patterns_.n_repeats(); ++repeat) {
        function(pairs_.data() + chunk * kChunkRows, patterns_.bits(chunk, repeat, configuration),
                 times());
      }
    }
  }

  std::span<const RowPair> pairs_;
  const ZeroOneKernel& kernel_;
  ErrorPatterns patterns_;
  mutable Pool<ZeroOneSums> sums_;
};

}  // namespace bbc::detail
