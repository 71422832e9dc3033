#include "detail/fast/near_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <type_traits>

#include "detail/metrics/column_reader.hpp"

namespace bbc::detail {
namespace {

/// One row's risks in a tile of configurations: where they are, or gathered.
class RiskRow {
 public:
  RiskRow(const Predictions& risks, std::int64_t first, int n)
      : risks_(risks), first_(first), n_(n) {}

  const double* read(std::int64_t row) {
    return std::visit([&](const auto& view) { return read(view, row); }, risks_);
  }

 private:
  template <class T>
  const double* read(const View<T>& view, std::int64_t row) {
    const T* from = &view(row, first_);
    if constexpr (std::is_same_v<T, double>) {
      if (view.strides[1] == 1) return from;
    }
    if (row != row_) {
      for (int j = 0; j < n_; ++j) gathered_[j] = static_cast<double>(from[j * view.strides[1]]);
      row_ = row;
    }
    return gathered_;
  }

  const Predictions& risks_;
  std::int64_t first_;
  int n_;
  std::int64_t row_ = -1;
  double gathered_[kPackTile];
};

}  // namespace

NearPairs::NearPairs(std::span<const RowPair> pairs, const Predictions& risks,
                     const ZeroOneKernel& kernel, const Control& control)
    : pairs_(pairs),
      kernel_(kernel),
      patterns_(static_cast<std::int64_t>(pairs.size()), 1, n_configurations(risks)) {
  if (!pack(risks, 0, control)) return;
  patterns_ = ErrorPatterns(patterns_.n_rows(), 2, patterns_.n_configurations());
  pack(risks, 0, control);
  pack(risks, 1, control);
}

bool NearPairs::pack(const Predictions& risks, std::int64_t repeat, const Control& control) {
  const std::int64_t n_tiles = (patterns_.n_configurations() + kPackTile - 1) / kPackTile;
  const double cells =
      static_cast<double>(pairs_.size()) * static_cast<double>(patterns_.n_configurations());
  std::atomic<bool> any_tie{false};
  const auto pack_tile = [&](std::int64_t chunk, std::int64_t first) {
    const auto n =
        static_cast<int>(std::min<std::int64_t>(kPackTile, patterns_.n_configurations() - first));
    alignas(64) std::uint8_t ordered[kChunkRows * kPackTile];
    std::memset(ordered, 0, sizeof ordered);
    RiskRow of_first(risks, first, n);
    RiskRow of_second(risks, first, n);
    bool tie = false;
    for (int i = 0; i < patterns_.rows_of_chunk(chunk); ++i) {
      const RowPair& pair = pairs_[static_cast<std::size_t>(chunk * kChunkRows + i)];
      const double* a = of_first.read(pair.first);
      const double* b = of_second.read(pair.second);
      std::uint8_t* to = ordered + i * kPackTile;
      if (repeat == 0) {
        tie = kernel_.patterns.greater(a, b, n, to) || tie;
      } else {
        for (int j = 0; j < n; ++j) to[j] = a[j] >= b[j] ? 1 : 0;
      }
    }
    kernel_.patterns.pack(ordered, patterns_.tile(chunk, repeat, first));
    return tie;
  };
  parallel_for(patterns_.n_chunks(), control, 0.05 * cells,
               [&](std::int64_t chunk, const StopFlag& stop) {
                 for (std::int64_t tile = 0; tile < n_tiles; ++tile) {
                   stop.check();
                   if (pack_tile(chunk, tile * kPackTile)) any_tie = true;
                 }
               });
  return any_tie;
}

void NearPairs::add(const std::uint8_t* lines, int most, std::int64_t first, std::int64_t last,
                    const StopFlag& stop, std::int32_t* twice) const {
  if (pairs_.empty()) return;
  const auto sums = sums_.take([&] { return ZeroOneSums(patterns_, kernel_.sums); });
  sums->take(pairs_, lines, most);
  sums->add_to(first, last, static_cast<std::int32_t>(times()), stop, twice);
}

void NearPairs::add(const std::uint8_t* lines, std::int64_t configuration, double* twice) const {
  std::uint32_t sums[kBlock] = {};
  for_each_chunk(configuration, [&](const RowPair* pairs, std::uint64_t wanted, double) {
    kernel_.counts.add_products(pairs, wanted, lines, sums);
  });
  for (int l = 0; l < kBlock; ++l) twice[l] += times() * sums[l];
}

double NearPairs::plain_key(std::int64_t configuration) const {
  double key = 0.0;
  for_each_chunk(configuration, [&](const RowPair*, std::uint64_t wanted, double each) {
    key += each * std::popcount(wanted);
  });
  return key;
}

}  // namespace bbc::detail
