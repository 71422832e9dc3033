#include "detail/choices/cut_search.hpp"

#include <algorithm>

#include "detail/metrics/evaluator.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

/// As the evaluators of both metrics: sums of keys over repeats compare, or scores do.
bool keys_compare(const ChoiceInput& input) {
  if (!input.options.folds.empty()) return false;
  const auto* kind = std::get_if<metric::Confusion>(&input.options.metric.kind);
  return kind == nullptr ||
         ConfusionColumns<double>::comparable(*kind, input.repeats.size(), false);
}

}  // namespace

template <class Number>
CutSearch<Number>::CutSearch(const ChoiceInput& input)
    : target_(input.target),
      n_rows_(input.target.n_rows()),
      n_repeats_(input.repeats.size()),
      sign_(input.options.metric.formula_greater_is_better() ? 1.0 : -1.0),
      comparable_(keys_compare(input)) {
  part_of_entry_.assign(at(n_rows_) * n_repeats_, -1);
  const EvaluatorInput of_parts{input.options.metric, input.target, input.repeats,
                                input.options.folds, input.row_weights};
  for (std::size_t repeat = 0; repeat < n_repeats_; ++repeat) {
    std::int32_t* part_of_row = part_of_entry_.data() + repeat * at(n_rows_);
    for (auto& rows : rows_of_folds(of_parts, repeat)) {
      const auto number = static_cast<std::int32_t>(parts_.size());
      for (const std::int32_t row : rows) part_of_row[row] = number;
      if (rows.empty()) std::fill_n(part_of_row, n_rows_, number);
      const Target own = rows.empty() ? target_ : target_.rows(rows);
      parts_.push_back({repeat, CutFormula<Number>(input.options.metric, own),
                        Defined(input.options.metric, own), std::move(rows)});
    }
  }
}

template <class Number>
CutSearch<Number>::Sample::Sample(const CutSearch& search, const ReplicateBlock& block, int lane)
    : search_(search),
      weights_(at(search.n_rows_)),
      of_class_(2 * search.parts_.size()),
      totals_(CutFormula<Number>::kTotals * search.parts_.size()),
      defined_(search.parts_.size()),
      n_defined_(search.n_repeats_),
      states_(search.parts_.size()) {
  const std::uint16_t* counts = block.replicate(lane);
  for (std::int64_t row = 0; row < search.n_rows_; ++row) {
    const double weight = block.row_weight(row);
    if constexpr (CutFormula<Number>::kReal) {
      weights_[at(row)] = two_product(counts[row], weight);
    } else {
      weights_[at(row)] = counts[row] * weight;
    }
  }
  const auto in_bag = [&](std::int64_t row) {
    return counts[row] != 0 && block.row_weight(row) > 0.0;
  };
  for (std::size_t i = 0; i < search.parts_.size(); ++i) {
    const auto& part = search.parts_[i];
    const bool all = part.rows.empty();
    const std::int64_t n = all ? search.n_rows_ : static_cast<std::int64_t>(part.rows.size());
    const auto row_of = [&](std::int64_t k) { return all ? k : std::int64_t{part.rows[at(k)]}; };
    Number* of_class = of_class_.data() + 2 * i;
    for (std::int64_t k = 0; k < n; ++k) {
      Number& sum = of_class[search.target_.codes[at(row_of(k))]];
      sum = sum + weights_[at(row_of(k))];
    }
    CutFormula<Number>::totals(of_class, totals_.data() + CutFormula<Number>::kTotals * i);
    defined_[i] = part.defined([&](std::int64_t k) { return in_bag(row_of(k)); }) ? 1 : 0;
    n_defined_[part.repeat] += defined_[i];
  }
}

template <class Number>
void CutSearch<Number>::Sample::start(const CutColumn& column) {
  positions_.clear();
  for (std::size_t i = 0; i < column.entries.size(); ++i) {
    const auto row = at(column.entries[i] % search_.n_rows_);
    bool weighs = false;
    if constexpr (CutFormula<Number>::kReal) {
      weighs = weights_[row].high > 0.0;
    } else {
      weighs = weights_[row] > 0.0;
    }
    if (weighs) positions_.push_back(i);
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i] = {};
    states_[i].above[0] = states_[i].above[1] = Number{};
  }
  // From above, so that nothing is ever subtracted.
  above_.resize(positions_.size());
  for (std::size_t k = positions_.size(); k-- > 0;) {
    const std::int32_t entry = column.entries[positions_[k]];
    const auto row = at(entry % search_.n_rows_);
    PartState& state = states_[at(search_.part_of_entry_[at(entry)])];
    Number& sum = state.above[search_.target_.codes[row]];
    above_[k] = sum;
    sum = sum + weights_[row];
  }
  for (std::size_t i = 0; i < states_.size(); ++i) evaluate(i);
}

template <class Number>
void CutSearch<Number>::Sample::evaluate(std::size_t part) {
  if (defined_[part] == 0) return;
  PartState& state = states_[part];
  const CutCounts<Number> counts(state.below, state.above);
  const double* totals = totals_.data() + CutFormula<Number>::kTotals * part;
  const auto& formula = search_.parts_[part].formula;
  if (search_.comparable_) {
    state.key = formula.key(counts, totals);
  } else {
    state.score = formula.score(counts, totals);
  }
}

template <class Number>
double CutSearch<Number>::Sample::key() const {
  if (search_.comparable_) {
    DoubleDouble sum;
    for (const PartState& state : states_) sum = sum + state.key;
    return sum.rounded();
  }
  double mean = 0.0;
  std::size_t part = 0;
  for (std::size_t repeat = 0; repeat < search_.n_repeats_; ++repeat) {
    double sum = 0.0;
    for (; part < states_.size() && search_.parts_[part].repeat == repeat; ++part) {
      if (defined_[part] != 0) sum += states_[part].score;
    }
    mean += sum / n_defined_[repeat];
  }
  return search_.sign_ * (mean / static_cast<double>(search_.n_repeats_));
}

template <class Number>
BestCut CutSearch<Number>::Sample::best(const CutColumn& column) {
  start(column);
  const auto entry_at = [&](std::size_t k) { return column.entries[positions_[k]]; };
  // Cut 0 is below all scores; cut i lies above the i-th distinct one, whose last entry is `last`.
  std::vector<std::int32_t> last;
  BestCut best{key(), -1, -1};
  std::size_t first_best = 0;
  std::size_t last_best = 0;
  bool in_run = true;
  for (std::size_t k = 0; k < positions_.size();) {
    std::size_t end = k;
    bool tied = true;
    for (; tied && end < positions_.size(); ++end) {
      const std::int32_t entry = entry_at(end);
      const auto row = at(entry % search_.n_rows_);
      const auto part = at(search_.part_of_entry_[at(entry)]);
      PartState& state = states_[part];
      const auto code = search_.target_.codes[row];
      state.below[code] = state.below[code] + weights_[row];
      state.above[code] = above_[end];
      // Every entry from here to the next in bag has the same score.
      tied = !column.tied_with_next.empty() && end + 1 < positions_.size();
      for (std::size_t i = positions_[end]; tied && i < positions_[end + 1]; ++i) {
        tied = column.tied_with_next[i] != 0;
      }
    }
    for (; k < end; ++k) evaluate(at(search_.part_of_entry_[at(entry_at(k))]));
    last.push_back(entry_at(end - 1));
    const double value = key();
    if (value > best.key) {
      best.key = value;
      first_best = last_best = last.size();
      in_run = true;
    } else if (in_run && value == best.key) {
      last_best = last.size();
    } else {
      in_run = false;
    }
  }
  const std::size_t middle = (first_best + last_best) / 2;
  if (middle > 0) best.below = last[middle - 1];
  // Any entry of the next distinct score has it: its last one is known.
  if (middle < last.size()) best.above = last[middle];
  return best;
}

template class CutSearch<double>;
template class CutSearch<DoubleDouble>;

}  // namespace bbc::detail
