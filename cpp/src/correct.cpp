// Corrections by one call: of one problem, of families on shared draws, and of many problems.
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>

#include "detail/choices/correct_choice.hpp"
#include "detail/evaluation/cost.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/parallel.hpp"

namespace bbc {
namespace {

/// Adds configurations piece by piece, so that a large matrix is never prepared as a whole.
void add_in_pieces(Correction& correction, const Target& target,
                   std::span<const Predictions> repeats, const CorrectionOptions& options,
                   const Control& control) {
  // Of the whole: a piece takes as many configurations of each repeat.
  const auto weights = detail::relative_weights(options.row_weights, target.n_rows());
  const detail::EvaluatorInput whole{options.metric, target,  repeats,
                                     options.folds,  weights, options.size_correction};
  detail::check_shapes(whole);
  const std::int64_t n = detail::n_configurations(repeats[0]);
  const std::int64_t at_once = detail::piece_size(whole, options.selection);
  std::vector<Predictions> piece(repeats.begin(), repeats.end());
  for (std::int64_t first = 0; first < n; first += at_once) {
    for (std::size_t r = 0; r < repeats.size(); ++r) {
      piece[r] = detail::configurations(repeats[r], first, std::min(n, first + at_once));
    }
    correction.add(piece, first, control);
  }
}

}  // namespace

Estimate correct(const Target& target, std::span<const Predictions> repeats,
                 const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  if (detail::derives_predictions(options.selection)) {
    return detail::correct_choice(target, repeats, options, control);
  }
  Correction correction(target, options);
  add_in_pieces(correction, target, repeats, options, control);
  return correction.finish();
}

std::vector<Estimate> correct_families(const Target& target,
                                       std::span<const std::vector<Predictions>> families,
                                       const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  std::vector<Estimate> estimates;
  if (detail::derives_predictions(options.selection)) {
    for (const auto& repeats : families) {
      estimates.push_back(detail::correct_choice(target, repeats, options, control));
    }
    return estimates;
  }
  Correction correction(target, options);
  for (const auto& repeats : families) {
    correction.begin_anew();
    add_in_pieces(correction, target, repeats, options, control);
    estimates.push_back(correction.finish());
  }
  return estimates;
}

}  // namespace bbc
