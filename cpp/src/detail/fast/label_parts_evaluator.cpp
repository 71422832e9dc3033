#include "detail/fast/label_parts_evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/defined.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

using Formula = metric::Confusion::Formula;
using Kind = ConfusionOrder::Kind;
using metric::Average;

constexpr std::int64_t kPartPanel = 256;  // configurations whose scores are added up at a time
/// Products of sums of so many rows are exact.
constexpr double kMostRows = 0x1p26;

/// Whether it is a micro average that is defined whatever classes there are, and no rounding tells
/// in which order its terms were added up.
bool sums_tables(const metric::Confusion& kind) {
  const ConfusionTraits traits = traits_of(kind.formula);
  return kind.average == Average::micro && traits.is_ratio &&
         traits.counted == ConfusionTraits::Classes::positive &&
         (kind.formula != Formula::f_beta || kind.beta == 1.0);
}

/// Whether a ratio is the share of the other rows that is not called so.
bool is_of_others(const ConfusionRatio& ratio) {
  return ratio.numerator == ConfusionRatio::Form{0.0, 0.0, 0.0, 0.0, 1.0} &&
         ratio.denominator == ConfusionRatio::Form{0.0, 0.0, 0.0, 1.0};
}

/// Whether a ratio is linear in the wrong labels of each class, by the rows of these.
bool is_share_of_rows(const metric::Confusion& kind, std::int32_t n_classes) {
  const ConfusionRatio ratio = confusion_ratio(kind);
  const auto& of = ratio.denominator;
  if (sums_tables(kind)) {
    // A sum of tables has as many calls as rows: what asks for no more is the accuracy.
    return of[0] == 0.0 && of[3] == 0.0 && of[4] == 0.0 &&
           ratio.numerator == ConfusionRatio::Form{of[1] + of[2]};
  }
  if (is_of_others(ratio)) return kind.average == Average::micro || n_classes == 2;
  return ratio.numerator == ConfusionRatio::Form{1.0} && of == ConfusionRatio::Form{0.0, 1.0};
}

/// What puts configurations in order; none of metrics that are linear in the wrong labels of each
/// class.
std::optional<Kind> order_of(const metric::Confusion& kind, std::int32_t n_classes) {
  switch (kind.formula) {
    case Formula::balanced_accuracy:
    case Formula::youden:
      return std::nullopt;
    case Formula::mcc:
      return Kind::mcc;
    case Formula::quadratic_kappa:  // of two classes
    case Formula::linear_kappa:
    case Formula::kappa:
      return Kind::kappa;
    case Formula::distance_to_corner:
      return Kind::corner;
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
      break;
  }
  if (is_share_of_rows(kind, n_classes)) return std::nullopt;
  return kind.average == Average::binary || sums_tables(kind) ? Kind::quotient : Kind::average;
}

/// Sums of the lanes of some lines: [word of lane].
void add_lines(const std::uint8_t* lines, std::span<const std::int32_t> rows, double* words) {
  std::uint32_t sums[kBlock] = {};
  for (const std::int32_t row : rows) {
    const std::uint8_t* line = lines + std::int64_t{row} * kLine;
    for (int lane = 0; lane < kBlock; ++lane) sums[lane] += line[lane];
  }
  for (int lane = 0; lane < kBlock; ++lane) words[word_of_lane(lane)] += sums[lane];
}

/// Right calls and calls of each class in L replicates, as ConfusionColumns takes them. Of more
/// than two classes calls are only known together, which is all that their metrics ask for.
template <int L>
struct PartMatrix {
  static constexpr int kLanes = L;
  double* right = small_;
  double* predicted;

  PartMatrix(int n_classes, const double* wrong, const double* totals) {
    const auto size = static_cast<std::size_t>(n_classes * L);
    if (n_classes > kSmall) {
      large_.resize(2 * size);
      right = large_.data();
    }
    predicted = right + size;
    for (int i = 0; i < n_classes * L; ++i) {
      right[i] = totals[i] - wrong[i];
      predicted[i] = 0.0;
    }
    for (int lane = 0; lane < L; ++lane) {
      if (n_classes == 2) {
        predicted[lane] = right[lane] + wrong[L + lane];
        predicted[L + lane] = right[L + lane] + wrong[lane];
      } else {
        predicted[lane] = totals[n_classes * L + lane];
      }
    }
  }
  PartMatrix(const PartMatrix&) = delete;
  PartMatrix& operator=(const PartMatrix&) = delete;

 private:
  static constexpr int kSmall = 4;
  double small_[2 * kSmall * L];
  std::vector<double> large_;
};

}  // namespace

std::optional<int> LabelPartsEvaluator::n_counted(const metric::Confusion& kind, int n_classes) {
  if (sums_tables(kind)) return 1;
  const bool told = n_classes == 2 && kind.average != Average::micro;
  return told || !order_of(kind, n_classes) ? std::optional(n_classes) : std::nullopt;
}

LabelPartsEvaluator::LabelPartsEvaluator(const EvaluatorInput& input, int n_counted,
                                         const Control& control)
    : n_configurations_(detail::n_configurations(input.repeats[0])),
      sign_(input.metric.formula_greater_is_better() ? 1.0 : -1.0),
      n_groups_(n_counted),
      n_counted_(n_counted),
      kernel_(zero_one_kernel(simd_level())),
      orders_(confusion_kernel(simd_level())) {
  for (std::size_t repeat = 0; repeat < input.repeats.size(); ++repeat) {
    repeats_.emplace_back();
    const EvaluatorInput own{input.metric, input.target, input.repeats.subspan(repeat, 1), {}, {}};
    for (auto& rows : rows_of_folds(input, repeat)) {
      if (rows.empty()) {
        for (std::int64_t row = 0; row < input.target.n_rows(); ++row) {
          rows.push_back(static_cast<std::int32_t>(row));
        }
      }
      Part part(static_cast<std::size_t>(n_counted));
      for (const std::int32_t row : rows) {
        const auto code = input.target.codes[static_cast<std::size_t>(row)];
        part[n_counted == 1 ? 0 : static_cast<std::size_t>(code)].rows.push_back(row);
      }
      for (Group& group : part) {
        if (group.rows.empty()) continue;
        group.patterns.emplace(own, group.rows, kernel_.patterns, control);
      }
      repeats_.back().push_back(std::move(part));
      ++n_parts_;
    }
  }
}

LabelPartsEvaluator::LabelPartsEvaluator(const metric::ZeroOne& kind, const EvaluatorInput& input,
                                         const Control& control)
    : LabelPartsEvaluator(input, 1, control) {
  accuracy_ = kind.accuracy;
}

LabelPartsEvaluator::LabelPartsEvaluator(const metric::Confusion& kind, const EvaluatorInput& input,
                                         const Control& control)
    : LabelPartsEvaluator(input, n_counted(kind, input.target.n_classes).value(), control) {
  kind_ = kind;
  if (sums_tables(kind)) {
    n_groups_ = 2;
    negatives_ = input.target.n_classes - 1.0;
    metric::Confusion of_sum = kind;
    of_sum.average = Average::binary;
    Target two_classes;
    two_classes.n_classes = 2;
    formula_.emplace(of_sum, two_classes);
  } else {
    formula_.emplace(kind, input.target);
  }
  comparable_ = input.folds.empty() &&
                ConfusionColumns<double>::comparable(kind, input.repeats.size(), false);
  needed_classes_ = Defined(input.metric, input.target).needed_classes();
  const ConfusionRatio ratio = confusion_ratio(kind);
  std::ranges::copy(ratio.numerator, forms_.numerator);
  std::ranges::copy(ratio.denominator, forms_.denominator);
  kind_.average = average_of(kind);
  is_of_others_ = is_of_others(ratio);
  order_ = order_of(kind, input.target.n_classes);
}

Pool<LabelPartsEvaluator::Memory>::Lease LabelPartsEvaluator::memory() const {
  return memory_.take([&] {
    const auto n_numbers = n_parts_ * static_cast<std::size_t>(n_groups_ * kBlock);
    Memory made;
    made.totals.resize(n_numbers + n_parts_ * kBlock);
    made.n_defined.resize(repeats_.size() * kBlock);
    made.factors = Aligned<double>(n_numbers);
    const auto n_sums = static_cast<std::size_t>(std::min(n_configurations_, kPartPanel) * kBlock);
    made.sums = Aligned<double>(n_sums);
    made.nothing = Aligned<std::uint16_t>(n_sums);
    std::fill_n(made.nothing.data(), n_sums, std::uint16_t{0});
    return made;
  });
}

void LabelPartsEvaluator::complete(double* totals, int n_lanes) const {
  double* all = totals + n_groups_ * n_lanes;
  for (int lane = 0; lane < n_lanes; ++lane) {
    if (is_sum_of_tables()) totals[lane] = negatives_ * totals[n_lanes + lane];
    all[lane] = 0.0;
    for (int k = 0; k < n_groups_; ++k) all[lane] += totals[k * n_lanes + lane];
  }
}

bool LabelPartsEvaluator::is_defined(const double* totals, int n_lanes, int lane) const {
  return totals[n_groups_ * n_lanes + lane] > 0.0 &&
         std::ranges::all_of(needed_classes_, [&](std::int32_t code) {
           return totals[code * n_lanes + lane] > 0.0;
         });
}

template <int kLanes>
void LabelPartsEvaluator::score(const double* wrong, const double* totals, double* scores) const {
  if (formula_) {
    const PartMatrix<kLanes> matrix(n_groups_, wrong, totals);
    formula_->scores(matrix, totals, scores);
  } else {
    const double* rows = totals + kLanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      scores[lane] = (accuracy_ ? rows[lane] - wrong[lane] : wrong[lane]) / rows[lane];
    }
  }
}

DoubleDouble LabelPartsEvaluator::key(const double* wrong, const double* totals) const {
  return formula_->key(PartMatrix<1>(n_groups_, wrong, totals), totals, 0);
}

template <class Use>
void LabelPartsEvaluator::with_part_of_one(const Part& part, const std::uint16_t* counts, Side side,
                                           std::int64_t configuration, Memory& memory,
                                           const Use& use) const {
  std::vector<double>& wrong = memory.wrong_of_one;
  std::vector<double>& totals = memory.totals_of_one;
  wrong.assign(static_cast<std::size_t>(n_groups_), 0.0);
  totals.assign(wrong.size() + 1, 0.0);
  for (std::size_t counted = 0; counted < part.size(); ++counted) {
    const Group& group = part[counted];
    const std::size_t i = group_of(counted);
    if (group.rows.empty()) continue;
    memory.of_group.resize(group.rows.size());
    for (std::size_t row = 0; row < group.rows.size(); ++row) {
      memory.of_group[row] = counts[group.rows[row]];
    }
    const std::uint16_t* own = memory.of_group.data();
    if (side == Side::out_of_bag) {
      const OutOfBagErrors found = kernel_.counts.out_of_bag(group.patterns->column(configuration),
                                                             own, group.patterns->n_rows());
      wrong[i] = static_cast<double>(found.errors);
      totals[i] = static_cast<double>(found.n_rows);
    } else {
      std::int64_t errors = 0;
      std::int64_t rows = 0;
      for (const std::uint16_t count : memory.of_group) rows += count;
      for (std::int64_t chunk = 0; chunk < group.patterns->n_chunks(); ++chunk, own += kChunkRows) {
        std::uint64_t bits = group.patterns->bits(chunk, 0, configuration);
        for (; bits != 0; bits &= bits - 1) errors += own[std::countr_zero(bits)];
      }
      wrong[i] = static_cast<double>(errors);
      totals[i] = static_cast<double>(rows);
    }
  }
  if (is_sum_of_tables()) wrong[0] = wrong[1];
  complete(totals.data(), 1);
  use(wrong.data(), totals.data());
}

double LabelPartsEvaluator::score_of_one(const std::uint16_t* counts, Side side,
                                         std::int64_t configuration, Memory& memory) const {
  double score = 0.0;
  for (const auto& parts : repeats_) {
    double sum = 0.0;
    double n_defined = 0.0;
    for (const Part& part : parts) {
      with_part_of_one(part, counts, side, configuration, memory,
                       [&](const double* wrong, const double* totals) {
                         if (!is_defined(totals, 1, 0)) return;
                         double value = 0.0;
                         this->score<1>(wrong, totals, &value);
                         sum += value;
                         n_defined += 1.0;
                       });
    }
    score += sum / n_defined;
  }
  return score / static_cast<double>(repeats_.size());
}

double LabelPartsEvaluator::key_of_one(const std::uint16_t* counts, std::int64_t configuration,
                                       Memory& memory) const {
  if (!comparable_) return score_of_one(counts, Side::in_bag, configuration, memory) * sign_;
  DoubleDouble sum;
  for (const auto& parts : repeats_) {
    with_part_of_one(
        parts[0], counts, Side::in_bag, configuration, memory,
        [&](const double* wrong, const double* totals) { sum = sum + key(wrong, totals); });
  }
  return sum.rounded();
}

void LabelPartsEvaluator::keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                               const StopFlag& stop, double* keys) const {
  const auto own = memory();
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    stop.check();
    for (std::int64_t j = first; j < last; ++j) {
      *keys++ = key_of_one(block.replicate(lane), j, *own);
    }
  }
}

void LabelPartsEvaluator::scores_of_choices(const ReplicateBlock& block, Side side,
                                            const Choice* choices, const StopFlag& stop,
                                            double* scores) const {
  const auto own = memory();
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (choices[lane].configuration < 0) continue;
    stop.check();
    scores[lane] = score_of_one(block.replicate(lane), side, choices[lane].configuration, *own);
  }
}

double LabelPartsEvaluator::take(const ReplicateBlock& block, Memory& memory) const {
  memory.table.fill(block, Side::in_bag);
  const bool in_lines = memory.table.most() <= std::numeric_limits<std::uint8_t>::max();
  std::ranges::fill(memory.totals, 0.0);
  std::ranges::fill(memory.n_defined, 0.0);
  double* totals = memory.totals.data();
  double* n_defined = memory.n_defined.data();
  for (const auto& parts : repeats_) {
    for (const Part& part : parts) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        double* of_group = totals + group_of(i) * kBlock;
        if (in_lines) {
          add_lines(memory.table.lines(), part[i].rows, of_group);
        } else {
          for (int lane = 0; lane < block.n_replicates; ++lane) {
            for (const std::int32_t row : part[i].rows) {
              of_group[word_of_lane(lane)] += block.replicate(lane)[row];
            }
          }
        }
      }
      complete(totals, kBlock);
      for (int word = 0; word < kBlock; ++word) {
        n_defined[word] += is_defined(totals, kBlock, word) ? 1.0 : 0.0;
      }
      totals += (n_groups_ + 1) * kBlock;
    }
    n_defined += kBlock;
  }
  return *std::ranges::max_element(memory.totals);
}

template <class Use>
void LabelPartsEvaluator::with_panel(const ReplicateBlock& block, const Group* groups, int n_groups,
                                     std::int64_t first, std::int64_t last, const StopFlag& stop,
                                     Memory& memory, const Use& use) const {
  std::optional<ZeroOneSums> sums[ConfusionOrder::kClasses];
  const std::uint16_t* words[ConfusionOrder::kClasses] = {memory.nothing.data(),
                                                          memory.nothing.data()};
  bool is_wide[ConfusionOrder::kClasses] = {};
  for (int i = 0; i < n_groups; ++i) {
    if (groups[i].rows.empty()) continue;
    sums[i].emplace(*groups[i].patterns, kernel_.sums, kPartPanel);
    sums[i]->take(block, memory.table, groups[i].rows);
    const PanelSums& own = sums[i]->panel(first, last, stop);
    words[i] = own.words();
    is_wide[i] = !own.fit_words();
    if (!is_wide[i]) continue;
    own.visit(
        [&](const auto* wide) { memory.wide[i].assign(wide, wide + (last - first) * kBlock); });
  }
  if (!is_wide[0] && !is_wide[1]) {
    use(ConfusionPanel<std::uint16_t>{{words[0], words[1]}, first, last - first});
    return;
  }
  for (int i = 0; i < n_groups; ++i) {
    if (is_wide[i]) continue;
    memory.wide[i].assign(words[i], words[i] + (last - first) * kBlock);
  }
  use(ConfusionPanel<std::int64_t>{
      {memory.wide[0].data(), memory.wide[1].data()}, first, last - first});
}

double LabelPartsEvaluator::factor_of(int group, const double* totals, double share) const {
  const auto rows_of = [&](int k) { return totals[k * kBlock]; };
  const auto spread_over = [&](int k, double given) {
    return rows_of(k) > 0.0 ? 0.0 - given / rows_of(k) : 0.0;
  };
  const double of_a_row = rows_of(n_groups_) > 0.0 ? share / rows_of(n_groups_) : 0.0;
  if (!formula_) return accuracy_ ? 0.0 - of_a_row : of_a_row;
  if (is_sum_of_tables()) return spread_over(1, share);
  switch (kind_.average) {
    case Average::micro:  // of specificity
      return 0.0 - of_a_row / (n_groups_ - 1.0);
    case Average::binary:
      return group == (is_of_others_ ? 0 : 1) ? spread_over(group, share) : 0.0;
    case Average::weighted:  // of two classes one's specificity is the other's recall
      return spread_over(group, of_a_row * rows_of(is_of_others_ ? 1 - group : group));
    case Average::macro:
      break;
  }
  return spread_over(group, share / n_groups_);
}

void LabelPartsEvaluator::put_in_order(std::size_t part, std::size_t repeat, Memory& memory,
                                       ConfusionOrder& order) const {
  const double* totals = totals_of(part, memory);
  const double* all = totals + n_groups_ * kBlock;
  double* factors = memory.factors.data() + part * static_cast<std::size_t>(n_groups_ * kBlock);
  std::fill_n(factors, n_groups_ * kBlock, 0.0);
  std::ranges::copy(forms_.numerator, order.numerator);
  std::ranges::copy(forms_.denominator, order.denominator);
  for (int word = 0; word < kBlock; ++word) {
    double share = 0.0;
    if (is_defined(totals, kBlock, word)) {
      share = sign_ / (memory.n_defined[repeat * kBlock + static_cast<std::size_t>(word)] *
                       static_cast<double>(repeats_.size()));
    }
    for (int k = 0; k < n_groups_ && !order_; ++k) {
      factors[k * kBlock + word] = factor_of(k, totals + word, share);
    }
    const double of_a_row = all[word] > 0.0 ? share / all[word] : 0.0;
    for (int k = 0; k < ConfusionOrder::kClasses && order_; ++k) {
      const double rows = totals[k * kBlock + word];
      order.rows[k][word] = rows;
      order.factors[k][word] = *order_ != Kind::average             ? share
                               : kind_.average == Average::weighted ? of_a_row * rows
                                                                    : 0.5 * share;
    }
  }
}

void LabelPartsEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                     std::int64_t last, const StopFlag& stop,
                                     Choice* choices) const {
  const auto own = memory();
  if (take(block, *own) > kMostRows) {
    Evaluator::best_among(block, first, last, stop, choices);
    return;
  }
  ConfusionOrder order;
  if (order_) order.kind = *order_;
  RoughScores scores;
  // Counts are exact. A few dozen operations round values that are below 2, and one adds each.
  std::fill_n(scores.error, kBlock, (64.0 + static_cast<double>(n_parts_)) * 0x1p-50);
  own->search.begin();
  for (std::int64_t from = first; from < last; from += kPartPanel) {
    const std::int64_t to = std::min(from + kPartPanel, last);
    double* const sums = own->sums.data();
    std::fill_n(sums, (to - from) * kBlock, 0.0);
    std::size_t part = 0;
    for (std::size_t repeat = 0; repeat < repeats_.size(); ++repeat) {
      for (const Part& groups : repeats_[repeat]) {
        put_in_order(part, repeat, *own, order);
        if (order_) {
          with_panel(block, groups.data(), n_counted_, from, to, stop, *own, [&](auto panel) {
            if (is_sum_of_tables()) panel.wrong[1] = panel.wrong[0];
            orders_.add_values(order, panel, sums);
          });
        } else {
          const double* factors =
              own->factors.data() + part * static_cast<std::size_t>(n_groups_ * kBlock);
          for (int k = 0; k < n_counted_; ++k) {
            const Group& group = groups[static_cast<std::size_t>(k)];
            if (group.rows.empty()) continue;
            with_panel(block, &group, 1, from, to, stop, *own, [&](const auto& panel) {
              orders_.add_wrong(panel, factors + k * kBlock, sums);
            });
          }
        }
        ++part;
      }
    }
    for (std::int64_t j = from; j < to; ++j) {
      for (int lane = 0; lane < kBlock; ++lane) {
        scores.of[lane] = sums[(j - from) * kBlock + word_of_lane(lane)];
      }
      own->search.take(j, scores, block.n_replicates);
    }
  }
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    stop.check();
    choices[lane] = own->search.best(lane, [&](std::int64_t configuration) {
      return key_of_one(block.replicate(lane), configuration, *own);
    });
  }
}

void LabelPartsEvaluator::scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                                 const StopFlag& stop, double* scores) const {
  std::vector<std::int64_t> all(static_cast<std::size_t>(last - first));
  std::iota(all.begin(), all.end(), first);
  scores_of(block, all, stop, scores);
}

void LabelPartsEvaluator::scores_of(const ReplicateBlock& block,
                                    std::span<const std::int64_t> configurations,
                                    const StopFlag& stop, double* scores) const {
  const auto own = memory();
  take(block, *own);
  const std::size_t n = configurations.size();
  std::vector<double> sums;  // over the parts of a repeat, [configuration][word of lane]
  std::vector<double> means;
  std::vector<double> wrong;
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && configurations[end] < configurations[begin] + kPartPanel) ++end;
    const auto panel = configurations.subspan(begin, end - begin);
    means.assign(panel.size() * kBlock, 0.0);
    std::size_t part = 0;
    for (std::size_t repeat = 0; repeat < repeats_.size(); ++repeat) {
      sums.assign(means.size(), 0.0);
      for (const Part& groups : repeats_[repeat]) {
        count_wrong(block, groups, panel, stop, *own, wrong);
        add_scores(totals_of(part++, *own), wrong, sums);
      }
      const double* n_defined = own->n_defined.data() + repeat * kBlock;
      for (std::size_t i = 0; i < sums.size(); ++i) means[i] += sums[i] / n_defined[i % kBlock];
    }
    for (std::size_t i = 0; i < panel.size(); ++i) {
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        scores[static_cast<std::size_t>(lane) * n + begin + i] =
            means[i * kBlock + static_cast<std::size_t>(word_of_lane(lane))] /
            static_cast<double>(repeats_.size());
      }
    }
  }
}

void LabelPartsEvaluator::count_wrong(const ReplicateBlock& block, const Part& groups,
                                      std::span<const std::int64_t> configurations,
                                      const StopFlag& stop, Memory& memory,
                                      std::vector<double>& wrong) const {
  const std::int64_t first = configurations.front();
  const auto n_groups = static_cast<std::size_t>(n_groups_);
  wrong.assign(configurations.size() * n_groups * kBlock, 0.0);
  const auto lanes_of = [&](std::size_t i, std::size_t group) {
    return wrong.data() + (i * n_groups + group) * kBlock;
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_counted_); ++k) {
    if (groups[k].rows.empty()) continue;
    with_panel(block, &groups[k], 1, first, configurations.back() + 1, stop, memory,
               [&](const auto& panel) {
                 for (std::size_t i = 0; i < configurations.size(); ++i) {
                   const auto* words = panel.wrong[0] + (configurations[i] - first) * kBlock;
                   std::transform(words, words + kBlock, lanes_of(i, k),
                                  [](auto count) { return static_cast<double>(count); });
                 }
               });
  }
  if (!is_sum_of_tables()) return;
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    for (std::size_t k = 1; k < n_groups; ++k) {
      std::copy_n(lanes_of(i, 0), kBlock, lanes_of(i, k));
    }
  }
}

void LabelPartsEvaluator::add_scores(const double* totals, const std::vector<double>& wrong,
                                     std::vector<double>& sums) const {
  bool defined[kBlock];
  for (int word = 0; word < kBlock; ++word) defined[word] = is_defined(totals, kBlock, word);
  double values[kBlock];
  for (std::size_t i = 0; i < sums.size(); i += kBlock) {
    score<kBlock>(wrong.data() + i * static_cast<std::size_t>(n_groups_), totals, values);
    for (int word = 0; word < kBlock; ++word) {
      if (defined[word]) sums[i + static_cast<std::size_t>(word)] += values[word];
    }
  }
}

}  // namespace bbc::detail
