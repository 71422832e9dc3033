#include "detail/evaluation/road.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <variant>

#include "detail/fast/label_parts_evaluator.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/confusion.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/spread.hpp"
#include "detail/support/lane_table.hpp"

namespace bbc::detail {
namespace {

/// Whether rows of parts and groups of them fill the tables of a look-up.
bool has_large_groups(const EvaluatorInput& input, std::int64_t n_groups) {
  constexpr std::int64_t kFew = 2 * kGroupRows;
  std::set<std::pair<std::int64_t, std::int32_t>> parts;
  const std::int64_t n_rows = input.target.n_rows();
  for (std::size_t i = 0; i < input.folds.size(); ++i) {
    if (input.folds[i] >= 0) parts.emplace(static_cast<std::int64_t>(i) / n_rows, input.folds[i]);
  }
  const auto n_repeats = static_cast<std::int64_t>(input.repeats.size());
  const auto n_parts = std::max(n_repeats, static_cast<std::int64_t>(parts.size()));
  return n_parts * n_groups * kFew <= n_rows * n_repeats;
}

/// Whether rows of equal weight fill the tables of a look-up, and sums of so many products are
/// hardly rounded.
bool has_few_weights(const EvaluatorInput& input) {
  constexpr std::size_t kFew = 2 * kGroupRows;
  constexpr std::size_t kMost = 256;
  std::set<double> values;
  for (const double weight : input.row_weights) {
    if (weight > 0.0) values.insert(weight);
    if (values.size() > std::min(kMost, input.row_weights.size() / kFew)) return false;
  }
  return !values.empty();
}

/// Of every kind of metric; the first road that is open.
struct Chooser {
  const EvaluatorInput& input;

  [[nodiscard]] bool pooled() const { return input.folds.empty(); }
  [[nodiscard]] bool unweighted() const { return input.row_weights.empty(); }
  /// Whether rows' places fit a program's words.
  [[nodiscard]] bool pairs_fit() const {
    return input.target.n_rows() < std::numeric_limits<std::uint32_t>::max() / kLine;
  }
  [[nodiscard]] bool has_both_classes() const {
    const auto& codes = input.target.codes;
    return std::find(codes.begin(), codes.end(), 0) != codes.end() &&
           std::find(codes.begin(), codes.end(), 1) != codes.end();
  }

  Road operator()(const metric::ZeroOne& /*kind*/) const {
    if (!unweighted()) {
      return pooled() && has_few_weights(input) ? Road::weighed_errors : Road::filter;
    }
    if (pooled()) return Road::errors;
    return has_large_groups(input, 1) ? Road::part_errors : Road::filter;
  }
  Road operator()(const metric::Confusion& kind) const {
    if (!unweighted() || kind.beta > kMostBeta) return Road::filter;
    if (pooled() && input.repeats.size() == 1 && input.target.n_classes == 2 &&
        has_both_classes()) {
      return Road::class_errors;
    }
    const auto n_counted = LabelPartsEvaluator::n_counted(kind, input.target.n_classes);
    return n_counted && has_large_groups(input, *n_counted) ? Road::part_errors : Road::filter;
  }
  Road operator()(const metric::RowLoss& kind) const {
    const bool comparable = RowLossColumns::comparable(kind, input.repeats.size(), false);
    return pooled() && unweighted() && comparable ? Road::losses : Road::filter;
  }
  Road operator()(const metric::Moments& /*kind*/) const {
    const bool of_losses = input.fixed_spread && has_spread(input.metric);
    return of_losses && pooled() && unweighted() ? Road::losses : Road::filter;
  }
  Road operator()(const metric::Auc& /*kind*/) const {
    return unweighted() && pairs_fit() ? Road::pairs : Road::filter;
  }
  Road operator()(const metric::MulticlassAuc& /*kind*/) const {
    const bool by_class = n_outputs_of(input.repeats[0]) == input.target.n_classes;
    return pooled() && unweighted() && by_class && pairs_fit() ? Road::class_pairs : Road::filter;
  }
  Road operator()(const metric::Concordance& /*kind*/) const {
    const bool of_rows = unweighted() && input.target.event_weights.empty();
    return pooled() && of_rows && pairs_fit() ? Road::time_pairs : Road::filter;
  }
  Road operator()(const metric::AveragePrecision& /*kind*/) const { return Road::filter; }
  Road operator()(const metric::Spearman& /*kind*/) const { return Road::filter; }
};

}  // namespace

Road road_of(const EvaluatorInput& input) {
  check_shapes(input);
  return std::visit(Chooser{input}, input.metric.kind);
}

std::string_view kind_of(Road road) {
  switch (road) {
    case Road::errors:
    case Road::weighed_errors:
    case Road::class_errors:
    case Road::part_errors:
      return "look-up";
    case Road::losses:
      return "grid";
    case Road::pairs:
    case Road::class_pairs:
    case Road::time_pairs:
      return "pairs";
    case Road::filter:
      break;
  }
  return "filter";
}

}  // namespace bbc::detail
