#include "detail/evaluation/fold_table.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <string>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_weights.hpp"

namespace bbc::detail {
namespace {

std::int64_t count_folds(std::span<const std::int32_t> folds, std::size_t n_rows,
                         std::size_t n_repeats) {
  if (folds.size() != n_rows * n_repeats) {
    throw_invalid("folds", std::to_string(folds.size()) + " values for " +
                               std::to_string(n_repeats) + " repeats of " + std::to_string(n_rows) +
                               " rows");
  }
  const auto largest = static_cast<std::int64_t>(*std::max_element(folds.begin(), folds.end()));
  if (largest >= static_cast<std::int64_t>(n_rows)) {  // which would take memory for each
    throw_invalid("folds", "code " + std::to_string(largest) + " for " + std::to_string(n_rows) +
                               " rows, which have no more folds");
  }
  return largest + 1;
}

}  // namespace

FoldTable::FoldTable(const Target& target, std::span<const Predictions> repeats,
                     const Metric& metric, std::span<const std::int32_t> folds,
                     const std::vector<double>& given_weights, const Control& control) {
  const auto n_rows = target.n_rows();
  const auto row_weights = relative_weights(given_weights, n_rows, /*even_power=*/true);
  if (repeats.empty()) throw_invalid("predictions", "no repeat");
  scores.n_repeats = static_cast<std::int64_t>(repeats.size());
  scores.n_folds = count_folds(folds, static_cast<std::size_t>(n_rows), repeats.size());
  scores.n_configurations = n_configurations(repeats[0]);
  scores.n_classes = target.n_classes;
  const Defined whole(metric, target);
  const std::int64_t n = scores.n_configurations;
  scores.values.resize(static_cast<std::size_t>(scores.n_repeats * scores.n_folds * n));
  defined.resize(static_cast<std::size_t>(scores.n_repeats * scores.n_folds));
  for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
    const auto fold_of =
        folds.subspan(repeat * static_cast<std::size_t>(n_rows), static_cast<std::size_t>(n_rows));
    const std::int64_t first_fold = static_cast<std::int64_t>(repeat) * scores.n_folds;
    const auto evaluator =
        make_evaluator({metric, target, repeats.subspan(repeat, 1), {}, row_weights}, control);
    const double cells =
        static_cast<double>(scores.n_folds) * static_cast<double>(n_rows) * static_cast<double>(n);
    const auto task = [&](std::int64_t first, std::int64_t last, const StopFlag& stop) {
      const std::int64_t size = last - first;
      // A fold is a replicate that holds its rows once: one lane per fold.
      ReplicateBlock lanes{static_cast<int>(size), n_rows, {}, row_weights};
      lanes.counts.resize(static_cast<std::size_t>(size * n_rows));
      for (std::int64_t row = 0; row < n_rows; ++row) {
        const std::int64_t lane = fold_of[static_cast<std::size_t>(row)] - first;
        if (lane < 0 || lane >= size) continue;
        lanes.counts[static_cast<std::size_t>(lane * n_rows + row)] = 1;
      }
      for (std::int64_t lane = 0; lane < size; ++lane) {
        const std::uint16_t* in_fold = lanes.replicate(static_cast<int>(lane));
        defined[static_cast<std::size_t>(first_fold + first + lane)] = whole([&](std::int64_t row) {
          return in_fold[row] != 0 &&
                 (row_weights.empty() || row_weights[static_cast<std::size_t>(row)] > 0.0);
        });
      }
      double* values = scores.values.data() + (first_fold + first) * n;
      evaluator->scores(lanes, 0, n, stop, values);
      std::for_each(values, values + size * n, [&](double& value) { value *= metric.sign; });
    };
    parallel_pieces(scores.n_folds, kBlock, control, 0.1 * cells, task);
  }
}

}  // namespace bbc::detail
