#pragma once

#include <algorithm>
#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc::detail {

/// Whether a metric is defined on a sample of rows. Depends on the truth and the sample only,
/// never on a configuration, so that all configurations share each replicate.
class Defined {
 public:
  /// With `fixed_spread`, what divides R2 is the variance of all of the target's rows, weighted by
  /// `row_weights` (empty: equally): then any row will do, if they vary.
  Defined(const Metric& metric, const Target& target, bool fixed_spread = false,
          std::span<const double> row_weights = {});

  /// `in(row)` tells whether the row is in the sample with positive weight.
  template <class In>
  [[nodiscard]] bool operator()(const In& in) const {
    switch (need_) {
      case Need::row:
        return any_row(in);
      case Need::classes:
        return all_classes(in);
      case Need::variation:
        return varies(in);
      case Need::comparable_pair:
        return has_comparable_pair(in);
    }
    return false;
  }

  /// Whether it is defined both on the rows that were drawn and on those that were not, all rows
  /// weighing their counts.
  [[nodiscard]] bool on_both_sides(const std::uint16_t* counts) const;

  /// What the sample needs, for error messages: "a row of every class".
  [[nodiscard]] std::string need() const;
  /// Whether a sample is defined exactly if some pair of its rows is.
  [[nodiscard]] bool is_of_pairs() const noexcept {
    return need_ == Need::variation || need_ == Need::comparable_pair;
  }
  /// The codes of which the sample needs at least one row each; empty unless classes are needed.
  [[nodiscard]] const std::vector<std::int32_t>& needed_classes() const noexcept {
    return needed_classes_;
  }

 private:
  enum class Need { row, classes, variation, comparable_pair };

  template <class In>
  [[nodiscard]] bool any_row(const In& in) const {
    for (std::int64_t row = 0; row < n_rows_; ++row) {
      if (in(row)) return true;
    }
    return false;
  }

  template <class In>
  [[nodiscard]] bool all_classes(const In& in) const {
    // Classes are asked for one after the other: each search ends at its first hit.
    for (std::size_t i = 0; i < needed_classes_.size(); ++i) {
      if (!std::ranges::any_of(rows_of_needed(i), in)) return false;
    }
    return true;
  }

  /// The rows of the i-th needed class.
  [[nodiscard]] std::span<const std::int32_t> rows_of_needed(std::size_t i) const {
    return std::span(rows_by_class_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

  template <class In>
  [[nodiscard]] bool varies(const In& in) const {
    std::int64_t first = -1;
    for (std::int64_t row = 0; row < n_rows_; ++row) {
      if (!in(row)) continue;
      if (first < 0) {
        first = row;
      } else if (values_[static_cast<std::size_t>(row)] !=
                 values_[static_cast<std::size_t>(first)]) {
        return true;
      }
    }
    return false;
  }

  /// Rows are ordered by time, events before censored rows of the same time: a pair is
  /// comparable when an event stands before a row that is later, or censored at the same time.
  template <class In>
  [[nodiscard]] bool has_comparable_pair(const In& in) const {
    std::int32_t event = -1;
    for (const std::int32_t row : by_time_) {
      if (!in(row)) continue;
      const auto at = static_cast<std::size_t>(row);
      if (event >= 0 &&
          (values_[at] > values_[static_cast<std::size_t>(event)] || events_[at] == 0)) {
        return true;
      }
      if (event < 0 && events_[at] != 0) event = row;
    }
    return false;
  }

  Need need_ = Need::row;
  std::int64_t n_rows_;
  std::vector<std::int32_t> needed_classes_;
  std::vector<std::int32_t> rows_by_class_;  // of the needed classes, one after the other
  std::vector<std::size_t> begins_;          // of each of them, and their end
  std::vector<double> values_;
  std::vector<std::uint8_t> events_;
  std::vector<std::int32_t> by_time_;
};

}  // namespace bbc::detail
