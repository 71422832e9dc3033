#include "detail/fast/auc_evaluator.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace bbc::detail {
namespace {

constexpr auto kAllLanes = [] {
  std::array<std::size_t, kBlock> lanes{};
  std::iota(lanes.begin(), lanes.end(), std::size_t{0});
  return lanes;
}();

}  // namespace

/// The counts of a block of replicates on one side, and what they come to in each part.
class AucEvaluator::BlockCounts {
 public:
  BlockCounts(const AucEvaluator& evaluator, const ReplicateBlock& block, Side side)
      : loops_(evaluator.loops_), table_(evaluator.tables_.take([] { return LaneTable(); })) {
    table_->fill(block, side);
    // Out of bag, few configurations are walked: packing would take longer.
    if (side == Side::in_bag) table_->pack();
    if (!fit_bytes()) {
      // Counts of explicit resamples can be anything up to 16 bits.
      words_.assign(static_cast<std::size_t>((block.n_rows + 1) * kLine), 0);
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        const std::uint16_t* counts = block.replicate(lane);
        for (std::int64_t row = 0; row < block.n_rows; ++row) {
          words_[static_cast<std::size_t>(row * kLine + lane)] = counts[row];
        }
      }
    }
    // Repeats of all rows are alike.
    parts_.resize(evaluator.pooled_ ? 1 : evaluator.parts_.size());
    visit_lines([&](const auto* lines) {
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        fill(evaluator.parts_[part], evaluator.by_time_.get(), lines, parts_[part]);
      }
    });
    const OfPart first = parts_[0];
    parts_.resize(evaluator.parts_.size(), first);
  }

  [[nodiscard]] bool fit_bytes() const { return most() <= 255; }
  /// Whether the product of any two counts fits a byte.
  [[nodiscard]] bool products_fit_bytes() const { return most() <= kNearMost; }
  [[nodiscard]] int most() const { return table_->most(); }
  [[nodiscard]] const std::uint8_t* bytes() const { return table_->lines(); }
  /// Calls `use` with the lines of counts: bytes, or 16 bits each where a byte is too small.
  template <class Use>
  void visit_lines(const Use& use) const {
    if (fit_bytes()) {
      use(table_->lines());
    } else {
      use(static_cast<const std::uint16_t*>(words_.data()));
    }
  }
  void walk(const std::uint32_t* first, const std::uint32_t* last, AucSums& sums) const {
    if (table_->packed() != nullptr) {
      loops_.walk_packed(first, last, table_->packed(), &sums);
    } else {
      loops_.walk(first, last, table_->lines(), &sums);
    }
  }

  struct OfPart {
    Lanes of_class[2];   // sum of the counts of each class
    Lanes totals;        // twice the comparable pairs: what a key is divided by
    bool fits_one_walk;  // the sums of a class fit 16 bits, and are in `classes`
    AucClasses classes;
  };
  [[nodiscard]] const OfPart& of_part(std::size_t part) const { return parts_[part]; }
  /// Whether sums over the parts of twice the pairs fit 31 bits.
  [[nodiscard]] bool keys_fit_int32() const {
    for (std::size_t l = 0; l < kBlock; ++l) {
      double total = 0.0;
      for (const OfPart& part : parts_) total += part.totals[l];
      if (total > std::numeric_limits<std::int32_t>::max()) return false;
    }
    return true;
  }

 private:
  template <class Count>
  void fill(const Part& part, const ConcordanceProgrammer* by_time, const Count* lines,
            OfPart& sums) const {
    for (int code = 0; code < 2; ++code) {
      sums.of_class[code] = sum_of_rows(part.rows_of_class[code], lines);
    }
    if (by_time != nullptr) {
      sums.totals = comparable_pairs(*by_time, lines);
    } else {
      for (std::size_t l = 0; l < kBlock; ++l) {
        sums.totals[l] = 2.0 * sums.of_class[0][l] * sums.of_class[1][l];
      }
    }
    double most_of_class = 0.0;
    for (const Lanes& of_class : sums.of_class) {
      most_of_class = std::max(most_of_class, *std::max_element(of_class.begin(), of_class.end()));
    }
    sums.fits_one_walk = fit_bytes() && most_of_class <= std::numeric_limits<std::int16_t>::max();
    for (std::size_t l = 0; sums.fits_one_walk && l < kBlock; ++l) {
      sums.classes.negatives[l] = static_cast<std::uint16_t>(sums.of_class[0][l]);
      sums.classes.twice_positives[l] = static_cast<std::uint16_t>(2.0 * sums.of_class[1][l]);
    }
  }

  template <class Count>
  [[nodiscard]] Lanes sum_of_rows(const std::vector<std::int32_t>& rows, const Count* lines) const {
    std::uint64_t sums[kBlock] = {};
    if constexpr (sizeof(Count) == 1) {
      loops_.add_lines(rows.data(), static_cast<std::int64_t>(rows.size()), lines, most(), sums);
    } else {
      for (const std::int32_t row : rows) {
        for (int l = 0; l < kBlock; ++l) sums[l] += lines[std::int64_t{row} * kLine + l];
      }
    }
    Lanes result;
    std::transform(sums, sums + kBlock, result.begin(),
                   [](std::uint64_t sum) { return static_cast<double>(sum); });
    return result;
  }

  /// Twice the number of comparable pairs.
  template <class Count>
  static Lanes comparable_pairs(const ConcordanceProgrammer& by_time, const Count* lines) {
    const auto& rows = by_time.rows_by_time();
    Lanes twice{};
    double later[kBlock] = {};
    std::size_t n_added = rows.size();
    for (std::size_t place = rows.size(); place-- > 0;) {
      for (; n_added > by_time.first_later()[place]; --n_added) {
        const Count* line = lines + std::int64_t{rows[n_added - 1]} * kLine;
        for (int l = 0; l < kBlock; ++l) later[l] += line[l];
      }
      if (by_time.is_event()[place] == 0) continue;
      const Count* line = lines + std::int64_t{rows[place]} * kLine;
      for (std::size_t l = 0; l < kBlock; ++l) twice[l] += 2.0 * line[l] * later[l];
    }
    return twice;
  }

  const AucLoops& loops_;
  Pool<LaneTable>::Lease table_;
  std::vector<std::uint16_t> words_;  // of all rows, if any count does not fit a byte
  std::vector<OfPart> parts_;
};

/// Sums of many segments, which may not fit 16 bits; whether every step's sums fitted bytes.
bool AucEvaluator::walk_segments(const AucProgram& program, const BlockCounts& counts,
                                 const Lanes (&of_class)[2], Lanes& twice_pairs) {
  twice_pairs.fill(0.0);
  Lanes negatives{};
  Lanes twice_positives{};
  Lanes carried{};  // negatives of a part that goes on from segment to segment
  AucSums sums;
  const std::uint32_t* at = program.words.data();
  for (const std::uint32_t segment_end : program.segment_ends) {
    const std::uint32_t* end = program.words.data() + segment_end;
    counts.walk(at, end, sums);
    AucProgram::Step first_step;
    std::memcpy(&first_step, at, sizeof first_step);
    if (first_step.starts_part != 0) carried.fill(0.0);
    at = end;
    for (std::size_t l = 0; l < kBlock; ++l) {
      twice_pairs[l] += sums.twice_pairs[l] + carried[l] * sums.twice_positives[l];
      carried[l] += sums.negatives[l];
      negatives[l] += sums.negatives[l];
      twice_positives[l] += sums.twice_positives[l];
    }
  }
  bool fits = true;
  for (std::size_t l = 0; l < kBlock; ++l) {
    fits = fits && negatives[l] == of_class[0][l] && twice_positives[l] == 2.0 * of_class[1][l];
  }
  return fits;
}

/// One walk, where all sums fit 16 bits; whether every step's sums fitted bytes too.
bool AucEvaluator::walk_once(std::size_t part, std::int64_t configuration,
                             const BlockCounts& counts, AucSums& sums) const {
  const AucProgram& program = parts_[part].programs[static_cast<std::size_t>(configuration)];
  if (program.words.empty()) {
    std::memset(&sums, 0, sizeof sums);
    return true;
  }
  const auto& of_part = counts.of_part(part);
  if (!of_part.fits_one_walk || program.segment_ends.size() != 1) return false;
  counts.walk(program.words.data(), program.words.data() + program.words.size(), sums);
  return loops_.matches(sums, of_part.classes);
}

void AucEvaluator::count_large(std::size_t part, std::int64_t configuration,
                               const BlockCounts& counts, Lanes& pairs) const {
  const AucProgram& program = parts_[part].programs[static_cast<std::size_t>(configuration)];
  if (counts.fit_bytes() && walk_segments(program, counts, counts.of_part(part).of_class, pairs)) {
    return;
  }
  counts.visit_lines([&](const auto* lines) { auc_walk_exact(program, lines, pairs.data()); });
}

void AucEvaluator::count_pairs(std::size_t part, std::int64_t configuration,
                               const BlockCounts& counts, Lanes& pairs) const {
  AucSums sums;
  if (walk_once(part, configuration, counts, sums)) {
    std::copy_n(sums.twice_pairs, kBlock, pairs.begin());
  } else {
    count_large(part, configuration, counts, pairs);
  }
  const auto& near = parts_[part].near;
  if (near == nullptr) return;
  if (counts.products_fit_bytes()) {
    near->add(counts.bytes(), configuration, pairs.data());
  } else {
    counts.visit_lines(
        [&](const auto* lines) { near->add_exact(lines, configuration, pairs.data()); });
  }
}

AucEvaluator::Pairs::Pairs(const AucEvaluator& evaluator, const ReplicateBlock& block, Side side)
    : evaluator_(evaluator), counts_(std::make_unique<const BlockCounts>(evaluator, block, side)) {}
AucEvaluator::Pairs::~Pairs() = default;
AucEvaluator::Pairs::Pairs(Pairs&& other) noexcept = default;

const AucEvaluator::Lanes& AucEvaluator::Pairs::of_class(std::size_t part, int code) const {
  return counts_->of_part(part).of_class[code];
}

void AucEvaluator::Pairs::count(std::size_t part, std::int64_t configuration, Lanes& twice) const {
  evaluator_.count_pairs(part, configuration, *counts_, twice);
}

/// Pooled: the sum over repeats of an integer. Per fold: the score itself.
void AucEvaluator::keys_of(std::int64_t configuration, const BlockCounts& counts,
                           Lanes& keys) const {
  if (!pooled_) return scores_of(configuration, counts, kAllLanes, keys);
  keys.fill(0.0);
  Lanes pairs;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    count_pairs(part, configuration, counts, pairs);
    for (std::size_t l = 0; l < kBlock; ++l) keys[l] += pairs[l];
  }
}

/// Mean over repeats of the mean over the folds that are defined.
void AucEvaluator::scores_of(std::int64_t configuration, const BlockCounts& counts,
                             std::span<const std::size_t> lanes, Lanes& scores) const {
  for (const std::size_t l : lanes) scores[l] = 0.0;
  Lanes pairs;
  for (std::size_t part = 0; part < parts_.size();) {
    const std::size_t repeat = repeat_of_part_[part];
    Lanes sums{};
    Lanes n_defined{};
    for (; part < parts_.size() && repeat_of_part_[part] == repeat; ++part) {
      count_pairs(part, configuration, counts, pairs);
      const Lanes& totals = counts.of_part(part).totals;
      for (const std::size_t l : lanes) {
        if (totals[l] <= 0.0) continue;
        sums[l] += pairs[l] / totals[l];
        n_defined[l] += 1.0;
      }
    }
    for (const std::size_t l : lanes) scores[l] += sums[l] / n_defined[l];
  }
  for (const std::size_t l : lanes) scores[l] /= static_cast<double>(n_repeats_);
}

/// out[lane * (last - first) + configuration], by values_of(configuration, counts, lanes).
template <class ValuesOf>
void AucEvaluator::fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                        const StopFlag& stop, const ValuesOf& values_of, double* out) const {
  const BlockCounts counts(*this, block, Side::in_bag);
  Lanes lanes;
  for (std::int64_t j = first; j < last; ++j) {
    stop.check();
    values_of(j, counts, lanes);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      out[lane * (last - first) + j - first] = lanes[static_cast<std::size_t>(lane)];
    }
  }
}

void AucEvaluator::keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                        const StopFlag& stop, double* keys) const {
  const auto keys_of_lanes = [&](std::int64_t j, const BlockCounts& counts, Lanes& lanes) {
    keys_of(j, counts, lanes);
  };
  fill(block, first, last, stop, keys_of_lanes, keys);
}

void AucEvaluator::scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                          const StopFlag& stop, double* scores) const {
  const auto scores_of_lanes = [&](std::int64_t j, const BlockCounts& counts, Lanes& lanes) {
    scores_of(j, counts, kAllLanes, lanes);
  };
  fill(block, first, last, stop, scores_of_lanes, scores);
}

void AucEvaluator::best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                              const StopFlag& stop, Choice* choices) const {
  const bool all_rows =
      block.n_replicates == 1 && std::all_of(block.counts.begin(), block.counts.end(),
                                             [](std::uint16_t count) { return count == 1; });
  if (pooled_ && all_rows) {
    best_on_all_rows(first, last, choices);
    return;
  }
  const BlockCounts counts(*this, block, Side::in_bag);
  Choice found[kBlock];
  if (pooled_ && counts.keys_fit_int32() && (!has_near() || counts.products_fit_bytes())) {
    best_by_int32(counts, first, last, stop, found);
  } else {
    Lanes lanes;
    for (std::int64_t j = first; j < last; ++j) {
      stop.check();
      keys_of(j, counts, lanes);
      for (std::size_t l = 0; l < kBlock; ++l) {
        if (found[l].configuration < 0 || lanes[l] > found[l].key) found[l] = {lanes[l], j};
      }
    }
  }
  std::copy_n(found, block.n_replicates, choices);
}

/// Keys below 2^31 are compared as they leave the walk.
void AucEvaluator::best_by_int32(const BlockCounts& counts, std::int64_t first, std::int64_t last,
                                 const StopFlag& stop, Choice* choices) const {
  AucBest best;
  std::fill_n(best.key, kBlock, -1);
  std::fill_n(best.configuration, kBlock, -1);
  AucSums of_first;
  AucSums of_other;
  Lanes pairs;
  std::vector<std::int32_t> near;  // [configuration of the panel][lane]
  const auto to_int32 = [](double value) { return static_cast<std::int32_t>(value); };
  const auto add_to = [](std::int32_t* keys, const std::int32_t* more) {
    for (int l = 0; l < kBlock; ++l) keys[l] += more[l];
  };
  for (std::int64_t j = first; j < last; ++j) {
    stop.check();
    const std::int64_t place = (j - first) % NearPairs::kPanel;
    if (has_near() && place == 0) {
      const std::int64_t to = std::min(j + NearPairs::kPanel, last);
      near.assign(static_cast<std::size_t>((to - j) * kBlock), 0);
      for (const Part& part : parts_) {
        part.near->add(counts.bytes(), counts.most(), j, to, stop, near.data());
      }
    }
    std::int32_t* keys = of_first.twice_pairs;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      AucSums& sums = part == 0 ? of_first : of_other;
      if (!walk_once(part, j, counts, sums)) {
        count_large(part, j, counts, pairs);
        std::transform(pairs.begin(), pairs.end(), sums.twice_pairs, to_int32);
      }
      if (part > 0) add_to(keys, sums.twice_pairs);
    }
    if (has_near()) add_to(keys, near.data() + place * kBlock);
    loops_.take_better(keys, static_cast<std::int32_t>(j), &best);
  }
  for (int l = 0; l < kBlock; ++l) {
    choices[l] = {static_cast<double>(best.key[l]), best.configuration[l]};
  }
}

/// The keys of every row once were found while preparing.
void AucEvaluator::best_on_all_rows(std::int64_t first, std::int64_t last, Choice* choice) const {
  *choice = {};
  for (std::int64_t j = first; j < last; ++j) {
    double key = 0.0;
    for (const Part& part : parts_) {
      key += part.programs[static_cast<std::size_t>(j)].plain_key;
      if (part.near != nullptr) key += part.near->plain_key(j);
    }
    if (choice->configuration < 0 || key > choice->key) *choice = {key, j};
  }
}

/// Each configuration that was chosen at all is walked once, for all replicates that chose it.
void AucEvaluator::scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                                     const StopFlag& stop, double* scores) const {
  std::vector<std::size_t> lanes;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.n_replicates); ++lane) {
    if (choices[lane].configuration >= 0) lanes.push_back(lane);
  }
  if (lanes.empty()) return;
  const auto chosen = [&](std::size_t lane) { return choices[lane].configuration; };
  std::ranges::sort(lanes, {}, chosen);
  const BlockCounts counts(*this, block, side);
  Lanes values;
  for (auto first = lanes.begin(); first != lanes.end();) {
    stop.check();
    const std::int64_t configuration = chosen(*first);
    const auto last = std::find_if(first, lanes.end(),
                                   [&](std::size_t lane) { return chosen(lane) != configuration; });
    scores_of(configuration, counts, {&*first, static_cast<std::size_t>(last - first)}, values);
    for (; first != last; ++first) scores[*first] = values[*first];
  }
}

}  // namespace bbc::detail
