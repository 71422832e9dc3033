#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "detail/statistics/fits.hpp"
#include "detail/statistics/statistics.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

using statistic::Calibration;

/// Sums over the rows of a bin.
struct Bin {
  double weight = 0.0;
  double predicted = 0.0;
  double events = 0.0;
};

/// Bins of equal weight: the bin of a row is the one that the weight of smaller predictions has
/// reached, so tied predictions share theirs.
std::vector<Bin> bins_of(const Sample& sample, int n_bins, double total) {
  std::vector<Bin> bins(static_cast<std::size_t>(n_bins));
  double below = 0.0;
  double at_or_below = 0.0;
  double previous = -1.0;
  for (const std::int32_t row : sample.ascending) {
    const double prediction = sample.predictions[row];
    if (prediction != previous) below = at_or_below;
    previous = prediction;
    at_or_below += sample.weights[row];
    const auto place = static_cast<std::int64_t>(below * n_bins / total);
    Bin& bin = bins[static_cast<std::size_t>(std::min<std::int64_t>(place, n_bins - 1))];
    bin.weight += sample.weights[row];
    bin.predicted += sample.weights[row] * prediction;
    bin.events += sample.event_weight(row);
  }
  return bins;
}

/// Brier score, its decomposition (Murphy 1973) and the calibration error. What predictions that
/// differ within a bin add is `within_bins` (Stephenson, Coelho & Jolliffe 2008).
void brier(const Calibration& statistic, const Sample& sample, std::span<double> values) {
  double total = 0.0;
  double events = 0.0;
  double predicted = 0.0;
  double squares = 0.0;
  double certain = 0.0;
  for (const std::int32_t row : sample.rows) {
    const double prediction = sample.predictions[row];
    const double gap = (sample.is_event[row] != 0 ? 1.0 : 0.0) - prediction;
    total += sample.weights[row];
    events += sample.event_weight(row);
    predicted += sample.weights[row] * prediction;
    squares += sample.weights[row] * (gap * gap);
    if (prediction == 0.0 || prediction == 1.0) certain += sample.weights[row];
  }
  const double rate = events / total;
  double reliability = 0.0;
  double resolution = 0.0;
  double error = 0.0;
  for (const Bin& bin : bins_of(sample, statistic.n_bins, total)) {
    if (bin.weight == 0.0) continue;
    const double gap = (bin.events - bin.predicted) / bin.weight;
    const double distance = bin.events / bin.weight - rate;
    reliability += bin.weight * (gap * gap);
    resolution += bin.weight * (distance * distance);
    error += bin.weight * std::fabs(gap);
  }
  values[Calibration::brier_score] = squares / total;
  values[Calibration::reliability] = reliability / total;
  values[Calibration::resolution] = resolution / total;
  values[Calibration::uncertainty] = rate * (1.0 - rate);
  values[Calibration::within_bins] =
      squares / total - (reliability / total - resolution / total + rate * (1.0 - rate));
  values[Calibration::calibration_error] = error / total;
  values[Calibration::observed_expected] = predicted > 0.0 ? events / predicted : kNaN;
  values[Calibration::share_certain] = certain / total;
}

void recalibration(const Sample& sample, std::span<double> values) {
  LogisticData data;
  for (const std::int32_t row : sample.rows) {
    if (!std::isfinite(sample.logits[row])) continue;
    data.predictor.push_back(sample.logits[row]);
    data.weight.push_back(sample.weights[row]);
    data.is_event.push_back(sample.is_event[row]);
  }
  const auto line = fit_line(data);
  const auto intercept = fit_intercept(data);
  values[Calibration::slope] = line.likelihood.slope;
  values[Calibration::slope_intercept] = line.likelihood.intercept;
  values[Calibration::intercept] = intercept.likelihood;
  values[Calibration::reduced_slope] = line.reduced.slope;
  values[Calibration::reduced_slope_intercept] = line.reduced.intercept;
  values[Calibration::reduced_intercept] = intercept.reduced;
}

}  // namespace

void evaluate(const Calibration& statistic, const Sample& sample, std::span<double> values) {
  if (sample.rows.empty()) {
    std::ranges::fill(values, kNaN);
    return;
  }
  recalibration(sample, values);
  brier(statistic, sample, values);
  SortedPoints points;
  for (const std::int32_t row : sample.ascending) {
    points.x.push_back(sample.predictions[row]);
    points.y.push_back(sample.is_event[row] != 0 ? 1.0 : 0.0);
    points.weight.push_back(sample.weights[row]);
  }
  auto curve = values.begin() + Calibration::kScalars;
  for (const double place : statistic.grid) {
    const double risk = local_linear(points, place, kSpan);
    *curve++ = std::isnan(risk) ? risk : std::clamp(risk, 0.0, 1.0);
  }
}

}  // namespace bbc::detail
