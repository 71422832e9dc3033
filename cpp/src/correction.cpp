#include <algorithm>
#include <atomic>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "detail/choices/choice_rule.hpp"
#include "detail/evaluation/cost.hpp"
#include "detail/evaluation/evaluators.hpp"
#include "detail/evaluation/selection_rule.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/resampling/shared_block.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/digest.hpp"

namespace bbc {
namespace {

using detail::beats;
using detail::Choice;
using detail::Evaluator;
using detail::kBlock;
using detail::ReplicateBlock;

/// What a state begins with.
constexpr std::string_view kMagic = "bbc2";
struct StateHeader {
  std::uint64_t digest;
  std::int64_t n_redrawn;
  std::int64_t n_undefined_folds;
};

}  // namespace

struct Correction::Impl {
  /// The best configuration seen so far in one replicate (or on all rows), with its reported score.
  struct Best : Choice {
    double score = 0.0;
  };

  Target target;
  CorrectionOptions options;
  detail::Replicates replicates;
  std::vector<Best> best;
  Best overall;
  std::int64_t n_redrawn = 0;
  std::int64_t n_undefined_folds = 0;
  bool counted = false;  ///< the redraws, by the first call
  bool others_follow = false;
  detail::KeptBlocks kept;  ///< from the second call on, or from the first if others follow

  Impl(Target y, CorrectionOptions o)
      : target(detail::checked_target(o.metric, std::move(y))),
        options(std::move(o)),
        replicates(target, options, detail::RequiredSides::both_sides),
        best(static_cast<std::size_t>(n_replicates())),
        kept(replicates, target.n_rows()) {
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
    detail::KeptBlocks kept;  // by earlier calls
    std::atomic<std::int64_t> n_redrawn{0};
    std::atomic<std::int64_t> n_undefined_folds{0};
  };
  /// The replicates of a block, which are drawn unless an earlier call kept them.
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
  /// Rules that compare all configurations with each other take no second block.
  void refuse_blocks(bool is_later) const {
    if (std::holds_alternative<selection::Best>(options.selection)) return;
    if (!is_later && overall.configuration < 0) return;
    throw_invalid("selection", "the rule needs all configurations at once, not in blocks");
  }
  /// The reduction: keeps the better of two in every replicate and overall.
  void take(const Best& their_overall, const Best* their_best, std::int64_t their_n_redrawn,
            std::int64_t their_n_undefined_folds);
};

void Correction::Impl::take(const Best& their_overall, const Best* their_best,
                            std::int64_t their_n_redrawn, std::int64_t their_n_undefined_folds) {
  if (their_overall.configuration < 0) return;
  refuse_blocks(false);
  const auto keep_better = [](const Best& candidate, Best& incumbent) {
    if (beats(candidate, incumbent)) incumbent = candidate;
  };
  for (std::size_t b = 0; b < best.size(); ++b) keep_better(their_best[b], best[b]);
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
  if (const auto* drawn = call.kept.find(first_replicate / kBlock)) return *drawn;
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
  const bool keeps = others_follow || overall.configuration >= 0;
  const std::int64_t n_blocks = (n_replicates() + kBlock - 1) / kBlock;
  const detail::Panels panels(options, target, repeats.size(),
                              evaluators.all_repeats().n_configurations(), control);
  Call call{evaluators, rule, panels, offset, kept};
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
                         if (block > 0 && keeps) kept.keep(block - 1, shared);
                         blocks.forget(block);
                       });
  if (counted) return;  // draws depend on truth and seed alone
  n_redrawn = call.n_redrawn;
  n_undefined_folds = call.n_undefined_folds;
  counted = true;
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
  // All of a block or nothing, whether memory runs out, the caller stops or a score overflows.
  const Impl::Best overall = impl_->overall;
  std::vector<Impl::Best> best = impl_->best;
  const auto restore = [&] {
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
}

void Correction::begin_anew() {
  const detail::Arithmetic arithmetic;
  impl_->overall = Impl::Best{};
  std::fill(impl_->best.begin(), impl_->best.end(), Impl::Best{});
  impl_->others_follow = true;
}

void Correction::merge(const Correction& other) {
  const detail::Arithmetic arithmetic;
  const Impl& theirs = *other.impl_;
  if (theirs.target != impl_->target) throw_invalid("other", "a correction of another truth");
  if (theirs.options != impl_->options) throw_invalid("other", "a correction with other options");
  impl_->take(theirs.overall, theirs.best.data(), theirs.n_redrawn, theirs.n_undefined_folds);
}

Estimate Correction::finish() const {
  const detail::Arithmetic arithmetic;
  const Impl& impl = *impl_;
  if (impl.overall.configuration < 0) throw_invalid("predictions", "no configurations were added");
  Estimate result;
  result.replicates.resize(impl.best.size());
  result.replicate_winners.resize(impl.best.size());
  for (std::size_t b = 0; b < impl.best.size(); ++b) {
    result.replicates[b] = impl.best[b].score;
    result.replicate_winners[b] = impl.best[b].configuration;
  }
  result.apparent = impl.overall.score;
  result.winner = impl.overall.configuration;
  result.n_redrawn = impl.n_redrawn;
  detail::summarise(impl.replicates, impl.options, impl.n_undefined_folds, result);
  return result;
}

std::string Correction::state() const {
  const detail::Arithmetic arithmetic;
  // A flat image of the per-replicate results; the magic number guards its layout.
  static_assert(std::is_trivially_copyable_v<Impl::Best>);
  const Impl& impl = *impl_;
  std::string bytes(kMagic);
  const auto append = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const StateHeader header{detail::digest_of(impl.target, impl.options), impl.n_redrawn,
                           impl.n_undefined_folds};
  append(&header, sizeof header);
  append(&impl.overall, sizeof(Impl::Best));
  append(impl.best.data(), impl.best.size() * sizeof(Impl::Best));
  return bytes;
}

void Correction::merge(const std::string& state) {
  const detail::Arithmetic arithmetic;
  const std::size_t n = impl_->best.size();
  if (!state.starts_with(kMagic) || state.size() < kMagic.size() + sizeof(StateHeader)) {
    throw_invalid("state", "not the state of a correction by this version");
  }
  StateHeader header{};
  const char* at = state.data() + kMagic.size();
  std::memcpy(&header, at, sizeof header);
  if (header.digest != detail::digest_of(impl_->target, impl_->options)) {
    throw_invalid("state", "of a correction with another truth or other options");
  }
  std::vector<Impl::Best> theirs(1 + n);
  if (state.size() != kMagic.size() + sizeof header + theirs.size() * sizeof(Impl::Best)) {
    throw_invalid("state", "not of as many replicates");
  }
  std::memcpy(theirs.data(), at + sizeof header, theirs.size() * sizeof(Impl::Best));
  impl_->take(theirs[0], theirs.data() + 1, header.n_redrawn, header.n_undefined_folds);
}

}  // namespace bbc
