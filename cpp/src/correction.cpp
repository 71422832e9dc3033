#include <algorithm>
#include <atomic>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "detail/choices/choice_rule.hpp"
#include "detail/choices/size_shift.hpp"
#include "detail/evaluation/cost.hpp"
#include "detail/evaluation/coverage.hpp"
#include "detail/evaluation/evaluators.hpp"
#include "detail/evaluation/selection_rule.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/resampling/shared_block.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/digest.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc {
namespace {

using detail::beats;
using detail::Choice;
using detail::Evaluator;
using detail::kBlock;
using detail::loses_size_shift;
using detail::ReplicateBlock;

/// What a state begins with.
constexpr std::string_view kMagic = "bbc3";
struct StateHeader {
  std::uint64_t digest;
  std::int64_t n_redrawn;
  std::int64_t n_undefined_folds;
  std::int64_t n_ranges;  ///< of configurations
  std::int64_t n_rates;
};

}  // namespace

struct Correction::Impl {
  /// The best configuration seen so far in one replicate (or on all rows), with its reported score.
  struct Best : Choice {
    double score = 0.0;
    double shift = 0.0;  ///< of the configuration, where scores lose it
  };

  Target target;
  CorrectionOptions options;
  detail::Replicates replicates;
  std::vector<Best> best;
  Best overall;
  detail::Coverage coverage;
  std::vector<RateTerm> rates;  ///< of the overall winner
  std::int64_t n_redrawn = 0;
  std::int64_t n_undefined_folds = 0;
  bool counted = false;  ///< the redraws, by the first call

  Impl(Target y, CorrectionOptions o)
      : target(detail::checked_target(o.metric, std::move(y))),
        options(std::move(o)),
        replicates(target, options, detail::RequiredSides::both_sides),
        best(static_cast<std::size_t>(n_replicates())) {
    check_confidence_level(options.confidence_level, options.alternative,
                           options.resampling.n_bootstraps);
    if (detail::derives_predictions(options.selection)) {
      throw_invalid("selection", "the rule needs all configurations at once, not in blocks");
    }
  }

  [[nodiscard]] std::int64_t n_replicates() const { return options.resampling.n_bootstraps; }

  void add(std::span<const Predictions> repeats, std::int64_t offset, const Control& control);
  /// What the tasks of one call of `add` work with.
  struct Call {
    const detail::Evaluators& evaluators;
    const detail::SelectionRule& rule;
    const detail::Panels& panels;
    std::int64_t offset;
    std::atomic<std::int64_t> n_redrawn{0};
    std::atomic<std::int64_t> n_undefined_folds{0};
  };
  /// The replicates of a block.
  const detail::Replicates::Drawn& drawn(Call& call, detail::SharedBlock& shared,
                                         std::int64_t first_replicate) const;
  /// Searches a panel in a block of replicates; after the last panel, scores the block's winners
  /// and returns true.
  bool search(Call& call, detail::SharedBlock& shared, std::int64_t first_replicate,
              std::int64_t panel, const detail::StopFlag& stop);
  /// The same on all rows, for the apparent winner.
  bool search_all_rows(Call& call, detail::SharedBlock& shared, std::int64_t panel,
                       const detail::StopFlag& stop);
  /// Scores what is better than in earlier calls on the rows that `scoring` leaves out.
  void score(const detail::Evaluators::Share& share, const Choice* winners,
             const ReplicateBlock& scoring, std::int64_t first_replicate, std::int64_t offset,
             const detail::StopFlag& stop);
  /// Finds the shifts of a block's winners.
  void find_shifts(const detail::Evaluators& evaluators, std::int64_t offset,
                   const Control& control);
  /// Rules that compare all configurations with each other take no second block.
  void refuse_blocks(bool is_later) const {
    if (std::holds_alternative<selection::Best>(options.selection)) return;
    if (!is_later && overall.configuration < 0) return;
    throw_invalid("selection", "the rule needs all configurations at once, not in blocks");
  }
  /// The reduction: keeps the better of two in every replicate and overall.
  void take(const Best& their_overall, const std::vector<RateTerm>& their_rates,
            const Best* their_best, std::int64_t their_n_redrawn,
            std::int64_t their_n_undefined_folds);
};

void Correction::Impl::take(const Best& their_overall, const std::vector<RateTerm>& their_rates,
                            const Best* their_best, std::int64_t their_n_redrawn,
                            std::int64_t their_n_undefined_folds) {
  if (their_overall.configuration < 0) return;
  refuse_blocks(false);
  const auto keep_better = [](const Best& candidate, Best& incumbent) {
    if (beats(candidate, incumbent)) incumbent = candidate;
  };
  for (std::size_t b = 0; b < best.size(); ++b) keep_better(their_best[b], best[b]);
  if (beats(their_overall, overall)) rates = their_rates;
  keep_better(their_overall, overall);
  // Draws depend on truth and seed alone, so both sides have redrawn the same replicates.
  n_redrawn = their_n_redrawn;
  n_undefined_folds = their_n_undefined_folds;
  counted = true;
}

bool Correction::Impl::search_all_rows(Call& call, detail::SharedBlock& shared, std::int64_t panel,
                                       const detail::StopFlag& stop) {
  const Evaluator& evaluator = call.evaluators.all_repeats();
  shared.once([&] { shared.drawn().block = replicates.all_rows(); });
  const ReplicateBlock& all = shared.drawn().block;
  constexpr int lane = 0;
  Choice choice;
  call.rule.choose(evaluator, all, call.panels.first(panel), call.panels.first(panel + 1), stop,
                   &choice);
  shared.take(&choice, &lane, 1);
  if (!shared.last_of(call.panels.size())) return false;
  const Choice& winner = *shared.winners();
  double score = 0.0;
  evaluator.in_bag(all, &winner, stop, &score);
  if (!std::isfinite(score)) detail::throw_overflow(winner.configuration);
  const Choice numbered{winner.key, winner.configuration + call.offset};
  if (beats(numbered, overall)) overall = {numbered, options.metric.sign * score};
  return true;
}

const detail::Replicates::Drawn& Correction::Impl::drawn(Call& call, detail::SharedBlock& shared,
                                                         std::int64_t first_replicate) const {
  constexpr int kLanesAtOnce = 8;  // that a task draws where others help
  const auto n = static_cast<int>(std::min<std::int64_t>(kBlock, n_replicates() - first_replicate));
  detail::Replicates::Drawn& drawn = shared.drawn();
  const auto draw = [&](int from, int to) {
    const auto redrawn = replicates.draw_lanes(first_replicate, from, to, drawn);
    call.n_redrawn += redrawn.n_redrawn;
    call.n_undefined_folds += redrawn.n_undefined_folds;
  };
  if (call.panels.size() == 1) {
    replicates.make_room(n, drawn);
    draw(0, n);
  } else {
    shared.once([&] { replicates.make_room(n, drawn); });
    shared.share((n + kLanesAtOnce - 1) / kLanesAtOnce,
                 [&](int i) { draw(i * kLanesAtOnce, std::min(n, (i + 1) * kLanesAtOnce)); });
  }
  return drawn;
}

bool Correction::Impl::search(Call& call, detail::SharedBlock& shared, std::int64_t first_replicate,
                              std::int64_t panel, const detail::StopFlag& stop) {
  const bool alone = call.panels.size() == 1;
  const detail::Replicates::Drawn& drawn = this->drawn(call, shared, first_replicate);
  call.evaluators.visit(drawn.block, drawn.scoring(), first_replicate,
                        [&](const detail::Evaluators::Share& share, const ReplicateBlock& block,
                            const ReplicateBlock& scoring) {
                          Choice choices[kBlock];
                          call.rule.choose(share.in_bag, block, call.panels.first(panel),
                                           call.panels.first(panel + 1), stop, choices);
                          if (alone) {
                            score(share, choices, scoring, first_replicate, call.offset, stop);
                          } else {
                            shared.take(choices, share.lanes, block.n_replicates);
                          }
                        });
  if (alone || !shared.last_of(call.panels.size())) return alone;
  call.evaluators.visit(drawn.block, drawn.scoring(), first_replicate,
                        [&](const detail::Evaluators::Share& share, const ReplicateBlock& block,
                            const ReplicateBlock& scoring) {
                          Choice choices[kBlock];
                          for (int i = 0; i < block.n_replicates; ++i)
                            choices[i] = shared.winners()[share.lanes[i]];
                          score(share, choices, scoring, first_replicate, call.offset, stop);
                        });
  return true;
}

void Correction::Impl::score(const detail::Evaluators::Share& share, const Choice* winners,
                             const ReplicateBlock& scoring, std::int64_t first_replicate,
                             std::int64_t offset, const detail::StopFlag& stop) {
  double scores[kBlock];
  Choice improved[kBlock];
  const auto best_of = [&](int lane) -> Best& {
    return best[static_cast<std::size_t>(first_replicate + share.lanes[lane])];
  };
  for (int lane = 0; lane < scoring.n_replicates; ++lane) {
    const Choice& winner = winners[lane];
    if (beats({winner.key, winner.configuration + offset}, best_of(lane))) improved[lane] = winner;
  }
  share.out_of_bag.out_of_bag(scoring, improved, stop, scores);
  for (int lane = 0; lane < scoring.n_replicates; ++lane) {
    if (improved[lane].configuration < 0) continue;
    if (!std::isfinite(scores[lane])) detail::throw_overflow(improved[lane].configuration);
    best_of(lane) = {{improved[lane].key, improved[lane].configuration + offset},
                     options.metric.sign * scores[lane]};
  }
}

void Correction::Impl::add(std::span<const Predictions> repeats, std::int64_t offset,
                           const Control& control) {
  const detail::Evaluators evaluators(options, target, repeats, replicates.row_weights(), control);
  const detail::SelectionRule rule(options, target, repeats, evaluators.all_repeats(),
                                   replicates.all_rows(), control);
  if (loses_size_shift(options)) replicates.expect_again();
  const std::int64_t n_blocks = (n_replicates() + kBlock - 1) / kBlock;
  const detail::Panels panels(evaluators.road(), options, target.n_rows(), repeats.size(),
                              evaluators.all_repeats().n_configurations(), control);
  Call call{evaluators, rule, panels, offset};
  // Block 0 is all rows, every one of them once.
  detail::SharedBlocks blocks(1 + n_blocks);
  const Control limited{panels.n_workers(), control.poll};
  detail::parallel_for((1 + n_blocks) * panels.size(), limited, panels.expected_nanoseconds(),
                       [&](std::int64_t task, const detail::StopFlag& stop) {
                         const std::int64_t block = task / panels.size();
                         const std::int64_t panel = task % panels.size();
                         detail::SharedBlock& shared = blocks.at(block);
                         const bool last =
                             block == 0 ? search_all_rows(call, shared, panel, stop)
                                        : search(call, shared, (block - 1) * kBlock, panel, stop);
                         if (!last) return;
                         blocks.forget(block);
                       });
  if (loses_size_shift(options)) find_shifts(evaluators, offset, control);
  const std::int64_t own = overall.configuration - offset;
  if (own >= 0 && own < evaluators.all_repeats().n_configurations()) {
    rates = rate_terms(repeats, target, options, own);
  }
  if (counted) return;  // draws depend on truth and seed alone
  n_redrawn = call.n_redrawn;
  n_undefined_folds = call.n_undefined_folds;
  counted = true;
}

void Correction::Impl::find_shifts(const detail::Evaluators& evaluators, std::int64_t offset,
                                   const Control& control) {
  const auto own = [&](const Best& each) { return each.configuration - offset; };
  const auto is_own = [&](const Best& each) {
    return own(each) >= 0 && own(each) < evaluators.all_repeats().n_configurations();
  };
  std::vector<std::int64_t> won;  // of this block, numbered within it
  for (const Best& each : best) {
    if (is_own(each)) won.push_back(own(each));
  }
  detail::SizeShifts shifts(std::move(won));
  shifts.find(
      replicates, evaluators.all_repeats(), options.metric.sign,
      detail::nanoseconds_of_scores(evaluators.road(), n_replicates(), target.n_rows(), 1), control,
      [&](std::int64_t first, const auto& drawn, auto some, const auto& stop, double* scores) {
        detail::out_of_bag_scores(evaluators, drawn.scoring(), first, some, stop, scores);
      });
  for (Best& each : best) {
    if (!is_own(each)) continue;
    each.shift = shifts.of(own(each));
    if (!std::isfinite(each.shift)) detail::throw_overflow(own(each));
  }
}

Correction::Correction(Target target, CorrectionOptions options) {
  const detail::Arithmetic arithmetic;
  impl_ = std::make_unique<Impl>(std::move(target), std::move(options));
}
Correction::~Correction() = default;
Correction::Correction(Correction&&) noexcept = default;
Correction& Correction::operator=(Correction&&) noexcept = default;
Correction::Correction(const Correction& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Correction& Correction::operator=(const Correction& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}

void Correction::add(std::span<const Predictions> repeats, std::int64_t first_configuration,
                     const Control& control) {
  const detail::Arithmetic arithmetic;
  const std::int64_t n = repeats.empty() ? 0 : detail::n_configurations(repeats[0]);
  if (first_configuration < 0 || first_configuration > std::numeric_limits<std::int64_t>::max() -
                                                           std::max(n, std::int64_t{0})) {
    throw_invalid("first_configuration", "must not be negative, nor go beyond 2^63");
  }
  impl_->refuse_blocks(first_configuration > 0);
  detail::Coverage coverage = impl_->coverage;
  if (n > 0) coverage.add({first_configuration, first_configuration + n}, "first_configuration");
  // All of a block or nothing, whether memory runs out, the caller stops or a score overflows.
  const Impl::Best overall = impl_->overall;
  std::vector<Impl::Best> best = impl_->best;
  const auto restore = [&] {  // of what a block that fails has changed: rates come last
    impl_->overall = overall;
    impl_->best.swap(best);
  };
  try {
    impl_->add(repeats, first_configuration, control);
  } catch (const Error& error) {
    restore();
    Place place = error.place();
    for (auto& [axis, index] : place) index += axis == "configuration" ? first_configuration : 0;
    throw Error(error.code(), error.argument(), error.problem(), place, error.hint());
  } catch (...) {
    restore();
    throw;
  }
  impl_->coverage = std::move(coverage);
}

void Correction::begin_anew() {
  const detail::Arithmetic arithmetic;
  impl_->overall = Impl::Best{};
  impl_->coverage = {};
  impl_->rates.clear();
  std::fill(impl_->best.begin(), impl_->best.end(), Impl::Best{});
  impl_->replicates.expect_again();
}

void Correction::merge(const Correction& other) {
  const detail::Arithmetic arithmetic;
  const Impl& theirs = *other.impl_;
  if (theirs.target != impl_->target) throw_invalid("other", "a correction of another truth");
  if (theirs.options != impl_->options) throw_invalid("other", "a correction with other options");
  detail::Coverage coverage = impl_->coverage;
  coverage.add(theirs.coverage.ranges(), "other");
  impl_->take(theirs.overall, theirs.rates, theirs.best.data(), theirs.n_redrawn,
              theirs.n_undefined_folds);
  impl_->coverage = std::move(coverage);
}

std::vector<ConfigurationRange> Correction::added() const { return impl_->coverage.ranges(); }

std::int64_t Correction::winner() const { return impl_->overall.configuration; }

Estimate Correction::finish() const {
  const detail::Arithmetic arithmetic;
  const Impl& impl = *impl_;
  impl.coverage.check_complete();
  Estimate result;
  result.replicates.resize(impl.best.size());
  result.replicate_winners.resize(impl.best.size());
  for (std::size_t b = 0; b < impl.best.size(); ++b) {
    result.replicates[b] = impl.best[b].score - impl.best[b].shift;
    result.replicate_winners[b] = impl.best[b].configuration;
  }
  if (loses_size_shift(impl.options)) {
    std::vector<double> shifts;
    for (const Impl::Best& each : impl.best) shifts.push_back(each.shift);
    result.size_bias = detail::rounded_mean(shifts);
  }
  result.apparent = impl.overall.score;
  result.winner = impl.overall.configuration;
  result.rates = impl.rates;
  result.n_redrawn = impl.n_redrawn;
  detail::summarise({impl.coverage.ranges().back().last, impl.target.n_classes,
                     impl.n_undefined_folds, impl.replicates.n_fold_sides()},
                    impl.options, result);
  return result;
}

std::string Correction::state() const {
  const detail::Arithmetic arithmetic;
  // A flat image of the per-replicate results; the magic number guards its layout, and a checksum
  // of all before it its content.
  static_assert(std::is_trivially_copyable_v<Impl::Best>);
  static_assert(std::is_trivially_copyable_v<RateTerm>);
  const Impl& impl = *impl_;
  std::string bytes(kMagic);
  const auto append = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const StateHeader header{detail::digest_of(impl.target, impl.options), impl.n_redrawn,
                           impl.n_undefined_folds,
                           static_cast<std::int64_t>(impl.coverage.ranges().size()),
                           static_cast<std::int64_t>(impl.rates.size())};
  append(&header, sizeof header);
  append(impl.coverage.ranges().data(), impl.coverage.ranges().size() * sizeof(ConfigurationRange));
  append(&impl.overall, sizeof(Impl::Best));
  append(impl.best.data(), impl.best.size() * sizeof(Impl::Best));
  append(impl.rates.data(), impl.rates.size() * sizeof(RateTerm));
  const std::uint64_t checksum = detail::checksum_of(bytes);
  append(&checksum, sizeof checksum);
  return bytes;
}

void Correction::merge(const std::string& state) {
  const detail::Arithmetic arithmetic;
  const std::size_t n = impl_->best.size();
  constexpr std::size_t kFixed = kMagic.size() + sizeof(StateHeader) + sizeof(std::uint64_t);
  if (!state.starts_with(kMagic) || state.size() < kFixed) {
    throw_invalid("state", "not the state of a correction by this version");
  }
  const std::size_t n_checked = state.size() - sizeof(std::uint64_t);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, state.data() + n_checked, sizeof checksum);
  if (checksum != detail::checksum_of(std::string_view(state).substr(0, n_checked))) {
    throw_invalid("state", "is damaged: its checksum is another");
  }
  StateHeader header{};
  const char* at = state.data() + kMagic.size();
  std::memcpy(&header, at, sizeof header);
  at += sizeof header;
  if (header.digest != detail::digest_of(impl_->target, impl_->options)) {
    throw_invalid("state", "of a correction with another truth or other options");
  }
  const std::size_t best_size = (1 + n) * sizeof(Impl::Best);
  const auto n_ranges = static_cast<std::uint64_t>(header.n_ranges);
  const auto n_rates = static_cast<std::uint64_t>(header.n_rates);
  if (n_ranges > state.size() / sizeof(ConfigurationRange) ||
      n_rates > state.size() / sizeof(RateTerm) ||
      state.size() !=
          kFixed + n_ranges * sizeof(ConfigurationRange) + best_size + n_rates * sizeof(RateTerm)) {
    throw_invalid("state", "not of as many replicates");
  }
  std::vector<ConfigurationRange> ranges(n_ranges);
  std::vector<Impl::Best> theirs(1 + n);
  std::vector<RateTerm> rates(n_rates);
  const auto read = [&](void* target, std::size_t size) {
    if (size > 0) std::memcpy(target, at, size);
    at += size;
  };
  read(ranges.data(), n_ranges * sizeof(ConfigurationRange));
  read(theirs.data(), best_size);
  read(rates.data(), n_rates * sizeof(RateTerm));
  detail::Coverage coverage = impl_->coverage;
  coverage.add(ranges, "state");
  impl_->take(theirs[0], rates, theirs.data() + 1, header.n_redrawn, header.n_undefined_folds);
  impl_->coverage = std::move(coverage);
}

}  // namespace bbc
