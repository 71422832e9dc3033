#include <algorithm>
#include <cmath>
#include <cstddef>

#include "detail/statistics/fits.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

constexpr double kQuadratic = 1e-8;  // Newton's next error is of the order of this squared
constexpr double kLinear = 1e-12;
constexpr int kMostSteps = 2000;  // few rows make scoring slow

double probability(double logit) {
  const double e = detail::exp(-std::fabs(logit));
  return logit >= 0.0 ? 1.0 / (1.0 + e) : e / (1.0 + e);
}

struct Extremes {
  double low = kInfinity;
  double high = -kInfinity;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Weights relative to which the data are as many rows as they are worth (Kish): the adjustment of
/// the score counts rows, the likelihood does not.
std::vector<double> row_weights(const std::vector<double>& weights) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  std::vector<double> scaled(weights);
  for (double& weight : scaled) weight *= sum / squares;
  return scaled;
}

/// The predictor with mean 0 and variance 1, for the condition of the normal equations.
struct Standardised {
  std::vector<double> values;
  double mean = 0.0;
  double sd = 0.0;

  Standardised(const std::vector<double>& predictor, const std::vector<double>& weights)
      : values(predictor) {
    double total = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      total += weights[i];
      mean += weights[i] * values[i];
    }
    mean /= total;
    double squares = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] -= mean;
      squares += weights[i] * values[i] * values[i];
    }
    sd = std::sqrt(squares / total);
    for (double& value : values) value /= sd;
  }
};

struct Pair {
  double first = 0.0;
  double second = 0.0;

  [[nodiscard]] double size() const { return std::max(std::fabs(first), std::fabs(second)); }
};

/// log(1 + exp(logit)).
double log_one_plus_exp(double logit) {
  return std::max(logit, 0.0) + detail::log1p(detail::exp(-std::fabs(logit)));
}

/// Score and information at some coefficients, and sums for Firth's adjustment.
struct Score {
  Pair score;
  double information[3] = {};  // of both coefficients: (0, 0), (0, 1), (1, 1)
  double skewness[4] = {};     // sums of w p (1 - p) (1/2 - p) x^k

  /// The inverse information times a vector; NaN where it is singular.
  [[nodiscard]] Pair solve(const Pair& right) const {
    const double determinant = information[0] * information[2] - information[1] * information[1];
    if (!(determinant > 1e-14 * information[0] * information[2])) return {kNaN, kNaN};
    return {(information[2] * right.first - information[1] * right.second) / determinant,
            (information[0] * right.second - information[1] * right.first) / determinant};
  }
  /// The score with half the derivative of the log determinant of the information (Firth 1993):
  /// each row adds its leverage times (1/2 - p) x.
  [[nodiscard]] Pair adjusted() const {
    const double determinant = information[0] * information[2] - information[1] * information[1];
    const double of_ones = information[2] / determinant;
    const double mixed = -2.0 * information[1] / determinant;
    const double of_squares = information[0] / determinant;
    return {score.first + of_ones * skewness[0] + mixed * skewness[1] + of_squares * skewness[2],
            score.second + of_ones * skewness[1] + mixed * skewness[2] + of_squares * skewness[3]};
  }
  /// What Firth's adjustment is the derivative of.
  [[nodiscard]] double penalty() const {
    return 0.5 * detail::log(information[0] * information[2] - information[1] * information[1]);
  }
};

class LineFit {
 public:
  explicit LineFit(const LogisticData& data)
      : is_event_(data.is_event),
        weights_(row_weights(data.weight)),
        x_(data.predictor, weights_) {}

  /// Newton's method.
  [[nodiscard]] Pair likelihood() const {
    return solve(
        kQuadratic, [](const Score& at) { return at.score; }, [](const Score&) { return 0.0; });
  }

  /// Fisher scoring with the adjusted score.
  [[nodiscard]] Pair reduced() const {
    return solve(
        kLinear, [](const Score& at) { return at.adjusted(); },
        [](const Score& at) { return at.penalty(); });
  }

  /// In the units of the predictor.
  [[nodiscard]] LogisticLine line(const Pair& at) const {
    const double slope = at.second / x_.sd;
    return {at.first - slope * x_.mean, slope};
  }

 private:
  /// Where the (adjusted) score is zero, from the origin. A step is halved until the next step with
  /// the same information is shorter (Deuflhard's monotonicity test), or until the (penalised)
  /// likelihood rises.
  template <class Equation, class Penalty>
  [[nodiscard]] Pair solve(double tolerance, const Equation& equation,
                           const Penalty& penalty) const {
    Pair at;
    Score now = score(at);
    for (int i = 0; i < kMostSteps; ++i) {
      const Pair step = now.solve(equation(now));
      if (std::isnan(step.first)) return step;
      if (step.size() <= tolerance * (1.0 + at.size())) {
        return {at.first + step.first, at.second + step.second};
      }
      double share = 1.0;
      for (;; share /= 2.0) {
        if (share < 1e-6) return {kNaN, kNaN};
        const Pair trial{at.first + share * step.first, at.second + share * step.second};
        const Score next = score(trial);
        const Pair rest = now.solve(equation(next));
        const bool shorter =
            rest.first * rest.first + rest.second * rest.second <=
            (1.0 - share / 4.0) * (step.first * step.first + step.second * step.second);
        if (shorter || log_likelihood(trial) + penalty(next) > log_likelihood(at) + penalty(now)) {
          at = trial;
          now = next;
          break;
        }
      }
    }
    return {kNaN, kNaN};
  }

  [[nodiscard]] double log_likelihood(const Pair& at) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < is_event_.size(); ++i) {
      const double logit = at.first + at.second * x_.values[i];
      sum += weights_[i] * ((is_event_[i] != 0 ? logit : 0.0) - log_one_plus_exp(logit));
    }
    return sum;
  }

  [[nodiscard]] Score score(const Pair& at) const {
    Score sums;
    for (std::size_t i = 0; i < is_event_.size(); ++i) {
      const double x = x_.values[i];
      const double p = probability(at.first + at.second * x);
      const double residual = weights_[i] * ((is_event_[i] != 0 ? 1.0 : 0.0) - p);
      const double variance = weights_[i] * (p * (1.0 - p));
      sums.score.first += residual;
      sums.score.second += residual * x;
      sums.information[0] += variance;
      sums.information[1] += variance * x;
      sums.information[2] += variance * x * x;
      double skewness = variance * (0.5 - p);
      for (double& sum : sums.skewness) {
        sum += skewness;
        skewness *= x;
      }
    }
    return sums;
  }

  const std::vector<std::uint8_t>& is_event_;
  std::vector<double> weights_;
  Standardised x_;
};

/// The intercept beside an offset.
class InterceptFit {
 public:
  struct Sums {
    double score = 0.0;
    double information = 0.0;
    double skewness = 0.0;

    [[nodiscard]] double adjusted() const { return score + skewness / information; }
  };

  explicit InterceptFit(const LogisticData& data)
      : data_(data), weights_(row_weights(data.weight)) {}

  [[nodiscard]] Sums sums(double intercept) const {
    Sums sums;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double p = probability(intercept + data_.predictor[i]);
      const double variance = weights_[i] * (p * (1.0 - p));
      sums.score += weights_[i] * ((data_.is_event[i] != 0 ? 1.0 : 0.0) - p);
      sums.information += variance;
      sums.skewness += variance * (0.5 - p);
    }
    return sums;
  }

  /// Fisher scoring, kept within an interval on which the equation changes its sign.
  template <class Equation>
  [[nodiscard]] double solve(double at, Pair within, double tolerance,
                             const Equation& equation) const {
    for (int i = 0; i < kMostSteps; ++i) {
      const Sums now = sums(at);
      const double value = equation(now);
      const double step = value / now.information;
      if (std::fabs(step) <= tolerance * (1.0 + std::fabs(at))) return at + step;
      (value > 0.0 ? within.first : within.second) = at;
      at += step;
      if (!(at > within.first && at < within.second)) {
        at = within.first + (within.second - within.first) / 2.0;
      }
    }
    return kNaN;
  }

 private:
  const LogisticData& data_;
  std::vector<double> weights_;
};

}  // namespace

LogisticFit<LogisticLine> fit_line(const LogisticData& data) {
  Extremes of_class[2];
  for (std::size_t i = 0; i < data.predictor.size(); ++i) {
    of_class[data.is_event[i] != 0 ? 1 : 0].add(data.predictor[i]);
  }
  // Separated by a cut-off, quasi-completely too; a class without rows is at infinity.
  if (!(of_class[0].high > of_class[1].low && of_class[1].high > of_class[0].low)) return {};
  const LineFit fit(data);
  return {fit.line(fit.likelihood()), fit.line(fit.reduced())};
}

LogisticFit<double> fit_intercept(const LogisticData& data) {
  double of_class[2] = {};
  Extremes offsets;
  for (std::size_t i = 0; i < data.predictor.size(); ++i) {
    of_class[data.is_event[i] != 0 ? 1 : 0] += data.weight[i];
    offsets.add(data.predictor[i]);
  }
  if (of_class[0] == 0.0 || of_class[1] == 0.0) return {kNaN, kNaN};
  const InterceptFit fit(data);
  const double observed = detail::log(of_class[1]) - detail::log(of_class[0]);
  const auto score = [](const InterceptFit::Sums& at) { return at.score; };
  const double likelihood =
      fit.solve(std::clamp(0.0, observed - offsets.high, observed - offsets.low),
                {observed - offsets.high, observed - offsets.low}, kQuadratic, score);
  // Firth's estimate is sought between the maximum of the likelihood and the nearest power of two
  // beside it where the adjusted score has the other sign.
  const auto adjusted = [](const InterceptFit::Sums& at) { return at.adjusted(); };
  const double side = fit.sums(likelihood).adjusted() > 0.0 ? 1.0 : -1.0;
  double reach = 1.0;
  while (reach < 1024.0 && side * fit.sums(likelihood + side * reach).adjusted() > 0.0)
    reach *= 2.0;
  const double end = likelihood + side * reach;
  return {likelihood, fit.solve(likelihood, {std::min(likelihood, end), std::max(likelihood, end)},
                                kLinear, adjusted)};
}

}  // namespace bbc::detail
