#include "detail/fast/loss_columns.hpp"

#include <algorithm>
#include <cmath>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {
namespace {

constexpr std::size_t kKeptBytes = std::size_t{64} << 20U;

}  // namespace

LossColumns::LossColumns(const metric::RowLoss& kind, const EvaluatorInput& input,
                         const RowLossKernel& kernel)
    : kind_(kind),
      target_(input.target),
      repeats_(input.repeats.begin(), input.repeats.end()),
      kernel_(kernel),
      n_to_keep_(kKeptBytes /
                 (sizeof(double) * static_cast<std::size_t>(target_.n_rows()) * repeats_.size())),
      columns_(static_cast<std::size_t>(n_configurations(repeats_[0]))) {}

LossColumns::Column LossColumns::compute(std::int64_t configuration) const {
  Column column;
  column.losses.reserve(static_cast<std::size_t>(target_.n_rows()) * repeats_.size());
  for (const auto& predictions : repeats_) {
    const auto losses = row_losses(kind_, target_, predictions, configuration, {});
    column.losses.insert(column.losses.end(), losses.begin(), losses.end());
  }
  for (const double loss : column.losses) {
    column.magnitude = std::max(column.magnitude, std::fabs(loss));
  }
  return column;
}

double LossColumns::sum(std::int64_t configuration, const double* weights, double total) const {
  auto& place = columns_[static_cast<std::size_t>(configuration)];
  const Column* known = nullptr;
  {
    const std::lock_guard lock(mutex_);
    known = place.get();
  }
  if (known != nullptr) return sum(*known, weights, total);
  auto computed = std::make_unique<const Column>(compute(configuration));
  const double result = sum(*computed, weights, total);
  const std::lock_guard lock(mutex_);
  // Another thread may have been first; both columns are the same.
  if (n_to_keep_ > 0 && place == nullptr) {
    place = std::move(computed);
    --n_to_keep_;
  }
  return result;
}

double LossColumns::sum(const Column& column, const double* weights, double total) const {
  const auto n_rows = target_.n_rows();
  const auto n = static_cast<double>(column.losses.size());
  CompensatedSum found;
  for (std::int64_t repeat = 0; repeat < n_repeats(); ++repeat) {
    kernel_.add(column.losses.data() + repeat * n_rows, weights, n_rows, found);
  }
  // Each chain of the kernel adds at most n / 4 terms to its rest; the terms are the lower halves
  // of the products and the rounding errors of the sums.
  const double magnitude = column.magnitude * total * static_cast<double>(n_repeats());
  const double terms = 2.0 * magnitude * (0x1p-26 + n * 0x1p-53);
  const double bound = 0x1p-53 * (n / 4.0 + 64.0) * terms;
  const double rounded = found.sum + found.rest;
  if (found.sum + (found.rest - bound) == rounded && found.sum + (found.rest + bound) == rounded) {
    return rounded;
  }
  std::vector<double> repeated;
  for (std::int64_t repeat = 0; repeat < n_repeats(); ++repeat) {
    repeated.insert(repeated.end(), weights, weights + n_rows);
  }
  return rounded_weighted_sum(column.losses.data(), repeated.data(),
                              static_cast<std::int64_t>(repeated.size()), 1);
}

}  // namespace bbc::detail
