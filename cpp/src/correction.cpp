#include <algorithm>
#include <atomic>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "detail/choices/correct_choice.hpp"
#include "detail/evaluation/evaluators.hpp"
#include "detail/evaluation/selection_rule.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/digest.hpp"
#include "detail/support/pool.hpp"

namespace bbc {
namespace {

using detail::Choice;
using detail::Evaluator;
using detail::kBlock;
using detail::ReplicateBlock;

/// The best configuration seen so far in one replicate (or on all rows), and the reported score
/// of that configuration.
struct Best {
  double key = 0.0;
  std::int64_t configuration = -1;
  double score = 0.0;
};

/// What a state begins with.
constexpr std::string_view kMagic = "bbc2";
struct StateHeader {
  std::uint64_t digest;
  std::int64_t n_redrawn;
  std::int64_t n_undefined_folds;
};

/// Better key, then lower index: the reduction of blocks of configurations.
bool beats(double key, std::int64_t configuration, const Best& incumbent) {
  if (incumbent.configuration < 0) return configuration >= 0;
  if (configuration < 0) return false;
  return key != incumbent.key ? key > incumbent.key : configuration < incumbent.configuration;
}

/// Whether packed errors are looked up.
bool is_looked_up(const CorrectionOptions& options) {
  return std::holds_alternative<metric::ZeroOne>(options.metric.kind) && options.folds.empty() &&
         options.row_weights.empty();
}

/// What the replicates will take, in nanoseconds on one thread: drawing a row, and a cell of a row
/// and a configuration. Look-ups are so cheap that 100 rows x 200 configurations are done before
/// a thread has started.
double expected_nanoseconds(const CorrectionOptions& options, std::int64_t n_rows,
                            std::int64_t n_repeats, std::int64_t n_configurations) {
  const double of_cell = is_looked_up(options) ? 0.002 : 0.02;
  const double columns = static_cast<double>(n_repeats) * static_cast<double>(n_configurations);
  return static_cast<double>(options.resampling.n_bootstraps) * static_cast<double>(n_rows) *
         (1.0 + of_cell * columns);
}

/// How much room a prepared configuration takes, in that of as many doubles. Errors are packed, 48
/// to 16 bytes. The concordance index has, for each halving of the time axis, a word for each later
/// row and two for each earlier event.
double prepared_size(const CorrectionOptions& options, const Target& target) {
  if (is_looked_up(options)) return 1.0 / 24.0;
  if (!std::holds_alternative<metric::Concordance>(options.metric.kind)) return 1.0;
  constexpr std::size_t kNotHalved = 40;
  const auto n_rows = static_cast<double>(target.events.size());
  const auto n_events = std::count_if(target.events.begin(), target.events.end(),
                                      [](std::uint8_t event) { return event != 0; });
  const auto n_halvings = static_cast<double>(std::bit_width(target.events.size() / kNotHalved));
  return std::max(1.0, n_halvings * (0.3 + 0.5 * static_cast<double>(n_events) / n_rows));
}

}  // namespace

struct Correction::Impl {
  Target target;
  CorrectionOptions options;
  detail::Replicates replicates;
  std::vector<Best> best;
  Best overall;
  std::int64_t n_redrawn = 0;
  std::int64_t n_undefined_folds = 0;

  Impl(Target y, CorrectionOptions o)
      : target(detail::checked_target(o.metric, std::move(y))),
        options(std::move(o)),
        replicates(target, options, detail::RequiredSides::both_sides),
        best(static_cast<std::size_t>(options.resampling.n_bootstraps)) {
    check_confidence_level(options.confidence_level, options.alternative,
                           options.resampling.n_bootstraps);
    if (detail::derives_predictions(options.selection)) {
      throw_invalid("selection", "the rule needs all configurations at once, not in blocks");
    }
  }

  void add(std::span<const Predictions> repeats, std::int64_t offset, const Control& control);
  /// Chooses on `block`, and scores the choices on the rows that `scoring` leaves out.
  void add_block(const detail::Evaluators::Share& share, const detail::SelectionRule& rule,
                 const ReplicateBlock& block, const ReplicateBlock& scoring,
                 std::int64_t first_replicate, std::int64_t offset, const detail::StopFlag& stop);
  /// Rules that compare all configurations with each other take no second block.
  void refuse_blocks(bool is_later) const {
    if (std::holds_alternative<selection::Best>(options.selection)) return;
    if (!is_later && overall.configuration < 0) return;
    throw_invalid("selection", "the rule needs all configurations at once, not in blocks");
  }
  /// The reduction: keeps the better of two in every replicate and overall.
  void take(const Best& their_overall, const Best* their_best, std::int64_t their_n_redrawn,
            std::int64_t their_n_undefined_folds);
  void take_best(const Evaluator& evaluator, const detail::SelectionRule& rule,
                 std::int64_t offset);
};

void Correction::Impl::take(const Best& their_overall, const Best* their_best,
                            std::int64_t their_n_redrawn, std::int64_t their_n_undefined_folds) {
  if (their_overall.configuration < 0) return;
  refuse_blocks(false);
  const auto keep_better = [](const Best& candidate, Best& incumbent) {
    if (beats(candidate.key, candidate.configuration, incumbent)) incumbent = candidate;
  };
  for (std::size_t b = 0; b < best.size(); ++b) keep_better(their_best[b], best[b]);
  keep_better(their_overall, overall);
  // Draws depend on truth and seed alone, so both sides have redrawn the same replicates.
  n_redrawn = their_n_redrawn;
  n_undefined_folds = their_n_undefined_folds;
}

void Correction::Impl::take_best(const Evaluator& evaluator, const detail::SelectionRule& rule,
                                 std::int64_t offset) {
  const ReplicateBlock all = replicates.all_rows();
  const detail::StopFlag never;
  Choice choice;
  double score = 0.0;
  rule.choose(evaluator, all, never, &choice);
  evaluator.in_bag(all, &choice, never, &score);
  if (!std::isfinite(score)) detail::throw_overflow(choice.configuration);
  if (beats(choice.key, choice.configuration + offset, overall)) {
    overall = {choice.key, choice.configuration + offset, options.metric.sign * score};
  }
}

void Correction::Impl::add_block(const detail::Evaluators::Share& share,
                                 const detail::SelectionRule& rule, const ReplicateBlock& block,
                                 const ReplicateBlock& scoring, std::int64_t first_replicate,
                                 std::int64_t offset, const detail::StopFlag& stop) {
  Choice choices[kBlock];
  double scores[kBlock];
  rule.choose(share.in_bag, block, stop, choices);
  Choice improved[kBlock];
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const auto& incumbent = best[static_cast<std::size_t>(first_replicate + share.lanes[lane])];
    if (beats(choices[lane].key, choices[lane].configuration + offset, incumbent)) {
      improved[lane] = choices[lane];
    }
  }
  share.out_of_bag.out_of_bag(scoring, improved, stop, scores);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (improved[lane].configuration < 0) continue;
    if (!std::isfinite(scores[lane])) detail::throw_overflow(improved[lane].configuration);
    best[static_cast<std::size_t>(first_replicate + share.lanes[lane])] = {
        improved[lane].key, improved[lane].configuration + offset,
        options.metric.sign * scores[lane]};
  }
}

void Correction::Impl::add(std::span<const Predictions> repeats, std::int64_t offset,
                           const Control& control) {
  const detail::Evaluators evaluators(options, target, repeats, replicates.row_weights(), control);
  const Evaluator& all_repeats = evaluators.all_repeats();
  const detail::SelectionRule rule(options, target, repeats, all_repeats, replicates.all_rows(),
                                   control);
  take_best(all_repeats, rule, offset);

  const std::int64_t n = options.resampling.n_bootstraps;
  const std::int64_t n_blocks = (n + kBlock - 1) / kBlock;
  std::atomic<std::int64_t> redrawn{0};
  std::atomic<std::int64_t> undefined_folds{0};
  const double expected =
      expected_nanoseconds(options, target.n_rows(), static_cast<std::int64_t>(repeats.size()),
                           all_repeats.n_configurations());
  detail::Pool<detail::Replicates::Drawn> blocks;
  detail::parallel_for(
      n_blocks, control, expected, [&](std::int64_t task, const detail::StopFlag& stop) {
        const std::int64_t first = task * kBlock;
        const int size = static_cast<int>(std::min<std::int64_t>(kBlock, n - first));
        const auto drawn = blocks.take([] { return detail::Replicates::Drawn(); });
        replicates.draw(first, size, *drawn);
        redrawn += drawn->n_redrawn;
        undefined_folds += drawn->n_undefined_folds;
        evaluators.visit(drawn->block, drawn->scoring(), first,
                         [&](const detail::Evaluators::Share& share, const ReplicateBlock& block,
                             const ReplicateBlock& scoring) {
                           add_block(share, rule, block, scoring, first, offset, stop);
                         });
      });
  n_redrawn = redrawn;
  n_undefined_folds = undefined_folds;
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
  // All of a block or nothing, whether memory runs out, the caller stops or a score overflows. The
  // first block, which is all of `correct`, has nothing to go back to.
  const Best overall = impl_->overall;
  const bool is_first = overall.configuration < 0;
  std::vector<Best> best;
  if (!is_first) best = impl_->best;
  const auto restore = [&] {
    impl_->overall = overall;
    if (is_first) {
      std::fill(impl_->best.begin(), impl_->best.end(), Best{});
    } else {
      impl_->best.swap(best);
    }
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
  static_assert(std::is_trivially_copyable_v<Best>);
  const Impl& impl = *impl_;
  std::string bytes(kMagic);
  const auto append = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const StateHeader header{detail::digest_of(impl.target, impl.options), impl.n_redrawn,
                           impl.n_undefined_folds};
  append(&header, sizeof header);
  append(&impl.overall, sizeof(Best));
  append(impl.best.data(), impl.best.size() * sizeof(Best));
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
  std::vector<Best> theirs(1 + n);
  if (state.size() != kMagic.size() + sizeof header + theirs.size() * sizeof(Best)) {
    throw_invalid("state", "not of as many replicates");
  }
  std::memcpy(theirs.data(), at + sizeof header, theirs.size() * sizeof(Best));
  impl_->take(theirs[0], theirs.data() + 1, header.n_redrawn, header.n_undefined_folds);
}

Estimate correct(const Target& target, std::span<const Predictions> repeats,
                 const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  if (detail::derives_predictions(options.selection)) {
    return detail::correct_choice(target, repeats, options, control);
  }
  Correction correction(target, options);
  // Of the whole: a piece takes as many configurations of each repeat.
  detail::check_shapes({options.metric, target, repeats, options.folds, {}});
  // Large matrices are prepared (sorted, packed) piece by piece, so that a memory-mapped file is
  // never held twice. Replicates are drawn anew for each piece, which should not be too small.
  constexpr double kCellsAtOnce = 3 << 22;
  const std::int64_t n = detail::n_configurations(repeats[0]);
  const std::int64_t n_rows = detail::n_rows(repeats[0]);
  const double cells_of_one = static_cast<double>(n_rows) * static_cast<double>(repeats.size()) *
                              static_cast<double>(detail::n_outputs_of(repeats[0]));
  const double fit = std::max(64.0, kCellsAtOnce / cells_of_one);
  const double size = prepared_size(options, target);
  const bool in_pieces = std::holds_alternative<selection::Best>(options.selection);
  const std::int64_t at_once =
      in_pieces ? static_cast<std::int64_t>(std::max(64.0, fit / size)) : n;
  std::vector<Predictions> piece(repeats.begin(), repeats.end());
  for (std::int64_t first = 0; first < n; first += at_once) {
    for (std::size_t r = 0; r < repeats.size(); ++r) {
      piece[r] = detail::configurations(repeats[r], first, std::min(n, first + at_once));
    }
    correction.add(piece, first, control);
  }
  return correction.finish();
}

std::vector<Estimate> correct_many(std::span<const Problem> problems, const Control& control) {
  const detail::Arithmetic arithmetic;
  std::vector<Estimate> estimates(problems.size());
  double cells = 0.0;
  for (const Problem& problem : problems) {
    for (const Predictions& predictions : problem.repeats) {
      cells += static_cast<double>(problem.options.resampling.n_bootstraps) *
               static_cast<double>(detail::n_rows(predictions)) *
               static_cast<double>(detail::n_configurations(predictions));
    }
  }
  detail::parallel_for(static_cast<std::int64_t>(problems.size()), control, 0.02 * cells + 1e4,
                       [&](std::int64_t i, const detail::StopFlag&) {
                         const Problem& problem = problems[static_cast<std::size_t>(i)];
                         Control alone;
                         alone.n_threads = 1;
                         try {
                           estimates[static_cast<std::size_t>(i)] =
                               correct(problem.target, problem.repeats, problem.options, alone);
                         } catch (const Error& error) {
                           Place place = error.place();
                           place.insert(place.begin(), {"problem", i});
                           throw Error(error.code(), error.argument(), error.problem(), place,
                                       error.hint());
                         }
                       });
  return estimates;
}

}  // namespace bbc
