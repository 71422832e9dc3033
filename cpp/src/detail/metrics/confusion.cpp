#include "detail/metrics/confusion.hpp"

#include <algorithm>
#include <numeric>

#include "detail/metrics/column_reader.hpp"

namespace bbc::detail {
namespace {

using Formula = metric::Confusion::Formula;

/// Marks the largest cell of each class as implied, moves it behind the others of its class and
/// drops its rows.
void imply_largest(ConfusionColumn& column) {
  std::vector<std::int32_t> rows;
  auto& cells = column.cells;
  for (auto first = cells.begin(); first != cells.end();) {
    const auto last = std::find_if(
        first, cells.end(), [&](const ConfusionCell& cell) { return cell.truth != first->truth; });
    const auto largest = std::max_element(first, last, [](const auto& a, const auto& b) {
      return a.end - a.begin < b.end - b.begin;
    });
    std::rotate(largest, largest + 1, last);
    for (auto cell = first; cell + 1 != last; ++cell) {
      const auto begin = static_cast<std::int32_t>(rows.size());
      rows.insert(rows.end(), column.rows.begin() + cell->begin, column.rows.begin() + cell->end);
      cell->begin = begin;
      cell->end = static_cast<std::int32_t>(rows.size());
    }
    (last - 1)->begin = (last - 1)->end = 0;
    (last - 1)->implied = true;
    first = last;
  }
  column.rows = std::move(rows);
}

/// Rows by cell, with a place for each pair of classes.
ConfusionColumn counted_column(const std::vector<std::int32_t>& truth,
                               const std::vector<std::int32_t>& predicted, std::int32_t n_classes) {
  ConfusionColumn column;
  const auto cell_of = [&](std::size_t row) {
    return static_cast<std::size_t>(truth[row]) * static_cast<std::size_t>(n_classes) +
           static_cast<std::size_t>(predicted[row]);
  };
  const auto n_cells = static_cast<std::size_t>(n_classes) * static_cast<std::size_t>(n_classes);
  std::vector<std::int32_t> starts(n_cells + 1, 0);
  for (std::size_t row = 0; row < truth.size(); ++row) ++starts[cell_of(row) + 1];
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    const auto begin = starts[cell];
    starts[cell + 1] += begin;
    if (starts[cell + 1] == begin) continue;
    const auto code = [&](std::size_t of) { return static_cast<std::int32_t>(of); };
    const auto k = static_cast<std::size_t>(n_classes);
    column.cells.push_back({code(cell / k), code(cell % k), begin, starts[cell + 1], false});
  }
  column.rows.resize(truth.size());
  for (std::size_t row = 0; row < truth.size(); ++row) {
    column.rows[static_cast<std::size_t>(starts[cell_of(row)]++)] = static_cast<std::int32_t>(row);
  }
  return column;
}

/// The same for so many classes that few pairs occur.
ConfusionColumn sorted_column(const std::vector<std::int32_t>& truth,
                              const std::vector<std::int32_t>& predicted) {
  ConfusionColumn column;
  column.rows.resize(truth.size());
  std::iota(column.rows.begin(), column.rows.end(), 0);
  const auto cell_of = [&](std::int32_t row) {
    const auto i = static_cast<std::size_t>(row);
    return std::pair(truth[i], predicted[i]);
  };
  std::stable_sort(column.rows.begin(), column.rows.end(),
                   [&](std::int32_t a, std::int32_t b) { return cell_of(a) < cell_of(b); });
  for (std::size_t i = 0; i < column.rows.size(); ++i) {
    const auto [of_truth, of_prediction] = cell_of(column.rows[i]);
    const auto at = static_cast<std::int32_t>(i);
    if (i == 0 || cell_of(column.rows[i - 1]) != std::pair(of_truth, of_prediction)) {
      column.cells.push_back({of_truth, of_prediction, at, at, false});
    }
    column.cells.back().end = at + 1;
  }
  return column;
}

}  // namespace

ConfusionColumn confusion_column(const std::vector<std::int32_t>& truth,
                                 const std::vector<std::int32_t>& predicted, bool implied) {
  std::int32_t n_classes = 0;
  for (const std::int32_t code : truth) n_classes = std::max(n_classes, code + 1);
  for (const std::int32_t code : predicted) n_classes = std::max(n_classes, code + 1);
  const std::int64_t n_cells = std::int64_t{n_classes} * n_classes;
  const bool many = n_cells > 64 + 4 * static_cast<std::int64_t>(truth.size());
  ConfusionColumn column =
      many ? sorted_column(truth, predicted) : counted_column(truth, predicted, n_classes);
  if (implied) imply_largest(column);
  return column;
}

ConfusionRatio confusion_ratio(const metric::Confusion& kind) {
  const double beta_squared = kind.beta * kind.beta;
  const auto of = [](const ConfusionRatio::Form& numerator,
                     const ConfusionRatio::Form& denominator) {
    return ConfusionRatio{numerator, denominator};
  };
  switch (kind.formula) {
#define BBC_RATIO(formula, undefined_without, shift, ratio) \
  case Formula::formula:                                    \
    return ratio;
#define BBC_CONFUSION(formula, ...) \
  case Formula::formula:            \
    break;
#include <bbc/metrics.inc>
  }
  return of({1.0}, {0.0, 1.0});  // what each class recalls, for the mean of recalls
}

template <class Number>
ConfusionColumns<Number>::ConfusionColumns(const Kind& kind, const Target& target)
    : kind_(kind),
      ratio_(confusion_ratio(kind)),
      n_classes_(target.n_classes),
      target_(target),
      rows_of_class_(static_cast<std::size_t>(target.n_classes)) {
  kind_.average = average_of(kind);
  for (std::size_t row = 0; row < target_.codes.size(); ++row) {
    rows_of_class_[static_cast<std::size_t>(target_.codes[row])].push_back(
        static_cast<std::int32_t>(row));
  }
}

template <class Number>
ConfusionColumn ConfusionColumns<Number>::prepare(std::span<const Predictions> repeats,
                                                  std::int64_t configuration,
                                                  std::span<const std::int32_t> rows) const {
  std::vector<std::int32_t> codes;
  read_codes(repeats[0], target_, configuration, rows, codes);
  return confusion_column(target_.codes, codes, !kReal);
}

template class ConfusionColumns<double>;
template class ConfusionColumns<DoubleDouble>;

}  // namespace bbc::detail
