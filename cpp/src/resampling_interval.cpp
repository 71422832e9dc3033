#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/intervals.hpp>
#include <cmath>
#include <string>

#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

struct SampleMoments {
  double mean;
  double variance;  ///< divided by n - 1
};

SampleMoments sample_moments(std::span<const double> values) {
  if (detail::constant(values)) return {values.front(), 0.0};
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, squares / static_cast<double>(values.size() - 1)};
}

}  // namespace

IntervalEstimate corrected_resampled_t(std::span<const double> scores, double n_train,
                                       double n_test, const Confidence& confidence,
                                       Interval range) {
  const detail::Arithmetic arithmetic;
  if (scores.size() < 2) throw_invalid("scores", "the variance needs at least two iterations");
  if (!(n_train > 0.0 && n_test > 0.0)) {
    throw_invalid("n_train, n_test", "both must be positive");
  }
  const SampleMoments of = sample_moments(scores);
  const auto n = static_cast<double>(scores.size());
  const double error = std::sqrt((1.0 / n + n_test / n_train) * of.variance);
  const double quantile = -student_t_quantile(tail_probability(confidence), n - 1.0);
  return symmetric_interval(of.mean, error, quantile, confidence.alternative, range);
}

IntervalEstimate conservative_z(double estimate, std::span<const double> first,
                                std::span<const double> second, const Confidence& confidence,
                                Interval range) {
  const detail::Arithmetic arithmetic;
  if (first.empty() || first.size() != second.size()) {
    throw_invalid("first, second", "one score of each half per split is needed, got " +
                                       std::to_string(first.size()) + " and " +
                                       std::to_string(second.size()));
  }
  double squares = 0.0;
  for (std::size_t r = 0; r < first.size(); ++r) {
    squares += (first[r] - second[r]) * (first[r] - second[r]);
  }
  return normal_interval(estimate, std::sqrt(squares / (2.0 * static_cast<double>(first.size()))),
                         confidence, range);
}

IntervalEstimate wald(std::span<const double> losses, const Confidence& confidence,
                      Interval range) {
  const detail::Arithmetic arithmetic;
  if (losses.size() < 2) throw_invalid("losses", "the variance needs at least two rows");
  const SampleMoments of = sample_moments(losses);
  return normal_interval(of.mean, std::sqrt(of.variance / static_cast<double>(losses.size())),
                         confidence, range);
}

IntervalEstimate nested_cv(std::span<const NestedFold> folds, const NestedOptions& options,
                           const Confidence& confidence, Interval range) {
  const detail::Arithmetic arithmetic;
  const auto n_folds = static_cast<double>(options.n_folds);
  const auto n_rows = static_cast<double>(options.n_rows);
  if (options.n_folds < 2) throw_invalid("n_folds", "must be at least 2");
  if (options.n_rows < 1) throw_invalid("n_rows", "must be at least 1");
  if (folds.empty() || folds.size() % static_cast<std::size_t>(options.n_folds) != 0) {
    throw_invalid("folds", std::to_string(folds.size()) + " outer folds are not a multiple of " +
                               std::to_string(options.n_folds));
  }
  std::vector<double> inner;
  double error = 0.0;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    if (folds[k].outer.size() < 2 || folds[k].inner.empty()) {
      throw_invalid("folds", "outer fold " + std::to_string(k) +
                                 " needs at least two outer losses and one inner loss");
    }
    const SampleMoments outer = sample_moments(folds[k].outer);
    double inner_sum = 0.0;
    for (const double loss : folds[k].inner) inner_sum += loss;
    const double gap = inner_sum / static_cast<double>(folds[k].inner.size()) - outer.mean;
    error += gap * gap - outer.variance / static_cast<double>(folds[k].outer.size());
    inner.insert(inner.end(), folds[k].inner.begin(), folds[k].inner.end());
  }
  const double squared_error =
      std::max(0.0, (n_folds - 1.0) / n_folds * error / static_cast<double>(folds.size()));
  const SampleMoments of = sample_moments(inner);
  const double naive = std::sqrt(of.variance / n_rows);
  const double standard_error =
      std::clamp(std::sqrt(squared_error), naive, std::sqrt(n_folds) * naive);
  double estimate = of.mean;
  if (options.has_cv_loss) {
    estimate -= (1.0 + (n_folds - 2.0) / n_folds) * (of.mean - options.cv_loss);
  }
  return normal_interval(estimate, standard_error, confidence, range);
}

}  // namespace bbc
