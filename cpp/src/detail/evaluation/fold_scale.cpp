#include <cmath>

#include "detail/evaluation/partition_scores.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

/// What is taken away of the values of a fold.
enum class Scale { nothing, location_and_spread, all_but_ranks };

struct ScaleOf {
  Scale operator()(const metric::ZeroOne& /*kind*/) const { return Scale::nothing; }
  Scale operator()(const metric::Confusion& /*kind*/) const { return Scale::nothing; }
  Scale operator()(const metric::RowLoss& /*kind*/) const { return Scale::nothing; }
  Scale operator()(const metric::Moments& kind) const {
    return kind.formula == metric::Moments::Formula::squared_pearson ? Scale::location_and_spread
                                                                     : Scale::nothing;
  }
  template <class Ranking>
  Scale operator()(const Ranking& /*kind*/) const {
    return Scale::all_but_ranks;
  }
};

/// Brings the values of each fold to one scale.
class Scaler {
 public:
  Scaler(Scale scale, std::span<const std::int8_t> fold_of_row) : scale_(scale) {
    for (std::size_t row = 0; row < fold_of_row.size(); ++row) {
      if (fold_of_row[row] < 0) continue;
      const auto fold = static_cast<std::size_t>(fold_of_row[row]);
      if (fold >= rows_of_fold_.size()) rows_of_fold_.resize(fold + 1);
      rows_of_fold_[fold].push_back(row);
    }
  }

  /// Values of all rows, `stride` apart.
  void scale(double* values, std::int64_t stride) {
    for (const auto& rows : rows_of_fold_) {
      own_.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        own_[i] = values[static_cast<std::int64_t>(rows[i]) * stride];
      }
      if (scale_ == Scale::all_but_ranks) {
        rank();
      } else {
        standardise();
      }
      for (std::size_t i = 0; i < rows.size(); ++i) {
        values[static_cast<std::int64_t>(rows[i]) * stride] = own_[i];
      }
    }
  }

 private:
  /// Midranks from 0 to n, by n.
  void rank() {
    const std::size_t n = own_.size();
    sorter_.sort(own_, sorted_);
    const auto& tied = sorted_.tied_with_next;
    for (std::size_t begin = 0; begin < n;) {
      std::size_t end = begin + 1;
      while (end < n && !tied.empty() && tied[end - 1] != 0) ++end;
      const double middle = 0.5 * static_cast<double>(begin + end) / static_cast<double>(n);
      for (; begin < end; ++begin) own_[static_cast<std::size_t>(sorted_.rows[begin])] = middle;
    }
  }

  void standardise() {
    const auto n = static_cast<double>(own_.size());
    double mean = 0.0;
    for (const double value : own_) mean += value / n;
    double squares = 0.0;
    for (double& value : own_) {
      value -= mean;
      squares += value * value;
    }
    const double spread = std::sqrt(squares / n);
    if (!(spread > 0.0)) return;
    for (double& value : own_) value /= spread;
  }

  Scale scale_;
  std::vector<std::vector<std::size_t>> rows_of_fold_;
  std::vector<double> own_;  // of one fold
  ScoreSorter sorter_;
  SortedScores sorted_;
};

std::vector<std::int64_t> copied(const Predictions& predictions,
                                 std::span<const std::int64_t> configurations) {
  std::vector<std::int64_t> columns;
  std::visit(
      [&](const auto& view) {
        for (const std::int64_t j : configurations) {
          for (std::int64_t row = 0; row < view.n_rows; ++row) {
            columns.push_back(static_cast<std::int64_t>(view(row, j)));
          }
        }
      },
      predictions);
  return columns;
}

}  // namespace

ScaledColumns::ScaledColumns(const Metric& metric, const Predictions& predictions,
                             std::span<const std::int64_t> configurations,
                             std::span<const std::int8_t> fold_of_row)
    : view_(predictions) {
  const Scale scale = std::visit(ScaleOf{}, metric.kind);
  const std::int64_t n = n_rows(predictions);
  const std::int64_t n_outputs = n_outputs_of(predictions);
  const auto n_chosen = static_cast<std::int64_t>(configurations.size());
  if (scale == Scale::nothing && n_chosen == n_configurations(predictions)) return;
  if (scale == Scale::nothing && !std::holds_alternative<View<double>>(predictions) &&
      n_outputs == 1) {
    integers_ = copied(predictions, configurations);
    view_ = View<std::int64_t>{integers_.data(), n, n_chosen, 1, {1, n, 1}};
    return;
  }
  Scaler scaler(scale, fold_of_row);
  reals_.reserve(static_cast<std::size_t>(n * n_chosen * n_outputs));
  std::vector<double> column;
  for (const std::int64_t j : configurations) {
    read_values(predictions, j, {}, column);
    for (std::int64_t output = 0; output < n_outputs && scale != Scale::nothing; ++output) {
      scaler.scale(column.data() + output, n_outputs);
    }
    reals_.insert(reals_.end(), column.begin(), column.end());
  }
  view_ = View<double>{reals_.data(), n, n_chosen, n_outputs, {n_outputs, n * n_outputs, 1}};
}

}  // namespace bbc::detail
