#pragma once

#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// How one column of predictions is derived from those of the configurations: as the average of
/// its members, or as one of them that is cut.
struct Derivation {
  /// In the order in which they are added up; one that stands there twice counts twice.
  std::vector<std::int64_t> members;
  double threshold = 0.0;  ///< of the only member, where labels are derived from scores
};

/// The member that stands there most often; the lowest index on ties.
[[nodiscard]] std::int64_t largest_member(const Derivation& derivation);

/// Whether the metric reads labels, which vote, or numbers, which average.
[[nodiscard]] bool reads_labels(const Metric& metric);

/// The sum, or the votes, of some configurations' predictions in one repeat.
class RunningAverage {
 public:
  /// Labels are codes of the target.
  RunningAverage(const Metric& metric, const Target& target, const Predictions& predictions);

  /// Values of a column: one for each row and output.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  void add(std::int64_t configuration);
  /// sum / n.
  void average(double* column) const;
  /// (sum + prediction) / (n + 1).
  void average_with(std::int64_t configuration, double* column);
  /// The class with the most votes, the lowest on ties.
  void vote(std::int32_t* column) const;
  void vote_with(std::int64_t configuration, std::int32_t* column);

 private:
  const Target& target_;
  const Predictions& predictions_;
  bool votes_;
  std::int64_t size_;
  std::int64_t n_members_ = 0;
  std::vector<double> sums_;
  std::vector<std::int32_t> counts_;  // votes: [row][class]
  std::vector<std::int32_t> leader_;  // votes: the class that leads in each row
  std::vector<double> values_;        // of one configuration
  std::vector<std::int32_t> codes_;
};

/// Derived columns side by side, as the predictions of as many configurations.
class DerivedColumns {
 public:
  /// Column i of each repeat is that of derivation i. Cut labels are those of two classes.
  DerivedColumns(const Metric& metric, const Target& target, std::span<const Predictions> repeats,
                 std::span<const Derivation> derivations, bool cuts);

  /// Views of this object.
  [[nodiscard]] const std::vector<Predictions>& repeats() const noexcept { return views_; }

 private:
  std::vector<std::vector<double>> averages_;      // of each repeat, column by column
  std::vector<std::vector<std::int32_t>> labels_;  // the same; at most one of the two is filled
  std::vector<Predictions> views_;
};

/// The target whose labels are its codes, as derived columns have them.
[[nodiscard]] Target coded(Target target);

/// Columns one behind the other, each with its outputs innermost.
[[nodiscard]] View<double> view_of_columns(const std::vector<double>& columns, std::int64_t n_rows,
                                           std::int64_t n_outputs);
[[nodiscard]] View<std::int32_t> view_of_columns(const std::vector<std::int32_t>& columns,
                                                 std::int64_t n_rows);

}  // namespace bbc::detail
