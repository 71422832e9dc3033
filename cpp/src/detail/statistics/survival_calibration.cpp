#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "detail/statistics/fits.hpp"
#include "detail/statistics/statistics.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

using statistic::SurvivalCalibration;

constexpr double kPrecise = 1e-11;
constexpr double kSumRounding = 1e-12;  // of sums of squares
constexpr double kFar = 30.0;           // risks beyond it are 0 or 1: the squares fall for ever
constexpr int kMostSearchSteps = 200;
constexpr int kMostHalvings = 20;

/// Rows of a regression on the complementary log-log scale.
struct Rows {
  std::vector<double> x;  // log(-log(1 - risk))
  std::vector<double> outcome;
  std::vector<double> weight;
};

/// The mean outcome and its derivative by the linear predictor.
struct Mean {
  double value;
  double slope;
};

Mean mean_at(double predictor) {
  const double hazard = detail::exp(predictor);
  return {1.0 - detail::exp(-hazard), detail::exp(predictor - hazard)};
}

struct Line {
  double intercept;
  double slope;
};

/// E[outcome] = 1 - exp(-exp(intercept + slope z)) by least squares, which are the estimating
/// equations of pseudo-values that all have the same working variance. Gauss and Newton's method;
/// steps are halved until the squares fall. NaN where it does not end.
class LeastSquares {
 public:
  LeastSquares(const Rows& rows, const std::vector<double>& z, bool fits_slope)
      : rows_(rows), z_(z), fits_slope_(fits_slope) {}

  [[nodiscard]] Line from(Line line) const {
    double squares = squares_at(line);
    for (int step = 0; step < kMostSearchSteps; ++step) {
      const Line towards = direction(line);
      if (!std::isfinite(towards.intercept) || !std::isfinite(towards.slope)) break;
      double share = 1.0;
      Line next = line;
      double found = squares;
      for (int halving = 0; halving < kMostHalvings; ++halving, share *= 0.5) {
        next = {line.intercept + share * towards.intercept, line.slope + share * towards.slope};
        found = squares_at(next);
        if (found <= squares * (1.0 + kSumRounding)) break;
      }
      const double size = std::max(std::fabs(towards.intercept), std::fabs(towards.slope));
      const double reach = std::max(std::fabs(next.intercept), std::fabs(next.slope));
      if (reach > kFar) break;
      if (size <= kPrecise * (1.0 + reach)) return next;
      line = next;
      squares = found;
    }
    return {kNaN, kNaN};
  }

 private:
  [[nodiscard]] double squares_at(const Line& line) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double gap = rows_.outcome[i] - mean_at(predictor(line, i)).value;
      sum += rows_.weight[i] * (gap * gap);
    }
    return sum;
  }
  [[nodiscard]] double predictor(const Line& line, std::size_t i) const {
    return line.intercept + (fits_slope_ ? line.slope * z_[i] : z_[i]);
  }
  [[nodiscard]] Line direction(const Line& line) const {
    double information[3] = {};  // (0, 0), (0, 1), (1, 1)
    double total = 0.0;
    double right[2] = {};
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const Mean mean = mean_at(predictor(line, i));
      const double weight = rows_.weight[i] * mean.slope;
      const double gap = rows_.outcome[i] - mean.value;
      total += rows_.weight[i];
      information[0] += weight * mean.slope;
      information[1] += weight * mean.slope * z_[i];
      information[2] += weight * mean.slope * z_[i] * z_[i];
      right[0] += weight * gap;
      right[1] += weight * gap * z_[i];
    }
    if (!(information[0] > 1e-16 * total)) return {kNaN, kNaN};  // all risks are 0 or 1
    if (!fits_slope_) return {right[0] / information[0], 0.0};
    const double determinant = information[0] * information[2] - information[1] * information[1];
    if (!(determinant > 1e-14 * information[0] * information[2])) return {kNaN, kNaN};
    return {(information[2] * right[0] - information[1] * right[1]) / determinant,
            (information[0] * right[1] - information[1] * right[0]) / determinant};
  }

  const Rows& rows_;
  const std::vector<double>& z_;
  bool fits_slope_;
};

/// The line in x, found in x with mean 0 and variance 1.
Line fit_line(const Rows& rows) {
  double total = 0.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    total += rows.weight[i];
    mean += rows.weight[i] * rows.x[i];
  }
  mean /= total;
  double squares = 0.0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    squares += rows.weight[i] * (rows.x[i] - mean) * (rows.x[i] - mean);
  }
  const double sd = std::sqrt(squares / total);
  if (!(sd > 1e-12 * (1.0 + std::fabs(mean)))) return {kNaN, kNaN};
  std::vector<double> z(rows.x);
  for (double& value : z) value = (value - mean) / sd;
  const Line found = LeastSquares(rows, z, true).from({mean, sd});
  return {found.intercept - found.slope * mean / sd, found.slope / sd};
}

}  // namespace

void evaluate(const SurvivalCalibration& statistic, const Sample& sample,
              std::span<double> values) {
  std::ranges::fill(values, kNaN);
  if (sample.rows.empty()) return;
  Rows rows;
  double total = 0.0;
  double observed = 0.0;
  double predicted = 0.0;
  double certain = 0.0;
  for (const std::int32_t row : sample.rows) {
    const double risk = sample.predictions[row];
    const double weight = sample.weights[row];
    total += weight;
    observed += weight * sample.outcomes[row];
    predicted += weight * risk;
    if (risk == 0.0 || risk == 1.0) {
      certain += weight;
      continue;
    }
    rows.x.push_back(detail::log(-detail::log1p(-risk)));
    rows.outcome.push_back(sample.outcomes[row]);
    rows.weight.push_back(weight);
  }
  values[SurvivalCalibration::observed_expected] = predicted > 0.0 ? observed / predicted : kNaN;
  values[SurvivalCalibration::share_certain] = certain / total;
  if (!rows.x.empty()) {
    const Line line = fit_line(rows);
    values[SurvivalCalibration::slope] = line.slope;
    values[SurvivalCalibration::slope_intercept] = line.intercept;
    values[SurvivalCalibration::intercept] =
        LeastSquares(rows, rows.x, false).from({0.0, 0.0}).intercept;
  }
  SortedPoints points;
  for (const std::int32_t row : sample.ascending) {
    points.x.push_back(sample.predictions[row]);
    points.y.push_back(sample.outcomes[row]);
    points.weight.push_back(sample.weights[row]);
  }
  auto curve = values.begin() + SurvivalCalibration::kScalars;
  for (const double place : statistic.grid) {
    const double risk = local_linear(points, place, kSpan);
    *curve++ = std::isnan(risk) ? risk : std::clamp(risk, 0.0, 1.0);
  }
}

}  // namespace bbc::detail
