#include "detail/resampling/replicates.hpp"

#include <algorithm>
#include <atomic>
#include <bbc/error.hpp>

#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/resampling/two_sides.hpp"
#include "detail/support/aligned.hpp"

namespace bbc::detail {
Replicates::Replicates(const Target& target, const CorrectionOptions& options,
                       RequiredSides required_sides)
    : sampler_(target.n_rows(), options.resampling),
      required_sides_(required_sides),
      redraw_(options.redraw),
      row_weights_(relative_weights(options.row_weights, target.n_rows())) {
  const auto n_rows = static_cast<std::size_t>(target.n_rows());
  const auto defined = [&](const Target& rows, std::span<const double> weights) {
    return Defined(options.metric, rows, options.size_correction, weights);
  };
  if (options.folds.empty()) {
    repeats_.emplace_back();
    repeats_[0].push_back({{}, defined(target, row_weights_)});
  } else {
    const std::span<const std::int32_t> folds(options.folds);
    if (folds.size() % n_rows != 0) {
      throw_invalid("folds", std::to_string(folds.size()) + " values for repeats of " +
                                 std::to_string(n_rows) + " rows");
    }
    if (sampler_.is_two_level() && folds.size() != options.resampling.folds.size()) {
      throw_invalid("folds", "those of the draws have another number of repeats");
    }
    for (std::size_t start = 0; start < folds.size(); start += n_rows) {
      repeats_.emplace_back();
      for (const auto& rows : rows_of_folds(folds.subspan(start, n_rows))) {
        std::vector<double> weights;
        if (!row_weights_.empty()) {
          for (const std::int32_t row : rows) {
            weights.push_back(row_weights_[static_cast<std::size_t>(row)]);
          }
        }
        repeats_.back().push_back({rows, defined(target.rows(rows), weights)});
      }
    }
  }
  check_possible(target);
}

void Replicates::check_possible(const Target& target) const {
  const Defined& whole = repeats_[0][0].defined;
  if (sampler_.is_two_level()) {
    for (std::int64_t repeat = 0; repeat < sampler_.n_repeats(); ++repeat) {
      check_possible(target, repeat);
    }
    return;
  }
  if (!sampler_.is_explicit() && required_sides_ == RequiredSides::both_sides &&
      sampler_.n_units() < 2) {
    throw_undefined("a single unit is in every bag, so nothing is ever out of bag");
  }
  check_classes(target, sampler_.unit_of_row());
  const std::vector<std::uint16_t> each_once(static_cast<std::size_t>(sampler_.n_rows()), 1);
  std::int64_t ignored = 0;
  if (!side_defined(0, each_once.data(), Side::in_bag, &ignored)) {
    throw_undefined(
        "the metric needs " + whole.need() + ", and " +
        (repeats_[0].size() == 1 ? "the truth has none" : "no fold of a repeat has it"));
  }
  if (sampler_.is_explicit()) return;
  for (const auto& parts : repeats_) {
    if (parts.size() > 1) continue;
    check_pairs(parts[0], sampler_.n_units(), sampler_.unit_of_row());
  }
}

void Replicates::check_possible(const Target& target, std::int64_t repeat) const {
  const auto fold_of_row = sampler_.fold_of_row(repeat);
  const auto& parts = repeats_[repeats_.size() == 1 ? 0 : static_cast<std::size_t>(repeat)];
  if (parts.size() == 1) {
    check_classes(target, fold_of_row);
    const auto n_folds = 1 + *std::max_element(fold_of_row.begin(), fold_of_row.end());
    check_pairs(parts[0], n_folds, fold_of_row);
    return;
  }
  const auto n_defined = std::count_if(parts.begin(), parts.end(), [&](const Part& part) {
    return part.defined(
        [&](std::int64_t i) { return weighs(static_cast<std::size_t>(part.row(i))); });
  });
  if (n_defined >= (required_sides_ == RequiredSides::both_sides ? 2 : 1)) return;
  throw_undefined("the metric needs " + parts[0].defined.need() +
                      " in two folds of every repeat, one in bag and one out of bag, not in " +
                      (n_defined == 0 ? "none" : "one"),
                  {{"repeat", repeat}});
}

void Replicates::check_classes(const Target& target,
                               std::span<const std::int32_t> unit_of_row) const {
  const auto& needed = repeats_[0][0].defined.needed_classes();
  if (needed.empty()) return;
  struct Class {
    std::int64_t n_rows = 0;
    std::int32_t first_unit = 0;
    bool in_several = false;
  };
  std::vector<Class> classes(static_cast<std::size_t>(target.n_classes));
  for (std::size_t row = 0; row < target.codes.size(); ++row) {
    const auto unit = unit_of_row.empty() ? static_cast<std::int32_t>(row) : unit_of_row[row];
    if (unit < 0 || !weighs(row)) continue;
    Class& own = classes[static_cast<std::size_t>(target.codes[row])];
    if (own.n_rows++ == 0) own.first_unit = unit;
    own.in_several = own.in_several || unit != own.first_unit;
  }
  for (const std::int32_t code : needed) {
    const auto [n_rows, first_unit, in_several] = classes[static_cast<std::size_t>(code)];
    if (required_sides_ == RequiredSides::both_sides ? in_several : n_rows > 0) continue;
    const char* unit = sampler_.is_two_level() ? "fold" : "group";
    throw_undefined("class " + target.name_of_class(code) + " has " + std::to_string(n_rows) +
                    (n_rows == 1 ? " row" : " rows") +
                    (n_rows > 1 ? std::string(" in a single ") + unit : "") +
                    ", so it is never both in bag and out of bag, and the metric needs it on "
                    "either side");
  }
}

void Replicates::check_pairs(const Part& part, std::int64_t n_units,
                             std::span<const std::int32_t> unit_of_row) const {
  const Defined& whole = part.defined;
  if (!whole.is_of_pairs() || required_sides_ != RequiredSides::both_sides) return;
  const auto defined = [&](const std::vector<std::uint8_t>& used) {
    return whole([&](std::int64_t i) {
      const auto row = static_cast<std::size_t>(part.row(i));
      const auto unit = unit_of_row.empty() ? static_cast<std::int32_t>(row) : unit_of_row[row];
      return unit >= 0 && weighs(row) && used[static_cast<std::size_t>(unit)] != 0;
    });
  };
  const std::vector<std::uint8_t> all(static_cast<std::size_t>(n_units), 1);
  if (defined(all) && both_sides_possible(n_units, defined)) return;
  throw_undefined("the metric needs " + whole.need() +
                  " both in bag and out of bag, and no draw leaves one on either side");
}

bool Replicates::side_defined(std::int64_t replicate, const std::uint16_t* counts, Side side,
                              std::int64_t* n_undefined) const {
  // Two-level draws are scored within one repeat, of which a fold is on one side only.
  const bool two_level = sampler_.is_two_level();
  const bool in_one = two_level && side == Side::out_of_bag && repeats_.size() > 1;
  const auto only = static_cast<std::size_t>(replicate % sampler_.n_repeats());
  bool all_repeats = true;
  for (std::size_t r = 0; r < repeats_.size(); ++r) {
    if (in_one && r != only) continue;
    bool any = false;
    for (const auto& part : repeats_[r]) {
      const auto on_side = [&](std::int64_t row) {
        return (counts[row] != 0) == (side == Side::in_bag);
      };
      const bool defined = part.defined([&](std::int64_t i) {
        const auto row = part.row(i);
        return on_side(row) && weighs(static_cast<std::size_t>(row));
      });
      any = any || defined;
      const bool elsewhere = two_level && std::none_of(part.rows.begin(), part.rows.end(), on_side);
      if (!defined && !elsewhere) ++*n_undefined;
    }
    all_repeats = all_repeats && any;
  }
  return all_repeats;
}

std::string Replicates::why_undefined(std::int64_t replicate, int lane, const Drawn& drawn) const {
  std::int64_t ignored = 0;
  const std::uint16_t* outside = drawn.scoring().replicate(lane);
  if (std::find(outside, outside + sampler_.n_rows(), 0) == outside + sampler_.n_rows()) {
    return "leaves nothing out of bag";
  }
  const bool in_bag = side_defined(replicate, drawn.block.replicate(lane), Side::in_bag, &ignored);
  return std::string("leaves the metric undefined ") + (in_bag ? "out of bag" : "in bag") +
         ", where it needs " + repeats_[0][0].defined.need();
}

bool Replicates::acceptable(std::int64_t replicate, int lane, const Drawn& drawn,
                            std::int64_t* n_undefined) const {
  const std::uint16_t* counts = drawn.block.replicate(lane);
  if (scoreable_ && !scoreable_(counts)) return false;
  const bool whole = repeats_.size() == 1 && repeats_[0].size() == 1;
  if (whole && row_weights_.empty() && required_sides_ == RequiredSides::both_sides &&
      !sampler_.is_two_level()) {
    return repeats_[0][0].defined.on_both_sides(counts);
  }
  return side_defined(replicate, counts, Side::in_bag, n_undefined) &&
         (required_sides_ == RequiredSides::in_bag ||
          side_defined(replicate, drawn.scoring().replicate(lane), Side::out_of_bag, n_undefined));
}

void Replicates::draw_attempt(std::int64_t replicate, std::uint32_t attempt, int lane,
                              Drawn& drawn) const {
  const std::int64_t at = lane * sampler_.n_rows();
  std::uint16_t* counts = drawn.block.counts.data() + at;
  if (sampler_.is_two_level()) {
    sampler_.draw_folds(replicate, attempt, counts, drawn.drawn_folds.counts.data() + at);
  } else {
    sampler_.draw(replicate, attempt, counts);
  }
}

void Replicates::draw(std::int64_t first, int n, Drawn& drawn) const {
  make_room(n, drawn);
  static_cast<Redrawn&>(drawn) = draw_lanes(first, 0, n, drawn);
}

void Replicates::make_room(int n, Drawn& drawn) const {
  const auto make = [&](ReplicateBlock& block) {
    block.n_replicates = n;
    block.n_rows = sampler_.n_rows();
    block.row_weights = row_weights_;
    resize_large(block.counts, static_cast<std::size_t>(n * sampler_.n_rows()));
  };
  make(drawn.block);
  if (sampler_.is_two_level()) make(drawn.drawn_folds);
}

Replicates::Redrawn Replicates::draw_lanes(std::int64_t first, int from, int to,
                                           Drawn& drawn) const {
  Redrawn redrawn;
  if (sampler_.is_two_level()) {
    for (int lane = from; lane < to; ++lane) draw_attempt(first + lane, 0, lane, drawn);
  } else {
    sampler_.draw(first + from, to - from, 0, drawn.block.counts.data() + from * sampler_.n_rows());
  }
  for (int lane = from; lane < to; ++lane) {
    const std::int64_t replicate = first + lane;
    std::int64_t n_undefined = 0;
    redrawn.n_redrawn += attempt_taken(
        sampler_, redraw_, replicate,
        [&](std::uint32_t attempt) {
          n_undefined = 0;
          if (attempt > 0) draw_attempt(replicate, attempt, lane, drawn);
        },
        [&] { return acceptable(replicate, lane, drawn, &n_undefined); },
        [&] { return why_undefined(replicate, lane, drawn); });
    redrawn.n_undefined_folds += n_undefined;
  }
  return redrawn;
}

Replicates::Redrawn Replicates::each_block(std::int64_t first, std::int64_t n,
                                           const Control& control, double expected_nanoseconds,
                                           const Use& use) const {
  std::atomic<std::int64_t> n_redrawn{0};
  std::atomic<std::int64_t> n_undefined_folds{0};
  parallel_pieces(n, kBlock, control, expected_nanoseconds,
                  [&](std::int64_t start, std::int64_t end, const StopFlag& stop) {
                    const Drawn drawn = draw(first + start, static_cast<int>(end - start));
                    n_redrawn += drawn.n_redrawn;
                    n_undefined_folds += drawn.n_undefined_folds;
                    use(first + start, drawn, stop);
                  });
  return {n_redrawn, n_undefined_folds};
}

ReplicateBlock Replicates::all_rows() const {
  return {1, sampler_.n_rows(),
          std::vector<std::uint16_t>(static_cast<std::size_t>(sampler_.n_rows()), 1), row_weights_};
}

std::int64_t Replicates::n_fold_sides() const {
  std::int64_t n_folds = 0;
  for (const auto& parts : repeats_) n_folds += static_cast<std::int64_t>(parts.size());
  const bool both = required_sides_ == RequiredSides::both_sides && !sampler_.is_two_level();
  return n_folds * n_bootstraps() * (both ? 2 : 1);
}

}  // namespace bbc::detail
