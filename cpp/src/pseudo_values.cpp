#include <algorithm>
#include <bbc/censoring.hpp>
#include <bbc/error.hpp>
#include <cstdint>
#include <numeric>

#include "detail/metrics/row_weights.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/parallel.hpp"

namespace bbc {
namespace {

/// A time at which there were events.
struct EventTime {
  double time;
  double at_risk;  ///< weight of the rows followed until then
  double events;
};

/// The part of a truth that the estimate reads.
class Followed {
 public:
  Followed(const Target& survival, double time, std::span<const double> row_weights) {
    if (survival.kind != Target::Kind::survival ||
        survival.events.size() != survival.values.size()) {
      throw_invalid("target", "the probability of an event needs events and times");
    }
    const std::size_t n = survival.values.size();
    weights_ = detail::relative_weights({row_weights.begin(), row_weights.end()},
                                        static_cast<std::int64_t>(n));
    if (weights_.empty()) weights_.assign(n, 1.0);
    std::vector<std::size_t> rows(n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
      return survival.values[a] > survival.values[b];
    });
    for (std::size_t i = 0; i < n;) {  // from the last time to the first
      const double own = survival.values[rows[i]];
      double events = 0.0;
      for (; i < n && survival.values[rows[i]] == own; ++i) {
        total_ += weights_[rows[i]];
        if (survival.events[rows[i]] != 0) events += weights_[rows[i]];
      }
      if (own <= time && events > 0.0) times_.push_back({own, total_, events});
    }
    std::reverse(times_.begin(), times_.end());  // libc++ 14 has no std::ranges::reverse
  }

  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double weight(std::size_t row) const { return weights_[row]; }
  [[nodiscard]] const std::vector<EventTime>& times() const { return times_; }

  /// The probability of an event without a row of that weight, time and event.
  [[nodiscard]] double probability_without(double weight, double time, bool is_event) const {
    constexpr double kRounding = 1e-12;
    double survival = 1.0;
    for (const EventTime& each : times_) {
      const double own = time >= each.time ? weight : 0.0;
      const double left = each.at_risk - own;
      if (!(left > kRounding * each.at_risk)) break;  // nobody else was followed
      const double events = each.events - (is_event && time == each.time ? own : 0.0);
      survival *= 1.0 - std::max(events, 0.0) / left;
    }
    return 1.0 - survival;
  }

 private:
  std::vector<double> weights_;
  std::vector<EventTime> times_;
  double total_ = 0.0;
};

}  // namespace

double event_probability(const Target& survival, double time, std::span<const double> row_weights) {
  const detail::Arithmetic arithmetic;
  return Followed(survival, time, row_weights).probability_without(0.0, 0.0, false);
}

std::vector<double> pseudo_event_probabilities(const Target& survival, double time,
                                               std::span<const double> row_weights,
                                               const Control& control) {
  const detail::Arithmetic arithmetic;
  const Followed followed(survival, time, row_weights);
  const double of_all = followed.probability_without(0.0, 0.0, false);
  const std::size_t n = survival.values.size();
  std::vector<double> values(n, of_all);
  constexpr std::int64_t kAtOnce = 64;  // rows
  detail::parallel_pieces(
      static_cast<std::int64_t>(n), kAtOnce, control,
      2.0 * static_cast<double>(n) * static_cast<double>(followed.times().size()),
      [&](std::int64_t first, std::int64_t last, const detail::StopFlag& stop) {
        for (auto row = static_cast<std::size_t>(first); row < static_cast<std::size_t>(last);
             ++row) {
          stop.check();
          const double own = followed.weight(row);
          if (!(own > 0.0)) continue;
          const double without =
              followed.probability_without(own, survival.values[row], survival.events[row] != 0);
          values[row] = of_all + (followed.total() - own) / own * (of_all - without);
        }
      });
  return values;
}

}  // namespace bbc
