#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/scores.hpp>
#include <bbc/winner_statistics.hpp>
#include <bbc/winners.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "detail/evaluation/size_shift.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/limits.hpp"

namespace bbc {
namespace {

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
  const auto known = [&](std::int32_t place) { return place >= 0 && place < n_drawn; };
  if (!std::ranges::all_of(redraws.places, known)) {
    throw_invalid("places", "there are " + std::to_string(n_drawn) + " rows");
  }
  const auto n_attempts = static_cast<std::int64_t>(redraws.attempts.size());
  if (n_attempts != 0 && n_attempts != redraws.options.resampling.n_bootstraps) {
    throw_invalid("attempts", "need one of each replicate");
  }
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
  const auto n_scored = static_cast<std::int64_t>(redraws.places.size()) / redraws.n_repeats;
  in_parts(static_cast<std::int64_t>(of_all.size()), std::max(n_scored, redraws.target.n_rows()),
           [&](std::int64_t first, std::int64_t n) {
             const auto counts = scoring_counts(redraws, first, n, control);
             use(first, std::span<const std::uint16_t>(counts),
                 of_all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n)));
           });
}

/// What winners score out of bag on average beyond their score on all rows: the effect of fewer
/// rows, which is no selection.
class Shifts {
 public:
  Shifts(const ReplicateScorer& scorer, const CorrectionOptions& options,
         const std::vector<std::int64_t>& winners, const Control& control)
      : scorer_(scorer),
        control_(control),
        wanted_(detail::loses_size_shift(options)),
        winners_(winners),
        chosen_(detail::distinct(winners)) {}

  [[nodiscard]] bool wanted() const { return wanted_; }

  /// Scores replicates from `first` on.
  void add(std::int64_t first, std::span<const std::uint16_t> counts) {
    if (!wanted_) return;
    const auto scores = scorer_.out_of_bag_scores(first, counts, chosen_, control_);
    scores_.insert(scores_.end(), scores.begin(), scores.end());
  }

  /// Takes the shifts from all replicates and returns their mean over those that are defined; NaN
  /// where there is nothing to take.
  double take_from(std::vector<double>& replicates) const {
    if (!wanted_) return std::numeric_limits<double>::quiet_NaN();
    const auto on_all_rows = scorer_.on_all_rows(control_);
    std::vector<double> shifts;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      std::vector<double> defined;
      for (std::size_t at = i; at < scores_.size(); at += chosen_.size()) {
        if (!std::isnan(scores_[at])) defined.push_back(scores_[at]);
      }
      shifts.push_back(detail::rounded_mean(defined) -
                       on_all_rows[static_cast<std::size_t>(chosen_[i])]);
    }
    return detail::take_shifts(chosen_, shifts, winners_, replicates);
  }

 private:
  const ReplicateScorer& scorer_;
  const Control& control_;
  bool wanted_;
  const std::vector<std::int64_t>& winners_;
  std::vector<std::int64_t> chosen_;
  std::vector<double> scores_;  // (replicate, chosen)
};

template <class Value>
std::span<const Value> part_of(const std::vector<Value>& values, std::int64_t part,
                               std::int64_t size) {
  return std::span(values).subspan(static_cast<std::size_t>(part * size),
                                   static_cast<std::size_t>(size));
}

InBagScores in_bag_scores(const ReplicateScorer& scorer, std::int64_t n_bootstraps,
                          const Control& control) {
  InBagScores found{scorer.on_all_rows(control), {}, 0};
  in_parts(n_bootstraps, scorer.n_rows(), [&](std::int64_t first, std::int64_t n) {
    const auto drawn = scorer.in_bag(first, n, control);
    found.replicates.insert(found.replicates.end(), drawn.scores.begin(), drawn.scores.end());
    found.n_redrawn += drawn.n_redrawn;
  });
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
  const ReplicateScorer scorer(target, repeats, options, control);
  const std::int64_t n_rows = scorer.n_rows();
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
  const std::vector<std::uint16_t> once(static_cast<std::size_t>(n_rows), 1);
  Estimate found;
  found.winner = chosen(on_all_rows, once);
  found.apparent = on_all_rows[static_cast<std::size_t>(found.winner)];
  std::int64_t n_undefined = 0;
  const std::int64_t n_bootstraps = options.resampling.n_bootstraps;
  const std::int64_t n_cells = n_rows + n_configurations;
  in_parts(n_bootstraps, n_cells, [&](std::int64_t first, std::int64_t n) {
    const auto drawn = scorer.in_bag(first, n, control);
    found.n_redrawn += drawn.n_redrawn;
    n_undefined += drawn.n_undefined_folds;
    for (std::int64_t i = 0; i < n; ++i) {
      found.replicate_winners.push_back(
          chosen(part_of(drawn.scores, i, n_configurations), part_of(drawn.counts, i, n_rows)));
    }
    const auto winners = std::span(found.replicate_winners).last(static_cast<std::size_t>(n));
    const auto out_of_bag = scorer.out_of_bag(first, drawn.scoring(), winners, control);
    found.replicates.insert(found.replicates.end(), out_of_bag.scores.begin(),
                            out_of_bag.scores.end());
  });
  Shifts shifts(scorer, options, found.replicate_winners, control);
  if (shifts.wanted()) {
    in_parts(n_bootstraps, n_cells, [&](std::int64_t first, std::int64_t n) {
      shifts.add(first, scoring_counts(target, options, first, n, control));
    });
  }
  found.size_bias = shifts.take_from(found.replicates);
  found.rates = scorer.rates(found.winner);
  const Target canonical = detail::checked_target(options.metric, target);
  const detail::Replicates replicates(canonical, options, detail::RequiredSides::both_sides);
  detail::summarise(replicates, {n_configurations, canonical.n_classes, n_undefined}, options,
                    found);
  return found;
}

WinnerScores winner_scores(const ReplicateScorer& scorer, const CorrectionOptions& options,
                           const Redraws& redraws, const Winners& winners, const Control& control) {
  const detail::Arithmetic arithmetic;
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
  return in_bag_scores(ReplicateScorer(target, repeats, options, control),
                       options.resampling.n_bootstraps, control);
}

PossibleWinners possible_winners(const Target& target, const std::vector<Predictions>& repeats,
                                 const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  const std::int64_t n_bootstraps = options.resampling.n_bootstraps;
  check_confidence_level(options.confidence_level, options.alternative, n_bootstraps);
  const ReplicateScorer scorer(target, repeats, options, control);
  detail::check_n_rivals(detail::n_configurations(repeats[0]));
  const InBagScores scores = in_bag_scores(scorer, n_bootstraps, control);
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
