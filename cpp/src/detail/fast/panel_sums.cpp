#include "detail/fast/panel_sums.hpp"

#include <algorithm>
#include <limits>

namespace bbc::detail {
namespace {

constexpr int kMostByte = std::numeric_limits<std::uint8_t>::max();
constexpr int kMostWord = std::numeric_limits<std::uint16_t>::max();

}  // namespace

PanelSums::PanelSums(std::int64_t n_most, const PatternSumsKernel& kernel)
    : kernel_(kernel),
      n_most_(n_most),
      words_(static_cast<std::size_t>(n_most * kBlock)),
      fewest_(kBlock),
      where_(kBlock) {}

void PanelSums::start(std::int64_t n, bool best) {
  n_ = n;
  best_ = best;
  bytes_fresh_ = words_fresh_ = true;
  in_bytes_ = in_words_ = 0;
  longs_.clear();
  std::fill_n(fewest_.data(), kBlock, static_cast<std::uint16_t>(kMostWord));
  std::fill_n(where_.data(), kBlock, std::uint16_t{0});
}

void PanelSums::add(const Addend& addend) {
  in_bytes_ += addend.weight;
  if (in_words_ + in_bytes_ > kMostWord) {
    if (longs_.empty()) longs_.resize(static_cast<std::size_t>(n_ * kBlock));
    move_to_longs();
  }
  SumsTo to = SumsTo::bytes;
  if (addend.last && best_ && fit_words()) {
    to = SumsTo::best;
  } else if (addend.last || in_bytes_ + addend.next_weight > kMostByte) {
    to = SumsTo::words;
  } else if (bytes_.size() == 0) {
    bytes_ = Aligned<std::uint8_t>(static_cast<std::size_t>(n_most_ * kBlock));
  }
  kernel_.step({addend.tables, addend.n_groups, addend.offsets, n_, to, bytes_fresh_, words_fresh_,
                bytes_.data(), words_.data(), fewest_.data(), where_.data()});
  bytes_fresh_ = to != SumsTo::bytes;
  if (!bytes_fresh_) return;
  in_words_ += in_bytes_;
  in_bytes_ = 0;
  words_fresh_ = false;
  if (addend.last && !fit_words()) move_to_longs();
}

void PanelSums::move_to_longs() {
  for (std::size_t i = 0; i < longs_.size(); ++i) longs_[i] += words_.data()[i];
  in_words_ = 0;
  words_fresh_ = true;
}

}  // namespace bbc::detail
