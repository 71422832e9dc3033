#pragma once

// Random problems.
#include <bbc/correction.hpp>
#include <bbc/philox.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "detail/isa/simd.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/traits.hpp"

namespace problem {

inline const char* const kLevels[] = {"portable", "avx2", "avx512"};

/// Two classes in turns, the positive one first.
inline bbc::Target labels_of(std::size_t n_rows) {
  bbc::Target target;
  target.kind = bbc::Target::Kind::labels;
  target.n_classes = 2;
  for (std::size_t row = 0; row < n_rows; ++row) target.codes.push_back(row % 2 == 0 ? 1 : 0);
  return target;
}

inline bbc::CorrectionOptions options_of(const char* metric, std::int64_t n_bootstraps = 100) {
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric(metric);
  options.resampling.n_bootstraps = n_bootstraps;
  return options;
}

/// Nothing is kept that another level drew.
inline void set_level(const char* level) {
  bbc::detail::limit_simd(level);
  bbc::set_draw_memory(0);
}

/// Those of kLevels that this machine has.
inline std::vector<const char*> levels() {
  std::vector<const char*> found;
  for (const char* level : kLevels) {
    set_level(level);
    const auto place = static_cast<int>(found.size());
    if (static_cast<int>(bbc::detail::simd_level()) == place) found.push_back(level);
  }
  return found;
}

/// Every metric of a confusion matrix; those that have no average once.
inline std::vector<bbc::metric::Confusion> confusion_metrics(double beta) {
  using Formula = bbc::metric::Confusion::Formula;
  using Average = bbc::metric::Average;
  std::vector<bbc::metric::Confusion> kinds;
  for (const auto formula : {
#define BBC_RATIO(formula, ...) Formula::formula,
#define BBC_CONFUSION(formula, ...) Formula::formula,
#include <bbc/metrics.inc>
       }) {
    for (const auto average :
         {Average::binary, Average::macro, Average::micro, Average::weighted}) {
      const bool averaged = bbc::detail::traits_of(formula).is_ratio;
      if (averaged || average == Average::macro) kinds.push_back({formula, average, beta});
    }
  }
  return kinds;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : words_(seed, 7, 0, 0) {}
  std::uint32_t below(std::uint32_t bound) { return words_.below(bound); }
  double uniform() { return words_.next() * 0x1p-32; }

 private:
  bbc::WordStream words_;
};

/// A block of bootstrap replicates; `most` > 0 adds counts up to it, as explicit resamples may.
inline bbc::detail::ReplicateBlock random_block(Random& random, std::int64_t n_rows,
                                                int n_replicates, std::uint32_t most = 0) {
  bbc::detail::ReplicateBlock block{n_replicates, n_rows, {}, {}};
  block.counts.resize(static_cast<std::size_t>(n_rows * n_replicates));
  for (int lane = 0; lane < n_replicates; ++lane) {
    std::uint16_t* counts = block.counts.data() + lane * n_rows;
    for (std::int64_t i = 0; i < n_rows; ++i) {
      ++counts[random.below(static_cast<std::uint32_t>(n_rows))];
    }
    // At least one row is out of bag and one in, as in every acceptable replicate.
    const auto out = random.below(static_cast<std::uint32_t>(n_rows));
    if (most > 0) {
      counts[random.below(static_cast<std::uint32_t>(n_rows))] = static_cast<std::uint16_t>(most);
    }
    counts[out] = 0;
    if (n_rows > 1) ++counts[(out + 1) % n_rows];
  }
  return block;
}

}  // namespace problem
