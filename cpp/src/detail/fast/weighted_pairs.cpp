#include "detail/fast/weighted_pairs.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "detail/metrics/column_reader.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/double_double.hpp"
#include "detail/support/lane_table.hpp"

namespace bbc::detail {
namespace {

constexpr std::int64_t kTile = 8;  // configurations that a worker prepares at a time

}  // namespace

/// The counts of a block of replicates on one side, and memory to count pairs in.
template <class Count>
class WeightedPairsEvaluator::BlockCounts {
 public:
  BlockCounts(const WeightedPairsEvaluator& evaluator, const ReplicateBlock& block, Side side)
      : lines_(static_cast<std::size_t>(block.n_rows * kBlock)),
        sums_(static_cast<std::size_t>((block.n_rows + 1) * kBlock)),
        below_(evaluator.event_weights_.size() * kBlock),
        weights_(evaluator.event_weights_.size() * kBlock) {
    fill_lines(block, side);
    weigh(evaluator);
  }

  [[nodiscard]] const Count* lines() const { return lines_.data(); }
  [[nodiscard]] const double* weights() const { return weights_.data(); }
  /// Twice the weight of comparable pairs.
  [[nodiscard]] const Lanes& totals() const { return totals_; }
  [[nodiscard]] Count* sums() { return sums_.data(); }
  [[nodiscard]] Count* cleared() {
    std::fill_n(below_.data(), below_.size(), Count{0});
    return below_.data();
  }

 private:
  void fill_lines(const ReplicateBlock& block, Side side) {
    const LaneTable table(block, side);
    if (table.most() <= std::numeric_limits<std::uint8_t>::max()) {
      std::copy_n(table.lines(), lines_.size(), lines_.data());
      return;
    }
    std::fill_n(lines_.data(), lines_.size(), Count{0});
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const std::uint16_t* counts = block.replicate(lane);
      for (std::int64_t row = 0; row < block.n_rows; ++row) {
        const bool in_bag = side == Side::in_bag;
        lines_.data()[row * kBlock + lane] =
            static_cast<Count>(in_bag ? counts[row] : (counts[row] == 0 ? 1 : 0));
      }
    }
  }

  void weigh(const WeightedPairsEvaluator& evaluator) {
    const TimeHalves& halves = evaluator.plan_.halves();
    const auto& events = evaluator.plan_.events();
    double later[kBlock] = {};
    totals_ = {};
    std::size_t n_added = halves.n_rows();
    for (std::size_t event = 0; event < events.size(); ++event) {
      const auto row = static_cast<std::int64_t>(events[event]);
      const std::uint32_t place = halves.place_of_row(events[event]);
      for (; n_added > halves.first_later()[place]; --n_added) {
        const auto added = static_cast<std::int64_t>(halves.rows()[n_added - 1]);
        const Count* line = lines_.data() + added * kBlock;
        for (int l = 0; l < kBlock; ++l) later[l] += line[l];
      }
      const Count* line = lines_.data() + row * kBlock;
      double* weight = weights_.data() + event * kBlock;
      for (int l = 0; l < kBlock; ++l) {
        weight[l] = static_cast<double>(line[l]) * evaluator.event_weights_[event];
        totals_.of[l] += 2.0 * weight[l] * later[l];
      }
    }
  }

  Aligned<Count> lines_;
  Aligned<Count> sums_;
  Aligned<Count> below_;
  Aligned<double> weights_;
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
      programs_(input.repeats.size()) {
  for (const std::int32_t row : plan_.events()) {
    event_weights_.push_back(input.target.event_weights[static_cast<std::size_t>(row)]);
  }
  for (auto& programs : programs_) programs.resize(static_cast<std::size_t>(n_configurations_));
  const auto n = static_cast<std::size_t>(input.target.n_rows());
  const double cells = static_cast<double>(n) * static_cast<double>(input.repeats.size()) *
                       static_cast<double>(n_configurations_);
  const std::int64_t n_tiles = (n_configurations_ + kTile - 1) / kTile;
  parallel_for(n_tiles, control, 60.0 * cells, [&](std::int64_t tile, const StopFlag& stop) {
    ScoreSorter sorter;
    SortedScores sorted;
    PairProgrammer programmer(plan_);
    std::vector<double> columns;
    const std::int64_t first = tile * kTile;
    const std::int64_t last = std::min(first + kTile, n_configurations_);
    for (std::size_t repeat = 0; repeat < programs_.size(); ++repeat) {
      read_columns(input.repeats[repeat], first, last, {}, columns);
      for (std::int64_t j = first; j < last; ++j) {
        stop.check();
        sorter.sort({columns.data() + static_cast<std::size_t>(j - first) * n, n}, sorted);
        programmer.write(sorted, programs_[repeat][static_cast<std::size_t>(j)]);
      }
    }
  });
}

template <class Use>
void WeightedPairsEvaluator::with_counts(const ReplicateBlock& block, Side side,
                                         const Use& use) const {
  std::int64_t most = block.n_rows;
  for (int lane = 0; side == Side::in_bag && lane < block.n_replicates; ++lane) {
    most = std::max(most, block.total(lane));
  }
  if (2 * most <= std::numeric_limits<std::uint16_t>::max()) {
    BlockCounts<std::uint16_t> counts(*this, block, side);
    use(counts);
  } else {
    BlockCounts<std::uint32_t> counts(*this, block, side);
    use(counts);
  }
}

template <class Count>
void WeightedPairsEvaluator::keys_of_repeat(const PairProgram& program, BlockCounts<Count>& counts,
                                            Lanes& keys) const {
  const auto& loops = kernel_.loops<Count>();
  Count* below = counts.cleared();
  const std::uint32_t* words = program.words.data();
  const std::uint32_t* pairs = words + program.n_node_words;
  loops.add_nodes(words, pairs, counts.lines(), counts.sums(), below);
  loops.add_pairs(pairs, words + program.words.size(), counts.lines(), below);
  keys = {};
  loops.add_up(below, counts.weights(), static_cast<std::int64_t>(event_weights_.size()),
               program.times, keys.of);
}

template <class Count>
void WeightedPairsEvaluator::keys_of(std::int64_t configuration, BlockCounts<Count>& counts,
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
template <class Count>
void WeightedPairsEvaluator::scores_of(std::int64_t configuration, BlockCounts<Count>& counts,
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

void WeightedPairsEvaluator::out_of_bag(const ReplicateBlock& block, const Choice* choices,
                                        const StopFlag& stop, double* scores) const {
  scores_of_choices(block, Side::out_of_bag, choices, stop, scores);
}

void WeightedPairsEvaluator::in_bag(const ReplicateBlock& block, const Choice* choices,
                                    const StopFlag& stop, double* scores) const {
  scores_of_choices(block, Side::in_bag, choices, stop, scores);
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
