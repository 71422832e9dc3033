#include <algorithm>
#include <atomic>
#include <bbc/error.hpp>
#include <bbc/score_interval.hpp>
#include <bbc/winners.hpp>
#include <string>

#include "detail/choices/size_shift.hpp"
#include "detail/evaluation/evaluators.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {

using detail::Choice;
using detail::Evaluator;
using detail::kBlock;
using detail::ReplicateBlock;
using detail::StopFlag;

namespace {

void check_range(const detail::Replicates& replicates, std::int64_t first, std::int64_t n) {
  if (first < 0 || n < 0 || n > replicates.n_bootstraps() - first) {
    throw_invalid("replicates", "there are " + std::to_string(replicates.n_bootstraps()));
  }
}

}  // namespace

struct ReplicateScorer::Impl {
  Target target;
  std::vector<Predictions> repeats;
  CorrectionOptions options;
  detail::Replicates replicates;
  detail::Evaluators evaluators;

  Impl(Target y, std::vector<Predictions> r, CorrectionOptions o, const Control& control,
       MetricRole role)
      : target(detail::checked_target(o.metric, std::move(y))),
        repeats(std::move(r)),
        options(std::move(o)),
        // A metric that is only reported draws nothing: it must be possible, no more.
        replicates(target, options,
                   role == MetricRole::decides ? detail::RequiredSides::both_sides
                                               : detail::RequiredSides::in_bag),
        evaluators(options, target, repeats, replicates.row_weights(), control) {}

  [[nodiscard]] std::int64_t n_configurations() const {
    return evaluators.all_repeats().n_configurations();
  }
  /// Replicates [start, end) of some counts.
  [[nodiscard]] ReplicateBlock drawn_again(std::span<const std::uint16_t> scoring,
                                           std::int64_t start, std::int64_t end) const {
    const auto* counts = scoring.data() + start * target.n_rows();
    return {static_cast<int>(end - start),
            target.n_rows(),
            {counts, counts + (end - start) * target.n_rows()},
            replicates.row_weights()};
  }
  /// Whether each replicate of a block has a value out of bag; returns the folds without one.
  std::int64_t find_defined(std::int64_t first, const ReplicateBlock& drawn, bool* defined) const {
    std::int64_t n_undefined = 0;
    for (int lane = 0; lane < drawn.n_replicates; ++lane) {
      defined[lane] =
          replicates.defined_out_of_bag(first + lane, drawn.replicate(lane), &n_undefined);
    }
    return n_undefined;
  }
  [[nodiscard]] double cells(std::int64_t n_replicates) const {
    return static_cast<double>(n_replicates) * static_cast<double>(target.n_rows()) *
           static_cast<double>(repeats.size());
  }
};

ReplicateScorer::ReplicateScorer(Target target, std::vector<Predictions> repeats,
                                 CorrectionOptions options, const Control& control,
                                 MetricRole role) {
  const detail::Arithmetic arithmetic;
  impl_ = std::make_unique<Impl>(std::move(target), std::move(repeats), std::move(options), control,
                                 role);
}
ReplicateScorer::~ReplicateScorer() = default;
ReplicateScorer::ReplicateScorer(ReplicateScorer&&) noexcept = default;
ReplicateScorer& ReplicateScorer::operator=(ReplicateScorer&&) noexcept = default;

std::int64_t ReplicateScorer::n_rows() const { return impl_->target.n_rows(); }

std::int64_t ReplicateScorer::n_configurations() const { return impl_->n_configurations(); }

std::int64_t ReplicateScorer::n_fold_sides() const { return impl_->replicates.n_fold_sides(); }

std::vector<RateTerm> ReplicateScorer::rates(std::int64_t configuration) const {
  const detail::Arithmetic arithmetic;
  if (configuration < 0 || configuration >= impl_->n_configurations()) {
    throw_invalid("configuration", "there is no configuration " + std::to_string(configuration));
  }
  return rate_terms(impl_->repeats, impl_->target, impl_->options, configuration);
}

std::vector<double> ReplicateScorer::on_all_rows(const Control& control) const {
  const detail::Arithmetic arithmetic;
  constexpr std::int64_t kAtOnce = 32;  // configurations
  const std::int64_t n = n_configurations();
  const ReplicateBlock all = impl_->replicates.all_rows();
  std::vector<double> scores(static_cast<std::size_t>(n));
  detail::parallel_pieces(n, kAtOnce, control, 10.0 * impl_->cells(1) * static_cast<double>(n),
                          [&](std::int64_t first, std::int64_t last, const StopFlag& stop) {
                            impl_->evaluators.all_repeats().scores(all, first, last, stop,
                                                                   scores.data() + first);
                          });
  for (double& score : scores) score *= impl_->options.metric.sign;
  return scores;
}

std::vector<std::uint16_t> scoring_counts(const Target& target, const CorrectionOptions& options,
                                          std::int64_t first, std::int64_t n,
                                          const Control& control) {
  const detail::Arithmetic arithmetic;
  const Target checked = detail::checked_target(options.metric, target);
  const detail::Replicates replicates(checked, options, detail::RequiredSides::both_sides);
  check_range(replicates, first, n);
  const std::int64_t rows = target.n_rows();
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(n * rows));
  detail::each_block(replicates, first, n, control, static_cast<double>(n * rows),
                     [&](std::int64_t start, const auto& drawn, const StopFlag&) {
                       std::ranges::copy(drawn.scoring().counts,
                                         counts.data() + (start - first) * rows);
                     });
  return counts;
}

ReplicateScorer::Replicates ReplicateScorer::in_bag(std::int64_t first, std::int64_t n,
                                                    const Control& control) const {
  const detail::Arithmetic arithmetic;
  check_range(impl_->replicates, first, n);
  const std::int64_t n_configurations = impl_->n_configurations();
  const std::int64_t rows = n_rows();
  Replicates result{first, n, {}, {}, {}, 0, 0};
  result.counts.resize(static_cast<std::size_t>(n * rows));
  if (impl_->replicates.is_two_level()) result.fold_counts.resize(result.counts.size());
  result.scores.resize(static_cast<std::size_t>(n * n_configurations));
  const auto redrawn = detail::each_block(
      impl_->replicates, first, n, control,
      0.1 * impl_->cells(n) * static_cast<double>(n_configurations),
      [&](std::int64_t start, const auto& drawn, const StopFlag& stop) {
        const std::int64_t place = start - first;
        std::ranges::copy(drawn.block.counts, result.counts.data() + place * rows);
        if (!result.fold_counts.empty()) {
          std::ranges::copy(drawn.drawn_folds.counts, result.fold_counts.data() + place * rows);
        }
        impl_->evaluators.visit(
            drawn.block, drawn.scoring(), start,
            [&](const detail::Evaluators::Share& share, const ReplicateBlock& block,
                const ReplicateBlock&) {
              std::vector<double> scores(
                  static_cast<std::size_t>(block.n_replicates * n_configurations));
              share.in_bag.scores(block, 0, n_configurations, stop, scores.data());
              for (int i = 0; i < block.n_replicates; ++i) {
                std::transform(scores.data() + i * n_configurations,
                               scores.data() + (i + 1) * n_configurations,
                               result.scores.data() + (place + share.lanes[i]) * n_configurations,
                               [&](double score) { return impl_->options.metric.sign * score; });
              }
            });
      });
  result.n_redrawn = redrawn.n_redrawn;
  result.n_undefined_folds = redrawn.n_undefined_folds;
  return result;
}

ReplicateScorer::OutOfBag ReplicateScorer::out_of_bag(std::int64_t first,
                                                      std::span<const std::uint16_t> scoring,
                                                      std::span<const std::int64_t> given,
                                                      const Control& control) const {
  const detail::Arithmetic arithmetic;
  const auto winners = detail::owned(given);
  const auto n = static_cast<std::int64_t>(winners.size());
  if (first < 0 || scoring.size() != winners.size() * static_cast<std::size_t>(n_rows())) {
    throw_invalid("scoring", "must be that of in_bag, with a winner for each replicate");
  }
  for (const std::int64_t winner : winners) {
    if (winner < 0 || winner >= impl_->n_configurations()) {
      throw_invalid("winners", "configuration " + std::to_string(winner) + " of " +
                                   std::to_string(impl_->n_configurations()));
    }
  }
  OutOfBag result{std::vector<double>(winners.size()), 0};
  std::atomic<std::int64_t> n_undefined_folds{0};
  detail::parallel_pieces(
      n, kBlock, control, impl_->cells(n),
      [&](std::int64_t start, std::int64_t end, const StopFlag& stop) {
        const ReplicateBlock drawn = impl_->drawn_again(scoring, start, end);
        bool defined[kBlock];
        n_undefined_folds += impl_->find_defined(first + start, drawn, defined);
        impl_->evaluators.visit(
            drawn, drawn, first + start,
            [&](const detail::Evaluators::Share& share, const ReplicateBlock& block,
                const ReplicateBlock&) {
              Choice choices[kBlock];
              double scores[kBlock];
              for (int i = 0; i < block.n_replicates; ++i) {
                const auto winner = winners[static_cast<std::size_t>(start + share.lanes[i])];
                choices[i] = {0.0, defined[share.lanes[i]] ? winner : -1};
              }
              share.out_of_bag.out_of_bag(block, choices, stop, scores);
              for (int i = 0; i < block.n_replicates; ++i) {
                result.scores[static_cast<std::size_t>(start + share.lanes[i])] =
                    defined[share.lanes[i]] ? impl_->options.metric.sign * scores[i] : kNaN;
              }
            });
      });
  result.n_undefined_folds = n_undefined_folds;
  return result;
}

std::vector<double> ReplicateScorer::out_of_bag_scores(std::int64_t first,
                                                       std::span<const std::uint16_t> scoring,
                                                       std::span<const std::int64_t> given,
                                                       const Control& control) const {
  const detail::Arithmetic arithmetic;
  const auto configurations = detail::owned(given);
  const std::int64_t rows = n_rows();
  const auto n = static_cast<std::int64_t>(scoring.size()) / rows;
  if (first < 0 || scoring.size() != static_cast<std::size_t>(n * rows)) {
    throw_invalid("scoring", "must be that of in_bag");
  }
  if (!std::is_sorted(configurations.begin(), configurations.end()) || configurations.empty() ||
      configurations.front() < 0 || configurations.back() >= impl_->n_configurations()) {
    throw_invalid("configurations", "must be some of them, in rising order");
  }
  const auto width = static_cast<std::int64_t>(configurations.size());
  std::vector<double> scores(static_cast<std::size_t>(n * width));
  detail::parallel_pieces(
      n, kBlock, control, impl_->cells(n) * static_cast<double>(width),
      [&](std::int64_t start, std::int64_t end, const StopFlag& stop) {
        const ReplicateBlock drawn = impl_->drawn_again(scoring, start, end);
        bool defined[kBlock];
        impl_->find_defined(first + start, drawn, defined);
        double* of_block = scores.data() + start * width;
        detail::out_of_bag_scores(impl_->evaluators, drawn, first + start, configurations, stop,
                                  of_block);
        for (int lane = 0; lane < drawn.n_replicates; ++lane) {
          std::for_each(of_block + lane * width, of_block + (lane + 1) * width, [&](double& score) {
            score = defined[lane] ? impl_->options.metric.sign * score : kNaN;
          });
        }
      });
  return scores;
}

}  // namespace bbc
