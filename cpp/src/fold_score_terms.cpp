#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "detail/intervals/class_shares.hpp"
#include "detail/intervals/effective_number.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/spread.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

using Form = RateTerm::Form;

/// What one score is compatible with: one object per metric that has terms.
class TermsOfTruth {
 public:
  TermsOfTruth(double score, const Target& target, const CorrectionOptions& options)
      : target_(target),
        options_(options),
        classes_(target.kind == Target::Kind::labels ? target.codes : options.classes),
        score_(options.metric.sign * score) {}

  [[nodiscard]] std::vector<RateTerm> operator()(const metric::ZeroOne&) const {
    return {rate_of(rows(std::nullopt))};
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::Auc&) const {
    RateTerm term = rate_of(rows(1));
    term.form = Form::auc;
    term.others = detail::effective_number(rows(0));
    return {term};
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::Confusion& kind) const {
    using Formula = metric::Confusion::Formula;
    if (target_.n_classes != 2) return {};
    switch (kind.formula) {
      case Formula::balanced_accuracy:
        return {balanced(1.0, 0.0)};
      case Formula::youden:
        return {balanced(2.0, -1.0)};
      case Formula::mcc:
      case Formula::kappa:
      case Formula::quadratic_kappa:
      case Formula::linear_kappa:
      case Formula::distance_to_corner:
        return {};
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
        break;
    }
    if (kind.average != metric::Average::binary) return {};
    if (kind.formula == Formula::recall) return {rate_of(rows(1))};
    if (kind.formula == Formula::specificity) return {rate_of(rows(0))};
    if (kind.formula != Formula::f_beta || kind.beta != 1.0) return {};
    RateTerm overlap = rate_of(rows(1));
    overlap.form = Form::f_beta;
    overlap.others = 1.0;
    const double share = static_cast<double>(std::ranges::count(target_.codes, 1)) /
                         static_cast<double>(target_.codes.size());
    const double s = std::clamp(score_, 0.0, 1.0);
    const bool both = share > 0.0 && share < 1.0;
    return {overlap, of_two_classes(both ? s * (1.0 - s) / (share * (1.0 - share)) : 0.0)};
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::RowLoss& kind) const {
    if (kind.root || kind.greater_is_better || classes_.empty()) return {};
    const detail::Numbered codes(classes_);
    if (codes.n < 2) return {};
    const double s = std::max(score_, 0.0);
    const double least = least_share(codes);
    const double most = largest_loss();
    if (codes.n == 2) return {of_two_classes(largest_difference(s, least, most))};
    // No squares, which overflow or vanish where the score does not.
    double deviation = s * std::sqrt(1.0 / least - 1.0);
    if (std::isfinite(most)) {
      deviation = std::min(deviation, std::sqrt(s) * std::sqrt(std::max(0.0, most - s)));
    }
    RateTerm term;
    term.form = Form::class_shares;
    const auto n = static_cast<double>(target_.n_rows());
    term.rate = deviation * std::sqrt(largest_group() / n);
    return {term};
  }
  template <class Other>
  [[nodiscard]] std::vector<RateTerm> operator()(const Other&) const {
    return {};
  }

 private:
  /// Rows of one class, or all, as if they agreed.
  [[nodiscard]] detail::RateRows rows(std::optional<std::int32_t> code) const {
    detail::RateRows found;
    for (std::size_t row = 0; row < static_cast<std::size_t>(target_.n_rows()); ++row) {
      if (code && target_.codes[row] != *code) continue;
      found.add(1.0, 1.0, options_.resampling.units, row);
    }
    return found;
  }
  [[nodiscard]] double largest_group() const {
    std::map<std::int32_t, double> sizes;
    double largest = 1.0;
    for (const std::int32_t unit : options_.resampling.units) {
      largest = std::max(largest, sizes[unit] += 1.0);
    }
    return largest;
  }
  [[nodiscard]] RateTerm rate_of(const detail::RateRows& own) const {
    RateTerm term;
    term.rate = score_;
    term.n = detail::effective_number(own);
    return term;
  }
  /// A multiple of the mean of recall and specificity.
  [[nodiscard]] RateTerm balanced(double weight, double offset) const {
    RateTerm term;
    term.form = Form::balanced;
    term.weight = weight;
    term.offset = offset;
    term.rate = (score_ - offset) / weight;
    term.n = detail::effective_number(rows(1));
    term.others = detail::effective_number(rows(0));
    return term;
  }
  [[nodiscard]] static double least_share(const detail::Numbered& codes) {
    std::vector<double> counts(codes.n, 0.0);
    for (const std::int32_t code : codes.of_row) counts[static_cast<std::size_t>(code)] += 1.0;
    return *std::ranges::min_element(counts) / static_cast<double>(codes.of_row.size());
  }
  [[nodiscard]] double largest_loss() const {
    const double n_classes = target_.kind == Target::Kind::labels ? target_.n_classes : 2.0;
    const Range range = options_.metric.range(n_classes);
    return std::max(std::fabs(range.low), std::fabs(range.high));
  }
  /// Of the means of two classes within [0, most], of which one has a share of the rows.
  [[nodiscard]] static double largest_difference(double s, double share, double most) {
    const double other = 1.0 - share;
    const double rest = std::max(0.0, most - s);
    return std::max(std::min(s / share, rest / other), std::min(s / other, rest / share));
  }
  /// The term of classes whose means differ so.
  [[nodiscard]] RateTerm of_two_classes(double difference) const {
    const detail::Numbered codes(classes_);
    const auto n = static_cast<double>(codes.of_row.size());
    const auto ones = static_cast<double>(std::ranges::count(codes.of_row, 1));
    const std::vector<double> weights(codes.of_row.size(), 1.0);
    std::vector<double> contributions;
    contributions.reserve(codes.of_row.size());
    for (const std::int32_t code : codes.of_row) {
      contributions.push_back(difference * ((code == 1 ? 1.0 : 0.0) - ones / n) / n);
    }
    const detail::ClassShares shares{contributions, weights};
    RateTerm term;
    term.form = Form::class_shares;
    term.rate = shares.needed(options_.resampling.units);
    term.n = shares.shown(options_.folds);
    return term;
  }

  const Target& target_;
  const CorrectionOptions& options_;
  const std::vector<std::int32_t>& classes_;
  double score_;
};

/// Whether there are terms, which no score changes.
bool has_terms(const Target& target, const CorrectionOptions& options) {
  const TermsOfTruth terms(0.5 * options.metric.sign, target, options);
  return !std::visit(terms, options.metric.kind).empty();
}

/// Refuses facts of other rows than those of the truth.
void check_rows(const Target& target, const CorrectionOptions& options) {
  const auto n_rows = static_cast<std::size_t>(target.n_rows());
  const auto refuse = [&](const char* name, const std::vector<std::int32_t>& codes) {
    if (codes.empty() || codes.size() == n_rows) return;
    throw_invalid(name,
                  std::to_string(codes.size()) + " values for " + std::to_string(n_rows) + " rows");
  };
  refuse("units", options.resampling.units);
  refuse("classes", options.classes);
  if (n_rows == 0 || options.folds.size() % n_rows != 0) refuse("folds", options.folds);
}

}  // namespace

std::vector<RateTerm> fold_score_terms(double score, const Target& y,
                                       const CorrectionOptions& options) {
  const detail::Arithmetic arithmetic;
  const Target target = detail::checked_target(options.metric, y);
  check_rows(target, options);
  auto terms = std::visit(TermsOfTruth(score, target, options), options.metric.kind);
  for (RateTerm& term : terms) {
    if (term.form == Form::class_shares) continue;
    term.weight *= options.metric.sign;
    term.offset *= options.metric.sign;
  }
  return terms;
}

bool tells_errors(const CorrectionOptions& options) {
  const detail::Arithmetic arithmetic;
  return detail::has_spread(options.metric) && !options.folds.empty() && options.classes.empty() &&
         options.row_weights.empty();
}

bool truth_tells(const Metric& metric, std::int32_t n_classes) {
  const detail::Arithmetic arithmetic;
  if (detail::has_spread(metric)) return true;
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = std::max(n_classes, 2);
  target.codes.resize(static_cast<std::size_t>(target.n_classes));
  std::iota(target.codes.begin(), target.codes.end(), 0);
  CorrectionOptions options;
  options.metric = metric;
  return has_terms(target, options);
}

bool truth_tells(const Target& target, const CorrectionOptions& options) {
  const detail::Arithmetic arithmetic;
  return tells_errors(options) || has_terms(target, options);
}

std::vector<double> spread_shares(std::span<const double> values,
                                  std::span<const std::int32_t> folds, std::int64_t n_repeats,
                                  std::int64_t n_folds) {
  const detail::Arithmetic arithmetic;
  const std::size_t n_rows = values.size();
  if (n_rows == 0 || folds.size() != n_rows * static_cast<std::size_t>(n_repeats)) {
    throw_invalid("folds", std::to_string(folds.size()) + " values for " + std::to_string(n_rows) +
                               " rows in " + std::to_string(n_repeats) + " repeats");
  }
  if (std::ranges::any_of(folds, [&](std::int32_t fold) { return fold >= n_folds; })) {
    throw_invalid("folds", "more than the " + std::to_string(n_folds) + " that have scores");
  }
  const detail::Spread all(values, {});
  std::vector<double> shares;
  for (std::int64_t repeat = 0; repeat < n_repeats; ++repeat) {
    const auto of_row = folds.subspan(static_cast<std::size_t>(repeat) * n_rows, n_rows);
    for (std::int64_t fold = 0; fold < n_folds; ++fold) {
      std::vector<double> own;
      for (std::size_t row = 0; row < n_rows; ++row) {
        if (of_row[row] == fold) own.push_back(values[row]);
      }
      const detail::Spread spread(own, {});
      const double scale = all.unit / spread.unit;
      shares.push_back(spread.variance > 0.0 ? spread.variance / all.variance * scale * scale
                                             : 0.0);
    }
  }
  return shares;
}

}  // namespace bbc
