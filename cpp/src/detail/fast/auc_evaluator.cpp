#include "detail/fast/auc_evaluator.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "detail/metrics/column_reader.hpp"

namespace bbc::detail {
namespace {

constexpr double kSmall = std::numeric_limits<std::int32_t>::max();
constexpr double kSmallClass = std::numeric_limits<std::int16_t>::max();

}  // namespace

/// The weights of a block of replicates on one side, and what each part weighs per class.
class AucEvaluator::Weights {
 public:
  Weights(const AucEvaluator& evaluator, const Bag& bag, Side side)
      : table_(evaluator.tables_.take([] { return LaneTable(); })) {
    table_->fill(bag, side);
    // Out of bag, few configurations are walked: packing would take longer.
    if (side == Side::in_bag) table_->pack();
    if (!narrow()) {
      // Counts of explicit resamples can be anything up to 16 bits.
      wide_lines_.assign(static_cast<std::size_t>((bag.n_rows + 1) * kLine), 0);
      for (int lane = 0; lane < bag.n_replicates; ++lane) {
        const std::uint16_t* counts = bag.replicate(lane);
        for (std::int64_t row = 0; row < bag.n_rows; ++row) {
          wide_lines_[static_cast<std::size_t>(row * kLine + lane)] = counts[row];
        }
      }
    }
    parts_.resize(evaluator.parts_.size());
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      fill(evaluator.loops_, evaluator.parts_[part], parts_[part]);
    }
  }

  /// Whether the counts fit bytes.
  [[nodiscard]] bool narrow() const { return table_->most() <= 255; }
  [[nodiscard]] const std::uint8_t* lines() const { return table_->lines(); }
  [[nodiscard]] int most() const { return table_->most(); }
  void walk(const AucLoops& loops, const std::uint32_t* first, const std::uint32_t* last,
            AucSums& sums) const {
    if (table_->packed() != nullptr) {
      loops.walk_packed(first, last, table_->packed(), &sums);
    } else {
      loops.walk(first, last, table_->lines(), &sums);
    }
  }
  /// Adds what near pairs have in the right order.
  void add_near(const NearPairs& near, std::int64_t configuration, double* twice_pairs) const {
    if (near_fit()) {
      near.add(lines(), configuration, twice_pairs);
    } else if (narrow()) {
      near.add_exact(lines(), configuration, twice_pairs);
    } else {
      near.add_exact(wide_lines_.data(), configuration, twice_pairs);
    }
  }
  void walk_exact(const AucProgram& program, double* twice_pairs) const {
    if (narrow()) {
      auc_walk_exact(program, lines(), twice_pairs);
    } else {
      auc_walk_exact(program, wide_lines_.data(), twice_pairs);
    }
  }

  /// What a part weighs.
  struct OfPart {
    Lanes of_class[2];
    Lanes totals;  // what a key is divided by
    bool small;    // `classes` can be relied upon
    AucClasses classes;
  };
  [[nodiscard]] const OfPart& of_part(std::size_t part) const { return parts_[part]; }

 private:
  void fill(const AucLoops& loops, const Part& part, OfPart& weights) const {
    double most = 0.0;
    for (int code = 0; code < 2; ++code) {
      std::uint64_t sums[kBlock] = {};
      const auto& rows = part.rows_of_class[code];
      if (narrow()) {
        loops.add_lines(rows.data(), static_cast<std::int64_t>(rows.size()), lines(),
                        table_->most(), sums);
      } else {
        for (const std::int32_t row : rows) {
          for (int l = 0; l < kBlock; ++l) sums[l] += wide_lines_[std::int64_t{row} * kLine + l];
        }
      }
      for (std::size_t l = 0; l < kBlock; ++l) {
        weights.of_class[code][l] = static_cast<double>(sums[l]);
        most = std::max(most, weights.of_class[code][l]);
      }
    }
    weights.small = narrow() && most <= kSmallClass && (part.near == nullptr || near_fit());
    if (part.by_time != nullptr) {
      if (narrow()) {
        fill_comparable(*part.by_time, lines(), weights.totals);
      } else {
        fill_comparable(*part.by_time, wide_lines_.data(), weights.totals);
      }
    } else {
      for (std::size_t l = 0; l < kBlock; ++l) {
        weights.totals[l] = 2.0 * weights.of_class[0][l] * weights.of_class[1][l];
      }
    }
    for (std::size_t l = 0; weights.small && l < kBlock; ++l) {
      weights.classes.negatives[l] = static_cast<std::uint16_t>(weights.of_class[0][l]);
      weights.classes.twice_positives[l] = static_cast<std::uint16_t>(2.0 * weights.of_class[1][l]);
    }
  }

  /// Twice the weight of comparable pairs.
  template <class Count>
  static void fill_comparable(const ConcordanceProgrammer& by_time, const Count* lines,
                              Lanes& totals) {
    const auto& rows = by_time.rows_by_time();
    totals.fill(0.0);
    double later[kBlock] = {};
    std::size_t n_added = rows.size();
    for (std::size_t place = rows.size(); place-- > 0;) {
      for (; n_added > by_time.first_later()[place]; --n_added) {
        const Count* line = lines + std::int64_t{rows[n_added - 1]} * kLine;
        for (int l = 0; l < kBlock; ++l) later[l] += line[l];
      }
      if (by_time.is_event()[place] == 0) continue;
      const Count* line = lines + std::int64_t{rows[place]} * kLine;
      for (std::size_t l = 0; l < kBlock; ++l) totals[l] += 2.0 * line[l] * later[l];
    }
  }
  [[nodiscard]] bool near_fit() const { return table_->most() <= kNearMost; }

  Pool<LaneTable>::Lease table_;
  std::vector<std::uint16_t> wide_lines_;
  std::vector<OfPart> parts_;
};

bool AucEvaluator::suits(const EvaluatorInput& input) {
  const bool auc = std::holds_alternative<metric::Auc>(input.metric.kind);
  return input.row_weights.empty() && (auc || input.folds.empty()) &&
         input.target.n_rows() < std::numeric_limits<std::uint32_t>::max() / kLine;
}

/// Walks a program of one stretch; whether that went well.
bool AucEvaluator::walk_at_once(const AucProgram& program, const Weights& weights,
                                const AucClasses& expected, AucSums& sums) const {
  if (program.words.empty()) {
    std::memset(&sums, 0, sizeof sums);
    return true;
  }
  if (program.stretch_ends.size() != 1) return false;
  const std::uint32_t* words = program.words.data();
  weights.walk(loops_, words, words + program.words.size(), sums);
  return loops_.matches(sums, expected);
}

void AucEvaluator::twice_pairs(std::size_t part, std::int64_t configuration, const Weights& weights,
                               Lanes& pairs) const {
  walk_all(part, configuration, weights, pairs);
  const auto& near = parts_[part].near;
  if (near != nullptr) weights.add_near(*near, configuration, pairs.data());
}

void AucEvaluator::walk_all(std::size_t part, std::int64_t configuration, const Weights& weights,
                            Lanes& pairs) const {
  const AucProgram& program = parts_[part].programs[static_cast<std::size_t>(configuration)];
  const auto& expected = weights.of_part(part);
  if (!weights.narrow()) {
    weights.walk_exact(program, pairs.data());
    return;
  }
  AucSums sums;
  if (expected.small && walk_at_once(program, weights, expected.classes, sums)) {
    std::copy_n(sums.twice_pairs, kBlock, pairs.begin());
    return;
  }
  pairs.fill(0.0);
  Lanes negatives{};
  Lanes twice_positives{};
  Lanes carried{};  // negatives of a part that goes on from stretch to stretch
  const std::uint32_t* at = program.words.data();
  for (const std::uint32_t stretch_end : program.stretch_ends) {
    const std::uint32_t* end = program.words.data() + stretch_end;
    weights.walk(loops_, at, end, sums);
    AucProgram::Step first_step;
    std::memcpy(&first_step, at, sizeof first_step);
    if (first_step.starts_part != 0) carried.fill(0.0);
    at = end;
    for (std::size_t l = 0; l < kBlock; ++l) {
      pairs[l] += sums.twice_pairs[l] + carried[l] * sums.twice_positives[l];
      carried[l] += sums.negatives[l];
      negatives[l] += sums.negatives[l];
      twice_positives[l] += sums.twice_positives[l];
    }
  }
  bool fits = true;
  for (std::size_t l = 0; l < kBlock; ++l) {
    fits = fits && negatives[l] == expected.of_class[0][l] &&
           twice_positives[l] == 2.0 * expected.of_class[1][l];
  }
  if (!fits) weights.walk_exact(program, pairs.data());
}

/// Pooled: the sum over repeats of an integer. Per fold: the score itself.
void AucEvaluator::keys_of(std::int64_t configuration, const Weights& weights, Lanes& keys) const {
  if (!pooled_) return all_scores_of(configuration, weights, keys);
  keys.fill(0.0);
  Lanes pairs;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    twice_pairs(part, configuration, weights, pairs);
    for (std::size_t l = 0; l < kBlock; ++l) keys[l] += pairs[l];
  }
}

/// Mean over repeats of the mean over the folds that are defined.
void AucEvaluator::scores_of(std::int64_t configuration, const Weights& weights,
                             std::span<const int> lanes, Lanes& scores) const {
  for (const int lane : lanes) scores[static_cast<std::size_t>(lane)] = 0.0;
  Lanes pairs;
  for (std::size_t part = 0; part < parts_.size();) {
    const std::size_t repeat = repeat_of_part_[part];
    Lanes sums{};
    Lanes n_defined{};
    for (; part < parts_.size() && repeat_of_part_[part] == repeat; ++part) {
      twice_pairs(part, configuration, weights, pairs);
      const Lanes& totals = weights.of_part(part).totals;
      for (const int lane : lanes) {
        const auto l = static_cast<std::size_t>(lane);
        if (totals[l] <= 0.0) continue;
        sums[l] += pairs[l] / totals[l];
        n_defined[l] += 1.0;
      }
    }
    for (const int lane : lanes) {
      const auto l = static_cast<std::size_t>(lane);
      scores[l] += sums[l] / n_defined[l];
    }
  }
  for (const int lane : lanes)
    scores[static_cast<std::size_t>(lane)] /= static_cast<double>(n_repeats_);
}

void AucEvaluator::fill(const Bag& bag, std::int64_t first, std::int64_t last, const StopFlag& stop,
                        ValuesOf values_of, double* out) const {
  const Weights weights(*this, bag, Side::in_bag);
  Lanes lanes;
  for (std::int64_t j = first; j < last; ++j) {
    stop.check();
    (this->*values_of)(j, weights, lanes);
    for (int lane = 0; lane < bag.n_replicates; ++lane) {
      out[lane * (last - first) + j - first] = lanes[static_cast<std::size_t>(lane)];
    }
  }
}

void AucEvaluator::keys(const Bag& bag, std::int64_t first, std::int64_t last, const StopFlag& stop,
                        double* keys) const {
  fill(bag, first, last, stop, &AucEvaluator::keys_of, keys);
}

void AucEvaluator::scores(const Bag& bag, std::int64_t first, std::int64_t last,
                          const StopFlag& stop, double* scores) const {
  fill(bag, first, last, stop, &AucEvaluator::all_scores_of, scores);
}

void AucEvaluator::best(const Bag& bag, const StopFlag& stop, Choice* choices) const {
  const bool all_rows =
      bag.n_replicates == 1 && std::all_of(bag.counts.begin(), bag.counts.end(),
                                           [](std::uint16_t count) { return count == 1; });
  if (pooled_ && all_rows) {
    best_on_all_rows(choices);
    return;
  }
  const Weights weights(*this, bag, Side::in_bag);
  Choice found[kBlock];
  bool small = pooled_;
  for (std::size_t l = 0; l < kBlock; ++l) {
    double largest = 0.0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      largest += weights.of_part(part).totals[l];
      small = small && weights.of_part(part).small;
    }
    small = small && largest <= kSmall;
  }
  if (small) {
    best_of_small(weights, stop, found);
  } else {
    Lanes lanes;
    for (std::int64_t j = 0; j < n_configurations_; ++j) {
      stop.check();
      keys_of(j, weights, lanes);
      for (std::size_t l = 0; l < kBlock; ++l) {
        if (found[l].configuration < 0 || lanes[l] > found[l].key) found[l] = {lanes[l], j};
      }
    }
  }
  std::copy_n(found, bag.n_replicates, choices);
}

/// Keys below 2^31 are compared as they leave the walk.
void AucEvaluator::best_of_small(const Weights& weights, const StopFlag& stop,
                                 Choice* choices) const {
  AucBest best;
  std::fill_n(best.key, kBlock, -1);
  std::fill_n(best.configuration, kBlock, -1);
  AucSums sums;
  AucSums sum_of_parts;
  Lanes pairs;
  std::vector<std::int32_t> near;
  for (std::int64_t j = 0; j < n_configurations_; ++j) {
    stop.check();
    if (parts_[0].near != nullptr && j % NearPairs::kPanel == 0) {
      const std::int64_t last = std::min(j + NearPairs::kPanel, n_configurations_);
      near.assign(static_cast<std::size_t>((last - j) * kBlock), 0);
      for (const Part& part : parts_) {
        part.near->add(weights.lines(), weights.most(), j, last, stop, near.data());
      }
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const AucProgram& program = parts_[part].programs[static_cast<std::size_t>(j)];
      if (!walk_at_once(program, weights, weights.of_part(part).classes, sums)) {
        walk_all(part, j, weights, pairs);
        for (std::size_t l = 0; l < kBlock; ++l) {
          sums.twice_pairs[l] = static_cast<std::int32_t>(pairs[l]);
        }
      }
      if (parts_.size() == 1) continue;
      for (int l = 0; l < kBlock; ++l) {
        const std::int32_t before = part == 0 ? 0 : sum_of_parts.twice_pairs[l];
        sum_of_parts.twice_pairs[l] = before + sums.twice_pairs[l];
      }
    }
    AucSums& keys = parts_.size() == 1 ? sums : sum_of_parts;
    if (!near.empty()) {
      const std::int32_t* of_j = near.data() + j % NearPairs::kPanel * kBlock;
      for (int l = 0; l < kBlock; ++l) keys.twice_pairs[l] += of_j[l];
    }
    loops_.take_better(keys.twice_pairs, static_cast<std::int32_t>(j), &best);
  }
  for (int l = 0; l < kBlock; ++l) {
    choices[l] = {static_cast<double>(best.key[l]), best.configuration[l]};
  }
}

/// The keys of the bag that holds every row once were found while preparing.
void AucEvaluator::best_on_all_rows(Choice* choice) const {
  *choice = {};
  for (std::int64_t j = 0; j < n_configurations_; ++j) {
    double key = 0.0;
    for (const Part& part : parts_) {
      key += part.programs[static_cast<std::size_t>(j)].plain_key;
      if (part.near != nullptr) key += part.near->plain_key(j);
    }
    if (choice->configuration < 0 || key > choice->key) *choice = {key, j};
  }
}

void AucEvaluator::out_of_bag(const Bag& bag, const Choice* choices, const StopFlag& stop,
                              double* scores) const {
  scores_of_choices(bag, Side::out_of_bag, choices, stop, scores);
}

void AucEvaluator::in_bag(const Bag& bag, const Choice* choices, const StopFlag& stop,
                          double* scores) const {
  scores_of_choices(bag, Side::in_bag, choices, stop, scores);
}

/// Each configuration that was chosen at all is walked once, for all replicates that chose it.
void AucEvaluator::scores_of_choices(const Bag& bag, Side side, const Choice* choices,
                                     const StopFlag& stop, double* scores) const {
  std::vector<int> lanes;
  for (int lane = 0; lane < bag.n_replicates; ++lane) {
    if (choices[lane].configuration >= 0) lanes.push_back(lane);
  }
  if (lanes.empty()) return;
  const auto chosen = [&](int lane) { return choices[lane].configuration; };
  std::sort(lanes.begin(), lanes.end(), [&](int a, int b) { return chosen(a) < chosen(b); });
  const Weights weights(*this, bag, side);
  Lanes values;
  for (auto first = lanes.begin(); first != lanes.end();) {
    stop.check();
    const auto last =
        std::find_if(first, lanes.end(), [&](int lane) { return chosen(lane) != chosen(*first); });
    scores_of(chosen(*first), weights, {first, last}, values);
    for (; first != last; ++first) scores[*first] = values[static_cast<std::size_t>(*first)];
  }
}

}  // namespace bbc::detail
