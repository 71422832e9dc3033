#pragma once

#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// Column metric: Harrell's concordance index of right-censored times and predicted risks.
///
/// A pair is comparable if the shorter time is an event, or if times tie and exactly one is an
/// event; it is concordant if the earlier event has the higher risk, ties counting one half. The
/// key is twice the weight of concordant pairs: an integer, unless events have weights of their own
/// (Uno et al. 2011): pairs of events that follow each other with the same weight are added up, and
/// the sum is weighted. Rows are walked from the latest time to the earliest; a Fenwick tree over
/// the ranks of risk holds the weight seen so far.
class ConcordanceColumns {
 public:
  using Kind = metric::Concordance;
  struct Column {
    std::vector<std::int32_t> ranks;  ///< of each step's row among the distinct risks, from 0
    std::int32_t n_ranks = 0;
  };
  static constexpr bool kTails = false;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& /*kind*/, std::size_t /*n_repeats*/, bool /*real_weights*/) {
    return true;
  }

  ConcordanceColumns(const Kind& kind, const Target& target);

  /// Twice the weight of comparable pairs.
  [[nodiscard]] int n_totals() const { return 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const;

  /// Of the steps.
  [[nodiscard]] const std::vector<std::int32_t>& rows() const noexcept { return rows_; }

  template <int L>
  void totals(const double* weights, double* totals) const {
    double later[L] = {};
    EventSums<L> of_events(*this, totals);
    const auto add = [&](std::size_t i) {
      for (int lane = 0; lane < L; ++lane) later[lane] += weight_of<L>(weights, i)[lane];
    };
    const auto compare = [&](std::size_t i) {
      double* pairs = of_events.of(i);
      for (int lane = 0; lane < L; ++lane) {
        pairs[lane] += 2.0 * weight_of<L>(weights, i)[lane] * later[lane];
      }
    };
    walk(add, compare);
    of_events.finish();
  }

  template <int L>
  void keys(const Column& column, const double* weights, const double* /*totals*/,
            double* keys) const {
    const auto n_ranks = static_cast<std::size_t>(column.n_ranks);
    std::vector<double> sums(2 * n_ranks * L);
    double* at_rank = sums.data();
    double* tree = at_rank + n_ranks * L;  // node i holds i & -i ranks, the last of them i - 1
    double twice[L] = {};
    EventSums<L> of_events(*this, twice);
    const auto add = [&](std::size_t i) {
      const double* weight = weight_of<L>(weights, i);
      const auto rank = static_cast<std::size_t>(column.ranks[i]);
      for (int lane = 0; lane < L; ++lane) at_rank[rank * L + lane] += weight[lane];
      for (std::size_t node = rank + 1; node <= n_ranks; node += node & (0 - node)) {
        for (int lane = 0; lane < L; ++lane) tree[(node - 1) * L + lane] += weight[lane];
      }
    };
    const auto compare = [&](std::size_t i) {
      const auto rank = static_cast<std::size_t>(column.ranks[i]);
      double lower[L] = {};
      for (std::size_t node = rank; node > 0; node -= node & (0 - node)) {
        for (int lane = 0; lane < L; ++lane) lower[lane] += tree[(node - 1) * L + lane];
      }
      const double* weight = weight_of<L>(weights, i);
      double* pairs = of_events.of(i);
      for (int lane = 0; lane < L; ++lane) {
        pairs[lane] += weight[lane] * (2.0 * lower[lane] + at_rank[rank * L + lane]);
      }
    };
    walk(add, compare);
    of_events.finish();
    for (int lane = 0; lane < L; ++lane) keys[lane] = twice[lane];
  }

  [[nodiscard]] double score(double key, const double* totals, int lane, int /*n_lanes*/) const {
    return key / totals[lane];
  }

 private:
  /// Adds pairs up while the weight of events stays the same, then their weighted sum.
  template <int L>
  class EventSums {
   public:
    EventSums(const ConcordanceColumns& columns, double* weighted)
        : columns_(columns), weighted_(weighted) {}
    /// The pairs of the event at a step are added here.
    double* of(std::size_t step) {
      const double weight = columns_.event_weight_[step];
      if (weight != weight_) finish();
      weight_ = weight;
      return pairs_;
    }
    void finish() {
      for (int lane = 0; lane < L; ++lane) {
        weighted_[lane] += weight_ * pairs_[lane];
        pairs_[lane] = 0.0;
      }
    }

   private:
    const ConcordanceColumns& columns_;
    double* weighted_;
    double weight_ = 1.0;
    double pairs_[L] = {};
  };

  template <int L>
  [[nodiscard]] const double* weight_of(const double* weights, std::size_t step) const {
    return weights + static_cast<std::int64_t>(rows_[step]) * L;
  }

  /// Rows from the latest time to the earliest; of one time, the censored are added, then each
  /// event is compared with what was added, then the events are added.
  template <class Add, class Compare>
  void walk(const Add& add, const Compare& compare) const {
    for (std::size_t i = 0; i < rows_.size();) {
      std::size_t end = i;
      for (; end < rows_.size() && batch_[end] == batch_[i]; ++end) {
        if (is_event_[end] != 0) compare(end);
      }
      for (; i < end; ++i) add(i);
    }
  }

  std::vector<std::int32_t> rows_;      // by falling time, of one time the censored first
  std::vector<std::int32_t> batch_;     // number of the step's (time, event)
  std::vector<std::uint8_t> is_event_;  // of each step
  std::vector<double> event_weight_;    // of each step
};

}  // namespace bbc::detail
