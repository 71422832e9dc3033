#include "detail/fast/loss_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "detail/fast/counted_sums.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {
namespace {

constexpr double kKeptBytes = 128 << 20;

/// The weights of at most kCountedRows rows of a replicate; returns their sum.
double fill_side(const ReplicateBlock& block, Side side, int lane, std::int64_t first,
                 std::int64_t last, double* weights) {
  const std::uint16_t* counts = block.replicate(lane) + first;
  const auto n = static_cast<int>(last - first);
  int total = 0;
  if (side == Side::in_bag) {
    for (int row = 0; row < n; ++row) {
      total += counts[row];
      weights[row] = counts[row];
    }
  } else {
    for (int row = 0; row < n; ++row) {
      const int weight = counts[row] == 0 ? 1 : 0;
      total += weight;
      weights[row] = weight;
    }
  }
  return total;
}

}  // namespace

LossColumns::LossColumns(const metric::RowLoss& kind, const EvaluatorInput& input,
                         const RowLossKernel& kernel)
    : kind_(kind),
      target_(input.target),
      repeats_(input.repeats.begin(), input.repeats.end()),
      kernel_(kernel),
      keeps_(sizeof(double) * static_cast<double>(target_.n_rows()) *
                 static_cast<double>(repeats_.size()) *
                 static_cast<double>(n_configurations(repeats_[0])) <=
             kKeptBytes),
      columns_(static_cast<std::size_t>(n_configurations(repeats_[0]))) {}

void LossColumns::Range::add(const std::vector<double>& losses) {
  for (const double loss : losses) {
    least = std::min(least, loss);
    most = std::max(most, loss);
  }
}

void LossColumns::Range::add(const Range& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

LossColumns::Column LossColumns::compute(std::int64_t configuration) const {
  Column column;
  for (const auto& predictions : repeats_) {
    auto losses = row_losses(kind_, target_, predictions, configuration, {});
    if (repeats_.size() == 1) {
      column.losses = std::move(losses);
    } else {
      column.losses.insert(column.losses.end(), losses.begin(), losses.end());
    }
  }
  column.range.add(column.losses);
  return column;
}

const LossColumns::Column& LossColumns::column(std::int64_t configuration,
                                               std::unique_ptr<const Column>& own) const {
  const auto at = static_cast<std::size_t>(configuration);
  if (const Column* known = columns_.find(at)) return *known;
  own = std::make_unique<const Column>(compute(configuration));
  return keeps_ ? columns_.keep(at, std::move(own)) : *own;
}

std::optional<double> LossColumns::rounded(const Sum& sum, double total) const {
  const auto n_rows = static_cast<double>(target_.n_rows());
  const auto repeated = static_cast<double>(n_repeats());
  const double n_calls = (n_rows / static_cast<double>(kCountedRows) + 1.0) * repeated;
  const auto [least, most] = sum.range;
  const Sizes sizes{std::max(-least, most) * total * repeated, least == 0.0 || most == 0.0};
  return detail::rounded(sum.found, sizes, n_rows * repeated, n_calls);
}

double LossColumns::exact(std::int64_t configuration, const std::vector<double>& weights) const {
  std::unique_ptr<const Column> own;
  const Column& losses = column(configuration, own);
  std::vector<double> repeated;
  for (std::int64_t repeat = 0; repeat < n_repeats(); ++repeat) {
    repeated.insert(repeated.end(), weights.begin(), weights.end());
  }
  return rounded_weighted_sum(losses.losses.data(), repeated.data(),
                              static_cast<std::int64_t>(repeated.size()), 1);
}

double LossColumns::sum(std::int64_t configuration, const double* weights, double total) const {
  std::unique_ptr<const Column> own;
  const Column& losses = column(configuration, own);
  const auto n_rows = target_.n_rows();
  Sum sum{{}, losses.range};
  for (std::int64_t first = 0; first < n_rows; first += kCountedRows) {
    const std::int64_t n = std::min(kCountedRows, n_rows - first);
    for (std::int64_t repeat = 0; repeat < n_repeats(); ++repeat) {
      kernel_.add(losses.losses.data() + repeat * n_rows + first, weights + first, n, sum.found);
    }
  }
  if (const auto result = rounded(sum, total)) return *result;
  return exact(configuration, {weights, weights + n_rows});
}

void LossColumns::sums(const ReplicateBlock& block, Side side, const StopFlag& stop,
                       std::vector<Request>& requests) const {
  std::vector<Sum> sums(requests.size());
  if (keeps_) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      stop.check();
      add_column(block, side, requests[i], sums[i]);
    }
  } else {
    std::ranges::sort(requests, {}, &Request::configuration);
    for (std::int64_t first = 0; first < block.n_rows; first += kCountedRows) {
      stop.check();
      add_rows(block, side, first, std::min(first + kCountedRows, block.n_rows), requests, sums);
    }
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Request& request = requests[i];
    if (const auto result = rounded(sums[i], request.total)) {
      request.sum = *result;
      continue;
    }
    stop.check();
    std::vector<double> weights(static_cast<std::size_t>(block.n_rows));
    for (std::int64_t first = 0; first < block.n_rows; first += kCountedRows) {
      fill_side(block, side, request.lane, first, std::min(first + kCountedRows, block.n_rows),
                weights.data() + first);
    }
    request.sum = exact(request.configuration, weights);
  }
}

void LossColumns::add_column(const ReplicateBlock& block, Side side, Request& request,
                             Sum& sum) const {
  std::unique_ptr<const Column> own;
  const Column& kept = column(request.configuration, own);
  sum.range = kept.range;
  alignas(64) double weights[kCountedRows];
  for (std::int64_t first = 0; first < block.n_rows; first += kCountedRows) {
    const std::int64_t n = std::min(kCountedRows, block.n_rows - first);
    request.total += fill_side(block, side, request.lane, first, first + n, weights);
    for (std::int64_t repeat = 0; repeat < n_repeats(); ++repeat) {
      kernel_.add(kept.losses.data() + repeat * block.n_rows + first, weights, n, sum.found);
    }
  }
}

void LossColumns::add_rows(const ReplicateBlock& block, Side side, std::int64_t first,
                           std::int64_t last, std::vector<Request>& requests,
                           std::vector<Sum>& sums) const {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(last - first));
  std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(first));
  const Target truth = target_.rows(rows);
  alignas(64) double weights[kCountedRows];
  for (const Predictions& predictions : repeats_) {
    const Predictions some = rows_of(predictions, first, last);
    std::vector<double> losses;
    Range range;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Request& request = requests[i];
      if (i == 0 || request.configuration != requests[i - 1].configuration) {
        losses = row_losses(kind_, truth, some, request.configuration, {});
        range = {};
        range.add(losses);
      }
      const double total = fill_side(block, side, request.lane, first, last, weights);
      if (&predictions == repeats_.data()) request.total += total;
      sums[i].range.add(range);
      kernel_.add(losses.data(), weights, last - first, sums[i].found);
    }
  }
}

}  // namespace bbc::detail
