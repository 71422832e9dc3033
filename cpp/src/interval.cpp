#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>

#include "detail/intervals/score_limits.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

std::string text(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

double order_statistic_error(const std::vector<double>& replicates, double q) {
  const auto n = static_cast<double>(replicates.size());
  const double sd = std::sqrt(n * q * (1.0 - q));
  const double reach = std::min({2.0 * sd, detail::to_nine_decimals(n * q - 1.0),
                                 detail::to_nine_decimals(n * (1.0 - q) - 1.0)});
  if (!(reach >= sd / 2.0)) return kNaN;
  const double apart =
      order_statistic(replicates, q + reach / n) - order_statistic(replicates, q - reach / n);
  return apart / 2.0 / (reach / sd);
}

}  // namespace

Range::Range(double lowest, double highest) : low(lowest), high(highest) {
  const detail::Arithmetic arithmetic;
  if (!(low <= high)) {
    throw_invalid("range", text(low) + " to " + text(high) + " are no limits of a metric");
  }
}

double tail_probability(const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  if (!(confidence.level > 0.0 && confidence.level < 1.0)) {
    throw_invalid("confidence_level", "must be between 0 and 1, not " + text(confidence.level));
  }
  const double outside = 1.0 - confidence.level;
  return confidence.alternative == Alternative::two_sided ? outside / 2.0 : outside;
}

void check_confidence_level(double confidence_level, Alternative alternative,
                            std::int64_t n_bootstraps) {
  const detail::Arithmetic arithmetic;
  const double tail = tail_probability({confidence_level, alternative});
  if (detail::to_nine_decimals(tail * static_cast<double>(n_bootstraps)) < 1.0) {
    throw_invalid("confidence_level",
                  "" + text(confidence_level) + " is too high for " + std::to_string(n_bootstraps) +
                      " replicates; n_bootstraps must be at least " +
                      std::to_string(static_cast<std::int64_t>(std::ceil((1.0 - 5e-10) / tail))));
  }
}

double order_statistic(const std::vector<double>& replicates, double q) {
  const detail::Arithmetic arithmetic;
  const auto n = static_cast<std::int64_t>(replicates.size());
  if (n == 0) throw_invalid("replicates", "none");
  if (std::any_of(replicates.begin(), replicates.end(), [](double v) { return std::isnan(v); })) {
    throw_invalid("replicates", "NaN has no place among them");
  }
  const std::int64_t place = std::clamp<std::int64_t>(detail::rank_of(q, n), 1, n) - 1;
  // A rank far out is looked for among the replicates on its side of a limit that a sample
  // suggests: searching all of them was a sixth of a small correction.
  const double side = 2 * place < n ? 1.0 : -1.0;
  const std::int64_t n_beyond = std::min(place, n - 1 - place);
  std::vector<double> kept(replicates.size() + 1);  // where the next one would go is written to
  std::int64_t n_kept = 0;
  constexpr std::int64_t kSample = 64;
  if (n >= 4 * kSample && 8 * n_beyond < n) {
    double sample[kSample];
    for (std::int64_t i = 0; i < kSample; ++i) sample[i] = side * replicates[i * n / kSample];
    double* limit = sample + n_beyond * kSample / n + kSample / 12;
    std::nth_element(sample, limit, sample + kSample);
    for (const double value : replicates) {
      kept[static_cast<std::size_t>(n_kept)] = side * value;
      n_kept += side * value <= *limit ? 1 : 0;
    }
  }
  if (n_kept <= n_beyond) {
    n_kept = n;
    std::transform(replicates.begin(), replicates.end(), kept.begin(),
                   [&](double value) { return side * value; });
  }
  const auto at = kept.begin() + n_beyond;
  std::nth_element(kept.begin(), at, kept.begin() + n_kept);
  return side * *at;
}

Interval order_statistic_interval(const std::vector<double>& replicates, double confidence_level,
                                  Alternative alternative, double lowest, double highest) {
  const detail::Arithmetic arithmetic;
  check_confidence_level(confidence_level, alternative,
                         static_cast<std::int64_t>(replicates.size()));
  const double tail = tail_probability({confidence_level, alternative});
  Interval interval = Range(lowest, highest);
  if (alternative != Alternative::less) interval.low = order_statistic(replicates, tail);
  if (alternative != Alternative::greater) interval.high = order_statistic(replicates, 1.0 - tail);
  return interval;
}

Interval order_statistic_errors(const std::vector<double>& replicates,
                                const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  const double tail = tail_probability(confidence);
  Interval errors{kNaN, kNaN};
  if (confidence.alternative != Alternative::less) {
    errors.low = order_statistic_error(replicates, tail);
  }
  if (confidence.alternative != Alternative::greater) {
    errors.high = order_statistic_error(replicates, 1.0 - tail);
  }
  return errors;
}

std::string too_few_folds(std::int64_t n_folds) {
  constexpr std::int64_t kFewest = 4;
  if (n_folds >= kFewest) return {};
  return "an interval from draws of folds needs at least " + std::to_string(kFewest) +
         " folds, not " + std::to_string(n_folds);
}

}  // namespace bbc
