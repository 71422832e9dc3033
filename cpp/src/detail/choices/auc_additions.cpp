#include "detail/choices/auc_additions.hpp"

#include <cmath>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {

class AucAdditions::Search final : public AdditionSearch {
 public:
  Search(const AucAdditions& additions, const ReplicateBlock& one) : additions_(additions) {
    for (std::size_t row = 0; row < additions.codes_.size(); ++row) {
      const std::int64_t count = one.replicate(0)[row];
      if (count == 0) continue;
      rows_.push_back(row);
      const bool positive = additions.codes_[row] == 1;
      positives_.push_back(positive ? count : 0);
      negatives_.push_back(positive ? 0 : count);
    }
    sums_.resize(additions.n_repeats_ * rows_.size());
    averages_.resize(rows_.size());
  }

  const std::vector<std::int64_t>& candidates() override {
    best_.clear();
    std::int64_t most = -1;
    for (std::size_t j = 0; j < additions_.n_configurations_; ++j) {
      std::int64_t twice = 0;
      for (std::size_t repeat = 0; repeat < additions_.n_repeats_; ++repeat) {
        if (!average_with(repeat, j)) {
          best_.clear();
          return best_;
        }
        sorter_.sort(averages_, sorted_);
        twice += twice_pairs();
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
  [[nodiscard]] const double* scores_of(std::size_t repeat, std::size_t configuration) const {
    return additions_.scores_.data() +
           (repeat * additions_.n_configurations_ + configuration) * additions_.codes_.size();
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

  /// Twice the pairs of which the positive has the higher score, ties counting one half.
  [[nodiscard]] std::int64_t twice_pairs() const {
    std::int64_t below = 0;
    std::int64_t twice = 0;
    const std::size_t n = sorted_.rows.size();
    if (sorted_.tied_with_next.empty()) {
      for (const std::int32_t place : sorted_.rows) {
        const auto i = static_cast<std::size_t>(place);
        twice += 2 * positives_[i] * below;
        below += negatives_[i];
      }
      return twice;
    }
    std::int64_t tied[2] = {};
    for (std::size_t at = 0; at < n; ++at) {
      const auto i = static_cast<std::size_t>(sorted_.rows[at]);
      tied[0] += negatives_[i];
      tied[1] += positives_[i];
      if (sorted_.is_tied_with_next(at)) continue;
      twice += tied[1] * (2 * below + tied[0]);
      below += tied[0];
      tied[0] = tied[1] = 0;
    }
    return twice;
  }

  const AucAdditions& additions_;
  std::vector<std::size_t> rows_;  // in bag
  std::vector<std::int64_t> positives_;
  std::vector<std::int64_t> negatives_;
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
  additions->codes_ = input.target.codes;
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
