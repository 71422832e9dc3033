#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/fold_score_terms.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "detail/intervals/class_shares.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

using Form = RateTerm::Form;

/// Rows of some classes: their number, and that of independent ones among them.
struct RowsOfClass {
  double n = 0.0;
  double effective = 0.0;
  double largest_group = 1.0;
};

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
    term.others = rows(0).effective;
    return {term};
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::Confusion& kind) const {
    using Formula = metric::Confusion::Formula;
    if (target_.n_classes != 2) return {};
    if (kind.formula == Formula::balanced_accuracy) return {balanced(1.0, 0.0)};
    if (kind.formula == Formula::youden) return {balanced(2.0, -1.0)};
    if (kind.average != metric::Average::binary) return {};
    if (kind.formula == Formula::recall) return {rate_of(rows(1))};
    if (kind.formula == Formula::specificity) return {rate_of(rows(0))};
    if (kind.formula != Formula::f_beta || kind.beta != 1.0) return {};
    RateTerm overlap = rate_of(rows(1));
    overlap.form = Form::f_beta;
    overlap.others = 1.0;
    const double share = rows(1).n / rows(std::nullopt).n;
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
    const RowsOfClass all = rows(std::nullopt);
    // No squares, which overflow or vanish where the score does not.
    double deviation = s * std::sqrt(1.0 / least - 1.0);
    if (std::isfinite(most)) {
      deviation = std::min(deviation, std::sqrt(s) * std::sqrt(std::max(0.0, most - s)));
    }
    RateTerm term;
    term.form = Form::class_shares;
    term.rate = deviation * std::sqrt(all.largest_group / all.n);
    return {term};
  }
  template <class Other>
  [[nodiscard]] std::vector<RateTerm> operator()(const Other&) const {
    return {};
  }

 private:
  /// Rows of one class, or all.
  [[nodiscard]] RowsOfClass rows(std::optional<std::int32_t> code) const {
    std::vector<std::int32_t> units;
    RowsOfClass found;
    const auto& given = options_.resampling.units;
    for (std::size_t row = 0; row < static_cast<std::size_t>(target_.n_rows()); ++row) {
      if (code && target_.codes[row] != *code) continue;
      found.n += 1.0;
      if (!given.empty()) units.push_back(given[row]);
    }
    found.effective = found.n;
    if (units.empty()) return found;
    const detail::Numbered own(units);
    std::vector<double> sizes(own.n, 0.0);
    for (const std::int32_t unit : own.of_row) sizes[static_cast<std::size_t>(unit)] += 1.0;
    double squares = 0.0;
    for (const double size : sizes) squares += size * size;
    found.effective = found.n * found.n / squares;
    found.largest_group = *std::ranges::max_element(sizes);
    return found;
  }
  [[nodiscard]] RateTerm rate_of(const RowsOfClass& own) const {
    RateTerm term;
    term.rate = score_;
    term.n = own.effective;
    return term;
  }
  /// A multiple of the mean of recall and specificity.
  [[nodiscard]] RateTerm balanced(double weight, double offset) const {
    RateTerm term;
    term.form = Form::balanced;
    term.weight = weight;
    term.offset = offset;
    term.rate = (score_ - offset) / weight;
    term.n = rows(1).effective;
    term.others = rows(0).effective;
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

}  // namespace bbc
