#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/fold_scores.hpp>
#include <bbc/score_interval.hpp>
#include <bbc/scores.hpp>
#include <cmath>
#include <optional>
#include <variant>

#include "detail/intervals/class_shares.hpp"
#include "detail/intervals/effective_number.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc {
namespace {

constexpr std::size_t kFewFolds = 4;

/// Whether the score weighs the classes of the truth by itself, so that their shares do not matter.
bool ignores_shares(const Metric& metric) {
  using Formula = metric::Confusion::Formula;
  using Average = metric::Average;
  if (std::holds_alternative<metric::Auc>(metric.kind)) return true;
  if (const auto* kind = std::get_if<metric::MulticlassAuc>(&metric.kind)) {
    return kind->scheme != metric::MulticlassAuc::Scheme::ovr && !kind->weighted;
  }
  const auto* kind = std::get_if<metric::Confusion>(&metric.kind);
  if (kind == nullptr) return false;
  switch (kind->formula) {
    case Formula::balanced_accuracy:
    case Formula::youden:
    case Formula::distance_to_corner:
      return true;
    case Formula::mcc:
    case Formula::kappa:
    case Formula::quadratic_kappa:
    case Formula::linear_kappa:
      return false;
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
      break;
  }
  if (kind->formula == Formula::recall) {
    return kind->average == Average::binary || kind->average == Average::macro;
  }
  return kind->formula == Formula::specificity && kind->average == Average::binary;
}

/// 0 for each row that a repeat predicted, else -1; empty where all are predicted.
std::vector<std::int32_t> seen_rows(const std::vector<std::int32_t>& folds) {
  if (std::ranges::all_of(folds, [](std::int32_t fold) { return fold >= 0; })) return {};
  std::vector<std::int32_t> seen;
  for (const std::int32_t fold : folds) seen.push_back(fold < 0 ? -1 : 0);
  return seen;
}

/// The rows' weights, of which no sum of squares is too large.
std::vector<double> weights_of(const CorrectionOptions& options, std::int64_t n_rows) {
  auto weights = detail::weights_of_predicted(options.row_weights, n_rows, options.folds,
                                              /*even_power=*/true);
  if (weights.empty()) weights.assign(static_cast<std::size_t>(n_rows), 1.0);
  return weights;
}

/// What the shares that rows contribute to add to a score's error, and what draws show of it.
RateTerm term_of(std::span<const double> contributions, const CorrectionOptions& options) {
  const auto weights = weights_of(options, static_cast<std::int64_t>(contributions.size()));
  const detail::ClassShares shares{contributions, weights};
  RateTerm term;
  term.form = RateTerm::Form::class_shares;
  term.rate = shares.needed(options.resampling.units);
  term.n = shares.shown(options.resampling.folds);
  return term;
}

/// One configuration, and the classes whose shares draws hold fixed.
class SharesOfDraws {
 public:
  SharesOfDraws(const Target& target, const std::vector<Predictions>& repeats,
                const CorrectionOptions& options, const std::vector<std::int32_t>& classes)
      : target_(target),
        repeats_(repeats),
        options_(options),
        classes_(classes),
        weights_(weights_of(options, target.n_rows())),
        seen_(seen_rows(options.folds)) {
    of_class_.assign(classes_.n, 0.0);
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      of_class_[class_of(row)] += weights_[row];
    }
  }

  /// w psi / W of each row.
  [[nodiscard]] std::vector<double> of_rows() const {
    const auto means = of_means();
    const std::vector<double> slopes = means ? *means : of_differences();
    std::vector<double> contributions(weights_.size());
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      const double own = of_class_[class_of(row)];
      if (own > 0.0) contributions[row] = weights_[row] / own * slopes[class_of(row)];
    }
    return contributions;
  }

 private:
  [[nodiscard]] std::size_t class_of(std::size_t row) const {
    return static_cast<std::size_t>(classes_.of_row[row]);
  }

  /// The derivative of the score by the logarithm of each class's weight, for means over rows.
  [[nodiscard]] std::optional<std::vector<double>> of_means() const {
    std::vector<double> slopes(classes_.n, 0.0);
    const std::size_t n_rows = weights_.size();
    for (std::size_t repeat = 0; repeat < repeats_.size(); ++repeat) {
      const auto values = detail::values_of_rows(options_.metric, target_, repeats_[repeat], 0);
      if (!values) return std::nullopt;
      const auto weight = [&](std::size_t row) {
        return seen_.empty() || seen_[repeat * n_rows + row] >= 0 ? weights_[row] : 0.0;
      };
      double total = 0.0;
      double sum = 0.0;
      for (std::size_t row = 0; row < n_rows; ++row) {
        total += weight(row);
        sum += weight(row) * (*values)[row];
      }
      const double scale = 1.0 / (total * static_cast<double>(repeats_.size()));
      for (std::size_t row = 0; row < n_rows; ++row) {
        slopes[class_of(row)] += weight(row) * scale * ((*values)[row] - sum / total);
      }
    }
    return slopes;
  }
  /// The same for any score that takes weights.
  [[nodiscard]] std::vector<double> of_differences() const {
    constexpr double kStep = 1e-3;
    std::vector<double> slopes(classes_.n, 0.0);
    for (std::size_t code = 0; code < classes_.n; ++code) {
      if (!(of_class_[code] > 0.0)) continue;
      const auto difference = [&](double step) {
        return (score_with(code, step) - score_with(code, -step)) / (2.0 * step);
      };
      slopes[code] = (4.0 * difference(kStep / 2.0) - difference(kStep)) / 3.0;
    }
    return slopes;
  }
  [[nodiscard]] double score_with(std::size_t code, double step) const {
    std::vector<double> weights = weights_;
    const double factor = detail::exp(step);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (class_of(row) == code) weights[row] *= factor;
    }
    return score(target_, repeats_, options_.metric, seen_, weights).values[0];
  }

  const Target& target_;
  const std::vector<Predictions>& repeats_;
  const CorrectionOptions& options_;
  detail::Numbered classes_;
  std::vector<double> weights_;
  std::vector<std::int32_t> seen_;  // fold 0, or -1 where a repeat did not predict a row
  std::vector<double> of_class_;
};

/// The predictions of one configuration.
std::vector<Predictions> one_column(std::span<const Predictions> repeats,
                                    std::int64_t configuration) {
  std::vector<Predictions> column;
  for (const Predictions& repeat : repeats) {
    column.push_back(detail::configurations(repeat, configuration, configuration + 1));
  }
  return column;
}

std::vector<RateTerm> few_folds(const Target& target, const std::vector<Predictions>& repeats,
                                const CorrectionOptions& options) {
  const std::span<const std::int32_t> folds(options.resampling.folds);
  const auto n_rows = static_cast<std::size_t>(target.n_rows());
  std::vector<std::int32_t> codes;
  std::size_t fewest = n_rows;
  for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
    const detail::Numbered own(folds.subspan(repeat * n_rows, n_rows), /*of_folds=*/true);
    codes.insert(codes.end(), own.of_row.begin(), own.of_row.end());
    fewest = std::min(fewest, own.n);
  }
  if (fewest > kFewFolds) return {};
  const FoldScores scores =
      defined_fold_scores(target, repeats, options.metric, codes, options.row_weights);
  return few_folds_terms(scores.values, scores.n_repeats, scores.n_folds);
}

}  // namespace

std::vector<RateTerm> few_folds_terms(std::span<const double> scores, std::int64_t n_repeats,
                                      std::int64_t n_folds) {
  const detail::Arithmetic arithmetic;
  std::vector<double> deviations;
  auto fewest = static_cast<std::size_t>(n_folds);
  for (std::int64_t repeat = 0; repeat < n_repeats; ++repeat) {
    std::vector<double> own;
    for (std::int64_t fold = 0; fold < n_folds; ++fold) {
      const double score = scores[static_cast<std::size_t>(repeat * n_folds + fold)];
      if (!std::isnan(score)) own.push_back(score);
    }
    if (own.size() < 2) return {};
    fewest = std::min(fewest, own.size());
    deviations.push_back(detail::standard_deviation(own, detail::rounded_mean(own)));
  }
  if (fewest > kFewFolds || deviations.empty()) return {};
  RateTerm term;
  term.form = RateTerm::Form::few_folds;
  term.rate = detail::rounded_mean(deviations);
  term.n = static_cast<double>(fewest);
  return {term};
}

std::vector<RateTerm> drawn_terms(std::span<const Predictions> repeats, const Target& y,
                                  const CorrectionOptions& options, std::int64_t configuration) {
  const detail::Arithmetic arithmetic;
  const auto contributions = class_contributions(repeats, y, options, configuration);
  std::vector<RateTerm> terms;
  if (!contributions.empty()) {
    terms.push_back(term_of(contributions, options));
    if (!std::isfinite(terms.back().rate + terms.back().n)) detail::throw_overflow(configuration);
  }
  if (options.resampling.folds.empty()) return terms;
  const Target target = detail::checked_target(options.metric, y);
  const auto few = few_folds(target, one_column(repeats, configuration), options);
  terms.insert(terms.end(), few.begin(), few.end());
  return terms;
}

std::vector<double> class_contributions(std::span<const Predictions> repeats, const Target& y,
                                        const CorrectionOptions& options,
                                        std::int64_t configuration) {
  const detail::Arithmetic arithmetic;
  const Resampling& draws = options.resampling;
  const bool within_classes = !draws.strata.empty() && draws.resamples.empty();
  if (draws.folds.empty() && !within_classes) return {};
  const Target target = detail::checked_target(options.metric, y);
  detail::check_shapes({options.metric, target, repeats, draws.folds, {}});
  const auto n_rows = static_cast<std::size_t>(target.n_rows());
  for (const auto* classes : {&draws.strata, &options.classes}) {
    if (!classes->empty() && classes->size() != n_rows) {
      throw_invalid("classes", "must be one per row");
    }
  }
  const bool of_labels = target.kind == Target::Kind::labels;
  const auto& classes = detail::classes_of_draws(target, options);
  if (classes.empty() || options.fixed_class_counts) return {};
  const bool of_truth =
      of_labels && detail::Numbered(classes).of_row == detail::Numbered(target.codes).of_row;
  if (of_truth && ignores_shares(options.metric)) return {};
  const auto column = one_column(repeats, configuration);
  return SharesOfDraws(target, column, options, classes).of_rows();
}

double hidden_by_draws(std::span<const double> first, std::span<const double> second,
                       const CorrectionOptions& options) {
  const detail::Arithmetic arithmetic;
  const std::size_t n_rows = std::max(first.size(), second.size());
  if (std::min(first.size(), second.size()) != n_rows && !first.empty() && !second.empty()) {
    throw_invalid("contributions", "are of different rows");
  }
  std::vector<double> apart(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    apart[row] = (first.empty() ? 0.0 : first[row]) - (second.empty() ? 0.0 : second[row]);
  }
  if (apart.empty()) return 0.0;
  const RateTerm term = term_of(apart, options);
  return term.rate * detail::hidden_share(term.rate, term.n);
}

}  // namespace bbc
