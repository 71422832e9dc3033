#include <algorithm>
#include <atomic>
#include <bbc/error.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "detail/choices/correct_choice.hpp"
#include "detail/choices/derived_columns.hpp"
#include "detail/choices/size_shift.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

using Rows = std::vector<std::int32_t>;

/// The AUC and the concordance index: of pairs, which are counted within rungs.
bool is_of_pairs(const Metric& metric) {
  return std::holds_alternative<metric::Auc>(metric.kind) ||
         std::holds_alternative<metric::Concordance>(metric.kind);
}

bool is_of_rows(const Metric& metric) {
  const auto* moments = std::get_if<metric::Moments>(&metric.kind);
  return std::holds_alternative<metric::ZeroOne>(metric.kind) ||
         std::holds_alternative<metric::Confusion>(metric.kind) ||
         std::holds_alternative<metric::RowLoss>(metric.kind) ||
         (moments != nullptr && moments->formula == metric::Moments::Formula::r2);
}

/// The weight of the pairs of rows that the metric compares.
double weight_of_pairs(const Target& target, const std::vector<double>& weights) {
  if (target.kind == Target::Kind::labels) {
    double of_class[2] = {};
    for (std::size_t row = 0; row < weights.size(); ++row) {
      of_class[target.codes[row] == 1 ? 1 : 0] += weights[row];
    }
    return of_class[0] * of_class[1];
  }
  // From the latest time to the earliest; of the same time, censored rows count as later.
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (target.values[a] != target.values[b]) return target.values[a] > target.values[b];
    return target.events[a] != target.events[b] ? target.events[a] < target.events[b] : a < b;
  });
  double sum = 0.0;
  double later = 0.0;
  double same = 0.0;  // events of this time
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t row = order[i];
    if (i > 0 && target.values[row] != target.values[order[i - 1]]) {
      later += same;
      same = 0.0;
    }
    if (target.events[row] == 0) {
      later += weights[row];
      continue;
    }
    same += weights[row];
    const double of_event = target.event_weights.empty() ? 1.0 : target.event_weights[row];
    sum += of_event * weights[row] * later;
  }
  return sum;
}

/// Columns of predictions in memory of their own: labels as codes, everything else as it is.
class Columns {
 public:
  Columns(const Metric& metric, const Target& target, const Predictions& predictions)
      : target_(target), predictions_(predictions), of_labels_(reads_labels(metric)) {}

  /// Adds to the last column what a configuration predicted in some rows.
  void append(std::int64_t configuration, const Rows& rows) {
    if (of_labels_) {
      read_codes(predictions_, target_, configuration, rows, some_codes_);
      codes_.insert(codes_.end(), some_codes_.begin(), some_codes_.end());
    } else {
      read_values(predictions_, configuration, rows, some_values_);
      values_.insert(values_.end(), some_values_.begin(), some_values_.end());
    }
  }
  [[nodiscard]] Predictions view(std::int64_t n_rows) const {
    if (of_labels_) return view_of_columns(codes_, n_rows);
    return view_of_columns(values_, n_rows, n_outputs_of(predictions_));
  }

 private:
  const Target& target_;
  const Predictions& predictions_;
  bool of_labels_;
  std::vector<std::int32_t> codes_;
  std::vector<double> values_;
  std::vector<std::int32_t> some_codes_;
  std::vector<double> some_values_;
};

/// The counts of some rows of a block.
ReplicateBlock of_rows(const ReplicateBlock& block, const Rows& rows) {
  ReplicateBlock some{block.n_replicates, static_cast<std::int64_t>(rows.size()), {}, {}};
  some.counts.reserve(rows.size() * at(block.n_replicates));
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const std::uint16_t* counts = block.replicate(lane);
    for (const std::int32_t row : rows) some.counts.push_back(counts[row]);
  }
  if (block.row_weights.empty()) return some;
  for (const std::int32_t row : rows) some.row_weights.push_back(block.row_weights[at(row)]);
  return some;
}

/// One rung: who is alive there, and what chooses among them.
struct Rung {
  Rows own;     ///< its rows
  Rows scored;  ///< those of them that score
  Rows seen;    ///< its rows and those of earlier rungs
  std::vector<std::int64_t> alive;
  std::unique_ptr<const Columns> columns;  // of the alive, in the rows seen
  std::vector<Predictions> views;          // of these
  std::vector<double> seen_weights;
  Target seen_target;
  std::unique_ptr<const Evaluator> evaluator;  // of these
  Target own_target;
  Target scored_target;
  std::unique_ptr<const Defined> choice;  ///< whether a choice in bag is defined
  std::unique_ptr<const Defined> score;   ///< of pairs: whether the scored rows have a value
};

class RungCorrection {
 public:
  RungCorrection(const Target& target, const Predictions& predictions,
                 const CorrectionOptions& options, const Control& control)
      : target_(checked_target(options.metric, target)),
        coded_(coded(target_)),
        predictions_(predictions),
        options_(options),
        rungs_of_(std::get<selection::Rungs>(options.selection)),
        of_pairs_(is_of_pairs(options.metric)),
        replicates_(target_, options, RequiredSides::both_sides),
        weights_(replicates_.row_weights()),
        whole_(options.metric, target_, options.size_correction, weights_),
        choosing_(options.metric) {
    const auto* moments = std::get_if<metric::Moments>(&options.metric.kind);
    if (moments != nullptr && options.size_correction) {
      // R2 by the variance of all rows orders configurations as their errors do, on any rows.
      choosing_.kind = metric::RowLoss{metric::RowLoss::Kind::squared};
    }
    alone_.n_threads = 1;
    chosen_ = std::vector<std::atomic<bool>>(at(n_configurations(predictions)));
    make_rungs(control);
    replicates_.require([this](const std::uint16_t* counts) { return scoreable(counts); });
  }

  [[nodiscard]] Estimate run(const Control& control) {
    Estimate result;
    choose_on_all_rows(result);
    const std::int64_t n = options_.resampling.n_bootstraps;
    const double expected = static_cast<double>(n) * static_cast<double>(target_.n_rows()) *
                            static_cast<double>(n_configurations(predictions_));
    keep_replicates(
        replicates_, options_.metric, control, expected,
        [&](std::int64_t /*first*/, const Replicates::Drawn& drawn, const StopFlag& stop,
            std::int64_t* winners,
            double* values) { score_replicates(drawn.block, stop, winners, values); },
        result);
    result.n_rungs = static_cast<std::int64_t>(rungs_.size());
    result.n_rows_scored = std::count(rungs_of_.scores.begin(), rungs_of_.scores.end(), 1);
    chosen_[at(result.winner)] = true;
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      if (chosen_[j]) result.rung_choices.push_back(static_cast<std::int64_t>(j));
    }
    if (loses_size_shift(options_) && !of_pairs_) lose_size_shift(control, result);
    summarise({n_configurations(predictions_), target_.n_classes, 0, replicates_.n_fold_sides()},
              options_, result);
    return result;
  }

 private:
  [[nodiscard]] bool weighs(std::int32_t row) const {
    return weights_.empty() || weights_[at(row)] > 0.0;
  }
  [[nodiscard]] EvaluatorInput input(const Metric& metric, const Target& target,
                                     std::span<const Predictions> views,
                                     std::span<const double> weights) const {
    return {metric, target, views, {}, weights, options_.size_correction};
  }

  void make_rungs(const Control& control) {
    const std::int64_t rows = target_.n_rows();
    const auto n_rungs = 1 + *std::max_element(rungs_of_.of_row.begin(), rungs_of_.of_row.end());
    rungs_.resize(at(n_rungs));
    for (std::int32_t row = 0; row < rows; ++row) {
      const std::int32_t own = rungs_of_.of_row[at(row)];
      rungs_[at(own)].own.push_back(row);
      if (rungs_of_.scores[at(row)] != 0) rungs_[at(own)].scored.push_back(row);
      for (std::int32_t rung = own; rung < n_rungs; ++rung) rungs_[at(rung)].seen.push_back(row);
    }
    for (const Rung& rung : rungs_) {
      by_rung_.insert(by_rung_.end(), rung.own.begin(), rung.own.end());
    }
    by_rung_target_ = coded_.rows(by_rung_);
    const ReplicateBlock all = replicates_.all_rows();
    for (std::int32_t number = 0; number < n_rungs; ++number) {
      Rung& rung = rungs_[at(number)];
      auto columns = std::make_unique<Columns>(options_.metric, target_, predictions_);
      for (std::int64_t j = 0; j < n_configurations(predictions_); ++j) {
        if (rungs_of_.reached[at(j)] <= number) continue;
        rung.alive.push_back(j);
        columns->append(j, rung.seen);
      }
      rung.columns = std::move(columns);
      rung.views = {rung.columns->view(static_cast<std::int64_t>(rung.seen.size()))};
      rung.seen_target = coded_.rows(rung.seen);
      rung.seen_weights = of_rows(all, rung.seen).row_weights;
      // The last rung has seen all rows, and gives the apparent score.
      const Metric& metric = number + 1 < n_rungs ? choosing_ : options_.metric;
      rung.choice = std::make_unique<Defined>(metric, rung.seen_target, options_.size_correction,
                                              rung.seen_weights);
      if ((*rung.choice)([&](std::int64_t i) { return weighs(rung.seen[at(i)]); })) {
        rung.evaluator =
            make_evaluator(input(metric, rung.seen_target, rung.views, rung.seen_weights), control);
      }
      if (!of_pairs_) continue;
      rung.own_target = coded_.rows(rung.own);
      rung.scored_target = coded_.rows(rung.scored);
      if (!rung.scored.empty()) {
        rung.score = std::make_unique<Defined>(options_.metric, rung.scored_target);
      }
    }
  }

  /// Whether a choice can be made at a rung, whose rows would not be scored otherwise.
  [[nodiscard]] bool chooses(const Rung& rung, const std::uint16_t* counts) const {
    return rung.evaluator != nullptr && (*rung.choice)([&](std::int64_t i) {
             const std::int32_t row = rung.seen[at(i)];
             return counts[row] != 0 && weighs(row);
           });
  }
  [[nodiscard]] std::vector<bool> choosing_rungs(const std::uint16_t* counts) const {
    std::vector<bool> choosing;
    for (const Rung& rung : rungs_) choosing.push_back(chooses(rung, counts));
    return choosing;
  }
  [[nodiscard]] bool scores_pairs(const Rung& rung, const std::uint16_t* counts) const {
    return rung.score != nullptr && (*rung.score)([&](std::int64_t i) {
             const std::int32_t row = rung.scored[at(i)];
             return counts[row] == 0 && weighs(row);
           });
  }
  [[nodiscard]] bool scoreable(const std::uint16_t* counts) const {
    const std::vector<bool> choosing = choosing_rungs(counts);
    if (!choosing.back()) return false;  // the last rung's choice is the replicate's winner
    if (of_pairs_) {
      for (std::size_t i = 0; i < rungs_.size(); ++i) {
        if (choosing[i] && scores_pairs(rungs_[i], counts)) return true;
      }
      return false;
    }
    return whole_([&](std::int64_t row) {
      return counts[row] == 0 && rungs_of_.scores[at(row)] != 0 &&
             choosing[at(rungs_of_.of_row[at(row)])] && weighs(static_cast<std::int32_t>(row));
    });
  }

  void choose_on_all_rows(Estimate& result) const {
    const Rung& last = rungs_.back();
    const ReplicateBlock all = replicates_.all_rows();
    const StopFlag never;
    Choice choice;
    last.evaluator->best(all, never, &choice);
    result.winner = last.alive[at(choice.configuration)];
    double score = 0.0;
    if (of_pairs_) {
      Pairs pairs;
      for (const Rung& rung : rungs_) {
        add_pairs(rung.own, rung.own_target, of_rows(all, rung.own), Side::in_bag,
                  {&result.winner, 1}, never, &pairs);
      }
      if (!(pairs.weight > 0.0)) {
        throw_invalid("rungs", "hold no two rows that the metric compares, such as of two classes");
      }
      score = pairs.weighted / pairs.weight;
    } else {
      last.evaluator->in_bag(all, &choice, never, &score);
    }
    if (!std::isfinite(score)) throw_overflow(result.winner);
    result.apparent = options_.metric.sign * score;
    CorrectionOptions of_scored = options_;
    for (const std::uint8_t scores : rungs_of_.scores)
      of_scored.folds.push_back(scores != 0 ? 0 : -1);
    result.rates = rate_terms({&predictions_, 1}, target_, of_scored, result.winner);
  }

  /// A sum of values over pairs, and the pairs' weight.
  struct Pairs {
    double weighted = 0.0;
    double weight = 0.0;
  };

  /// Adds to each lane the pairs within some rows, by the configuration of the lane (-1: none).
  void add_pairs(const Rows& rows, const Target& target, const ReplicateBlock& block, Side side,
                 std::span<const std::int64_t> configurations, const StopFlag& stop,
                 Pairs* pairs) const {
    Columns columns(options_.metric, target_, predictions_);
    std::vector<Choice> choices(configurations.size());
    std::vector<double> weights(configurations.size());
    std::int64_t n_columns = 0;
    for (std::size_t lane = 0; lane < configurations.size(); ++lane) {
      if (configurations[lane] < 0) continue;
      const std::uint16_t* counts = block.replicate(static_cast<int>(lane));
      std::vector<double> of_row;
      for (std::int64_t row = 0; row < block.n_rows; ++row) {
        const double drawn = side == Side::in_bag ? counts[row] : counts[row] == 0 ? 1.0 : 0.0;
        of_row.push_back(drawn * block.row_weight(row));
      }
      weights[lane] = weight_of_pairs(target, of_row);
      if (!(weights[lane] > 0.0)) continue;
      columns.append(configurations[lane], rows);
      choices[lane] = {0.0, n_columns++};
    }
    if (n_columns == 0) return;
    const Predictions view = columns.view(block.n_rows);
    const auto evaluator =
        make_evaluator(input(options_.metric, target, {&view, 1}, block.row_weights), alone_);
    std::vector<double> scores(choices.size());
    evaluator->scores_of_choices(block, side, choices.data(), stop, scores.data());
    for (std::size_t lane = 0; lane < choices.size(); ++lane) {
      if (choices[lane].configuration < 0) continue;
      if (!std::isfinite(scores[lane])) throw_overflow(configurations[lane]);
      pairs[lane].weighted += weights[lane] * scores[lane];
      pairs[lane].weight += weights[lane];
    }
  }

  /// Each replicate's choice at a rung; -1 where it is undefined.
  [[nodiscard]] std::vector<std::int64_t> picks_at(const Rung& rung, const ReplicateBlock& drawn,
                                                   const StopFlag& stop) const {
    std::vector<std::int64_t> picks(at(drawn.n_replicates), -1);
    if (rung.evaluator == nullptr) return picks;
    ReplicateBlock block = of_rows(drawn, rung.seen);
    std::vector<bool> defined(picks.size());
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      defined[at(lane)] = chooses(rung, drawn.replicate(lane));
      if (!defined[at(lane)])
        std::fill_n(block.counts.begin() + lane * block.n_rows, block.n_rows, 1);
    }
    Choice choices[kBlock];
    rung.evaluator->best(block, stop, choices);
    for (std::size_t lane = 0; lane < picks.size(); ++lane) {
      if (defined[lane]) picks[lane] = rung.alive[at(choices[lane].configuration)];
    }
    return picks;
  }

  void score_replicates(const ReplicateBlock& drawn, const StopFlag& stop, std::int64_t* winners,
                        double* values) {
    std::vector<std::vector<std::int64_t>> picks;  // of each rung
    for (const Rung& rung : rungs_) {
      picks.push_back(picks_at(rung, drawn, stop));
      for (const std::int64_t pick : picks.back()) {
        if (pick >= 0) chosen_[at(pick)].store(true, std::memory_order_relaxed);
      }
    }
    std::ranges::copy(picks.back(), winners);
    if (!of_pairs_) {
      score_composites(drawn, picks, stop, values);
      return;
    }
    std::vector<Pairs> pairs(picks.back().size());
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
      const Rung& rung = rungs_[i];
      if (rung.scored.empty()) continue;
      add_pairs(rung.scored, rung.scored_target, of_rows(drawn, rung.scored), Side::out_of_bag,
                picks[i], stop, pairs.data());
    }
    std::transform(pairs.begin(), pairs.end(), values,
                   [](const Pairs& of_lane) { return of_lane.weighted / of_lane.weight; });
  }

  /// Takes from each replicate what its winner scores on average on rows out of bag that score
  /// beyond its score on all rows, as Correction does.
  void lose_size_shift(const Control& control, Estimate& result) {
    const Rung& last = rungs_.back();
    std::vector<std::int64_t> winners;  // by their places in the last rung
    for (const std::int64_t winner : result.replicate_winners) {
      winners.push_back(std::ranges::lower_bound(last.alive, winner) - last.alive.begin());
    }
    SizeShifts shifts(winners);
    shifts.find(
        replicates_, *last.evaluator, options_.metric.sign,
        static_cast<double>(replicates_.n_bootstraps() * target_.n_rows()), control,
        [&](std::int64_t /*first*/, const auto& drawn, auto won, const auto& stop, double* scores) {
          ReplicateBlock block = drawn.block;
          for (int lane = 0; lane < block.n_replicates; ++lane) {
            std::uint16_t* counts = block.counts.data() + lane * block.n_rows;
            const std::vector<bool> choosing = choosing_rungs(counts);
            for (std::size_t i = 0; i < rungs_.size(); ++i) mask(rungs_[i], choosing[i], counts);
          }
          last.evaluator->scores_of(left_out(block), won, stop, scores);
        });
    for (const std::int64_t winner : winners) {
      if (!std::isfinite(shifts.of(winner))) throw_overflow(last.alive[at(winner)]);
    }
    result.size_bias = shifts.take_from(winners, result.replicates);
  }

  /// Counts rows of a rung as drawn where they do not score.
  void mask(const Rung& rung, bool chosen, std::uint16_t* counts) const {
    for (const std::int32_t row : rung.own) {
      if (!chosen || rungs_of_.scores[at(row)] == 0) counts[row] = 1;
    }
  }

  /// Scores the columns whose rows each have the prediction of their rung's choice.
  void score_composites(const ReplicateBlock& drawn,
                        const std::vector<std::vector<std::int64_t>>& picks, const StopFlag& stop,
                        double* scores) const {
    ReplicateBlock block = drawn;  // where rows that do not score count as drawn
    Columns columns(options_.metric, target_, predictions_);
    std::vector<Choice> choices(at(drawn.n_replicates));
    for (int lane = 0; lane < drawn.n_replicates; ++lane) {
      std::uint16_t* counts = block.counts.data() + lane * block.n_rows;
      for (std::size_t i = 0; i < rungs_.size(); ++i) {
        const bool chosen = picks[i][at(lane)] >= 0;
        columns.append(chosen ? picks[i][at(lane)] : rungs_[i].alive[0], rungs_[i].own);
        mask(rungs_[i], chosen, counts);
      }
      choices[at(lane)] = {0.0, lane};
    }
    // Columns are in order of rungs, and so is everything else.
    const ReplicateBlock ordered = of_rows(block, by_rung_);
    const Predictions view = columns.view(block.n_rows);
    const auto evaluator = make_evaluator(
        input(options_.metric, by_rung_target_, {&view, 1}, ordered.row_weights), alone_);
    evaluator->out_of_bag(ordered, choices.data(), stop, scores);
  }

  Target target_;
  Target coded_;
  const Predictions& predictions_;
  const CorrectionOptions& options_;
  const selection::Rungs& rungs_of_;
  bool of_pairs_;
  Replicates replicates_;
  const std::vector<double>& weights_;
  Defined whole_;
  Metric choosing_;  ///< by which rungs but the last one choose
  std::vector<Rung> rungs_;
  Rows by_rung_;                           // all rows, in order of rungs
  Target by_rung_target_;                  // in this order
  Control alone_;                          // within a task
  std::vector<std::atomic<bool>> chosen_;  ///< by configuration: whether any rung chose it
};

void check(const selection::Rungs& rungs, const Target& target, const Predictions& predictions,
           const CorrectionOptions& options) {
  const auto n_rows = at(target.n_rows());
  if (rungs.of_row.size() != n_rows || rungs.scores.size() != n_rows ||
      rungs.reached.size() != at(n_configurations(predictions))) {
    throw_invalid("rungs", "must be of the rows and configurations that are given");
  }
  if (!is_of_pairs(options.metric) && !is_of_rows(options.metric)) {
    throw_invalid("metric",
                  "rung by rung takes means over rows, confusion metrics, the AUC of two classes "
                  "and the concordance index");
  }
  if (!options.folds.empty()) {
    throw_invalid("folds", "a metric cannot be averaged over folds rung by rung");
  }
  if (!options.resampling.folds.empty() || options.rotate_repeats) {
    throw_invalid("method", "rungs are scored on draws of rows, not of folds");
  }
}

}  // namespace

Estimate correct_rungs(const Target& target, std::span<const Predictions> repeats,
                       const CorrectionOptions& options, const Control& control) {
  check_confidence_level(options.confidence_level, options.alternative,
                         options.resampling.n_bootstraps);
  if (repeats.size() != 1) throw_invalid("predictions", "rungs are of one repeat");
  const auto& rungs = std::get<selection::Rungs>(options.selection);
  check(rungs, target, repeats[0], options);
  check_shapes({options.metric, target, repeats, options.folds, {}});
  return RungCorrection(target, repeats[0], options, control).run(control);
}

}  // namespace bbc::detail
