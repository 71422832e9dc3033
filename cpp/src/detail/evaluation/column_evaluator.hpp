#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/fast/loss_grid.hpp"
#include "detail/fast/loss_search.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/defined.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/weighted_sums.hpp"
#include "detail/support/double_double.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// The general way of evaluating any metric under any plan: each configuration is prepared once
/// (sorted, turned into losses, ...) and then walked with the weights of several replicates side
/// by side. It is the reference of the faster evaluators, and their fallback.
///
/// A column metric `M` has
///   Kind, Column                                the specification; one prepared configuration
///   M(kind, target)
///   static stacked(kind)                        repeats are more rows of the same sum
///   static comparable(kind, n_repeats, real_weights)  keys compare, as their sums over repeats do
///   n_totals()                                  number of sums that depend on the truth only
///   prepare(repeats, configuration, rows) -> Column
///   totals<L>(weights, totals)                  totals[k * L + lane], from zeros; weights are
///                                               LaneWeights, of which sums are rounded correctly
/// and, unless keys are never comparable,
///   keys<L>(column, weights, totals, keys)      larger is better
///   kTails                                      keys[L + lane] is what keys[lane] lacks to be
///                                               exact: it counts in sums over repeats
/// and one of
///   scores<L>(column, weights, totals, scores)  the formula's values
///   score(key, totals, lane, L)                 the same from a key, where a key tells it
/// and, where keys are sums of weights times the column's entries,
///   cost(entry) -> double                       what a row of weight 1 takes from the key
template <class M>
concept GivesScores = requires(const M& metric, const typename M::Column& column, double* out) {
  metric.template scores<1>(column, out, out, out);
};

template <class M>
concept GivesKeys = requires(const M& metric, const typename M::Column& column, double* out) {
  metric.template keys<1>(column, out, out, out);
};

template <class M>
concept GivesCosts = requires(const M& metric, double entry) { metric.cost(entry); };

template <class M>
class ColumnEvaluator final : public Evaluator {
 public:
  ColumnEvaluator(const typename M::Kind& kind, const EvaluatorInput& input, const Control& control)
      : n_configurations_(detail::n_configurations(input.repeats[0])),
        sign_(input.metric.formula_greater_is_better() ? 1.0 : -1.0),
        real_weights_(kind_of(input.row_weights) == WeightKind::real) {
    const auto n_rows = input.target.n_rows();
    const auto n_repeats = input.repeats.size();
    const bool pooled = input.folds.empty();
    comparable_ = pooled && M::comparable(kind, n_repeats, real_weights_);
    if (pooled && (M::stacked(kind) || n_repeats == 1)) {
      std::vector<std::int32_t> rows;
      if (n_repeats > 1) {
        rows.resize(static_cast<std::size_t>(n_rows) * n_repeats);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          rows[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(n_rows));
        }
      }
      repeats_.emplace_back();
      repeats_[0].push_back(
          make_part(kind, input, input.repeats, std::move(rows), /*stacked=*/n_repeats > 1));
    } else {
      for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
        repeats_.emplace_back();
        for (auto& rows : rows_of_folds(input, repeat)) {
          repeats_.back().push_back(make_part(kind, input, input.repeats.subspan(repeat, 1),
                                              std::move(rows), /*stacked=*/false));
        }
      }
    }
    prepare(control);
    if constexpr (GivesCosts<M>) {
      if (comparable_ && !input.row_weights.empty()) lay_out_grid(input, control);
    }
  }

  [[nodiscard]] std::int64_t n_configurations() const override { return n_configurations_; }

  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override {
    in_lanes(block, first, last, stop, keys,
             [](const Weighted<kLanes>& weighted, std::int64_t j, int n_lanes, double* values) {
               weighted.keys(j, values);
               const auto is_nan = [](double value) { return std::isnan(value); };
               if (std::any_of(values, values + n_lanes, is_nan)) throw_overflow(j);
             });
  }

  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override {
    in_lanes(block, first, last, stop, scores,
             [](const Weighted<kLanes>& weighted, std::int64_t j, int /*n_lanes*/, double* values) {
               weighted.scores(j, values);
             });
  }

  /// Where sums on a grid tell which few configurations can be the best, their keys alone decide.
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override {
    if (grid_ == nullptr) return Evaluator::best_among(block, first, last, stop, choices);
    const auto search =
        searches_.take([&] { return LossSearch(*grid_, row_loss_kernel(simd_level())); });
    if (!search->run(block, first, last, stop)) {
      return Evaluator::best_among(block, first, last, stop, choices);
    }
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      stop.check();
      const Weighted<1> weighted(*this, block, Side::in_bag, lane);
      choices[lane] = search->best(lane, [&](std::int64_t configuration) {
        double key = 0.0;
        weighted.keys(configuration, &key);
        return key;
      });
    }
  }

  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override {
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      if (choices[lane].configuration < 0) continue;
      stop.check();
      const Weighted<1> weighted(*this, block, side, lane);
      weighted.scores(choices[lane].configuration, scores + lane);
    }
  }

 private:
  static constexpr int kLanes = 8;

  /// A set of rows on which the formula is evaluated whole: all rows, or one fold's.
  struct Part {
    std::span<const Predictions> repeats;
    std::vector<std::int32_t> rows;  // empty: all rows in order
    bool stacked;
    M metric;
    Defined defined;
    std::vector<typename M::Column> columns;
  };

  static Part make_part(const typename M::Kind& kind, const EvaluatorInput& input,
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
    const auto metric = [&] {
      if constexpr (std::is_constructible_v<M, decltype(kind), const Target&,
                                            std::span<const double>>) {
        return M(kind, target, weights);
      } else {
        return M(kind, target);
      }
    };
    return {repeats,
            std::move(rows),
            stacked,
            metric(),
            Defined(input.metric, target, input.fixed_spread, weights),
            {}};
  }

  void prepare(const Control& control) {
    std::int64_t cells = 0;
    for (auto& repeat : repeats_) {
      for (auto& part : repeat) {
        part.columns.resize(static_cast<std::size_t>(n_configurations_));
        cells += n_configurations_ * detail::n_rows(part.repeats[0]);
      }
    }
    parallel_for(n_configurations_, control, 20.0 * static_cast<double>(cells),
                 [&](std::int64_t j, const StopFlag&) {
                   for (auto& repeat : repeats_) {
                     for (auto& part : repeat) {
                       const std::span<const std::int32_t> rows =
                           part.stacked ? std::span<const std::int32_t>{} : part.rows;
                       part.columns[static_cast<std::size_t>(j)] =
                           part.metric.prepare(part.repeats, j, rows);
                     }
                   }
                 });
  }

  /// Sample weights go into the grid, so that counts alone are left to be multiplied. Sums of
  /// comparable keys have one part of all rows, repeat after repeat.
  void lay_out_grid(const EvaluatorInput& input, const Control& control) {
    const Part& part = repeats_[0][0];
    const std::int64_t n_rows = input.target.n_rows();
    const auto costs = [&](const LossGrid::Chunk& chunk, std::size_t /*i*/, std::int64_t first,
                           int n, double* to) {
      for (int j = 0; j < n; ++j) {
        const auto& column = part.columns[static_cast<std::size_t>(first + j)];
        for (int row = 0; row < chunk.n_rows; ++row) {
          const std::int64_t at = chunk.first_row + row;
          const double entry = column[static_cast<std::size_t>(chunk.repeat * n_rows + at)];
          to[row * kGridTile + j] =
              input.row_weights[static_cast<std::size_t>(at)] * part.metric.cost(entry);
        }
      }
      return true;
    };
    grid_ = std::make_unique<const LossGrid>(input, costs, row_loss_kernel(simd_level()),
                                             grid_kernel(simd_level()), control);
  }

  /// The weights of L replicates on one side, gathered for each part, with what follows from
  /// them and the truth alone.
  template <int L>
  class Weighted {
   public:
    Weighted(const ColumnEvaluator& evaluator, const ReplicateBlock& block, Side side,
             int first_lane)
        : evaluator_(evaluator),
          weights_(static_cast<std::size_t>(block.n_rows * L)),
          rests_(evaluator.real_weights_ ? weights_.size() : 0) {
      fill_weights(block, side, first_lane, L, weights_.data(),
                   evaluator.real_weights_ ? rests_.data() : nullptr);
      for (const auto& repeat : evaluator.repeats_) {
        std::array<double, L> n_defined{};
        for (const auto& part : repeat) {
          const auto n_totals = static_cast<std::size_t>(part.metric.n_totals());
          Prepared prepared{
              &part, gathered(part, weights_), {}, std::vector<double>(n_totals * L), {}};
          if (evaluator.real_weights_) prepared.gathered_rests = gathered(part, rests_);
          const LaneWeights weights = weights_of(prepared);
          part.metric.template totals<L>(weights, prepared.totals.data());
          for (int lane = 0; lane < L; ++lane) {
            prepared.defined[lane] = part.defined(
                [&](std::int64_t row) { return weights.of_row[row * L + lane] > 0.0; });
            n_defined[lane] += prepared.defined[lane] ? 1.0 : 0.0;
          }
          parts_.push_back(std::move(prepared));
        }
        n_defined_.push_back(n_defined);
      }
    }

    void keys(std::int64_t configuration, double* keys) const {
      if constexpr (GivesKeys<M>) {
        if (evaluator_.comparable_) {
          sum_keys(configuration, keys);
          return;
        }
      }
      scores(configuration, keys);
      for (int lane = 0; lane < L; ++lane) keys[lane] *= evaluator_.sign_;
    }

    /// Mean over repeats of the mean over the folds that are defined.
    void scores(std::int64_t configuration, double* scores) const {
      std::fill_n(scores, L, 0.0);
      double part_scores[L];
      std::size_t at = 0;
      for (std::size_t repeat = 0; repeat < n_defined_.size(); ++repeat) {
        double sums[L] = {};
        for (std::size_t i = 0; i < evaluator_.repeats_[repeat].size(); ++i, ++at) {
          scores_of_part(parts_[at], configuration, part_scores);
          for (int lane = 0; lane < L; ++lane) {
            if (parts_[at].defined[lane]) sums[lane] += part_scores[lane];
          }
        }
        for (int lane = 0; lane < L; ++lane) scores[lane] += sums[lane] / n_defined_[repeat][lane];
      }
      for (int lane = 0; lane < L; ++lane) scores[lane] /= static_cast<double>(n_defined_.size());
    }

   private:
    struct Prepared {
      const Part* part;
      std::vector<double> gathered;        // empty: the weights of all rows serve
      std::vector<double> gathered_rests;  // as above
      std::vector<double> totals;
      std::array<bool, L> defined;
    };

    /// The values of a part's rows; empty if it has all rows in order.
    static std::vector<double> gathered(const Part& part, const std::vector<double>& values) {
      std::vector<double> of_part;
      of_part.reserve(part.rows.size() * L);
      for (const std::int32_t row : part.rows) {
        const double* from = values.data() + static_cast<std::int64_t>(row) * L;
        of_part.insert(of_part.end(), from, from + L);
      }
      return of_part;
    }

    [[nodiscard]] LaneWeights weights_of(const Prepared& prepared) const {
      const bool all = prepared.part->rows.empty();
      const double* rests = all ? rests_.data() : prepared.gathered_rests.data();
      return {all ? weights_.data() : prepared.gathered.data(),
              evaluator_.real_weights_ ? rests : nullptr};
    }

    void keys_of_part(const Prepared& prepared, std::int64_t configuration, double* keys) const {
      prepared.part->metric.template keys<L>(column_of(prepared, configuration),
                                             weights_of(prepared), prepared.totals.data(), keys);
    }

    void scores_of_part(const Prepared& prepared, std::int64_t configuration,
                        double* scores) const {
      const M& metric = prepared.part->metric;
      if constexpr (GivesScores<M>) {
        metric.template scores<L>(column_of(prepared, configuration), weights_of(prepared),
                                  prepared.totals.data(), scores);
      } else {
        double keys[(1 + M::kTails) * L];
        keys_of_part(prepared, configuration, keys);
        for (int lane = 0; lane < L; ++lane) {
          const double key = M::kTails ? keys[lane] + keys[L * M::kTails + lane] : keys[lane];
          scores[lane] = metric.score(key, prepared.totals.data(), lane, L);
        }
      }
    }

    void sum_keys(std::int64_t configuration, double* keys) const {
      DoubleDouble sums[L];
      double part_keys[(1 + M::kTails) * L];
      for (const auto& part : parts_) {
        keys_of_part(part, configuration, part_keys);
        for (int lane = 0; lane < L; ++lane) {
          const double tail = M::kTails ? part_keys[L * M::kTails + lane] : 0.0;
          sums[lane] = sums[lane] + DoubleDouble{part_keys[lane], tail};
        }
      }
      for (int lane = 0; lane < L; ++lane) keys[lane] = sums[lane].rounded();
    }

    [[nodiscard]] const typename M::Column& column_of(const Prepared& prepared,
                                                      std::int64_t configuration) const {
      return prepared.part->columns[static_cast<std::size_t>(configuration)];
    }

    const ColumnEvaluator& evaluator_;
    std::vector<double> weights_;
    std::vector<double> rests_;
    std::vector<Prepared> parts_;                   // repeat by repeat, fold by fold
    std::vector<std::array<double, L>> n_defined_;  // folds per repeat
  };

  /// Calls value(weighted, configuration, n_lanes, out) for each group of lanes of the block.
  template <class Value>
  void in_lanes(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                const StopFlag& stop, double* out, const Value& value) const {
    for (int lane = 0; lane < block.n_replicates; lane += kLanes) {
      const Weighted<kLanes> weighted(*this, block, Side::in_bag, lane);
      const int n_lanes = std::min(kLanes, block.n_replicates - lane);
      double values[kLanes];
      for (std::int64_t j = first; j < last; ++j) {
        stop.check();
        value(weighted, j, n_lanes, values);
        for (int l = 0; l < n_lanes; ++l) out[(lane + l) * (last - first) + j - first] = values[l];
      }
    }
  }

  std::int64_t n_configurations_;
  double sign_;
  bool real_weights_;
  bool comparable_ = false;
  std::vector<std::vector<Part>> repeats_;
  std::unique_ptr<const LossGrid> grid_;
  mutable Pool<LossSearch> searches_;
};

}  // namespace bbc::detail
