#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/evaluation/column_part.hpp"
#include "detail/fast/rough_search.hpp"
#include "detail/metrics/column_reader.hpp"
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
/// The best of many configurations is looked for with the metric's rough form
/// (fast/rough_scores.hpp), and the few that it leaves are compared by their keys.
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
      repeats_[0].push_back(make_column_part<M>(kind, input, input.repeats, std::move(rows),
                                                /*stacked=*/n_repeats > 1));
    } else {
      for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
        repeats_.emplace_back();
        for (auto& rows : rows_of_folds(input, repeat)) {
          repeats_.back().push_back(make_column_part<M>(
              kind, input, input.repeats.subspan(repeat, 1), std::move(rows), /*stacked=*/false));
        }
      }
    }
    lay_out_places(n_rows);
    if constexpr (SumsEntries<M>) lay_out_weights(input.row_weights);
    prepare(control);
  }

  [[nodiscard]] std::int64_t n_configurations() const override { return n_configurations_; }

  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override {
    in_lanes(block, first, last, stop, keys,
             [](const auto& weighted, std::int64_t j, int n_lanes, double* values) {
               weighted.keys(j, values);
               const auto is_nan = [](double value) { return std::isnan(value); };
               if (std::any_of(values, values + n_lanes, is_nan)) throw_overflow(j);
             });
  }

  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override {
    in_lanes(block, first, last, stop, scores,
             [](const auto& weighted, std::int64_t j, int /*n_lanes*/, double* values) {
               weighted.scores(j, values);
             });
  }

  void scores_of(const ReplicateBlock& block, std::span<const std::int64_t> configurations,
                 const StopFlag& stop, double* scores) const override {
    const auto n = static_cast<std::int64_t>(configurations.size());
    if constexpr (HasExactSums<M>) {
      if (!real_weights_) prepare_rough();
    }
    for_lanes<SumsEntries<M> ? 1 : kLanes>(
        block, [&](const auto& weighted, int first_lane, int n_lanes) {
          double values[kLanes];
          for (std::int64_t i = 0; i < n; ++i) {
            stop.check();
            weighted.scores(configurations[static_cast<std::size_t>(i)], values);
            for (int l = 0; l < n_lanes; ++l) scores[(first_lane + l) * n + i] = values[l];
          }
        });
  }

  /// Where rough scores tell which few configurations can be the best, their keys alone decide.
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override {
    if (suits_rough(block, last - first)) {
      best_of_rough(block, first, last, stop, choices);
    } else {
      Evaluator::best_among(block, first, last, stop, choices);
    }
  }

  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override {
    Weighted<1> weighted(*this);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      if (choices[lane].configuration < 0) continue;
      stop.check();
      weighted.take(block, side, lane);
      weighted.scores(choices[lane].configuration, scores + lane);
    }
  }

 private:
  static constexpr int kLanes = 8;

  using Part = ColumnPart<M>;

  /// Numbers the rows of all parts in one list. Parts of all rows in order share theirs.
  void lay_out_places(std::int64_t n_rows) {
    for (auto& repeat : repeats_) {
      for (auto& part : repeat) {
        if (part.rows.empty() && !places_.empty()) continue;
        part.first_place = places_.size();
        if (part.rows.empty()) {
          places_.resize(static_cast<std::size_t>(n_rows));
          std::iota(places_.begin(), places_.end(), 0);
        } else {
          places_.insert(places_.end(), part.rows.begin(), part.rows.end());
        }
        part.n_places = places_.size() - part.first_place;
      }
    }
    for (auto& repeat : repeats_) {
      for (auto& part : repeat) {
        if (part.rows.empty()) part.n_places = static_cast<std::size_t>(n_rows);
      }
    }
  }

  /// Real weights of the rows at each place, and what adds up entries by count.
  void lay_out_weights(std::span<const double> row_weights) {
    for (std::size_t i = 0; real_weights_ && i < places_.size(); ++i) {
      place_weights_.push_back(row_weights[static_cast<std::size_t>(places_[i])]);
    }
    for (auto& repeat : repeats_) {
      for (auto& part : repeat) {
        part.counted =
            std::make_unique<OnceEach<CountedEntries>>(static_cast<std::size_t>(n_configurations_));
        if (!real_weights_) continue;
        part.weights =
            std::make_unique<const CountedEntries>(weights_of(part), std::span<const double>{});
      }
    }
  }
  /// Empty unless they are real.
  [[nodiscard]] std::span<const double> weights_of(const Part& part) const {
    if (place_weights_.empty()) return {};
    return std::span(place_weights_).subspan(part.first_place, part.n_places);
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

  /// Rough scores pay for themselves with a few configurations and replicates.
  [[nodiscard]] bool suits_rough(const ReplicateBlock& block, std::int64_t n) const {
    constexpr int kFewReplicates = 8;
    constexpr std::int64_t kFew = 4;
    return block.n_replicates >= kFewReplicates && n >= kFew &&
           RoughWeights::suit(block.row_weights) && block.n_rows < RoughStep::kMostRows;
  }

  /// What a task of rough scores works with.
  struct RoughMemory {
    RoughWeights weights;
    RoughSearch search;
  };

  /// Rough forms of all columns, which only searches need.
  void prepare_rough() const {
    if (has_rough_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(rough_mutex_);
    if (has_rough_.load(std::memory_order_relaxed)) return;
    if constexpr (LinearRough<M>) {
      if (repeats_[0][0].rough->linear()) {
        lay_out_entries();
        has_rough_.store(true, std::memory_order_release);
        return;
      }
    }
    if constexpr (!AlwaysLinear<M>) prepare_rough_columns();
    has_rough_.store(true, std::memory_order_release);
  }

  /// The entries of all parts, one part after the other.
  void lay_out_entries() const
    requires LinearRough<M>
  {
    std::vector<double> entries;
    entries_.resize(static_cast<std::size_t>(n_configurations_));
    for (std::size_t j = 0; j < entries_.size(); ++j) {
      entries.clear();
      for (const auto& repeat : repeats_) {
        for (const auto& part : repeat) {
          entries.insert(entries.end(), part.columns[j].begin(), part.columns[j].end());
        }
      }
      entries_[j].take(entries);
    }
  }

  void prepare_rough_columns() const {
    for (auto& repeat : repeats_) {
      for (auto& part : repeat) {
        std::vector<typename Rough<M>::Column> columns;
        columns.reserve(part.columns.size());
        for (const auto& exact : part.columns) {
          columns.push_back(part.rough->prepare(part.metric, exact));
        }
        part.rough_columns = std::move(columns);
      }
    }
  }

  struct RoughPart {
    const Part* part;
    RoughRows rows;
    double shares[kBlock];  // of the lane's mean; 0 where the part is undefined
    typename Rough<M>::Shared shared;
  };

  std::vector<RoughPart> rough_parts(const ReplicateBlock& block,
                                     const RoughWeights& weights) const {
    const RoughKernel& kernel = rough_kernel(simd_level());
    std::vector<RoughPart> parts;
    for (const auto& repeat : repeats_) {
      const std::size_t first_part = parts.size();
      double n_defined[kBlock] = {};
      for (const Part& part : repeat) {
        const float* own = weights.from(part.first_place);
        const RoughRows rows{own, static_cast<std::int64_t>(part.n_places), weights.exact()};
        parts.push_back({&part, rows, {}, part.rough->shared(kernel, rows)});
        for (int lane = 0; lane < block.n_replicates; ++lane) {
          const bool defined =
              part.defined([&](std::int64_t row) { return own[row * kBlock + lane] > 0.0F; });
          parts.back().shares[lane] = defined ? 1.0 : 0.0;
          n_defined[lane] += parts.back().shares[lane];
        }
      }
      for (std::size_t i = first_part; i < parts.size(); ++i) {
        for (int lane = 0; lane < block.n_replicates; ++lane) {
          if (parts[i].shares[lane] == 0.0) continue;
          parts[i].shares[lane] = 1.0 / (n_defined[lane] * static_cast<double>(repeats_.size()));
        }
        if constexpr (LinearRough<M>) {
          for (int lane = 0; lane < kBlock; ++lane) {
            const double share = parts[i].shares[lane];
            const double total = parts[i].shared.weights[lane];
            const double slope = sign_ * parts[i].part->rough->slope();
            parts[i].shared.factors[lane] = share > 0.0 ? slope * share / total : 0.0;
          }
        }
      }
    }
    return parts;
  }

  /// Scores of n configurations from j on, less what all configurations share.
  void add_linear(const RoughKernel& kernel, const std::vector<RoughPart>& parts, std::size_t j,
                  std::size_t n, RoughScores* means) const
    requires LinearRough<M>
  {
    const float* columns[kRoughColumns];
    alignas(64) double sums[kRoughColumns * kBlock] = {};
    double sizes[kBlock] = {};  // of a mean of ones
    std::size_t place = 0;
    for (const RoughPart& part : parts) {
      for (std::size_t i = 0; i < kRoughColumns; ++i) {
        columns[i] = entries_[j + (i < n ? i : 0)].values.data() + place;
      }
      kernel.add_scaled(columns, part.rows.weights, part.rows.n, part.shared.factors, sums);
      place += static_cast<std::size_t>(part.rows.n);
      const double slope = std::fabs(part.part->rough->slope());
      for (int lane = 0; lane < kBlock; ++lane) sizes[lane] += slope * part.shares[lane];
    }
    const double exact = rough_rounding(static_cast<std::int64_t>(place));
    for (std::size_t i = 0; i < n; ++i) {
      const RoughEntries& column = entries_[j + i];
      const double relative = column.whole && parts[0].rows.exact ? exact : kRoughSum + exact;
      for (int lane = 0; lane < kBlock; ++lane) {
        const double score = column.unit * sums[i * kBlock + static_cast<std::size_t>(lane)];
        const double size = column.one_sign ? std::fabs(score) : column.unit * sizes[lane];
        means[i].of[lane] = score;
        means[i].error[lane] =
            1.001 * relative * size + kRoughTiny * column.unit * sizes[lane] + exact * (1.0 + size);
      }
      if (!column.usable)
        std::fill_n(means[i].error, kBlock, std::numeric_limits<double>::infinity());
    }
  }

  void add_rough(const RoughKernel& kernel, const std::vector<RoughPart>& parts, std::size_t j,
                 std::size_t n, RoughScores* means) const {
    for (std::size_t i = 0; i < n; ++i) means[i] = {};
    for (const RoughPart& prepared : parts) {
      const typename Rough<M>::Column* columns[kRoughColumns];
      for (std::size_t i = 0; i < n; ++i) columns[i] = &prepared.part->rough_columns[j + i];
      RoughScores scores[kRoughColumns];
      prepared.part->rough->add(kernel, prepared.rows, prepared.shared, {columns, n}, scores);
      for (std::size_t i = 0; i < n; ++i) means[i].add(scores[i], sign_, prepared.shares);
    }
  }

  void best_of_rough(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                     const StopFlag& stop, Choice* choices) const {
    prepare_rough();
    const RoughKernel& kernel = rough_kernel(simd_level());
    const auto memory = rough_memory_.take([] { return RoughMemory(); });
    RoughWeights& weights = memory->weights;
    RoughSearch& search = memory->search;
    weights.take(block, places_);
    std::vector<RoughPart> parts = rough_parts(block, weights);
    search.begin();
    bool linear = false;
    if constexpr (LinearRough<M>) linear = repeats_[0][0].rough->linear();
    for (std::int64_t j = first; j < last; j += kRoughColumns) {
      stop.check();
      const auto n = static_cast<std::size_t>(std::min<std::int64_t>(kRoughColumns, last - j));
      RoughScores means[kRoughColumns];
      if constexpr (LinearRough<M>) {
        if (linear) add_linear(kernel, parts, static_cast<std::size_t>(j), n, means);
      }
      if constexpr (!AlwaysLinear<M>) {
        if (!linear) add_rough(kernel, parts, static_cast<std::size_t>(j), n, means);
      }
      for (std::size_t i = 0; i < n; ++i) {
        search.take(j + static_cast<std::int64_t>(i), means[i], block.n_replicates);
      }
    }
    Weighted<1> weighted(*this);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      stop.check();
      weighted.take(block, Side::in_bag, lane);
      choices[lane] = search.best(lane, [&](std::int64_t configuration) {
        double key = 0.0;
        weighted.keys(configuration, &key);
        if (std::isnan(key)) throw_overflow(configuration);
        return key;
      });
    }
  }

  /// The weights of L replicates on one side, gathered for each part, with what follows from
  /// them and the truth alone.
  template <int L>
  class Weighted {
   public:
    explicit Weighted(const ColumnEvaluator& evaluator)
        : evaluator_(evaluator),
          weights_(evaluator.places_.size() * L),
          rests_(evaluator.real_weights_ ? weights_.size() : 0) {
      for (const auto& repeat : evaluator.repeats_) {
        for (const auto& part : repeat) {
          parts_.push_back(
              {&part,
               std::vector<double>(static_cast<std::size_t>(part.metric.n_totals()) * L),
               {},
               0.0});
        }
      }
      n_defined_.resize(evaluator.repeats_.size());
    }

    void take(const ReplicateBlock& block, Side side, int first_lane) {
      if constexpr (kCounts) {
        if (evaluator_.real_weights_) {
          take_counts(block, side, first_lane);
          return;
        }
      }
      if (L == 1 && block.row_weights.empty() && !evaluator_.real_weights_) {
        fill_one(block.replicate(first_lane), side, weights_.data());
      } else {
        fill_weights(block, side, first_lane, L, evaluator_.places_, weights_.data(),
                     evaluator_.real_weights_ ? rests_.data() : nullptr);
      }
      if constexpr (HoldsExactSums<M>) {
        split_by_unit<L>(static_cast<std::int64_t>(evaluator_.places_.size()), weights_.data(),
                         rests_.data());
      }
      std::size_t at = 0;
      for (std::size_t repeat = 0; repeat < n_defined_.size(); ++repeat) {
        n_defined_[repeat] = {};
        for (std::size_t i = 0; i < evaluator_.repeats_[repeat].size(); ++i, ++at) {
          Prepared& prepared = parts_[at];
          const Part& part = *prepared.part;
          const LaneWeights weights = weights_of(prepared);
          std::fill(prepared.totals.begin(), prepared.totals.end(), 0.0);
          part.metric.template totals<L>(weights, prepared.totals.data());
          for (int lane = 0; lane < L; ++lane) {
            prepared.defined[lane] =
                part.defined([&](std::int64_t row) { return weights.positive(row * L + lane); });
            n_defined_[repeat][lane] += prepared.defined[lane] ? 1.0 : 0.0;
          }
        }
      }
    }

    void keys(std::int64_t configuration, double* keys) const {
      if constexpr (GivesKeys<M>) {
        if (evaluator_.comparable_) {
          if (parts_.size() == 1 && exact_sums(parts_[0], configuration, keys)) return;
          sum_keys(configuration, keys);
          return;
        }
      }
      scores(configuration, keys);
      for (int lane = 0; lane < L; ++lane) keys[lane] *= evaluator_.sign_;
    }

    /// The counts of one replicate, without the branches that random counts mislead.
    void fill_one(const std::uint16_t* counts, Side side, double* weights) {
      const std::int32_t* rows = evaluator_.places_.data();
      const std::size_t n = evaluator_.places_.size();
      if (side == Side::in_bag) {
        for (std::size_t i = 0; i < n; ++i) weights[i] = counts[rows[i]];
        return;
      }
      for (std::size_t i = 0; i < n; ++i) weights[i] = out_of_bag_count(counts[rows[i]]);
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
    /// Whether entries are added up by count.
    static constexpr bool kCounts = SumsEntries<M> && L == 1;

    struct Prepared {
      const Part* part;
      std::vector<double> totals;
      std::array<bool, L> defined;
      double count;  // of its rows, where real weights are added up by count
    };

    /// Real weights: weights and rests are only filled where a rounding is uncertain.
    void take_counts(const ReplicateBlock& block, Side side, int lane)
      requires kCounts
    {
      counts_.resize(evaluator_.places_.size());
      fill_one(block.replicate(lane), side, counts_.data());
      fill_all_ = [this, &block, side, lane] {
        fill_weights(block, side, lane, 1, evaluator_.places_, weights_.data(), rests_.data());
      };
      n_defined_.assign(n_defined_.size(), {});
      std::size_t at = 0;
      for (std::size_t repeat = 0; repeat < n_defined_.size(); ++repeat) {
        for (std::size_t i = 0; i < evaluator_.repeats_[repeat].size(); ++i, ++at) {
          Prepared& prepared = parts_[at];
          const Part& part = *prepared.part;
          const double* counts = counts_.data() + part.first_place;
          const double* own = evaluator_.place_weights_.data() + part.first_place;
          prepared.count = 0.0;
          for (std::size_t place = 0; place < part.n_places; ++place) {
            prepared.count += counts[place];
          }
          if (const auto total =
                  part.weights->sum(row_loss_kernel(simd_level()), counts, prepared.count)) {
            prepared.totals[0] = *total;
          } else {
            part.metric.template totals<1>(weights_of(prepared), prepared.totals.data());
          }
          prepared.defined[0] =
              part.defined([&](std::int64_t row) { return counts[row] * own[row] > 0.0; });
          n_defined_[repeat][0] += prepared.defined[0] ? 1.0 : 0.0;
        }
      }
    }

    [[nodiscard]] std::optional<double> counted_sum(const Prepared& prepared,
                                                    std::int64_t configuration) const
      requires kCounts
    {
      const bool real = evaluator_.real_weights_;
      const Part& part = *prepared.part;
      return part.counted_of(configuration, evaluator_.weights_of(part))
          .sum(row_loss_kernel(simd_level()), (real ? counts_ : weights_).data() + part.first_place,
               real ? prepared.count : prepared.totals[0]);
    }

    [[nodiscard]] LaneWeights weights_of(const Prepared& prepared) const {
      if (fill_all_) std::exchange(fill_all_, nullptr)();
      const std::size_t first = prepared.part->first_place * L;
      return {weights_.data() + first, evaluator_.real_weights_ ? rests_.data() + first : nullptr};
    }

    void keys_of_part(const Prepared& prepared, std::int64_t configuration, double* keys) const {
      if constexpr (kCounts) {
        if (const auto sum = counted_sum(prepared, configuration)) {
          keys[0] = prepared.part->metric.key_of_sum(*sum);
          return;
        }
      }
      prepared.part->metric.template keys<L>(column_of(prepared, configuration),
                                             weights_of(prepared), prepared.totals.data(), keys);
    }

    /// The correctly rounded keys of a part, where these have a faster form.
    [[nodiscard]] bool exact_sums(const Prepared& prepared, std::int64_t configuration,
                                  double* sums) const {
      if constexpr (HasExactSums<M> && (L == 1 || L == kExactLanes)) {
        const auto at = static_cast<std::size_t>(configuration);
        return evaluator_.has_rough_.load(std::memory_order_acquire) && !evaluator_.real_weights_ &&
               Rough<M>::exact_sums(rough_kernel(simd_level()), prepared.part->rough_columns[at],
                                    weights_of(prepared), prepared.totals.data(), L, sums);
      }
      return false;
    }

    void scores_of_part(const Prepared& prepared, std::int64_t configuration,
                        double* scores) const {
      const M& metric = prepared.part->metric;
      if constexpr (HasExactSums<M>) {
        if (exact_sums(prepared, configuration, scores)) {
          for (int lane = 0; lane < L; ++lane) {
            scores[lane] = metric.score(scores[lane], prepared.totals.data(), lane, L);
          }
          return;
        }
      }
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
    mutable std::vector<double> weights_;
    mutable std::vector<double> rests_;
    mutable std::function<void()> fill_all_;        // what fills these, if that is still to be done
    std::vector<double> counts_;                    // where real weights are added up by count
    std::vector<Prepared> parts_;                   // repeat by repeat, fold by fold
    std::vector<std::array<double, L>> n_defined_;  // folds per repeat
  };

  /// Calls use(weighted, first_lane, n_lanes) for each group of L lanes of the block.
  template <int L = kLanes, class Use>
  void for_lanes(const ReplicateBlock& block, const Use& use) const {
    if (block.n_replicates == 1) {
      Weighted<1> weighted(*this);
      weighted.take(block, Side::in_bag, 0);
      use(weighted, 0, 1);
      return;
    }
    Weighted<L> weighted(*this);
    for (int lane = 0; lane < block.n_replicates; lane += L) {
      weighted.take(block, Side::in_bag, lane);
      use(weighted, lane, std::min(L, block.n_replicates - lane));
    }
  }

  /// Calls value(weighted, configuration, n_lanes, out) for each configuration and group of lanes.
  template <class Value>
  void in_lanes(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                const StopFlag& stop, double* out, const Value& value) const {
    for_lanes(block, [&](const auto& weighted, int first_lane, int n_lanes) {
      double values[kLanes];
      for (std::int64_t j = first; j < last; ++j) {
        stop.check();
        value(weighted, j, n_lanes, values);
        for (int l = 0; l < n_lanes; ++l) {
          out[(first_lane + l) * (last - first) + j - first] = values[l];
        }
      }
    });
  }

  std::int64_t n_configurations_;
  double sign_;
  bool real_weights_;
  bool comparable_ = false;
  mutable std::vector<std::vector<Part>> repeats_;
  std::vector<std::int32_t> places_;   // the row at each place of the parts
  std::vector<double> place_weights_;  // its weight, where real weights are added up by count
  mutable std::mutex rough_mutex_;
  mutable std::atomic<bool> has_rough_{false};
  mutable std::vector<RoughEntries> entries_;  // of all parts, where scores are linear
  mutable Pool<RoughMemory> rough_memory_;
};

template <class M, class Kind>
std::unique_ptr<Evaluator> make_columns(const Kind& kind, const EvaluatorInput& input,
                                        const Control& control) {
  return std::make_unique<ColumnEvaluator<M>>(kind, input, control);
}

}  // namespace bbc::detail
