#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/scores.hpp>
#include <bbc/winner_statistics.hpp>
#include <bbc/winners.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "detail/choices/size_shift.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

using detail::at;
using Counts = std::span<const std::uint16_t>;

constexpr std::int64_t kCellsAtOnce = std::int64_t{1} << 22;

/// Calls `use(first, n)` for parts of the replicates of so many cells each.
template <class Use>
void in_parts(std::int64_t n_bootstraps, std::int64_t n_cells, const Use& use) {
  const std::int64_t at_once = std::max<std::int64_t>(1, kCellsAtOnce / n_cells);
  for (std::int64_t first = 0; first < n_bootstraps; first += at_once) {
    use(first, std::min(at_once, n_bootstraps - first));
  }
}

/// Counts of the rows drawn, or of their folds where these are drawn, from the attempts taken.
std::vector<std::uint16_t> counts_of_attempts(const Redraws& redraws, std::int64_t first,
                                              std::int64_t n) {
  const Sampler sampler(redraws.target.n_rows(), redraws.options.resampling);
  const auto n_rows = static_cast<std::size_t>(sampler.n_rows());
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(n) * n_rows);
  std::vector<std::uint16_t> of_rows(n_rows);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto attempt =
        static_cast<std::uint32_t>(redraws.attempts[static_cast<std::size_t>(first + i)]);
    std::uint16_t* own = counts.data() + i * sampler.n_rows();
    if (sampler.is_two_level()) {
      sampler.draw_folds(first + i, attempt, of_rows.data(), own);
    } else {
      sampler.draw(first + i, attempt, own);
    }
  }
  return counts;
}

/// Counts of the rows to be scored, from those of the rows drawn.
std::vector<std::uint16_t> counts_of_rows(const Redraws& redraws, std::int64_t first,
                                          std::vector<std::uint16_t> drawn, std::int64_t n) {
  if (redraws.places.empty()) return drawn;
  const std::int64_t n_rows = static_cast<std::int64_t>(redraws.places.size()) / redraws.n_repeats;
  const std::int64_t n_drawn = redraws.target.n_rows();
  std::vector<std::uint16_t> counts;
  counts.reserve(static_cast<std::size_t>(n * n_rows));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint16_t* own = drawn.data() + i * n_drawn;
    const std::int32_t* place = redraws.places.data() + (first + i) % redraws.n_repeats * n_rows;
    for (std::int64_t row = 0; row < n_rows; ++row) counts.push_back(own[place[row]]);
  }
  return counts;
}

void check(const Redraws& redraws) {
  const auto size = static_cast<std::int64_t>(redraws.places.size());
  if (redraws.n_repeats < 1 || size % redraws.n_repeats != 0) {
    throw_invalid("places", "need the same number of rows in each repeat");
  }
  const std::int64_t n_drawn = redraws.target.n_rows();
  if (n_drawn < 1) throw_invalid("target", "no rows");
  const auto known = [&](std::int32_t place) { return place >= 0 && place < n_drawn; };
  if (!std::ranges::all_of(redraws.places, known)) {
    throw_invalid("places", "there are " + std::to_string(n_drawn) + " rows");
  }
  const auto n_attempts = static_cast<std::int64_t>(redraws.attempts.size());
  if (n_attempts != 0 && n_attempts != redraws.options.resampling.n_bootstraps) {
    throw_invalid("attempts", "need one of each replicate");
  }
}

/// Rows that are scored, of redraws that were checked.
std::int64_t n_scored(const Redraws& redraws) {
  const auto size = static_cast<std::int64_t>(redraws.places.size());
  return size == 0 ? redraws.target.n_rows() : size / redraws.n_repeats;
}

/// Calls `use(first, counts, winners)` for parts of the replicates.
template <class Use>
void replay(const Redraws& redraws, const Winners& winners, const Control& control,
            const Use& use) {
  check(redraws);
  if (static_cast<std::int64_t>(winners.of_replicates.size()) !=
      redraws.options.resampling.n_bootstraps) {
    throw_invalid("winners", "need one of each replicate");
  }
  const std::span<const std::int64_t> of_all(winners.of_replicates);
  in_parts(static_cast<std::int64_t>(of_all.size()),
           std::max(n_scored(redraws), redraws.target.n_rows()),
           [&](std::int64_t first, std::int64_t n) {
             const auto counts = scoring_counts(redraws, first, n, control);
             use(first, std::span<const std::uint16_t>(counts),
                 of_all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n)));
           });
}

/// What a metric of the caller's makes of a correction's replicates, one at a time: as
/// ReplicateScorer for metrics of the kernel.
class OwnScorer {
 public:
  OwnScorer(const OwnMetric& metric, std::int64_t n_rows, const CorrectionOptions& options,
            MetricRole role)
      : metric_(metric),
        options_(options),
        n_rows_(n_rows),
        n_repeats_(static_cast<std::int64_t>(options.resampling.folds.size()) / n_rows),
        all_(metric.on_all_rows.size()) {
    std::iota(all_.begin(), all_.end(), std::int64_t{0});
    if (role == MetricRole::decides) sampler_.emplace(n_rows, options.resampling);
  }

  [[nodiscard]] std::int64_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::int64_t n_configurations() const {
    return static_cast<std::int64_t>(all_.size());
  }
  [[nodiscard]] std::int64_t n_fold_sides() const {
    const bool both = sampler_.has_value() && !sampler_->is_two_level();
    return metric_.n_folds * options_.resampling.n_bootstraps * (both ? 2 : 1);
  }
  [[nodiscard]] bool size_dependent() const { return metric_.size_dependent; }
  [[nodiscard]] const std::vector<double>& on_all_rows(const Control& /*control*/) const {
    return metric_.on_all_rows;
  }
  [[nodiscard]] static std::vector<RateTerm> rates(std::int64_t /*configuration*/) { return {}; }

  /// Chooses in bag of replicates [first, first + n) and scores the winners out of bag; returns the
  /// number of folds without a score. Who wins may decide whether a draw will do.
  std::int64_t add_replicates(std::int64_t first, std::int64_t n, const ChoiceRule& choose,
                              Estimate& found) {
    std::int64_t n_undefined = 0;
    known_.resize(at(first + n));
    for (std::int64_t b = first; b < first + n; ++b) {
      const std::int64_t attempt = draw(b, [&](Counts counts, Counts scoring) {
        const auto outside = rows_outside(scoring);
        if (outside.empty()) return false;
        const ScoresOfRows in_bag = scores(rows_drawn(counts), all_, -1);
        if (in_bag.values.empty()) return false;
        const std::int64_t winner = choose(in_bag.values, counts);
        std::int64_t n_outside = 0;
        const double score = score_of(outside, winner, b, n_outside);
        if (std::isnan(score)) return false;
        known_[at(b)] = {winner, score};
        n_undefined += in_bag.n_undefined_folds + n_outside;
        return true;
      });
      found.replicate_winners.push_back(known_[at(b)].winner);
      found.replicates.push_back(known_[at(b)].score);
      found.attempts.push_back(attempt);
      found.n_redrawn += attempt;
    }
    return n_undefined;
  }

  [[nodiscard]] ReplicateScorer::Replicates in_bag(std::int64_t first, std::int64_t n,
                                                   const Control& /*control*/) const {
    ReplicateScorer::Replicates found;
    for (std::int64_t b = first; b < first + n; ++b) {
      found.n_redrawn += draw(b, [&](Counts counts, Counts /*scoring*/) {
        const auto values = scores(rows_drawn(counts), all_, -1).values;
        found.scores.insert(found.scores.end(), values.begin(), values.end());
        return !values.empty();
      });
    }
    return found;
  }

  [[nodiscard]] ReplicateScorer::OutOfBag out_of_bag(std::int64_t first, Counts scoring,
                                                     std::span<const std::int64_t> winners,
                                                     const Control& /*control*/) {
    ReplicateScorer::OutOfBag found;
    known_.resize(at(first) + winners.size());
    for (std::size_t i = 0; i < winners.size(); ++i) {
      const std::int64_t b = first + static_cast<std::int64_t>(i);
      const auto rows = rows_outside(scoring.subspan(i * at(n_rows_), at(n_rows_)));
      known_[at(b)] = {winners[i], score_of(rows, winners[i], b, found.n_undefined_folds)};
      found.scores.push_back(known_[at(b)].score);
    }
    return found;
  }

  /// Scores of winners are known already.
  [[nodiscard]] std::vector<double> out_of_bag_scores(std::int64_t first, Counts scoring,
                                                      std::span<const std::int64_t> configurations,
                                                      const Control& /*control*/) const {
    std::vector<double> found;
    for (std::int64_t b = first; !scoring.empty(); ++b, scoring = scoring.subspan(at(n_rows_))) {
      const auto rows = rows_outside(scoring.first(at(n_rows_)));
      std::int64_t ignored = 0;
      for (const std::int64_t each : configurations) {
        const Known& known = known_[at(b)];
        found.push_back(each == known.winner ? known.score : score_of(rows, each, b, ignored));
      }
    }
    return found;
  }

 private:
  struct Known {
    std::int64_t winner = -1;
    double score = 0.0;
  };

  /// Draws a replicate until `takes(counts, scoring)`, and returns the attempt that it took.
  template <class Takes>
  std::int64_t draw(std::int64_t replicate, const Takes& takes) const {
    std::vector<std::uint16_t> counts(at(n_rows_));
    std::vector<std::uint16_t> of_folds(sampler_->is_two_level() ? counts.size() : 0);
    return detail::attempt_taken(
        *sampler_, options_.redraw, replicate,
        [&](std::uint32_t attempt) {
          if (of_folds.empty()) {
            sampler_->draw(replicate, attempt, counts.data());
          } else {
            sampler_->draw_folds(replicate, attempt, counts.data(), of_folds.data());
          }
        },
        [&] { return takes(counts, of_folds.empty() ? counts : of_folds); },
        [&] { return "leaves metric " + metric_.name + " undefined"; });
  }

  static std::vector<std::int64_t> rows_drawn(Counts counts) {
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < counts.size(); ++row) {
      rows.insert(rows.end(), counts[row], static_cast<std::int64_t>(row));
    }
    return rows;
  }
  static std::vector<std::int64_t> rows_outside(Counts scoring) {
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < scoring.size(); ++row) {
      if (scoring[row] == 0) rows.push_back(static_cast<std::int64_t>(row));
    }
    return rows;
  }
  ScoresOfRows scores(std::span<const std::int64_t> rows,
                      std::span<const std::int64_t> configurations, std::int64_t repeat) const {
    ScoresOfRows found = metric_.scores(rows, configurations, repeat);
    if (!found.values.empty() && found.values.size() != configurations.size()) {
      throw_invalid("metric", std::to_string(found.values.size()) + " scores of " +
                                  std::to_string(configurations.size()) + " configurations");
    }
    return found;
  }
  /// A configuration's score on rows out of bag of a replicate, NaN if undefined. Where folds are
  /// drawn it is that in the replicate's repeat.
  double score_of(std::span<const std::int64_t> rows, std::int64_t configuration,
                  std::int64_t replicate, std::int64_t& n_undefined) const {
    const auto found =
        scores(rows, {&configuration, 1}, n_repeats_ == 0 ? -1 : replicate % n_repeats_);
    n_undefined += found.n_undefined_folds;
    return found.values.empty() ? kNaN : found.values[0];
  }

  const OwnMetric& metric_;
  const CorrectionOptions& options_;
  std::int64_t n_rows_;
  std::int64_t n_repeats_;  // in which folds are drawn; else 0
  std::vector<std::int64_t> all_;
  std::vector<Known> known_;        // of each replicate
  std::optional<Sampler> sampler_;  // of a metric that decides
};

bool loses_shift(const ReplicateScorer& /*scorer*/, const CorrectionOptions& options) {
  return detail::loses_size_shift(options);
}
bool loses_shift(const OwnScorer& scorer, const CorrectionOptions& options) {
  return options.size_correction && scorer.size_dependent();
}

/// The size shifts of winners.
template <class Scorer>
class Shifts {
 public:
  Shifts(const Scorer& scorer, const CorrectionOptions& options,
         const std::vector<std::int64_t>& winners, const Control& control)
      : scorer_(scorer),
        control_(control),
        wanted_(loses_shift(scorer, options)),
        winners_(winners),
        shifts_(winners) {}

  [[nodiscard]] bool wanted() const { return wanted_; }

  /// Scores replicates from `first` on.
  void add(std::int64_t first, std::span<const std::uint16_t> counts) {
    if (!wanted_) return;
    const auto scores =
        scorer_.out_of_bag_scores(first, counts, shifts_.configurations(), control_);
    scores_.insert(scores_.end(), scores.begin(), scores.end());
  }

  /// Takes the shifts from all replicates and returns their mean over those that are defined; NaN
  /// where there is nothing to take.
  double take_from(std::vector<double>& replicates) {
    if (!wanted_) return kNaN;
    const auto on_all_rows = scorer_.on_all_rows(control_);
    std::vector<double> of_chosen;
    for (const std::int64_t each : shifts_.configurations()) {
      of_chosen.push_back(on_all_rows[at(each)]);
    }
    shifts_.add(scores_, of_chosen, 1.0);
    return shifts_.take_from(winners_, replicates);
  }

 private:
  const Scorer& scorer_;
  const Control& control_;
  bool wanted_;
  const std::vector<std::int64_t>& winners_;
  detail::SizeShifts shifts_;
  std::vector<double> scores_;  // (replicate, configuration)
};

template <class Value>
std::span<const Value> part_of(const std::vector<Value>& values, std::int64_t part,
                               std::int64_t size) {
  return std::span(values).subspan(static_cast<std::size_t>(part * size),
                                   static_cast<std::size_t>(size));
}

template <class Scorer>
InBagScores scores_in_bag(const Scorer& scorer, std::int64_t n_bootstraps, const Control& control) {
  InBagScores found{scorer.on_all_rows(control), {}, 0};
  in_parts(n_bootstraps, scorer.n_rows(), [&](std::int64_t first, std::int64_t n) {
    const auto drawn = scorer.in_bag(first, n, control);
    found.replicates.insert(found.replicates.end(), drawn.scores.begin(), drawn.scores.end());
    found.n_redrawn += drawn.n_redrawn;
  });
  return found;
}

std::int64_t add_replicates(ReplicateScorer& scorer, std::int64_t first, std::int64_t n,
                            const ChoiceRule& choose, const Control& control, Estimate& found) {
  const auto drawn = scorer.in_bag(first, n, control);
  found.n_redrawn += drawn.n_redrawn;
  for (std::int64_t i = 0; i < n; ++i) {
    found.replicate_winners.push_back(choose(part_of(drawn.scores, i, scorer.n_configurations()),
                                             part_of(drawn.counts, i, scorer.n_rows())));
  }
  const auto winners = std::span(found.replicate_winners).last(static_cast<std::size_t>(n));
  const auto out_of_bag = scorer.out_of_bag(first, drawn.scoring(), winners, control);
  found.replicates.insert(found.replicates.end(), out_of_bag.scores.begin(),
                          out_of_bag.scores.end());
  return drawn.n_undefined_folds;
}
std::int64_t add_replicates(OwnScorer& scorer, std::int64_t first, std::int64_t n,
                            const ChoiceRule& choose, const Control& /*control*/, Estimate& found) {
  return scorer.add_replicates(first, n, choose, found);
}

template <class Scorer>
Estimate corrected_by_rule(Scorer& scorer, const Target& target, const CorrectionOptions& options,
                           const ChoiceRule& choose, const Control& control) {
  const std::int64_t n_configurations = scorer.n_configurations();
  const auto chosen = [&](std::span<const double> scores, std::span<const std::uint16_t> counts) {
    const std::int64_t index = choose(scores, counts);
    if (index < 0 || index >= n_configurations) {
      throw_invalid("selection", "chose configuration " + std::to_string(index) + " of " +
                                     std::to_string(n_configurations));
    }
    return index;
  };
  const auto on_all_rows = scorer.on_all_rows(control);
  const std::vector<std::uint16_t> once(static_cast<std::size_t>(scorer.n_rows()), 1);
  Estimate found;
  found.winner = chosen(on_all_rows, once);
  found.apparent = on_all_rows[static_cast<std::size_t>(found.winner)];
  std::int64_t n_undefined = 0;
  const std::int64_t n_bootstraps = options.resampling.n_bootstraps;
  const std::int64_t n_cells = scorer.n_rows() + n_configurations;
  in_parts(n_bootstraps, n_cells, [&](std::int64_t first, std::int64_t n) {
    n_undefined += add_replicates(scorer, first, n, chosen, control, found);
  });
  Shifts shifts(scorer, options, found.replicate_winners, control);
  if (shifts.wanted()) {
    const Redraws redraws{target, options, {}, 1, found.attempts};
    in_parts(n_bootstraps, n_cells, [&](std::int64_t first, std::int64_t n) {
      shifts.add(first, scoring_counts(redraws, first, n, control));
    });
  }
  found.size_bias = shifts.take_from(found.replicates);
  found.rates = scorer.rates(found.winner);
  const auto n_classes = detail::checked_target(options.metric, target).n_classes;
  detail::summarise({n_configurations, n_classes, n_undefined, scorer.n_fold_sides()}, options,
                    found);
  return found;
}

template <class Scorer>
WinnerScores scores_of_winners(Scorer& scorer, const CorrectionOptions& options,
                               const Redraws& redraws, const Winners& winners,
                               const Control& control) {
  Shifts shifts(scorer, options, winners.of_replicates, control);
  WinnerScores found;
  std::int64_t n_undefined = 0;
  replay(redraws, winners, control,
         [&](std::int64_t first, std::span<const std::uint16_t> counts,
             std::span<const std::int64_t> chosen) {
           const auto scored = scorer.out_of_bag(first, counts, chosen, control);
           n_undefined += scored.n_undefined_folds;
           found.replicates.insert(found.replicates.end(), scored.scores.begin(),
                                   scored.scores.end());
           shifts.add(first, counts);
         });
  found.size_bias = shifts.take_from(found.replicates);
  const auto winner = static_cast<std::size_t>(winners.of_all_rows);
  found.apparent = scorer.on_all_rows(control).at(winner);
  found.rates = scorer.rates(winners.of_all_rows);
  if (!options.folds.empty()) {
    found.undefined_fold_share =
        static_cast<double>(n_undefined) / static_cast<double>(scorer.n_fold_sides());
  }
  return found;
}

}  // namespace

std::vector<std::uint16_t> scoring_counts(const Redraws& redraws, std::int64_t first,
                                          std::int64_t n, const Control& control) {
  const detail::Arithmetic arithmetic;
  check(redraws);
  const std::int64_t n_bootstraps = redraws.options.resampling.n_bootstraps;
  if (first < 0 || n < 0 || n > n_bootstraps - first) {
    throw_invalid("replicates", "there are " + std::to_string(n_bootstraps));
  }
  auto drawn = redraws.attempts.empty()
                   ? scoring_counts(redraws.target, redraws.options, first, n, control)
                   : counts_of_attempts(redraws, first, n);
  return counts_of_rows(redraws, first, std::move(drawn), n);
}

ReplicateMoments replicate_moments(const std::vector<double>& replicates, double apparent,
                                   std::int64_t n_configurations,
                                   const CorrectionOptions& options) {
  const detail::Arithmetic arithmetic;
  const bool as_published = !options.size_correction || !options.resampling.resamples.empty();
  const bool selects =
      n_configurations > 1 || std::holds_alternative<selection::Threshold>(options.selection);
  const bool corrects = as_published || selects;
  const double mean = detail::rounded_mean(replicates);
  const double sd = detail::standard_deviation(replicates, mean);
  return {corrects ? mean : apparent, sd,
          corrects ? sd / std::sqrt(static_cast<double>(replicates.size())) : 0.0};
}

Estimate correct_by_rule(const Target& target, const std::vector<Predictions>& repeats,
                         const CorrectionOptions& options, const ChoiceRule& choose,
                         const Control& control) {
  const detail::Arithmetic arithmetic;
  ReplicateScorer scorer(target, repeats, options, control);
  return corrected_by_rule(scorer, target, options, choose, control);
}

Estimate correct_by_rule(const Target& target, const OwnMetric& metric,
                         const CorrectionOptions& options, const ChoiceRule& choose,
                         const Control& control) {
  const detail::Arithmetic arithmetic;
  detail::check_target(options.metric, target);
  OwnScorer scorer(metric, target.n_rows(), options, MetricRole::decides);
  return corrected_by_rule(scorer, target, options, choose, control);
}

WinnerScores winner_scores(const ReplicateScorer& scorer, const CorrectionOptions& options,
                           const Redraws& redraws, const Winners& winners, const Control& control) {
  const detail::Arithmetic arithmetic;
  return scores_of_winners(scorer, options, redraws, winners, control);
}

WinnerScores winner_scores(const OwnMetric& metric, const CorrectionOptions& options,
                           const Redraws& redraws, const Winners& winners, const Control& control) {
  const detail::Arithmetic arithmetic;
  check(redraws);
  OwnScorer scorer(metric, n_scored(redraws), options, MetricRole::reported);
  return scores_of_winners(scorer, options, redraws, winners, control);
}

std::vector<double> winner_values(const WinnerStatistics& statistics, const Statistic& statistic,
                                  const CorrectionOptions& options, const Redraws& redraws,
                                  const Winners& winners, const Control& control) {
  const detail::Arithmetic arithmetic;
  StatisticShifts shifts(statistics, statistic, options, winners.of_replicates,
                         winners.of_all_rows);
  std::vector<double> replicates;
  replay(redraws, winners, control,
         [&](std::int64_t first, std::span<const std::uint16_t> counts,
             std::span<const std::int64_t> chosen) {
           const auto values = statistics.out_of_bag(statistic, first, counts, chosen, control);
           shifts.add(first, counts, values, control);
           replicates.insert(replicates.end(), values.begin(), values.end());
         });
  shifts.take_from(replicates);
  return replicates;
}

InBagScores in_bag_scores(const Target& target, const std::vector<Predictions>& repeats,
                          const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  return scores_in_bag(ReplicateScorer(target, repeats, options, control),
                       options.resampling.n_bootstraps, control);
}

InBagScores in_bag_scores(const Target& target, const OwnMetric& metric,
                          const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  detail::check_target(options.metric, target);
  return scores_in_bag(OwnScorer(metric, target.n_rows(), options, MetricRole::decides),
                       options.resampling.n_bootstraps, control);
}

PossibleWinners possible_winners(const Target& target, const std::vector<Predictions>& repeats,
                                 const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  const std::int64_t n_bootstraps = options.resampling.n_bootstraps;
  check_confidence_level(options.confidence_level, options.alternative, n_bootstraps);
  const ReplicateScorer scorer(target, repeats, options, control);
  detail::check_n_rivals(detail::n_configurations(repeats[0]));
  const InBagScores scores = scores_in_bag(scorer, n_bootstraps, control);
  PossibleWinners found;
  found.n_redrawn = scores.n_redrawn;
  found.scores = scores.on_all_rows;
  found.set =
      model_confidence_set(found.scores, scores.replicates, options.metric.greater_is_better(),
                           options.confidence_level, control);
  found.winner =
      score(target, repeats, options.metric, options.folds, options.row_weights, control).winner;
  return found;
}

}  // namespace bbc
