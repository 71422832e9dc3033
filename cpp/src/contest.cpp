#include <algorithm>
#include <bbc/contest.hpp>
#include <bbc/error.hpp>
#include <limits>
#include <string>

#include "detail/check_target.hpp"
#include "detail/evaluators.hpp"
#include "detail/replicates.hpp"

namespace bbc {

using detail::Bag;
using detail::Choice;
using detail::Evaluator;
using detail::kBlock;
using detail::StopFlag;

struct Contest::Impl {
  Target target;
  std::vector<Predictions> repeats;
  CorrectionOptions options;
  detail::Replicates replicates;
  detail::Evaluators evaluators;

  Impl(Target y, std::vector<Predictions> r, CorrectionOptions o, const Control& control, Role role)
      : target(detail::checked_target(o.metric, std::move(y))),
        repeats(std::move(r)),
        options(std::move(o)),
        // A metric that is only reported draws nothing: it must be possible, no more.
        replicates(target, options,
                   role == Role::decides ? detail::Needs::both_sides : detail::Needs::in_bag),
        evaluators(options, target, repeats, control) {}

  [[nodiscard]] std::int64_t n_configurations() const {
    return evaluators.together().n_configurations();
  }
  [[nodiscard]] double cells(std::int64_t n_replicates) const {
    return static_cast<double>(n_replicates) * static_cast<double>(target.n_rows()) *
           static_cast<double>(repeats.size());
  }
};

Contest::Contest(Target target, std::vector<Predictions> repeats, CorrectionOptions options,
                 const Control& control, Role role)
    : impl_(std::make_unique<Impl>(std::move(target), std::move(repeats), std::move(options),
                                   control, role)) {}
Contest::~Contest() = default;
Contest::Contest(Contest&&) noexcept = default;
Contest& Contest::operator=(Contest&&) noexcept = default;

std::int64_t Contest::n_rows() const { return impl_->target.n_rows(); }

std::int64_t Contest::n_configurations() const { return impl_->n_configurations(); }

std::int64_t Contest::n_fold_sides() const { return impl_->replicates.n_fold_sides(); }

std::vector<double> Contest::on_all_rows(const Control& control) const {
  constexpr std::int64_t kAtOnce = 32;  // configurations
  const std::int64_t n = n_configurations();
  const Bag all = impl_->replicates.all_rows();
  std::vector<double> scores(static_cast<std::size_t>(n));
  detail::parallel_for((n + kAtOnce - 1) / kAtOnce, control,
                       10.0 * impl_->cells(1) * static_cast<double>(n),
                       [&](std::int64_t task, const StopFlag& stop) {
                         const std::int64_t first = task * kAtOnce;
                         impl_->evaluators.together().scores(
                             all, first, std::min(first + kAtOnce, n), stop, scores.data() + first);
                       });
  for (double& score : scores) score *= impl_->options.metric.sign;
  return scores;
}

Contest::Replicates Contest::in_bag(std::int64_t first, std::int64_t n,
                                    const Control& control) const {
  if (first < 0 || n < 0 || n > impl_->replicates.n_bootstraps() - first) {
    throw_invalid("replicates: there are " + std::to_string(impl_->replicates.n_bootstraps()));
  }
  const std::int64_t n_configurations = impl_->n_configurations();
  const std::int64_t rows = n_rows();
  Replicates result{first, n, {}, {}, 0, 0};
  result.counts.resize(static_cast<std::size_t>(n * rows));
  result.scores.resize(static_cast<std::size_t>(n * n_configurations));
  const std::int64_t n_blocks = (n + kBlock - 1) / kBlock;
  std::vector<std::int64_t> redrawn(static_cast<std::size_t>(n_blocks));
  std::vector<std::int64_t> undefined(static_cast<std::size_t>(n_blocks));
  detail::parallel_for(
      n_blocks, control, 0.1 * impl_->cells(n) * static_cast<double>(n_configurations),
      [&](std::int64_t block, const StopFlag& stop) {
        const std::int64_t start = block * kBlock;
        const auto size = static_cast<int>(std::min<std::int64_t>(kBlock, n - start));
        const auto drawn = impl_->replicates.draw(first + start, size);
        redrawn[static_cast<std::size_t>(block)] = drawn.n_redrawn;
        undefined[static_cast<std::size_t>(block)] = drawn.n_undefined_folds;
        std::copy_n(drawn.bag.counts.data(), size * rows, result.counts.data() + start * rows);
        impl_->evaluators.visit(
            drawn.bag, first + start,
            [&](const Evaluator& evaluator, const Bag& bag, const int* lanes) {
              std::vector<double> scores(
                  static_cast<std::size_t>(bag.n_replicates * n_configurations));
              evaluator.scores(bag, 0, n_configurations, stop, scores.data());
              for (int i = 0; i < bag.n_replicates; ++i) {
                std::transform(scores.data() + i * n_configurations,
                               scores.data() + (i + 1) * n_configurations,
                               result.scores.data() + (start + lanes[i]) * n_configurations,
                               [&](double score) { return impl_->options.metric.sign * score; });
              }
            });
      });
  for (const std::int64_t count : redrawn) result.n_redrawn += count;
  for (const std::int64_t count : undefined) result.n_undefined_folds += count;
  return result;
}

Contest::OutOfBag Contest::out_of_bag(const Replicates& replicates,
                                      std::span<const std::int64_t> winners,
                                      const Control& control) const {
  if (static_cast<std::int64_t>(winners.size()) != replicates.n) {
    throw_invalid("winners: one per replicate");
  }
  if (replicates.first < 0 ||
      replicates.counts.size() != winners.size() * static_cast<std::size_t>(n_rows())) {
    throw_invalid("replicates: must be those of in_bag");
  }
  for (const std::int64_t winner : winners) {
    if (winner < 0 || winner >= impl_->n_configurations()) {
      throw_invalid("winners: configuration " + std::to_string(winner) + " of " +
                    std::to_string(impl_->n_configurations()));
    }
  }
  const std::int64_t rows = n_rows();
  OutOfBag result{std::vector<double>(winners.size()), 0};
  const std::int64_t n_blocks = (replicates.n + kBlock - 1) / kBlock;
  std::vector<std::int64_t> undefined(static_cast<std::size_t>(n_blocks));
  detail::parallel_for(
      n_blocks, control, impl_->cells(replicates.n), [&](std::int64_t block, const StopFlag& stop) {
        const std::int64_t start = block * kBlock;
        const auto size = std::min<std::int64_t>(kBlock, replicates.n - start);
        const auto* counts = replicates.counts.data() + start * rows;
        const Bag drawn{static_cast<int>(size),
                        rows,
                        {counts, counts + size * rows},
                        impl_->options.row_weights};
        bool defined[kBlock];
        for (int lane = 0; lane < size; ++lane) {
          defined[lane] = impl_->replicates.defined_out_of_bag(
              drawn.replicate(lane), &undefined[static_cast<std::size_t>(block)]);
        }
        impl_->evaluators.visit(
            drawn, replicates.first + start,
            [&](const Evaluator& evaluator, const Bag& bag, const int* lanes) {
              Choice choices[kBlock];
              double scores[kBlock];
              for (int i = 0; i < bag.n_replicates; ++i) {
                const auto winner = winners[static_cast<std::size_t>(start + lanes[i])];
                choices[i] = {0.0, defined[lanes[i]] ? winner : -1};
              }
              evaluator.out_of_bag(bag, choices, stop, scores);
              for (int i = 0; i < bag.n_replicates; ++i) {
                result.scores[static_cast<std::size_t>(start + lanes[i])] =
                    defined[lanes[i]] ? impl_->options.metric.sign * scores[i]
                                      : std::numeric_limits<double>::quiet_NaN();
              }
            });
      });
  for (const std::int64_t count : undefined) result.n_undefined_folds += count;
  return result;
}

}  // namespace bbc
