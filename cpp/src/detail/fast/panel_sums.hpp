#pragma once

#include <cstdint>
#include <vector>

#include "detail/isa/zero_one_kernel.hpp"
#include "detail/support/aligned.hpp"

namespace bbc::detail {

/// Adds up the errors of a panel of configurations in a block of replicates: in bytes, which move
/// on to 16 bits before they overflow, and from there to 64.
class PanelSums {
 public:
  /// Room for `n_most` configurations.
  PanelSums(std::int64_t n_most, const PatternSumsKernel& kernel);

  /// Starts with `n` configurations. With `best`, sums of 16 bits are compared as the last ones
  /// come in, and are not kept.
  void start(std::int64_t n, bool best);
  /// One chunk of one repeat.
  struct Addend {
    const std::uint8_t* tables;
    int n_groups;
    const std::uint16_t* offsets;  // [configuration][kChunkGroups]
    int weight;                    // no sum is larger,
    int next_weight;               // nor any of the addend after it
    bool last;
  };
  void add(const Addend& addend);

  /// Whether all sums fit 16 bits; known before the last is added.
  [[nodiscard]] bool fit_words() const noexcept { return longs_.empty(); }
  /// The fewest errors of each lane, and who has them first: with `best`, if they fit words.
  [[nodiscard]] std::int64_t fewest(int lane) const { return fewest_.data()[word_of_lane(lane)]; }
  [[nodiscard]] std::int64_t where(int lane) const { return where_.data()[word_of_lane(lane)]; }
  /// The sums, [configuration][word of lane], if they fit words.
  [[nodiscard]] const std::uint16_t* words() const noexcept { return words_.data(); }
  /// Calls use(sums) with the sums, [configuration][word of lane], of 16 or 64 bits.
  template <class Use>
  void visit(const Use& use) const {
    if (fit_words()) {
      use(words_.data());
    } else {
      use(longs_.data());
    }
  }

 private:
  void move_to_longs();

  const PatternSumsKernel& kernel_;
  std::int64_t n_most_;
  std::int64_t n_ = 0;
  bool best_ = false;
  bool bytes_fresh_ = true;  // `bytes_` hold nothing yet
  bool words_fresh_ = true;
  int in_bytes_ = 0;  // no sum is larger
  int in_words_ = 0;
  Aligned<std::uint8_t> bytes_;      // [configuration][lane]; empty until any are kept
  Aligned<std::uint16_t> words_;     // [configuration][word of lane]
  std::vector<std::int64_t> longs_;  // [configuration][word of lane]; empty: not needed
  Aligned<std::uint16_t> fewest_;    // [word of lane], and
  Aligned<std::uint16_t> where_;     // who has them first
};

}  // namespace bbc::detail
