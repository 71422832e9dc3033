#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/fold_scores.hpp>
#include <limits>
#include <string>
#include <utility>

#include "detail/evaluation/fold_table.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

/// The first thing that a fold's truth lacks for the metric.
std::string lacks(const Metric& metric, const Target& target,
                  const std::vector<double>& row_weights, std::span<const std::int32_t> fold_of_row,
                  std::int64_t fold) {
  const detail::Defined defined(metric, target);
  const auto weighs = [&](std::int64_t row) {
    return fold_of_row[static_cast<std::size_t>(row)] == fold &&
           (row_weights.empty() || row_weights[static_cast<std::size_t>(row)] > 0.0);
  };
  std::vector<bool> has(static_cast<std::size_t>(target.n_classes));
  for (std::size_t row = 0; row < target.codes.size(); ++row) {
    if (weighs(static_cast<std::int64_t>(row)))
      has[static_cast<std::size_t>(target.codes[row])] = true;
  }
  for (const std::int32_t code : defined.needed_classes()) {
    if (!has[static_cast<std::size_t>(code)]) return "a row of class " + target.name_of_class(code);
  }
  return defined.need();
}

}  // namespace

void detail::check_table(const FoldScores& scores) {
  const auto n_values = static_cast<double>(scores.n_repeats) *
                        static_cast<double>(scores.n_folds) *
                        static_cast<double>(scores.n_configurations);
  if (scores.n_repeats < 1 || scores.n_folds < 1 || scores.n_configurations < 1) {
    throw_invalid("fold_scores", "no fold or no configuration");
  }
  if (n_values != static_cast<double>(scores.values.size())) {
    throw_invalid("fold_scores", std::to_string(scores.values.size()) + " values for " +
                                     std::to_string(scores.n_repeats) + " repeats, " +
                                     std::to_string(scores.n_folds) + " folds and " +
                                     std::to_string(scores.n_configurations) + " configurations");
  }
}

FoldScores fold_scores(const Target& y, std::span<const Predictions> repeats, const Metric& metric,
                       std::span<const std::int32_t> given, const std::vector<double>& row_weights,
                       const Control& control) {
  const detail::Arithmetic arithmetic;
  const auto own = detail::owned(given);
  const std::span<const std::int32_t> folds(own);
  const Target target = detail::checked_target(metric, y);
  const detail::FoldTable table(target, repeats, metric, folds, row_weights, control);
  for (std::int64_t repeat = 0; repeat < table.scores.n_repeats; ++repeat) {
    for (std::int64_t fold = 0; fold < table.scores.n_folds; ++fold) {
      if (table.is_defined(repeat, fold)) continue;
      const auto fold_of_row = folds.subspan(static_cast<std::size_t>(repeat * target.n_rows()),
                                             static_cast<std::size_t>(target.n_rows()));
      const Place place = {{"repeat", repeat}, {"fold", fold}};
      if (std::find(fold_of_row.begin(), fold_of_row.end(), fold) == fold_of_row.end()) {
        throw_invalid("folds", "no rows", place);
      }
      throw_undefined("the metric needs " + lacks(metric, target, row_weights, fold_of_row, fold),
                      place, "folds");
    }
  }
  return table.scores;
}

FoldScores defined_fold_scores(const Target& y, std::span<const Predictions> repeats,
                               const Metric& metric, std::span<const std::int32_t> given,
                               const std::vector<double>& row_weights, const Control& control) {
  const detail::Arithmetic arithmetic;
  const auto folds = detail::owned(given);
  const Target target = detail::checked_target(metric, y);
  detail::FoldTable table(target, repeats, metric, folds, row_weights, control);
  const auto n = static_cast<std::ptrdiff_t>(table.scores.n_configurations);
  for (std::size_t fold = 0; fold < table.defined.size(); ++fold) {
    if (table.defined[fold] != 0) continue;
    std::fill_n(table.scores.values.begin() + static_cast<std::ptrdiff_t>(fold) * n, n,
                std::numeric_limits<double>::quiet_NaN());
  }
  return std::move(table.scores);
}

}  // namespace bbc
