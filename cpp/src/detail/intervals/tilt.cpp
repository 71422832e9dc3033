#include "detail/intervals/tilt.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/resampling.hpp>
#include <cmath>
#include <string>

#include "detail/intervals/influence.hpp"
#include "detail/metrics/auc.hpp"
#include "detail/metrics/ties.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {
namespace {

constexpr int kLanes = 8;

/// All configurations of one statistic, ready to be scored with the weights of several replicates.
class WeightedScorer {
 public:
  WeightedScorer(const TiltingData& data, bool only_selected) : auc_(!data.is_positive.empty()) {
    Target target;
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    target.codes = codes_of(data);
    auc_columns_ = std::make_unique<AucColumns>(metric::Auc{}, target);
    for (std::int64_t j = 0; j < data.n_configurations; ++j) {
      if (only_selected && j != data.selected) continue;
      if (auc_) {
        orders_.push_back(checked_order(column_of(data, j), data.is_positive.size()));
      } else {
        columns_.push_back(column_of(data, j));
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return auc_ ? orders_.size() : columns_.size(); }

  /// weights[row * kLanes + lane] -> scores[lane].
  void operator()(std::size_t configuration, const double* weights, double* scores) const {
    if (auc_) {
      auc_columns_->keys<kLanes>(orders_[configuration], weights, nullptr, scores);
      return;
    }
    std::fill_n(scores, kLanes, 0.0);
    const auto right = columns_[configuration];
    for (std::size_t row = 0; row < right.size(); ++row) {
      for (int lane = 0; lane < kLanes; ++lane) {
        scores[lane] += right[row] * weights[row * kLanes + static_cast<std::size_t>(lane)];
      }
    }
  }

 private:
  bool auc_;
  std::unique_ptr<AucColumns> auc_columns_;
  std::vector<SortedScores> orders_;
  std::vector<std::span<const double>> columns_;
};

/// Rows by class; the published code takes all of them as one stratum.
std::vector<Stratum> make_strata(const TiltingData& data, const std::vector<double>& influence,
                                 bool by_class) {
  std::vector<Stratum> strata(by_class ? 2 : 1);
  for (std::size_t row = 0; row < influence.size(); ++row) {
    auto& stratum = strata[by_class && data.is_positive[row] != 0 ? 1 : 0];
    stratum.rows.push_back(static_cast<std::int32_t>(row));
    stratum.influence.push_back(influence[row]);
  }
  return strata;
}

void check(const TiltingData& data) {
  if (data.n_configurations < 1 || data.columns.empty()) throw_invalid("columns", "no predictions");
  if (data.selected < 0 || data.selected >= data.n_configurations) {
    throw_invalid("selected", "no configuration " + std::to_string(data.selected));
  }
  const auto n_rows =
      data.is_positive.empty() ? data.n_rows() : static_cast<std::int64_t>(data.is_positive.size());
  const auto n_values = static_cast<std::int64_t>(data.columns.size());
  if (n_values % data.n_configurations != 0 || n_values / data.n_configurations != n_rows) {
    throw_invalid("columns", std::to_string(data.columns.size()) + " values for " +
                                 std::to_string(n_rows) + " rows and " +
                                 std::to_string(data.n_configurations) + " configurations");
  }
  check_n_rows(n_rows);
  for (std::size_t i = 0; data.is_positive.empty() && i < data.columns.size(); ++i) {
    if (data.columns[i] != 0.0 && data.columns[i] != 1.0) {
      throw_invalid("columns",
                    "must be 0 or 1 without is_positive: they tell which labels are right",
                    {{"value", static_cast<std::int64_t>(i)}});
    }
  }
}

double largest_score(const TiltingData& data) {
  const auto n_rows = static_cast<double>(data.n_rows());
  if (data.is_positive.empty()) return n_rows;
  const auto n_positive = static_cast<double>(
      std::ranges::count_if(data.is_positive, [](std::uint8_t flag) { return flag != 0; }));
  return 2.0 * n_positive * (n_rows - n_positive);
}

/// The replicates, kLanes at a time, as weights[row * kLanes + lane].
class BlockedDraws {
 public:
  BlockedDraws(const TiltingData& data, const TiltingOptions& options, const Control& control)
      : data_(data), control_(control), sampler_(tilting_sampler(data, options)) {}

  /// Calls body(first replicate, number of replicates, weights), in parallel.
  template <class Body>
  void for_each(std::size_t n_scored, const Body& body) const {
    const auto n_rows = sampler_.n_rows();
    const auto n_bootstraps = sampler_.resampling().n_bootstraps;
    const double cells = static_cast<double>(n_bootstraps) * static_cast<double>(n_rows);
    parallel_pieces(n_bootstraps, kLanes, control_,
                    cells * (4.0 + 0.5 * static_cast<double>(n_scored)),
                    [&](std::int64_t first, std::int64_t last, const StopFlag&) {
                      const auto n = static_cast<int>(last - first);
                      const ReplicateBlock block = draw(first, n);
                      std::vector<double> weights(static_cast<std::size_t>(n_rows * kLanes));
                      fill_weights(block, Side::in_bag, 0, kLanes, weights.data());
                      body(first, n, weights.data());
                    });
  }

 private:
  [[nodiscard]] ReplicateBlock draw(std::int64_t first, int n) const {
    const auto n_rows = sampler_.n_rows();
    ReplicateBlock block{
        n, n_rows, std::vector<std::uint16_t>(static_cast<std::size_t>(n * n_rows)), {}};
    for (int lane = 0; lane < n; ++lane) {
      std::uint16_t* counts = block.counts.data() + lane * n_rows;
      sampler_.draw(first + lane, 0, counts);
      if (sampler_.is_explicit()) check_strata(first + lane, counts);
    }
    return block;
  }

  /// Influence sums and weights rest on each class being drawn as often as it has rows.
  void check_strata(std::int64_t replicate, const std::uint16_t* counts) const {
    std::int64_t drawn = 0;
    std::int64_t n_positive = 0;
    for (std::size_t row = 0; row < data_.is_positive.size(); ++row) {
      if (data_.is_positive[row] == 0) continue;
      drawn += counts[row];
      ++n_positive;
    }
    if (drawn == n_positive) return;
    throw_invalid("resamples",
                  std::to_string(drawn) + " rows of the positive class are drawn, which has " +
                      std::to_string(n_positive) + ": classes must keep their sizes",
                  {{"replicate", replicate}});
  }

  const TiltingData& data_;
  const Control& control_;
  Sampler sampler_;
};

}  // namespace

TiltingReplicates draw_tilting_replicates(const TiltingData& data, const TiltingOptions& options,
                                          bool only_selected, const Control& control) {
  check(data);
  const bool auc = !data.is_positive.empty();
  const bool regress = auc && options.variant == TiltingOptions::Variant::published;
  const WeightedScorer scorer(data, only_selected);
  const auto selected = static_cast<std::size_t>(only_selected ? 0 : data.selected);
  const auto n_rows = static_cast<std::size_t>(data.n_rows());
  const auto n_bootstraps = static_cast<std::size_t>(options.n_bootstraps);

  TiltingReplicates replicates;
  replicates.largest = largest_score(data);
  std::vector<double> influence;
  if (auc) {
    influence = influence_of_auc(data);  // refuses a single class
  } else {
    const auto right = column_of(data, data.selected);
    influence.assign(right.begin(), right.end());
  }
  const std::vector<double> ones(n_rows * kLanes, 1.0);
  for (std::size_t j = 0; j < scorer.size(); ++j) {
    double scores[kLanes];
    scorer(j, ones.data(), scores);
    replicates.observed.push_back(scores[0]);
    replicates.drawn.emplace_back(n_bootstraps);
  }
  replicates.influence_sums.resize(n_bootstraps);

  const BlockedDraws draws(data, options, control);
  const auto sum_influence = [&](std::int64_t first, int n, const double* weights) {
    double sums[kLanes] = {};
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sums[lane] += weights[row * kLanes + lane] * influence[row];
      }
    }
    std::copy_n(sums, n, replicates.influence_sums.begin() + first);
  };
  draws.for_each(scorer.size(), [&](std::int64_t first, int n, const double* weights) {
    for (std::size_t j = 0; j < scorer.size(); ++j) {
      double scores[kLanes];
      scorer(j, weights, scores);
      std::copy_n(scores, n, replicates.drawn[j].begin() + first);
    }
    if (!regress) sum_influence(first, n, weights);
  });
  if (regress) {
    std::vector<double> aucs = replicates.drawn[selected];
    for (double& value : aucs) value /= replicates.largest;
    influence = influence_by_regression(data, options, std::move(aucs));
    draws.for_each(0, sum_influence);
  }
  replicates.strata = make_strata(data, influence, auc && !regress);
  return replicates;
}

namespace {

/// The largest tau L of a stratum, and the sum of exp(tau L - largest).
std::pair<double, double> partition(const Stratum& stratum, double tau) {
  double largest = tau * stratum.influence.front();
  for (const double influence : stratum.influence) largest = std::max(largest, tau * influence);
  double sum = 0.0;
  for (const double influence : stratum.influence) sum += detail::exp(tau * influence - largest);
  return {largest, sum};
}

}  // namespace

double Tilt::log_constant(double tau) const {
  double constant = 0.0;
  for (const Stratum& stratum : replicates_.strata) {
    const auto n = static_cast<double>(stratum.rows.size());
    const auto [largest, sum] = partition(stratum, tau);
    constant += n * (detail::log(n / sum) - largest);
  }
  return constant;
}

double Tilt::effective_sample_size(double tau) const {
  const auto& sums = replicates_.influence_sums;
  const double shift = tau < 0.0 ? std::ranges::min(sums) : std::ranges::max(sums);
  double sum = 0.0;
  double squares = 0.0;
  for (const double s : sums) {
    const double importance = detail::exp(tau * (s - shift));
    sum += importance;
    squares += importance * importance;
  }
  return sum * sum / squares;
}

std::vector<double> Tilt::weights(double tau, std::int64_t n_rows) const {
  std::vector<double> weights(static_cast<std::size_t>(n_rows));
  for (const Stratum& stratum : replicates_.strata) {
    const auto [largest, sum] = partition(stratum, tau);
    for (std::size_t i = 0; i < stratum.rows.size(); ++i) {
      weights[stratum.rows[i]] = detail::exp(tau * stratum.influence[i] - largest) / sum;
    }
  }
  return weights;
}

double weighted_score(const TiltingData& data, std::span<const double> weights) {
  const auto selected = column_of(data, data.selected);
  double total[2] = {};
  if (data.is_positive.empty()) {
    double right = 0.0;
    for (std::size_t row = 0; row < weights.size(); ++row) right += weights[row] * selected[row];
    return right;
  }
  double won = 0.0;
  for_each_tie(checked_order(selected, data.is_positive.size()),
               [&](std::span<const std::int32_t> tied) {
                 double of_class[2] = {};
                 for (const std::int32_t row : tied) {
                   of_class[data.is_positive[row] != 0 ? 1 : 0] += weights[row];
                 }
                 won += of_class[1] * (total[0] + 0.5 * of_class[0]);
                 total[0] += of_class[0];
                 total[1] += of_class[1];
               });
  return won / (total[0] * total[1]);
}

}  // namespace bbc::detail
