#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/scores.hpp>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "detail/metrics/column_reader.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"

namespace bbc {
namespace {

constexpr std::int64_t kConfigurations = 15;
constexpr std::int64_t kOfMedian = 3;
constexpr std::int64_t kFewestBlocks = 8;

using detail::at;

/// Autocovariances of lags 0, 1, ...
std::vector<double> autocovariances(std::span<const double> values, std::int64_t n_lags) {
  const auto n = static_cast<std::int64_t>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(n);
  std::vector<double> found;
  for (std::int64_t lag = 0; lag < n_lags; ++lag) {
    double sum = 0.0;
    for (std::int64_t row = 0; row + lag < n; ++row) {
      sum += (values[at(row)] - mean) * (values[at(row + lag)] - mean);
    }
    found.push_back(sum / static_cast<double>(n));
  }
  return found;
}

/// The lag after which `n_small` autocorrelations in a row are negligible; if there are no such,
/// the last that is not.
std::int64_t last_lag(const std::vector<double>& covariances, std::int64_t n_small, double bound) {
  const auto n_lags = static_cast<std::int64_t>(covariances.size());
  const auto is_small = [&](std::int64_t lag) {
    return std::fabs(covariances[at(lag)]) < bound * covariances[0];
  };
  std::int64_t in_a_row = 0;
  for (std::int64_t lag = 1; lag < n_lags; ++lag) {
    in_a_row = is_small(lag) ? in_a_row + 1 : 0;
    if (in_a_row == n_small) return lag - n_small;
  }
  std::int64_t last = n_lags - 1;
  while (last > 0 && is_small(last)) --last;
  return last;
}

/// Politis and White's length for the circular bootstrap of a mean.
double circular_length(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double decades = detail::log(n) / detail::log(10.0);
  const auto n_small =
      std::max<std::int64_t>(5, static_cast<std::int64_t>(std::ceil(std::sqrt(decades))));
  const std::int64_t most = static_cast<std::int64_t>(std::ceil(std::sqrt(n))) + n_small;
  const auto n_lags = std::min(most + 1, static_cast<std::int64_t>(values.size()) - 1);
  const auto covariances = autocovariances(values, n_lags);
  if (!(covariances[0] > 0.0)) return 1.0;
  const std::int64_t last = last_lag(covariances, n_small, 2.0 * std::sqrt(decades / n));
  const std::int64_t width = std::min({std::max<std::int64_t>(2 * last, 1), most, n_lags - 1});
  // The flat-top window of the spectrum at zero, and of its derivative.
  double spectrum = covariances[0];
  double slope = 0.0;
  for (std::int64_t lag = 1; lag <= width; ++lag) {
    const double share = static_cast<double>(lag) / static_cast<double>(width);
    const double weight = share <= 0.5 ? 1.0 : 2.0 * (1.0 - share);
    spectrum += 2.0 * weight * covariances[at(lag)];
    slope += 2.0 * weight * static_cast<double>(lag) * covariances[at(lag)];
  }
  const double longest = std::ceil(std::min(3.0 * std::sqrt(n), n / 3.0));
  const double ratio = 2.0 * slope * slope / (4.0 / 3.0 * spectrum * spectrum) * n;
  if (!(ratio > 0.0)) return 1.0;
  if (!std::isfinite(ratio)) return longest;
  return std::clamp(detail::exp(detail::log(ratio) / 3.0), 1.0, longest);
}

/// The metric whose values of rows tell how long errors last.
struct OfErrors {
  Metric::Kind operator()(const metric::RowLoss& loss) const {
    metric::RowLoss plain = loss;
    plain.root = false;
    return plain;
  }
  Metric::Kind operator()(const metric::Confusion& /*confusion*/) const {
    return metric::ZeroOne{};
  }
  Metric::Kind operator()(const metric::Moments& /*moments*/) const { return kSquared; }
  Metric::Kind operator()(const metric::Spearman& /*spearman*/) const { return kSquared; }
  Metric::Kind operator()(const metric::ZeroOne& labels) const { return labels; }
  Metric::Kind operator()(const metric::Auc& auc) const { return auc; }
  template <class Other>
  Metric::Kind operator()(const Other& /*other*/) const {
    throw Error(ErrorCode::invalid_argument, "block_length",
                "\"auto\" reads what rows contribute, which this metric does not tell", {},
                "give a number of rows");
  }

  static constexpr metric::RowLoss kSquared{metric::RowLoss::Kind::squared};
};

}  // namespace

BlockLength block_length(const Target& target, std::span<const Predictions> repeats,
                         const Metric& metric, const Control& control) {
  const detail::Arithmetic arithmetic;
  std::vector<Predictions> read;
  for (const Predictions& predictions : repeats) {
    const auto n = std::min(kConfigurations, detail::n_configurations(predictions));
    read.push_back(detail::configurations(predictions, 0, n));
  }
  const Metric of_errors{std::visit(OfErrors(), metric.kind), 1.0};
  return block_length(row_values(target, read, of_errors, control));
}

BlockLength block_length(const RowValues& values) {
  const detail::Arithmetic arithmetic;
  const std::int64_t n = values.n_rows;
  if (n < 2 * kFewestBlocks) {
    throw_invalid("block_length", "\"auto\" needs " + std::to_string(2 * kFewestBlocks) +
                                      " rows, there are " + std::to_string(n));
  }
  std::vector<double> lengths;
  for (std::int64_t j = 0; j < std::min(kConfigurations, values.n_configurations); ++j) {
    lengths.push_back(circular_length(values.of(j)));
  }
  std::sort(lengths.begin(), lengths.end());
  const std::size_t middle = lengths.size() / 2;
  const double median =
      lengths.size() % 2 == 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2.0;
  std::int64_t root = 1;
  while (root * root * root < n) ++root;
  const auto wanted = std::max(root, static_cast<std::int64_t>(std::ceil(kOfMedian * median)));
  const std::int64_t most = n / kFewestBlocks;
  return {std::min(wanted, most), wanted > most};
}

}  // namespace bbc
