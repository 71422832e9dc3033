#include <algorithm>
#include <array>
#include <bbc/error.hpp>
#include <bbc/scores.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

/// The loss of a row, if the metric is made of losses that nothing bounds.
std::optional<metric::RowLoss> unbounded_loss(const Metric& metric) {
  using Formula = metric::Moments::Formula;
  if (const auto* loss = std::get_if<metric::RowLoss>(&metric.kind)) {
    const bool bounded = std::isfinite(Metric{*loss}.range(2.0).high);
    return bounded || loss->greater_is_better ? std::nullopt : std::optional{*loss};
  }
  const auto* moments = std::get_if<metric::Moments>(&metric.kind);
  if (moments == nullptr || moments->formula == Formula::squared_pearson) return std::nullopt;
  return metric::RowLoss{.kind = metric::RowLoss::Kind::squared};
}

/// What the folds say of one repeat's scores.
struct RankSum {
  double pairs = 0.0;
  double excess = 0.0;  ///< pairs that are ranked rightly, less half of all
  double variance = 0.0;
};

// The folds of a repeat, whose rows start at `first`; 0 without folds.
double n_folds_of(std::span<const std::int32_t> folds, std::size_t first, std::size_t n_rows) {
  if (folds.empty()) return 0.0;
  return 1.0 + static_cast<double>(std::ranges::max(folds.subspan(first, n_rows)));
}

RankSum rank_sum(const std::vector<std::int32_t>& codes, const std::vector<double>& scores,
                 std::span<const std::int32_t> folds) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return folds[a] != folds[b] ? folds[a] < folds[b] : scores[a] < scores[b];
  });
  RankSum sum;
  for (std::size_t next = 0; next < order.size();) {
    const std::int32_t fold = folds[order[next]];
    std::array<double, 2> size{};
    double rightly = 0.0;  // ties count one half
    while (next < order.size() && folds[order[next]] == fold) {
      const double score = scores[order[next]];
      std::array<double, 2> tied{};
      for (; next < order.size() && folds[order[next]] == fold && scores[order[next]] == score;
           ++next) {
        tied[static_cast<std::size_t>(codes[order[next]])] += 1.0;
      }
      rightly += tied[1] * (size[0] + 0.5 * tied[0]);
      size[0] += tied[0];
      size[1] += tied[1];
    }
    if (fold < 0) continue;
    constexpr double kOfRankSum = 12.0;
    const double pairs = size[0] * size[1];
    sum.pairs += pairs;
    sum.excess += rightly - 0.5 * pairs;
    sum.variance += pairs * (size[0] + size[1] + 1.0) / kOfRankSum;
  }
  return sum;
}

}  // namespace

Scores score(const Target& y, std::span<const Predictions> repeats, const Metric& metric,
             std::span<const std::int32_t> given, const std::vector<double>& row_weights,
             const Control& control) {
  const detail::Arithmetic arithmetic;
  const auto folds = detail::owned(given);
  const Target target = detail::checked_target(metric, y);
  const auto n_rows = target.n_rows();
  const auto weights = detail::relative_weights(row_weights, n_rows, /*even_power=*/true);
  const auto evaluator = detail::make_evaluator({metric, target, repeats, folds, weights}, control);
  const detail::ReplicateBlock all{
      1, n_rows, std::vector<std::uint16_t>(static_cast<std::size_t>(n_rows), 1), weights};
  const std::int64_t n = evaluator->n_configurations();
  Scores result;
  result.values.resize(static_cast<std::size_t>(n));
  const double cells =
      static_cast<double>(n) * static_cast<double>(n_rows) * static_cast<double>(repeats.size());
  detail::parallel_for(n, control, 2.0 * cells, [&](std::int64_t j, const detail::StopFlag& stop) {
    const detail::Choice choice{0.0, j};
    double& value = result.values[static_cast<std::size_t>(j)];
    evaluator->in_bag(all, &choice, stop, &value);
    value *= metric.sign;
  });
  if (std::any_of(result.values.begin(), result.values.end(),
                  [](double value) { return !std::isnan(value); })) {
    detail::Choice best;
    evaluator->best(all, detail::StopFlag{}, &best);
    result.winner = best.configuration;
  }
  return result;
}

LargestShare largest_share(const Target& y, std::span<const Predictions> repeats,
                           const Metric& metric, std::int64_t configuration,
                           std::span<const std::int32_t> given,
                           const std::vector<double>& row_weights) {
  const detail::Arithmetic arithmetic;
  const auto folds = detail::owned(given);
  const auto kind = unbounded_loss(metric);
  if (!kind) return {};
  const Target target = detail::checked_target(metric, y);
  detail::check_shapes({metric, target, repeats, folds, {}});
  if (configuration < 0 || configuration >= detail::n_configurations(repeats[0])) {
    throw_invalid("configuration", "there is none of number " + std::to_string(configuration));
  }
  const auto n_rows = static_cast<std::size_t>(target.n_rows());
  const auto weights = detail::relative_weights(row_weights, target.n_rows(), /*even_power=*/true);
  std::vector<double> of_row(n_rows, 0.0);
  for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
    const auto losses = detail::row_losses(*kind, target, repeats[repeat], configuration, {});
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (!folds.empty() && folds[repeat * n_rows + row] < 0) continue;
      of_row[row] += std::fabs(losses[row]) * (weights.empty() ? 1.0 : weights[row]);
    }
  }
  double sum = 0.0;
  for (const double loss : of_row) sum += loss;
  if (!(sum > 0.0)) return {};
  constexpr double kTenth = 0.1;
  constexpr double kTimesTheMean = 10.0;
  const double share = *std::max_element(of_row.begin(), of_row.end()) / sum;
  return {share, share > std::max(kTenth, kTimesTheMean / static_cast<double>(n_rows))};
}

Ranking ranking(const Target& y, std::span<const Predictions> repeats, std::int64_t configuration,
                std::span<const std::int32_t> given) {
  const detail::Arithmetic arithmetic;
  const auto folds = detail::owned(given);  // by which rows are sorted
  if (y.kind != Target::Kind::labels || y.n_classes != 2) return {};
  const Metric metric = make_metric("roc_auc");
  const Target target = detail::checked_target(metric, y);
  detail::check_shapes({metric, target, repeats, folds, {}});
  if (configuration < 0 || configuration >= detail::n_configurations(repeats[0])) {
    throw_invalid("configuration", "there is none of number " + std::to_string(configuration));
  }
  const auto n_rows = static_cast<std::size_t>(target.n_rows());
  const std::vector<std::int32_t> one_fold(folds.empty() ? n_rows : 0, 0);
  double statistic = 0.0;
  double auc = 0.0;
  double n_tested = 0.0;
  for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
    std::vector<double> scores;
    detail::read_values(repeats[repeat], configuration, {}, scores);
    const std::span<const std::int32_t> of_all(folds);
    const RankSum sum = rank_sum(
        target.codes, scores, folds.empty() ? one_fold : of_all.subspan(repeat * n_rows, n_rows));
    if (sum.pairs == 0.0) continue;
    n_tested += 1.0;
    const double n_folds = n_folds_of(folds, repeat * n_rows, n_rows);
    // Models of folds share training rows: as for means of rows, by Nadeau and Bengio.
    const double overlap = n_folds > 1.0 ? n_folds / (n_folds - 1.0) : 0.0;
    statistic += sum.excess / std::sqrt(sum.variance * (1.0 + overlap));
    auc += 0.5 + sum.excess / sum.pairs;
  }
  if (n_tested == 0.0) return {};
  constexpr double kQuantile = 3.090232306167813;  // of the normal distribution, at .999
  return {auc / n_tested, statistic / n_tested < -kQuantile};
}

}  // namespace bbc
