#pragma once

#include <array>
#include <cstdint>

namespace bbc {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): ten rounds, a pure function of its arguments.
[[nodiscard]] constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32U) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32U) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

[[nodiscard]] constexpr PhiloxKey philox_key(std::uint64_t seed) noexcept {
  return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)};
}

/// What Lemire's method rejects: words whose product with `bound` has a low half below this.
[[nodiscard]] constexpr std::uint32_t rejection_threshold(std::uint32_t bound) noexcept {
  return (0U - bound) % bound;
}

/// The words that one attempt at one replicate draws from, in order.
class WordStream {
 public:
  constexpr WordStream(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate,
                       std::uint32_t attempt) noexcept
      : key_(philox_key(seed)), counter_{0, replicate, attempt, stream} {}

  constexpr std::uint32_t next() noexcept {
    if (position_ == 4) {
      words_ = philox4x32(counter_, key_);
      ++counter_[0];
      position_ = 0;
    }
    return words_[position_++];
  }

  /// Uniform on 0 .. bound - 1, for a bound of at least 1, without bias: multiply and shift,
  /// rejection takes the next word.
  constexpr std::uint32_t below(std::uint32_t bound) noexcept {
    const std::uint32_t threshold = rejection_threshold(bound);
    for (;;) {
      const std::uint64_t product = std::uint64_t{next()} * bound;
      if (static_cast<std::uint32_t>(product) >= threshold) {
        return static_cast<std::uint32_t>(product >> 32U);
      }
    }
  }

 private:
  PhiloxKey key_;
  PhiloxCounter counter_;
  std::array<std::uint32_t, 4> words_{};
  std::size_t position_ = 4;
};

}  // namespace bbc

namespace bbc::stream {

// Who draws from which Philox stream, so that one seed never serves two purposes. The correction
// has stream 0 and the t-th dropping test stream t; all others count from the top half.
inline constexpr std::uint32_t kSplit = 0x80000000U;             ///< learn / evaluation split
inline constexpr std::uint32_t kTilting = 0x80000001U;           ///< replicates of BT and MABT
inline constexpr std::uint32_t kWinnerFolds = 0x80000002U;       ///< NB: the winner's fold scores
inline constexpr std::uint32_t kNaiveBootstrap = 0x80000003U;    ///< one fixed configuration
inline constexpr std::uint32_t kModelLuck = 0x80000004U;         ///< permutations of fold labels
inline constexpr std::uint32_t kErrorTails = 0x80000005U;        ///< few rows, for tails of errors
inline constexpr std::uint32_t kFoldPermutations = 0x80000006U;  ///< the same, for what is left
inline constexpr std::uint32_t kMultipliers = 0x80000010U;  ///< of rows, for the winner's interval
inline constexpr std::uint32_t kMultiplierScales = 0x80000012U;  ///< of draws of kMultipliers
inline constexpr std::uint32_t kMeanErrors = 0x80000011U;        ///< normal errors of WMC

}  // namespace bbc::stream
