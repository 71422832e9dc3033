#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/fast/counted_sums.hpp"
#include "detail/fast/rough_scores.hpp"
#include "detail/metrics/defined.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/once_each.hpp"

namespace bbc::detail {

// What a column metric (evaluation/column_evaluator.hpp) has, and what is prepared of it.

template <class M>
concept GivesScores = requires(const M& metric, const typename M::Column& column, double* out) {
  metric.template scores<1>(column, out, out, out);
};

template <class M>
concept GivesKeys = requires(const M& metric, const typename M::Column& column, double* out) {
  metric.template keys<1>(column, out, out, out);
};

/// Whose key is the correctly rounded sum of weighted entries, or its negative: that of a single
/// replicate is added up by count, whatever the rows weigh (fast/counted_sums.hpp).
template <class M>
concept SumsEntries = requires(const M& metric, double sum) { metric.key_of_sum(sum); };

/// Whose sums of real weights are not rounded: it takes weights that were split by a unit.
template <class M>
concept HoldsExactSums = requires { requires M::kReal; };

/// A set of rows on which the formula is evaluated whole: all rows, or one fold's.
template <class M>
struct ColumnPart {
  std::span<const Predictions> repeats;
  std::vector<std::int32_t> rows;  // empty: all rows in order
  bool stacked;
  M metric;
  Defined defined;
  std::vector<typename M::Column> columns;
  std::size_t first_place = 0;  // of its rows
  std::size_t n_places = 0;
  std::unique_ptr<const Rough<M>> rough;
  std::vector<typename Rough<M>::Column> rough_columns;  // once they are asked for
  std::unique_ptr<OnceEach<CountedEntries>> counted;     // where entries are added up
  std::unique_ptr<const CountedEntries> weights;         // of the rows, where real

  [[nodiscard]] const CountedEntries& counted_of(std::int64_t configuration,
                                                 std::span<const double> row_weights) const {
    const auto at = static_cast<std::size_t>(configuration);
    if (const CountedEntries* known = counted->find(at)) return *known;
    return counted->keep(at, std::make_unique<const CountedEntries>(columns[at], row_weights));
  }
};

/// Nothing is prepared yet, nor counted.
template <class M>
ColumnPart<M> make_column_part(const typename M::Kind& kind, const EvaluatorInput& input,
                               std::span<const Predictions> repeats, std::vector<std::int32_t> rows,
                               bool stacked) {
  const Target target = rows.empty() ? input.target : input.target.rows(rows);
  std::vector<double> weights;  // of these rows
  if (input.fixed_spread && !input.row_weights.empty()) {
    for (std::int64_t i = 0; i < target.n_rows(); ++i) {
      const std::int64_t row = rows.empty() ? i : rows[static_cast<std::size_t>(i)];
      weights.push_back(input.row_weights[static_cast<std::size_t>(row)]);
    }
  }
  auto metric = [&] {
    if constexpr (std::is_constructible_v<M, decltype(kind), const Target&,
                                          std::span<const double>>) {
      return M(kind, target, weights);
    } else {
      return M(kind, target);
    }
  }();
  auto rough = std::make_unique<const Rough<M>>(kind, target, metric);
  return {repeats,
          std::move(rows),
          stacked,
          std::move(metric),
          Defined(input.metric, target, input.fixed_spread, weights),
          {},
          0,
          0,
          std::move(rough),
          {},
          nullptr,
          nullptr};
}

}  // namespace bbc::detail
