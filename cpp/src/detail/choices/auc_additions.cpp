#include <cmath>

#include "detail/choices/greedy_ensemble.hpp"
#include "detail/metrics/auc.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {

class AucAdditions::Search final : public AdditionSearch {
 public:
  Search(const AucAdditions& additions, const ReplicateBlock& one)
      : additions_(additions), rows_(in_bag(one)), auc_({}, additions.target_.rows(rows_)) {
    for (const std::int32_t row : rows_) counts_.push_back(one.replicate(0)[row]);
    sums_.resize(additions.n_repeats_ * rows_.size());
    averages_.resize(rows_.size());
  }

  const std::vector<std::int64_t>& candidates() override {
    best_.clear();
    double most = -1.0;
    for (std::size_t j = 0; j < additions_.n_configurations_; ++j) {
      double twice = 0.0;
      for (std::size_t repeat = 0; repeat < additions_.n_repeats_; ++repeat) {
        if (!average_with(repeat, j)) {
          best_.clear();
          return best_;
        }
        sorter_.sort(averages_, sorted_);
        double pairs = 0.0;
        auc_.keys<1>(sorted_, counts_.data(), nullptr, &pairs);
        twice += pairs;
      }
      if (twice <= most) continue;
      most = twice;
      best_.assign(1, static_cast<std::int64_t>(j));
    }
    return best_;
  }

  void add(std::int64_t configuration) override {
    n_members_ += 1.0;
    for (std::size_t repeat = 0; repeat < additions_.n_repeats_; ++repeat) {
      const double* scores = scores_of(repeat, static_cast<std::size_t>(configuration));
      double* sums = sums_.data() + repeat * rows_.size();
      for (std::size_t i = 0; i < rows_.size(); ++i) sums[i] += scores[rows_[i]];
    }
  }

 private:
  static std::vector<std::int32_t> in_bag(const ReplicateBlock& one) {
    std::vector<std::int32_t> rows;
    for (std::int64_t row = 0; row < one.n_rows; ++row) {
      if (one.replicate(0)[row] != 0) rows.push_back(static_cast<std::int32_t>(row));
    }
    return rows;
  }

  [[nodiscard]] const double* scores_of(std::size_t repeat, std::size_t configuration) const {
    return additions_.scores_.data() +
           (repeat * additions_.n_configurations_ + configuration) * additions_.target_.n_rows();
  }

  /// The averages of the members and one more; false if one overflows.
  bool average_with(std::size_t repeat, std::size_t configuration) {
    const double* scores = scores_of(repeat, configuration);
    const double* sums = sums_.data() + repeat * rows_.size();
    const double n = n_members_ + 1.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      averages_[i] = (sums[i] + scores[rows_[i]]) / n;
      largest += std::fabs(averages_[i]);
    }
    return std::isfinite(largest);
  }

  const AucAdditions& additions_;
  std::vector<std::int32_t> rows_;  // in bag
  AucColumns auc_;                  // of these
  std::vector<double> counts_;
  std::vector<double> sums_;  // of the members' scores, repeat by repeat
  double n_members_ = 0.0;
  std::vector<double> averages_;
  ScoreSorter sorter_;
  SortedScores sorted_;
  std::vector<std::int64_t> best_;
};

std::unique_ptr<const AucAdditions> AucAdditions::make(const ChoiceInput& input) {
  if (!std::holds_alternative<metric::Auc>(input.options.metric.kind) ||
      !input.options.folds.empty() || !input.row_weights.empty()) {
    return nullptr;
  }
  auto additions = std::make_unique<AucAdditions>();
  additions->target_ = input.target;
  additions->n_repeats_ = input.repeats.size();
  additions->n_configurations_ = static_cast<std::size_t>(n_configurations(input.repeats[0]));
  std::vector<double> column;
  for (const Predictions& predictions : input.repeats) {
    for (std::size_t j = 0; j < additions->n_configurations_; ++j) {
      read_values(predictions, static_cast<std::int64_t>(j), {}, column);
      additions->scores_.insert(additions->scores_.end(), column.begin(), column.end());
    }
  }
  return additions;
}

std::unique_ptr<AdditionSearch> AucAdditions::search(const ReplicateBlock& one) const {
  return std::make_unique<Search>(*this, one);
}

}  // namespace bbc::detail
