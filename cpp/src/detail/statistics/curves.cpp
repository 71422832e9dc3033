#include <algorithm>
#include <cstddef>
#include <vector>

#include "detail/statistics/statistics.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

constexpr double kCountRounding = 1e-9;  // 0.57 of 100 rows is 57 of them, not 56.99999999999999

/// Weight of the events and of the others above falling cut-offs, tied predictions together; the
/// first pair is (0, 0), the last all rows.
struct Cutoffs {
  std::vector<double> hits{0.0};
  std::vector<double> false_alarms{0.0};

  explicit Cutoffs(const Sample& sample) {
    double of_class[2] = {};
    for (std::size_t i = sample.ascending.size(); i-- > 0;) {
      const std::int32_t row = sample.ascending[i];
      of_class[sample.is_event[row]] += sample.weights[row];
      if (i > 0 && sample.predictions[sample.ascending[i - 1]] == sample.predictions[row]) continue;
      hits.push_back(of_class[1]);
      false_alarms.push_back(of_class[0]);
    }
  }
  [[nodiscard]] double events() const { return hits.back(); }
  [[nodiscard]] double others() const { return false_alarms.back(); }
};

/// Between points of x, which ascends, the value of y at a place.
double between(double x0, double y0, double x1, double y1, double place) {
  return y0 + (place - x0) / (x1 - x0) * (y1 - y0);
}

/// The largest number of hits with at most so many false alarms, on the curve.
double hits_at(const Cutoffs& cutoffs, double rate) {
  const auto& x = cutoffs.false_alarms;
  const double place = rate * cutoffs.others();
  const double slack = kCountRounding * cutoffs.others();
  const auto next =
      static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), place + slack) - x.begin());
  const std::size_t last = next - 1;
  if (next == x.size() || x[last] >= place - slack) return cutoffs.hits[last];
  return between(x[last], cutoffs.hits[last], x[next], cutoffs.hits[next], place);
}

/// The smallest number of false alarms with at least so many hits, on the curve.
double false_alarms_at(const Cutoffs& cutoffs, double sensitivity) {
  const auto& x = cutoffs.hits;
  const double place = sensitivity * cutoffs.events();
  const double slack = kCountRounding * cutoffs.events();
  const auto next =
      static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), place - slack) - x.begin());
  const auto& y = cutoffs.false_alarms;
  if (next == 0 || x[next] <= place + slack) return y[next];
  return between(x[next - 1], y[next - 1], x[next], y[next], place);
}

/// Integral from `low` to `high` of the polygon through the points, x ascending.
double area(const std::vector<double>& x, const std::vector<double>& y, double low, double high) {
  double sum = 0.0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double from = std::max(x[i - 1], low);
    const double to = std::min(x[i], high);
    if (!(from < to)) continue;
    const double at_from =
        from == x[i - 1] ? y[i - 1] : between(x[i - 1], y[i - 1], x[i], y[i], from);
    const double at_to = to == x[i] ? y[i] : between(x[i - 1], y[i - 1], x[i], y[i], to);
    sum += (to - from) * (at_from + at_to) / 2.0;
  }
  return sum;
}

/// An area over rates from 1 - high to 1 - low, and McClish's (1989) standardisation of it, .5 for
/// the diagonal and 1 for the best curve.
void put_area(double area, const Interval& range, std::span<double>::iterator& place) {
  const double least =
      ((1.0 - range.low) * (1.0 - range.low) - (1.0 - range.high) * (1.0 - range.high)) / 2.0;
  const double most = range.high - range.low;
  *place++ = area;
  *place++ = (1.0 + (area - least) / (most - least)) / 2.0;
}

}  // namespace

void evaluate(const statistic::Roc& statistic, const Sample& sample, std::span<double> values) {
  const Cutoffs cutoffs(sample);
  const double events = cutoffs.events();
  const double others = cutoffs.others();
  if (events == 0.0 || others == 0.0) {
    std::ranges::fill(values, kNaN);
    return;
  }
  auto place = values.begin();
  for (const double rate : statistic.false_positive_rates) {
    *place++ = hits_at(cutoffs, rate) / events;
  }
  for (const double sensitivity : statistic.sensitivities) {
    *place++ = 1.0 - false_alarms_at(cutoffs, sensitivity) / others;
  }
  for (const Interval& range : statistic.specificity_ranges) {
    const double under = area(cutoffs.false_alarms, cutoffs.hits, (1.0 - range.high) * others,
                              (1.0 - range.low) * others);
    put_area(under / (events * others), range, place);
  }
  for (const Interval& range : statistic.sensitivity_ranges) {
    const double beside =
        area(cutoffs.hits, cutoffs.false_alarms, range.low * events, range.high * events);
    put_area(range.high - range.low - beside / (events * others), range, place);
  }
}

void evaluate(const statistic::PrecisionRecall& statistic, const Sample& sample,
              std::span<double> values) {
  const Cutoffs cutoffs(sample);
  const double events = cutoffs.events();
  if (events == 0.0) {
    std::ranges::fill(values, kNaN);
    return;
  }
  auto place = values.begin();
  for (const double recall : statistic.recalls) {
    const double hits = recall * events;
    *place++ = hits / (hits + false_alarms_at(cutoffs, recall));
  }
}

}  // namespace bbc::detail
