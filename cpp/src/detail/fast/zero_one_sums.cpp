#include "detail/fast/zero_one_sums.hpp"

#include <algorithm>
#include <limits>

namespace bbc::detail {
namespace {

/// Adds to each configuration the lanes in which its errors are above the limits, which fit words
/// of the same size.
template <class Word>
void add_above(const Word* errors, std::int64_t n, const std::int64_t* limits,
               std::int64_t* counts) {
  Word words[kBlock];
  for (int word = 0; word < kBlock; ++word) words[word] = static_cast<Word>(limits[word]);
  for (std::int64_t j = 0; j < n; ++j) {
    Word above = 0;
    for (int word = 0; word < kBlock; ++word) {
      above = static_cast<Word>(above + (errors[j * kBlock + word] > words[word] ? 1 : 0));
    }
    counts[j] += above;
  }
}

}  // namespace

ZeroOneSums::ZeroOneSums(const ErrorPatterns& patterns, const PatternSumsKernel& kernel,
                         std::int64_t most)
    : patterns_(&patterns),
      tables_(patterns, kernel),
      sums_(std::min(patterns.n_configurations(), most), kernel) {}

void ZeroOneSums::run(std::int64_t first, std::int64_t last, bool best, const StopFlag& stop) {
  sums_.start(last - first, best);
  const auto& passes = tables_.passes();
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const ChunkTables::Pass& pass = passes[i];
    stop.check();
    const bool last_pass = i + 1 == passes.size();
    PanelSums::Addend addend{};
    addend.tables = tables_.build(pass);
    addend.n_groups = (patterns_->rows_of_chunk(pass.chunk) + kGroupRows - 1) / kGroupRows;
    addend.weight = addend.next_weight = pass.weight;
    for (std::int64_t repeat = 0; repeat < patterns_->n_repeats(); ++repeat) {
      addend.offsets = patterns_->offsets(pass.chunk, repeat, first);
      if (repeat + 1 == patterns_->n_repeats()) {
        addend.last = last_pass;
        addend.next_weight = last_pass ? 0 : passes[i + 1].weight;
      }
      sums_.add(addend);
    }
  }
}

void ZeroOneSums::fewest(std::int64_t first, std::int64_t last, const StopFlag& stop,
                         FewestErrors* fewest) {
  run(first, last, /*best=*/true, stop);
  if (sums_.fit_words()) {
    for (int lane = 0; lane < kBlock; ++lane) {
      fewest[lane] = {sums_.fewest(lane), first + sums_.where(lane)};
    }
    return;
  }
  for (int lane = 0; lane < kBlock; ++lane) {
    fewest[lane] = {std::numeric_limits<std::int64_t>::max(), first};
  }
  sums_.visit([&](const auto* errors) {
    for (std::int64_t j = first; j < last; ++j, errors += kBlock) {
      for (int lane = 0; lane < kBlock; ++lane) {
        const std::int64_t of_lane = errors[word_of_lane(lane)];
        if (of_lane < fewest[lane].errors) fewest[lane] = {of_lane, j};
      }
    }
  });
}

void ZeroOneSums::add_to(std::int64_t first, std::int64_t last, std::int32_t times,
                         const StopFlag& stop, std::int32_t* twice) {
  run(first, last, /*best=*/false, stop);
  sums_.visit([&](const auto* sums) {
    for (std::int64_t j = first; j < last; ++j, sums += kBlock, twice += kBlock) {
      for (int i = 0; i < kBlock / 2; ++i) {
        twice[2 * i] += times * static_cast<std::int32_t>(sums[i]);
        twice[2 * i + 1] += times * static_cast<std::int32_t>(sums[kBlock / 2 + i]);
      }
    }
  });
}

void ZeroOneSums::all(std::int64_t first, std::int64_t last, const StopFlag& stop, double* errors) {
  const std::int64_t n = last - first;
  run(first, last, /*best=*/false, stop);
  sums_.visit([&](const auto* sums) {
    for (int lane = 0; lane < tables_.n_replicates(); ++lane) {
      for (std::int64_t j = 0; j < n; ++j) {
        errors[lane * n + j] = static_cast<double>(sums[j * kBlock + word_of_lane(lane)]);
      }
    }
  });
}

void ZeroOneSums::count_more(std::int64_t first, std::int64_t last, std::int64_t than,
                             const StopFlag& stop, std::int64_t* counts) {
  std::int64_t limits[kBlock];
  run(than, than + 1, /*best=*/false, stop);
  sums_.visit([&](const auto* sums) { std::copy_n(sums, kBlock, limits); });
  // Whether the sums fit 16 bits depends on the counts of the rows only.
  run(first, last, /*best=*/false, stop);
  sums_.visit([&](const auto* sums) { add_above(sums, last - first, limits, counts); });
}

}  // namespace bbc::detail
