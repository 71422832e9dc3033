#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <bbc/estimate.hpp>
#include <bbc/metric.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// What the truth alone tells of the limits of a score of which only the scores of folds were kept,
/// as terms that `corrected_limits` reads; none where that does not suffice: precision, MCC, kappa,
/// average precision, F-beta but F1, averages over more than two classes, roots, ranks, moments.
///
/// Accuracy, the AUC of two classes, recall, specificity, balanced accuracy and Youden's index have
/// a score interval by the numbers of rows, of a class or of all; of groups these are n^2 over the
/// sum of their squared sizes. The balanced accuracy `a` does not tell recall r and specificity
/// 2a - r: each limit is the furthest over 41 values of r.
///
/// A mean over rows of losses within [0, u] is compatible with the most where one class has all of
/// it. Of two classes, of which one has the share pi of the rows, their means then differ by
///
///     delta = max(min(s / pi, (u - s) / (1 - pi)), min(s / (1 - pi), (u - s) / pi)),
///
/// and the classes' shares add the variance of rows with psi = delta (1[class] - pi), less what the
/// folds show of it (term `class_shares`, see drawn_terms.hpp). Of more classes that is at most
/// min(s^2 (1 / pi_min - 1), s (u - s)) / n, times the rows of the largest group. F1 has both: the
/// score interval of Jaccard's index of as many rows as there are events, and to first order
/// delta = s (1 - s) / (pi (1 - pi)).
///
/// `options.resampling.units` are groups, and `options.folds` folds of the rows in each repeat;
/// empty where they are unknown, which shows nothing. `options.classes` are those of a truth of
/// numbers, of which losses have no term without.
[[nodiscard]] BBC_API std::vector<RateTerm> fold_score_terms(double score, const Target& target,
                                                             const CorrectionOptions& options);

/// Whether scores of folds tell the squared errors of all rows: R2 of numbers, of known folds and
/// without weights.
[[nodiscard]] BBC_API bool tells_errors(const CorrectionOptions& options);

/// Whether the truth of rows of so many classes (0: unknown) tells anything of scores of folds by
/// the metric: a term, or of R2 its squared errors.
[[nodiscard]] BBC_API bool truth_tells(const Metric& metric, std::int32_t n_classes);

/// Whether the truth of these rows does, with what `options` know of them.
[[nodiscard]] BBC_API bool truth_tells(const Target& target, const CorrectionOptions& options);

/// The variance of the truth in each fold over that of all rows, (repeat, fold). `folds` is the
/// fold of each row in each repeat, -1 where none tested it.
[[nodiscard]] BBC_API std::vector<double> spread_shares(std::span<const double> values,
                                                        std::span<const std::int32_t> folds,
                                                        std::int64_t n_repeats,
                                                        std::int64_t n_folds);

}  // namespace bbc
