#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <bbc/philox.hpp>
#include <bbc/scores.hpp>
#include <cmath>
#include <map>
#include <string>

#include "detail/evaluation/evaluators.hpp"
#include "detail/intervals/fold_coupling.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/fold_shuffle.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

constexpr std::int64_t kCouplingPermutations = 99;
constexpr std::int64_t kFewestConfigurations = 10;
constexpr std::int64_t kFewestFolds = 4;
constexpr std::int64_t kMostCells = std::int64_t{1} << 28;

/// What simulations gave for a metric.
struct Rule {
  double share = 0.9;  ///< of kappa times the in-bag optimism
  double unit = 1.0;   ///< of kappa
};

Rule rule_of(const Metric& metric) {
  if (std::holds_alternative<metric::Auc>(metric.kind)) return {0.45, 1.0};
  // Values of 0 and 1 show two thirds of the coupling of ranks.
  if (std::holds_alternative<metric::ZeroOne>(metric.kind)) return {0.6, 1.5};
  return {};
}

bool is_logarithmic(const Metric& metric) {
  using Kind = metric::RowLoss::Kind;
  const auto* loss = std::get_if<metric::RowLoss>(&metric.kind);
  return loss != nullptr && (loss->kind == Kind::log || loss->kind == Kind::binomial);
}

/// Refuses what was not studied.
void check_design(const CorrectionOptions& options, std::size_t n_repeats) {
  const Resampling& drawn = options.resampling;
  const auto refuse = [](bool there, const char* argument, const char* problem) {
    if (there) throw_invalid(argument, problem);
  };
  refuse(!detail::has_whole_row_values(options.metric), "metric",
         "must be the AUC of two classes, accuracy or a mean of row losses: of others it is not "
         "known what rows share that trained each other's models");
  refuse(n_repeats != 1, "predictions", "of several repeats were not studied: one is needed");
  refuse(!options.row_weights.empty(), "row_weights", "were not studied");
  refuse(!drawn.units.empty(), "units", "were not studied");
  refuse(!drawn.strata.empty(), "strata", "were not studied");
  refuse(!drawn.folds.empty() || options.rotate_repeats, "method",
         "must draw rows, as Algorithm 5 does");
  refuse(!options.folds.empty(), "pooling", "must be of all rows together");
  refuse(!std::holds_alternative<selection::Best>(options.selection), "selection",
         "must be of the best score");
}

std::vector<std::int32_t> strata_of(const Target& target, const CorrectionOptions& options) {
  const bool known = target.kind == Target::Kind::labels || options.classes.empty();
  return known ? detail::classes_of_rows(target) : options.classes;
}

void check_folds(std::span<const std::int32_t> folds, std::span<const std::int32_t> strata) {
  if (folds.empty()) {
    throw_invalid("folds",
                  "must be known: only rows of one fold never trained each other's models");
  }
  if (folds.size() != strata.size()) {
    throw_invalid("folds", std::to_string(folds.size()) + " values for " +
                               std::to_string(strata.size()) + " rows");
  }
  const auto unknown = std::ranges::find_if(folds, [](std::int32_t fold) { return fold < 0; });
  if (unknown != folds.end()) {
    throw_invalid("folds", "must be known of every row", {{"row", unknown - folds.begin()}});
  }
  std::map<std::int32_t, std::int64_t> sizes;
  for (const std::int32_t fold : folds) ++sizes[fold];
  const auto n_folds = static_cast<std::int64_t>(sizes.size());
  const std::string there = "there are " + std::to_string(n_folds);
  if (sizes.size() == folds.size()) {
    throw_invalid("folds", "must have several rows each: those of leave-one-out have one");
  }
  if (n_folds < kFewestFolds) {
    throw_invalid("folds", there + ", and " + std::to_string(kFewestFolds) + " are needed");
  }
  if (n_folds > detail::kBlock) {
    throw_invalid("folds",
                  there + ", and at most " + std::to_string(detail::kBlock) + " can be permuted");
  }
  std::map<std::int32_t, std::int64_t> rows;
  for (const std::int32_t stratum : strata) ++rows[stratum];
  for (const auto& [stratum, n] : rows) {
    if (n >= 2 * n_folds) continue;
    throw_invalid("target", (rows.size() > 1 ? "has a class of " : "has ") + std::to_string(n) +
                                " rows: " + std::to_string(n_folds) +
                                " folds need two each, or pairs within a fold are too few");
  }
}

void check_size(std::int64_t n_rows, std::int64_t n_configurations) {
  if (n_configurations < kFewestConfigurations) {
    throw_invalid("predictions",
                  "have " + std::to_string(n_configurations) +
                      " configurations: pairs of rows are compared across at least " +
                      std::to_string(kFewestConfigurations));
  }
  if (n_rows > kMostCells / n_configurations) {
    throw_invalid("predictions", "are more than 2^28, which would take too much memory");
  }
}

/// Mean of the winners' scores in bag, on the draws that chose them.
double in_bag_mean(const Target& target, std::span<const Predictions> repeats,
                   const CorrectionOptions& options, std::span<const std::int64_t> winners,
                   const Control& control) {
  const detail::Replicates replicates(target, options, detail::RequiredSides::both_sides);
  const detail::Evaluators evaluators(options, target, repeats, {}, control);
  std::vector<double> scores(winners.size());
  const auto n = static_cast<std::int64_t>(winners.size());
  detail::each_block(replicates, 0, n, control, static_cast<double>(n * target.n_rows()),
                     [&](std::int64_t first, const auto& drawn, const detail::StopFlag& stop) {
                       std::vector<detail::Choice> choices;
                       for (int lane = 0; lane < drawn.block.n_replicates; ++lane) {
                         choices.push_back({0.0, winners[static_cast<std::size_t>(first + lane)]});
                       }
                       evaluators.all_repeats().in_bag(drawn.block, choices.data(), stop,
                                                       scores.data() + first);
                     });
  for (double& score : scores) score *= options.metric.sign;
  return detail::rounded_mean(scores);
}

/// The folds as they are, and permuted: (partition, row).
std::vector<std::int8_t> partitions_of(const detail::FoldShuffle& shuffle) {
  const auto given = shuffle.given(0);
  std::vector<std::int8_t> partitions(given.begin(), given.end());
  partitions.resize(given.size() * static_cast<std::size_t>(1 + kCouplingPermutations));
  for (std::int64_t p = 0; p < kCouplingPermutations; ++p) {
    shuffle.draw(static_cast<std::uint32_t>(p), 0,
                 partitions.data() + static_cast<std::size_t>(1 + p) * given.size());
  }
  return partitions;
}

/// Standard deviation of the permutations' values, with their number.
double spread_of_permuted(std::span<const double> kappas) {
  std::vector<double> values(kappas.begin() + 1, kappas.end());
  const double mean = detail::rounded_mean(values);
  for (double& value : values) value = (value - mean) * (value - mean);
  return std::sqrt(detail::rounded_mean(values));
}

/// Simulations gave no share above this, and this standard deviation of true kappas.
double likely_share(const Rule& rule, double kappa, double sd) {
  constexpr double kMost = 0.6;
  constexpr double kPriorVariance = 0.09;
  const double scaled = rule.unit * sd;
  return rule.share * std::min(std::max(rule.unit * kappa, 0.0), kMost) * kPriorVariance /
         (kPriorVariance + scaled * scaled);
}

}  // namespace

RemainingOptimism remaining_optimism(const Target& y, std::span<const Predictions> repeats,
                                     const RemainingOptimismOptions& options, std::int64_t winner,
                                     std::span<const std::int64_t> replicate_winners,
                                     std::span<const double> replicates, const Control& control) {
  const detail::Arithmetic arithmetic;
  const CorrectionOptions& correction = options.correction;
  const Metric& metric = correction.metric;
  check_design(correction, repeats.size());
  const Target target = detail::checked_target(metric, y);
  detail::check_shapes({metric, target, repeats, {}, {}});
  const std::int64_t n_configurations = detail::n_configurations(repeats[0]);
  check_size(target.n_rows(), n_configurations);
  const auto strata = strata_of(target, correction);
  check_folds(options.folds, strata);
  const auto winners = detail::owned(replicate_winners);
  const auto known = [&](std::int64_t j) { return j >= 0 && j < n_configurations; };
  if (static_cast<std::int64_t>(winners.size()) != correction.resampling.n_bootstraps ||
      winners.size() != replicates.size() || !known(winner) ||
      !std::ranges::all_of(winners, known)) {
    throw_invalid("winners", "must be a configuration for each replicate");
  }
  if (is_logarithmic(metric) && largest_share(target, repeats, metric, winner, {}, {}).dominates) {
    throw_invalid("metric", "must not rest on one row, as the winner's logarithmic loss does");
  }

  const detail::FoldShuffle shuffle(strata, options.folds, {}, correction.resampling.seed,
                                    stream::kFoldPermutations);
  const auto rows = detail::whole_row_values(target, repeats[0], metric, control);
  const auto coupling =
      detail::fold_coupling(rows, partitions_of(shuffle), shuffle.n_folds(0), control);
  if (coupling.kappas.empty()) {
    throw_invalid("predictions", "of all configurations are alike in every row, up to rounding");
  }
  RemainingOptimism found;
  found.kappa = coupling.kappas[0];
  found.kappa_sd = spread_of_permuted(coupling.kappas);
  found.share_of_pairs = coupling.share_of_pairs;
  const double direction = metric.greater_is_better() ? 1.0 : -1.0;
  const double estimate = detail::rounded_mean({replicates.begin(), replicates.end()});
  const double in_bag = in_bag_mean(target, repeats, correction, winners, control);
  found.in_bag_optimism = std::max(0.0, direction * (in_bag - estimate));
  found.further_optimism =
      likely_share(rule_of(metric), found.kappa, found.kappa_sd) * found.in_bag_optimism;
  found.coupled_estimate = estimate - direction * found.further_optimism;
  return found;
}

}  // namespace bbc
