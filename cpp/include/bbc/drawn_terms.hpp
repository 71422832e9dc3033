#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <bbc/estimate.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// What draws of folds, or of rows within classes, do not show of the error of a configuration's
/// score, as terms that `corrected_limits` reads; none where rows are drawn freely.
///
/// Folds that were stratified by class have the same shares of the classes, so that replicates
/// never vary in them, although the shares are those of a sample. With psi_c the mean influence
/// value of the rows of class c on the score of all rows, w the weights and W their sum, the shares
/// give the score the variance
///
///     needed = sum over units of (sum over its rows of w psi)^2 / W^2,
///
/// times G / (G - 1) for G groups, of which folds show the variance of their means of psi, divided
/// by their number, averaged over repeats (term `class_shares`). psi_c is (W / W_c) times the
/// derivative of the score by the logarithm of the class's weight: the class's mean less the score
/// for means over rows, nothing for scores that weigh the classes by themselves (AUC, recall,
/// balanced accuracy), and for all others by differences of fourth order.
///
/// Draws of at most four folds say nothing of their own: the term `few_folds` has the standard
/// deviation of the configuration's scores on them.
[[nodiscard]] BBC_API std::vector<RateTerm> drawn_terms(std::span<const Predictions> repeats,
                                                        const Target& y,
                                                        const CorrectionOptions& options,
                                                        std::int64_t configuration);

/// What each row contributes to the score of a configuration by the shares of the classes, w psi /
/// W; empty where draws hide nothing of these.
[[nodiscard]] BBC_API std::vector<double> class_contributions(std::span<const Predictions> repeats,
                                                              const Target& y,
                                                              const CorrectionOptions& options,
                                                              std::int64_t configuration);

/// The standard error that draws hide of the difference between two scores of the same rows, by
/// what `class_contributions` gave for each.
[[nodiscard]] BBC_API double hidden_by_draws(std::span<const double> first,
                                             std::span<const double> second,
                                             const CorrectionOptions& options);

/// The term of so few folds by their scores of a configuration, (repeat, fold), NaN where a fold
/// has none; none if there are more folds, or fewer than two with a score.
[[nodiscard]] BBC_API std::vector<RateTerm> few_folds_terms(std::span<const double> scores,
                                                            std::int64_t n_repeats,
                                                            std::int64_t n_folds);

}  // namespace bbc
