#include "detail/tilt.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/resampling.hpp>
#include <cmath>
#include <string>

#include "detail/auc.hpp"
#include "detail/bag.hpp"
#include "detail/influence.hpp"
#include "detail/parallel.hpp"
#include "detail/ties.hpp"

namespace bbc::detail {
namespace {

constexpr int kLanes = 8;

/// All configurations of one statistic, ready to be scored with the weights of several replicates.
class Scorer {
 public:
  Scorer(const TiltingData& data, bool only_selected) : auc_(!data.is_positive.empty()) {
    Target target;
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    target.codes.assign(data.is_positive.begin(), data.is_positive.end());
    auc_columns_ = std::make_unique<AucColumns>(metric::Auc{}, target, false);
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
  std::vector<ScoreOrder> orders_;
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
  if (data.n_configurations < 1 || data.columns.empty()) throw_invalid("columns: no predictions");
  if (data.selected < 0 || data.selected >= data.n_configurations) {
    throw_invalid("selected: no configuration " + std::to_string(data.selected));
  }
  const auto n_rows =
      data.is_positive.empty() ? data.n_rows() : static_cast<std::int64_t>(data.is_positive.size());
  if (static_cast<std::int64_t>(data.columns.size()) != n_rows * data.n_configurations) {
    throw_invalid("columns: " + std::to_string(data.columns.size()) + " values for " +
                  std::to_string(n_rows) + " rows and " + std::to_string(data.n_configurations) +
                  " configurations");
  }
}

}  // namespace

TiltingReplicates draw_tilting_replicates(const TiltingData& data, const TiltingOptions& options,
                                          bool only_selected, const Control& control) {
  check(data);
  const bool auc = !data.is_positive.empty();
  const bool regress = auc && options.variant == TiltingOptions::Variant::published;
  const auto n_rows = data.n_rows();
  const Scorer scorer(data, only_selected);
  const auto selected = static_cast<std::size_t>(only_selected ? 0 : data.selected);

  TiltingReplicates replicates;
  std::vector<double> influence;
  replicates.largest = static_cast<double>(n_rows);
  if (auc) {
    influence = influence_of_auc(data);  // refuses a single class
    const auto n_positive = static_cast<double>(
        std::ranges::count_if(data.is_positive, [](std::uint8_t flag) { return flag != 0; }));
    replicates.largest = 2.0 * n_positive * (static_cast<double>(n_rows) - n_positive);
  } else {
    const auto right = column_of(data, data.selected);
    influence.assign(right.begin(), right.end());
  }
  const std::vector<double> ones(static_cast<std::size_t>(n_rows * kLanes), 1.0);
  for (std::size_t j = 0; j < scorer.size(); ++j) {
    double scores[kLanes];
    scorer(j, ones.data(), scores);
    replicates.observed.push_back(scores[0]);
    replicates.drawn.emplace_back(static_cast<std::size_t>(options.n_bootstraps));
  }
  replicates.influence_sums.resize(static_cast<std::size_t>(options.n_bootstraps));

  const Sampler sampler = tilting_sampler(data, options);
  const auto sum_influence = [&](const double* weights, std::int64_t first, int n) {
    double sums[kLanes] = {};
    for (std::int64_t row = 0; row < n_rows; ++row) {
      for (int lane = 0; lane < kLanes; ++lane) {
        sums[lane] += weights[row * kLanes + lane] * influence[row];
      }
    }
    std::copy_n(sums, n, replicates.influence_sums.begin() + first);
  };
  const auto run = [&](bool score, bool sum) {
    const double cells = static_cast<double>(options.n_bootstraps) * static_cast<double>(n_rows);
    parallel_for(
        (options.n_bootstraps + kLanes - 1) / kLanes, control,
        cells * (4.0 + 0.5 * static_cast<double>(scorer.size())),
        [&](std::int64_t block, const StopFlag&) {
          const std::int64_t first = block * kLanes;
          const int n =
              static_cast<int>(std::min<std::int64_t>(kLanes, options.n_bootstraps - first));
          Bag bag{n, n_rows, std::vector<std::uint16_t>(static_cast<std::size_t>(n * n_rows)), {}};
          std::vector<std::uint32_t> scratch;
          for (int lane = 0; lane < n; ++lane) {
            sampler.draw(first + lane, 0, bag.counts.data() + lane * n_rows, scratch);
          }
          std::vector<double> weights(static_cast<std::size_t>(n_rows * kLanes));
          fill_weights(bag, Side::in_bag, 0, kLanes, weights.data());
          for (std::size_t j = 0; score && j < scorer.size(); ++j) {
            double scores[kLanes];
            scorer(j, weights.data(), scores);
            std::copy_n(scores, n, replicates.drawn[j].begin() + first);
          }
          if (sum) sum_influence(weights.data(), first, n);
        });
  };
  run(true, !regress);
  if (regress) {
    std::vector<double> aucs = replicates.drawn[selected];
    for (double& value : aucs) value /= replicates.largest;
    influence = influence_by_regression(data, options, std::move(aucs));
    run(false, true);
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
  for (const double influence : stratum.influence) sum += std::exp(tau * influence - largest);
  return {largest, sum};
}

}  // namespace

double Tilt::log_constant(double tau) const {
  double constant = 0.0;
  for (const Stratum& stratum : replicates_.strata) {
    const auto n = static_cast<double>(stratum.rows.size());
    const auto [largest, sum] = partition(stratum, tau);
    constant += n * (std::log(n / sum) - largest);
  }
  return constant;
}

double Tilt::effective_sample_size(double tau) const {
  const auto& sums = replicates_.influence_sums;
  const double shift = tau < 0.0 ? std::ranges::min(sums) : std::ranges::max(sums);
  double sum = 0.0;
  double squares = 0.0;
  for (const double s : sums) {
    const double importance = std::exp(tau * (s - shift));
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
      weights[stratum.rows[i]] = std::exp(tau * stratum.influence[i] - largest) / sum;
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
