#include "detail/fast/weighted_pairs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "detail/fast/sorted_columns.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// The counts of a block of replicates on one side, and memory to count pairs in.
template <class Count, class Far, class Near>
class WeightedPairsEvaluator::BlockCounts {
 public:
  BlockCounts(const WeightedPairsEvaluator& evaluator, const ReplicateBlock& block, Side side,
              const LaneTable& table)
      : counts_(lines(block.n_rows)),
        far_sums_(lines(block.n_rows + 1)),
        near_sums_(lines(block.n_rows + 1)),
        far_below_(lines(evaluator.plan_.events().size())),
        near_below_(lines(evaluator.plan_.events().size())) {
    fill(block, side, table);
    add_up_pairs(evaluator);
  }

  [[nodiscard]] const PairCountLoops<Count, Far, Near>& loops(const PairCountKernel& kernel) const {
    if constexpr (sizeof(Count) == 1) {
      return kernel.narrow;
    } else {
      return kernel.wide;
    }
  }
  /// Twice the weight of comparable pairs.
  [[nodiscard]] const Lanes& totals() const { return totals_; }
  /// What a configuration is counted with; nothing is counted yet.
  [[nodiscard]] PairTables<Count, Far, Near> cleared() {
    std::fill_n(far_below_.data(), far_below_.size(), Far{0});
    std::fill_n(near_below_.data(), near_below_.size(), Near{0});
    return {counts_.data(), far_sums_.data(), near_sums_.data(), far_below_.data(),
            near_below_.data()};
  }

 private:
  template <class Number>
  static std::size_t lines(Number n) {
    return static_cast<std::size_t>(n) * kBlock;
  }

  void fill(const ReplicateBlock& block, Side side, const LaneTable& table) {
    if (table.most() <= std::numeric_limits<std::uint8_t>::max()) {
      std::copy_n(table.lines(), counts_.size(), counts_.data());
      return;
    }
    std::fill_n(counts_.data(), counts_.size(), Count{0});
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const std::uint16_t* counts = block.replicate(lane);
      for (std::int64_t row = 0; row < block.n_rows; ++row) {
        const bool in_bag = side == Side::in_bag;
        counts_.data()[row * kBlock + lane] =
            static_cast<Count>(in_bag ? counts[row] : (counts[row] == 0 ? 1 : 0));
      }
    }
  }

  void add_up_pairs(const WeightedPairsEvaluator& evaluator) {
    const TimeHalves& halves = evaluator.plan_.halves();
    double later[kBlock] = {};
    totals_ = {};
    std::size_t n_added = halves.n_rows();
    std::int64_t event = 0;
    for (const WeightedEvents& alike : evaluator.weights_) {
      double twice[kBlock] = {};
      for (; event < alike.last; ++event) {
        const std::int32_t row = evaluator.plan_.events()[static_cast<std::size_t>(event)];
        for (; n_added > halves.first_later()[halves.place_of_row(row)]; --n_added) {
          const Count* added = counts_.data() + lines(halves.rows()[n_added - 1]);
          for (int l = 0; l < kBlock; ++l) later[l] += added[l];
        }
        const Count* own = counts_.data() + lines(row);
        for (int l = 0; l < kBlock; ++l) twice[l] += 2.0 * own[l] * later[l];
      }
      for (int l = 0; l < kBlock; ++l) totals_.of[l] += alike.weight * twice[l];
    }
  }

  Aligned<Count> counts_;
  Aligned<Far> far_sums_;
  Aligned<Near> near_sums_;
  Aligned<Far> far_below_;
  Aligned<Near> near_below_;
  Lanes totals_;
};

bool WeightedPairsEvaluator::suits(const EvaluatorInput& input) {
  return !input.target.event_weights.empty() && input.row_weights.empty() && input.folds.empty() &&
         input.target.n_rows() < std::numeric_limits<std::uint32_t>::max() / kBlock;
}

WeightedPairsEvaluator::WeightedPairsEvaluator(const EvaluatorInput& input, const Control& control)
    : n_configurations_(detail::n_configurations(input.repeats[0])),
      kernel_(pair_count_kernel(simd_level())),
      plan_(input.target),
      near_stretches_{plan_.near_stretches(false), plan_.near_stretches(true)},
      programs_(input.repeats.size()) {
  for (const std::int32_t row : plan_.events()) {
    const double weight = input.target.event_weights[static_cast<std::size_t>(row)];
    if (weights_.empty() || weights_.back().weight != weight) weights_.push_back({0, weight});
    event_lines_.push_back(static_cast<std::uint32_t>(row) * kBlock);
    weights_.back().last = static_cast<std::int64_t>(event_lines_.size());
  }
  for (auto& programs : programs_) programs.resize(static_cast<std::size_t>(n_configurations_));
  std::vector<RowsToSort> to_sort;
  for (const Predictions& predictions : input.repeats) to_sort.push_back({predictions, {}});
  const double cells = static_cast<double>(input.target.n_rows()) *
                       static_cast<double>(input.repeats.size()) *
                       static_cast<double>(n_configurations_);
  sort_columns(to_sort, control, 60.0 * cells, [&] {
    return [&, programmer = PairProgrammer(plan_)](std::size_t repeat, std::int64_t j,
                                                   const SortedScores& sorted) mutable {
      programmer.write(sorted, programs_[repeat][static_cast<std::size_t>(j)]);
    };
  });
}

/// Whether sums of counts fit, those within near stretches and all: twice, where risks tie.
bool WeightedPairsEvaluator::is_narrow(const LaneTable& table) const {
  if (table.most() > std::numeric_limits<std::uint8_t>::max()) return false;
  const auto largest_sum = [&](std::size_t first, std::size_t last) {
    std::int64_t sums[kBlock] = {};
    for (std::size_t place = first; place < last; ++place) {
      const std::int64_t row = plan_.halves().rows()[place];
      for (int l = 0; l < kBlock; ++l) sums[l] += table.lines()[row * kLine + l];
    }
    return *std::max_element(sums, sums + kBlock);
  };
  const auto fits = [&](std::span<const PairPlan::Stretch> stretches, std::int64_t times) {
    return std::all_of(stretches.begin(), stretches.end(), [&](const PairPlan::Stretch& stretch) {
      return times * largest_sum(stretch.first, stretch.last) <= kMostNear;
    });
  };
  return 2 * largest_sum(0, plan_.halves().n_rows()) <= kMostFar && fits(near_stretches_[0], 1) &&
         fits(near_stretches_[1], 2);
}

template <class Use>
void WeightedPairsEvaluator::with_counts(const ReplicateBlock& block, Side side,
                                         const Use& use) const {
  const LaneTable table(block, side);
  if (is_narrow(table)) {
    Narrow counts(*this, block, side, table);
    use(counts);
  } else {
    Wide counts(*this, block, side, table);
    use(counts);
  }
}

template <class Counts>
void WeightedPairsEvaluator::keys_of_repeat(const PairProgram& program, Counts& counts,
                                            Lanes& keys) const {
  const auto tables = counts.cleared();
  const auto& loops = counts.loops(kernel_);
  const std::uint32_t* words = program.words.data();
  const std::uint32_t* near = words + program.first_near;
  const std::uint32_t* pairs = words + program.first_pair;
  loops.add_far(words, near, tables);
  loops.add_near(near, pairs, tables);
  loops.add_pairs(pairs, words + program.words.size(), tables);
  loops.add_up(tables, event_lines_.data(), weights_.data(), weights_.data() + weights_.size(),
               program.times, keys.of);
}

template <class Counts>
void WeightedPairsEvaluator::keys_of(std::int64_t configuration, Counts& counts,
                                     Lanes& keys) const {
  const auto j = static_cast<std::size_t>(configuration);
  if (programs_.size() == 1) return keys_of_repeat(programs_[0][j], counts, keys);
  DoubleDouble sums[kBlock];
  for (const auto& programs : programs_) {
    keys_of_repeat(programs[j], counts, keys);
    for (int l = 0; l < kBlock; ++l) sums[l] = sums[l] + DoubleDouble{keys.of[l], 0.0};
  }
  for (int l = 0; l < kBlock; ++l) keys.of[l] = sums[l].rounded();
}

/// Mean over repeats.
template <class Counts>
void WeightedPairsEvaluator::scores_of(std::int64_t configuration, Counts& counts,
                                       Lanes& scores) const {
  scores = {};
  Lanes keys;
  for (const auto& programs : programs_) {
    keys_of_repeat(programs[static_cast<std::size_t>(configuration)], counts, keys);
    for (int l = 0; l < kBlock; ++l) scores.of[l] += keys.of[l] / counts.totals().of[l];
  }
  for (double& score : scores.of) score /= static_cast<double>(programs_.size());
}

void WeightedPairsEvaluator::keys(const ReplicateBlock& block, std::int64_t first,
                                  std::int64_t last, const StopFlag& stop, double* keys) const {
  with_counts(block, Side::in_bag, [&](auto& counts) {
    Lanes lanes;
    for (std::int64_t j = first; j < last; ++j) {
      stop.check();
      keys_of(j, counts, lanes);
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        keys[lane * (last - first) + j - first] = lanes.of[lane];
      }
    }
  });
}

void WeightedPairsEvaluator::scores(const ReplicateBlock& block, std::int64_t first,
                                    std::int64_t last, const StopFlag& stop, double* scores) const {
  with_counts(block, Side::in_bag, [&](auto& counts) {
    Lanes lanes;
    for (std::int64_t j = first; j < last; ++j) {
      stop.check();
      scores_of(j, counts, lanes);
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        scores[lane * (last - first) + j - first] = lanes.of[lane];
      }
    }
  });
}

void WeightedPairsEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                        std::int64_t last, const StopFlag& stop,
                                        Choice* choices) const {
  std::fill_n(choices, block.n_replicates, Choice{});
  with_counts(block, Side::in_bag, [&](auto& counts) {
    Lanes lanes;
    for (std::int64_t j = first; j < last; ++j) {
      stop.check();
      keys_of(j, counts, lanes);
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        const double key = lanes.of[lane];
        if (choices[lane].configuration < 0 || key > choices[lane].key) choices[lane] = {key, j};
      }
    }
  });
}

/// Each configuration that was chosen at all is counted once, for all replicates that chose it.
void WeightedPairsEvaluator::scores_of_choices(const ReplicateBlock& block, Side side,
                                               const Choice* choices, const StopFlag& stop,
                                               double* scores) const {
  std::vector<std::pair<std::int64_t, int>> chosen;
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (choices[lane].configuration >= 0) chosen.emplace_back(choices[lane].configuration, lane);
  }
  if (chosen.empty()) return;
  std::sort(chosen.begin(), chosen.end());
  with_counts(block, side, [&](auto& counts) {
    Lanes lanes;
    std::int64_t counted = -1;
    for (const auto& [configuration, lane] : chosen) {
      stop.check();
      if (configuration != counted) scores_of(configuration, counts, lanes);
      counted = configuration;
      scores[lane] = lanes.of[lane];
    }
  });
}

}  // namespace bbc::detail
