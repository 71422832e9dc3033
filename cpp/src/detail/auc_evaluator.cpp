#include "detail/auc_evaluator.hpp"

#include <algorithm>
#include <limits>

#include "detail/column_reader.hpp"
#include "detail/sorted_scores.hpp"

namespace bbc::detail {
namespace {

constexpr std::int64_t kTile = 8;  // configurations that a worker prepares at a time
constexpr double kSmall = std::numeric_limits<std::int32_t>::max();
constexpr double kSmallClass = std::numeric_limits<std::int16_t>::max();

}  // namespace

/// The weights of a block of replicates on one side, and what each part weighs per class.
class AucEvaluator::Weights {
 public:
  Weights(const AucEvaluator& evaluator, const Bag& bag, Side side) : table_(bag, side) {
    if (!narrow()) {
      // Counts of explicit resamples can be anything up to 16 bits.
      wide_lines_.assign(static_cast<std::size_t>((bag.n_rows + 1) * kLine), 0);
      for (int lane = 0; lane < bag.n_replicates; ++lane) {
        const std::uint16_t* counts = bag.replicate(lane);
        for (std::int64_t row = 0; row < bag.n_rows; ++row) {
          wide_lines_[static_cast<std::size_t>(row * kLine + lane)] = counts[row];
        }
      }
    }
    classes_.resize(evaluator.parts_.size());
    for (std::size_t part = 0; part < classes_.size(); ++part) {
      for (int code = 0; code < 2; ++code) {
        for (const std::int32_t row : evaluator.parts_[part].rows_of_class[code]) {
          const auto at = static_cast<std::int64_t>(row) * kLine;
          auto& sum = classes_[part][code];
          if (narrow()) {
            for (int l = 0; l < kBlock; ++l) sum[l] += table_.lines()[at + l];
          } else {
            for (int l = 0; l < kBlock; ++l) sum[l] += wide_lines_[at + l];
          }
        }
      }
    }
  }

  /// Whether the counts fit bytes.
  [[nodiscard]] bool narrow() const { return table_.most() <= 255; }
  [[nodiscard]] const std::uint8_t* lines() const { return table_.lines(); }
  [[nodiscard]] const std::uint16_t* wide_lines() const { return wide_lines_.data(); }
  [[nodiscard]] double of_class(std::size_t part, int code, int lane) const {
    return static_cast<double>(classes_[part][code][lane]);
  }
  /// What a key is divided by.
  [[nodiscard]] double total(std::size_t part, int lane) const {
    return 2.0 * of_class(part, 0, lane) * of_class(part, 1, lane);
  }
  [[nodiscard]] bool defined(std::size_t part, int lane) const { return total(part, lane) > 0.0; }

 private:
  LaneTable table_;
  std::vector<std::uint16_t> wide_lines_;
  std::vector<std::array<std::array<std::uint64_t, kBlock>, 2>> classes_;
};

bool AucEvaluator::suits(const EvaluatorInput& input) {
  return !input.weighted &&
         input.target.n_rows() < std::numeric_limits<std::uint32_t>::max() / kLine;
}

AucEvaluator::AucEvaluator(const EvaluatorInput& input, const Control& control)
    : n_configurations_(detail::n_configurations(input.repeats[0])),
      n_repeats_(input.repeats.size()),
      pooled_(input.folds.empty()),
      walk_(auc_walk(simd_level())) {
  std::vector<std::vector<std::int32_t>> rows;
  for (std::size_t repeat = 0; repeat < n_repeats_; ++repeat) {
    for (auto& part : rows_of_folds(input, repeat)) {
      rows.push_back(std::move(part));
      repeat_of_part_.push_back(repeat);
    }
  }
  prepare(input, rows, control);
}

void AucEvaluator::prepare(const EvaluatorInput& input,
                           const std::vector<std::vector<std::int32_t>>& rows,
                           const Control& control) {
  const std::int64_t n_rows = input.target.n_rows();
  std::vector<std::vector<std::int32_t>> codes;
  for (const auto& part_rows : rows) {
    codes.push_back(part_rows.empty() && pooled_ ? input.target.codes
                                                 : input.target.rows(part_rows).codes);
    Part& part = parts_.emplace_back();
    part.programs.resize(static_cast<std::size_t>(n_configurations_));
    for (std::size_t i = 0; i < codes.back().size(); ++i) {
      part.rows_of_class[codes.back()[i]].push_back(pooled_ ? static_cast<std::int32_t>(i)
                                                            : part_rows[i]);
    }
  }
  const double cells =
      static_cast<double>(n_rows) * static_cast<double>(n_repeats_ * n_configurations_);
  const std::int64_t n_tiles = (n_configurations_ + kTile - 1) / kTile;
  parallel_for(n_tiles, control, 10.0 * cells, [&](std::int64_t tile, const StopFlag& stop) {
    ScoreSorter sorter;
    SortedScores sorted;
    std::vector<double> scores;
    const std::int64_t last = std::min((tile + 1) * kTile, n_configurations_);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      if (codes[part].empty()) continue;
      AucProgrammer programmer(codes[part], rows[part], n_rows);
      for (std::int64_t j = tile * kTile; j < last; ++j) {
        stop.check();
        read_values(input.repeats[repeat_of_part_[part]], j, rows[part], scores);
        sorter.sort(scores, sorted);
        programmer.write(sorted, parts_[part].programs[static_cast<std::size_t>(j)]);
      }
    }
  });
}

void AucEvaluator::twice_pairs(std::size_t part, std::int64_t configuration, const Weights& weights,
                               Lanes& pairs) const {
  const AucProgram& program = parts_[part].programs[static_cast<std::size_t>(configuration)];
  if (!weights.narrow()) {
    auc_walk_exact(program, weights.wide_lines(), pairs.data());
    return;
  }
  pairs.fill(0.0);
  Lanes negatives{};
  Lanes twice_positives{};
  AucSums sums;
  const std::uint32_t* at = program.words.data();
  for (const std::uint32_t stretch_end : program.stretch_ends) {
    const std::uint32_t* end = program.words.data() + stretch_end;
    walk_(at, end, weights.lines(), &sums);
    at = end;
    for (std::size_t l = 0; l < kBlock; ++l) {
      pairs[l] += sums.twice_pairs[l] + negatives[l] * sums.twice_positives[l];
      negatives[l] += sums.negatives[l];
      twice_positives[l] += sums.twice_positives[l];
    }
  }
  bool fits = true;
  for (std::size_t l = 0; l < kBlock; ++l) {
    const int lane = static_cast<int>(l);
    fits = fits && negatives[l] == weights.of_class(part, 0, lane) &&
           twice_positives[l] == 2.0 * weights.of_class(part, 1, lane);
  }
  if (!fits) auc_walk_exact(program, weights.lines(), pairs.data());
}

/// Pooled: the sum over repeats of an integer. Per fold: the score itself.
void AucEvaluator::keys_of(std::int64_t configuration, const Weights& weights, Lanes& keys) const {
  if (!pooled_) {
    scores_of(configuration, weights, keys);
    return;
  }
  keys.fill(0.0);
  Lanes pairs;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    twice_pairs(part, configuration, weights, pairs);
    for (std::size_t l = 0; l < kBlock; ++l) keys[l] += pairs[l];
  }
}

/// Mean over repeats of the mean over the folds that are defined.
void AucEvaluator::scores_of(std::int64_t configuration, const Weights& weights,
                             Lanes& scores) const {
  scores.fill(0.0);
  Lanes pairs;
  for (std::size_t part = 0; part < parts_.size();) {
    const std::size_t repeat = repeat_of_part_[part];
    Lanes sums{};
    Lanes n_defined{};
    for (; part < parts_.size() && repeat_of_part_[part] == repeat; ++part) {
      twice_pairs(part, configuration, weights, pairs);
      for (std::size_t l = 0; l < kBlock; ++l) {
        const int lane = static_cast<int>(l);
        if (!weights.defined(part, lane)) continue;
        sums[l] += pairs[l] / weights.total(part, lane);
        n_defined[l] += 1.0;
      }
    }
    for (std::size_t l = 0; l < kBlock; ++l) scores[l] += sums[l] / n_defined[l];
  }
  for (double& score : scores) score /= static_cast<double>(n_repeats_);
}

void AucEvaluator::keys(const Bag& bag, std::int64_t first, std::int64_t last, const StopFlag& stop,
                        double* keys) const {
  const Weights weights(*this, bag, Side::in_bag);
  Lanes lanes;
  for (std::int64_t j = first; j < last; ++j) {
    stop.check();
    keys_of(j, weights, lanes);
    for (int lane = 0; lane < bag.n_replicates; ++lane) {
      keys[lane * (last - first) + j - first] = lanes[static_cast<std::size_t>(lane)];
    }
  }
}

void AucEvaluator::best(const Bag& bag, const StopFlag& stop, Choice* choices) const {
  const bool all_rows = bag.n_replicates == 1 && std::all_of(bag.counts.begin(), bag.counts.end(),
                                                             [](auto count) { return count == 1; });
  if (pooled_ && all_rows) {
    best_on_all_rows(choices);
    return;
  }
  const Weights weights(*this, bag, Side::in_bag);
  const auto largest = [&](int lane) {
    double sum = 0.0;
    for (std::size_t part = 0; part < parts_.size(); ++part) sum += weights.total(part, lane);
    return sum;
  };
  bool small = pooled_ && weights.narrow();
  for (int lane = 0; lane < bag.n_replicates; ++lane) {
    small = small && largest(lane) <= kSmall && weights.of_class(0, 0, lane) <= kSmallClass &&
            weights.of_class(0, 1, lane) <= kSmallClass;
  }
  Choice found[kBlock];
  if (small) {
    best_of_small(weights, stop, found);
  } else {
    Lanes lanes;
    for (std::int64_t j = 0; j < n_configurations_; ++j) {
      stop.check();
      keys_of(j, weights, lanes);
      for (std::size_t l = 0; l < kBlock; ++l) {
        if (found[l].configuration < 0 || lanes[l] > found[l].key) found[l] = {lanes[l], j};
      }
    }
  }
  std::copy_n(found, bag.n_replicates, choices);
}

/// Keys below 2^31 are compared as they leave the walk.
void AucEvaluator::best_of_small(const Weights& weights, const StopFlag& stop,
                                 Choice* choices) const {
  alignas(64) std::int32_t best[kBlock];
  alignas(64) std::int32_t best_index[kBlock] = {};
  std::fill_n(best, kBlock, -1);
  std::vector<std::array<std::uint16_t, 2 * kBlock>> expected(parts_.size());
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    for (int l = 0; l < kBlock; ++l) {
      expected[part][l] = static_cast<std::uint16_t>(weights.of_class(part, 0, l));
      expected[part][kBlock + l] = static_cast<std::uint16_t>(2.0 * weights.of_class(part, 1, l));
    }
  }
  AucSums sums;
  Lanes pairs;
  for (std::int64_t j = 0; j < n_configurations_; ++j) {
    stop.check();
    std::int32_t keys[kBlock] = {};
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const AucProgram& program = parts_[part].programs[static_cast<std::size_t>(j)];
      if (program.stretch_ends.size() > 1) {
        twice_pairs(part, j, weights, pairs);
        for (int l = 0; l < kBlock; ++l) keys[l] += static_cast<std::int32_t>(pairs[l]);
        continue;
      }
      walk_(program.words.data(), program.words.data() + program.words.size(), weights.lines(),
            &sums);
      std::uint16_t differences = 0;
      for (int l = 0; l < kBlock; ++l) {
        differences =
            static_cast<std::uint16_t>(differences | (sums.negatives[l] ^ expected[part][l]) |
                                       (sums.twice_positives[l] ^ expected[part][kBlock + l]));
      }
      if (differences == 0) {
        for (int l = 0; l < kBlock; ++l) keys[l] += sums.twice_pairs[l];
      } else {
        auc_walk_exact(program, weights.lines(), pairs.data());
        for (int l = 0; l < kBlock; ++l) keys[l] += static_cast<std::int32_t>(pairs[l]);
      }
    }
    const auto index = static_cast<std::int32_t>(j);
    for (int l = 0; l < kBlock; ++l) {
      const bool better = keys[l] > best[l];
      best[l] = better ? keys[l] : best[l];
      best_index[l] = better ? index : best_index[l];
    }
  }
  for (int l = 0; l < kBlock; ++l) choices[l] = {static_cast<double>(best[l]), best_index[l]};
}

/// The keys of the bag that holds every row once were found while preparing.
void AucEvaluator::best_on_all_rows(Choice* choice) const {
  *choice = {};
  for (std::int64_t j = 0; j < n_configurations_; ++j) {
    double key = 0.0;
    for (const Part& part : parts_) key += part.programs[static_cast<std::size_t>(j)].plain_key;
    if (choice->configuration < 0 || key > choice->key) *choice = {key, j};
  }
}

void AucEvaluator::out_of_bag(const Bag& bag, const Choice* choices, const StopFlag& stop,
                              double* scores) const {
  scores_of_choices(bag, Side::out_of_bag, choices, stop, scores);
}

void AucEvaluator::in_bag(const Bag& bag, const Choice* choices, const StopFlag& stop,
                          double* scores) const {
  scores_of_choices(bag, Side::in_bag, choices, stop, scores);
}

/// All replicates of each configuration that was chosen at all.
void AucEvaluator::scores_of_choices(const Bag& bag, Side side, const Choice* choices,
                                     const StopFlag& stop, double* scores) const {
  std::vector<std::int64_t> chosen;
  for (int lane = 0; lane < bag.n_replicates; ++lane) {
    if (choices[lane].configuration >= 0) chosen.push_back(choices[lane].configuration);
  }
  if (chosen.empty()) return;
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  const Weights weights(*this, bag, side);
  Lanes lanes;
  for (const std::int64_t configuration : chosen) {
    stop.check();
    scores_of(configuration, weights, lanes);
    for (int lane = 0; lane < bag.n_replicates; ++lane) {
      if (choices[lane].configuration != configuration) continue;
      scores[lane] = lanes[static_cast<std::size_t>(lane)];
    }
  }
}

}  // namespace bbc::detail
