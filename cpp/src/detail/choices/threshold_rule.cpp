#include <algorithm>
#include <bbc/error.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "detail/choices/choice_rule.hpp"
#include "detail/choices/cut_filter.hpp"
#include "detail/choices/cut_search.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

void check(const ChoiceInput& input) {
  if (!std::holds_alternative<metric::ZeroOne>(input.options.metric.kind) &&
      !std::holds_alternative<metric::Confusion>(input.options.metric.kind)) {
    throw_invalid("selection", "best_threshold needs a metric of labels");
  }
  if (input.target.n_classes != 2) {
    throw_invalid("selection", "best_threshold cuts scores of two classes, not of " +
                                   std::to_string(input.target.n_classes));
  }
  const double n_entries =
      static_cast<double>(input.target.n_rows()) * static_cast<double>(input.repeats.size());
  if (n_entries > static_cast<double>(std::numeric_limits<std::int32_t>::max())) {
    throw_invalid("predictions", "best_threshold takes at most 2^31 - 1 rows of all repeats");
  }
}

/// The middle of two scores, below the upper one.
double middle(double lower, double upper) {
  const double value = 0.5 * lower + 0.5 * upper;
  return value < upper ? value : lower;
}

template <class Number>
class ThresholdRule final : public ChoiceRule {
 public:
  ThresholdRule(const ChoiceInput& input, const Control& control)
      : input_(input), search_(input), filter_(CutFilter::make(input)) {
    const std::int64_t n = n_configurations(input.repeats[0]);
    columns_.resize(static_cast<std::size_t>(n));
    const double cells = static_cast<double>(n) * static_cast<double>(input.target.n_rows()) *
                         static_cast<double>(input.repeats.size());
    if (filter_) programs_.resize(columns_.size());
    // Neighbours are read together, which is much faster where a row's scores lie side by side.
    constexpr std::int64_t kTogether = 32;
    parallel_pieces(
        n, kTogether, control, 50.0 * cells,
        [&](std::int64_t first, std::int64_t last, const StopFlag&) { prepare(first, last); });
    all_.resize(columns_.size());
    std::iota(all_.begin(), all_.end(), 0);
  }

  void choose(const ReplicateBlock& block, const StopFlag& stop,
              Derivation* chosen) const override {
    CutFilter::Found found[kBlock];
    const bool filtered = filter_ && filter_->run(block, programs_, stop, found);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      BestCut best;
      std::int64_t winner = -1;
      if (filtered && found[lane].exact) {
        winner = found[lane].candidates[0];
        best =
            filter_->locate(columns_[static_cast<std::size_t>(winner)], block, lane, found[lane]);
      } else {
        const auto& candidates = filtered ? found[lane].candidates : all_;
        typename CutSearch<Number>::Sample sample(search_, block, lane);
        for (const std::int64_t j : candidates) {
          stop.check();
          const BestCut own = sample.best(columns_[static_cast<std::size_t>(j)]);
          if (winner >= 0 && !(own.key > best.key)) continue;
          best = own;
          winner = j;
        }
      }
      chosen[lane].members.assign(1, winner);
      chosen[lane].threshold = threshold(winner, best);
    }
  }

 private:
  /// Sorts the scores of configurations [first, last).
  void prepare(std::int64_t first, std::int64_t last) {
    const auto n_rows = static_cast<std::size_t>(input_.target.n_rows());
    const auto& part_of_entry = search_.part_of_entry();
    std::vector<std::int32_t> entries;
    for (std::size_t i = 0; i < part_of_entry.size(); ++i) {
      if (part_of_entry[i] >= 0) entries.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<std::vector<double>> of_repeats(input_.repeats.size());
    for (std::size_t r = 0; r < of_repeats.size(); ++r) {
      read_columns(input_.repeats[r], first, last, {}, of_repeats[r]);
    }
    ScoreSorter sorter;
    SortedScores sorted;
    std::vector<double> scores(entries.size());
    for (std::int64_t j = first; j < last; ++j) {
      const std::size_t start = static_cast<std::size_t>(j - first) * n_rows;
      for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto entry = static_cast<std::size_t>(entries[i]);
        scores[i] = of_repeats[entry / n_rows][start + entry % n_rows];
      }
      sorter.sort(scores, sorted);
      CutColumn& column = columns_[static_cast<std::size_t>(j)];
      column.tied_with_next = sorted.tied_with_next;
      column.entries.resize(entries.size());
      for (std::size_t i = 0; i < entries.size(); ++i) {
        column.entries[i] = entries[static_cast<std::size_t>(sorted.rows[i])];
      }
      if (filter_) programs_[static_cast<std::size_t>(j)] = filter_->program(column);
    }
  }

  [[nodiscard]] double score(std::int64_t configuration, std::int32_t entry) const {
    const std::int64_t n_rows = input_.target.n_rows();
    return read_value(input_.repeats[static_cast<std::size_t>(entry / n_rows)], entry % n_rows,
                      configuration);
  }

  [[nodiscard]] double threshold(std::int64_t configuration, const BestCut& cut) const {
    if (cut.below < 0) return -kInfinity;
    if (cut.above < 0) return kInfinity;
    return middle(score(configuration, cut.below), score(configuration, cut.above));
  }

  ChoiceInput input_;
  CutSearch<Number> search_;
  std::optional<CutFilter> filter_;
  std::vector<CutColumn> columns_;
  std::vector<CutProgram> programs_;
  std::vector<std::int64_t> all_;  // configurations
};

}  // namespace

std::unique_ptr<const ChoiceRule> make_threshold_rule(const ChoiceInput& input,
                                                      const Control& control) {
  check(input);
  if (kind_of(input.row_weights) == WeightKind::real) {
    return std::make_unique<ThresholdRule<DoubleDouble>>(input, control);
  }
  return std::make_unique<ThresholdRule<double>>(input, control);
}

}  // namespace bbc::detail
