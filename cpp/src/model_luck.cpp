#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <bbc/philox.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "detail/evaluation/partition_scores.hpp"
#include "detail/intervals/luck_bias.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/defined.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/resampling/fold_shuffle.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc {
namespace {

using detail::FoldShuffle;

constexpr std::int64_t kMostConfigurations = 128;
constexpr std::uint32_t kMostAttempts = 100;
constexpr double kLevel = 0.05;

/// One configuration of each of `most` equal runs of all, at places that follow no period: a grid
/// has many, and every tenth configuration may differ from the others in the same way.
std::vector<std::int64_t> spread_out(const std::vector<std::int64_t>& all) {
  constexpr std::int64_t most = kMostConfigurations;
  constexpr std::uint32_t kGolden = 2654435769U;  // 2^32 by the golden ratio
  const auto n = static_cast<std::int64_t>(all.size());
  if (n <= most) return all;
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < most; ++i) {
    const std::int64_t begin = i * n / most;
    const auto length = static_cast<std::uint64_t>((i + 1) * n / most - begin);
    const std::uint64_t share = static_cast<std::uint32_t>(i) * kGolden;
    chosen.push_back(
        all[static_cast<std::size_t>(begin + static_cast<std::int64_t>((share * length) >> 32U))]);
  }
  return chosen;
}

/// Those that some replicate chose, in their order; all if nobody says.
std::vector<std::int64_t> contenders(const std::vector<std::int64_t>& winners, std::int64_t n) {
  std::vector<std::int64_t> found(winners);
  if (found.empty()) {
    found.resize(static_cast<std::size_t>(n));
    std::iota(found.begin(), found.end(), std::int64_t{0});
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.front() < 0 || found.back() >= n) throw_invalid("winners", "are no configurations");
  return found;
}

/// Fewer for many folds, each of which is scored: so the test costs no more than a correction.
std::int64_t most_permutations(std::int64_t asked, std::int64_t n_folds) {
  constexpr std::int64_t kManyFolds = 10;
  return n_folds > kManyFolds ? std::min<std::int64_t>(asked, 39) : asked;
}

/// The scores of the configurations that serve, on the given folds and on permuted ones.
class Luck {
 public:
  Luck(const Target& target, std::span<const Predictions> repeats, const ModelLuckOptions& options,
       std::vector<std::int64_t> chosen, const FoldShuffle& shuffle, const Control& control)
      : shuffle_(shuffle),
        n_rows_(static_cast<std::size_t>(target.n_rows())),
        row_weights_(detail::relative_weights(options.row_weights, target.n_rows(),
                                              /*even_power=*/true)),
        defined_(options.metric, target),
        chosen_(std::move(chosen)) {
    for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
      columns_.push_back(std::make_unique<detail::ScaledColumns>(options.metric, repeats[repeat],
                                                                 chosen_, shuffle.given(repeat)));
      scorers_.push_back(detail::make_partition_scores(
          options.metric, target, columns_.back()->view(), row_weights_, control));
    }
  }

  [[nodiscard]] std::int64_t n_chosen() const { return static_cast<std::int64_t>(chosen_.size()); }

  /// Whether the metric has a value on every fold of one partition of a repeat.
  [[nodiscard]] bool is_defined(std::span<const std::int8_t> fold_of_row,
                                std::int64_t n_folds) const {
    for (std::int64_t fold = 0; fold < n_folds; ++fold) {
      const bool defined = defined_([&](std::int64_t i) {
        const auto row = static_cast<std::size_t>(i);
        return fold_of_row[row] == fold && (row_weights_.empty() || row_weights_[row] > 0.0);
      });
      if (!defined) return false;
    }
    return true;
  }

  /// The scores on the given folds, repeat by repeat.
  [[nodiscard]] std::vector<std::vector<double>> on_given_folds() const {
    std::vector<std::vector<double>> found;
    for (std::size_t repeat = 0; repeat < shuffle_.n_repeats(); ++repeat) {
      found.push_back(scores(repeat, shuffle_.given(repeat), detail::StopFlag{}));
    }
    return found;
  }

  [[nodiscard]] detail::ScoreTable table(const std::vector<std::vector<double>>& given,
                                         std::size_t repeat) const {
    return {given[repeat].data(), shuffle_.n_folds(repeat), n_chosen()};
  }

  /// The statistic of scores on the given folds.
  [[nodiscard]] double interaction(const std::vector<std::vector<double>>& given) const {
    double sum = 0.0;
    for (std::size_t repeat = 0; repeat < given.size(); ++repeat) {
      sum += table(given, repeat).interaction();
    }
    return sum;
  }

  [[nodiscard]] double degrees() const {
    std::int64_t n = 0;
    for (std::size_t repeat = 0; repeat < shuffle_.n_repeats(); ++repeat) {
      n += (shuffle_.n_folds(repeat) - 1) * (n_chosen() - 1);
    }
    return static_cast<double>(n);
  }

  /// Scores of partitions of one repeat, (partition, fold, configuration).
  [[nodiscard]] std::vector<double> scores(std::size_t repeat,
                                           std::span<const std::int8_t> fold_of_row,
                                           const detail::StopFlag& stop) const {
    const auto n_partitions = static_cast<std::int64_t>(fold_of_row.size() / n_rows_);
    std::vector<double> scores(
        static_cast<std::size_t>(n_partitions * shuffle_.n_folds(repeat) * n_chosen()));
    scorers_[repeat]->scores(fold_of_row, shuffle_.n_folds(repeat), stop, scores.data());
    return scores;
  }

  /// The statistics of permutations [first, first + n); NaN where none was found that leaves the
  /// metric defined.
  void permuted(std::int64_t first, std::int64_t n, const detail::StopFlag& stop,
                double* statistics) const {
    const std::size_t n_repeats = shuffle_.n_repeats();
    std::vector<std::int8_t> drawn(n_repeats * n_rows_);
    std::vector<std::vector<std::int8_t>> of_repeat(n_repeats);
    std::fill_n(statistics, n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      if (!draw(first + i, drawn)) statistics[i] = std::numeric_limits<double>::quiet_NaN();
      for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
        const auto begin = drawn.begin() + static_cast<std::ptrdiff_t>(repeat * n_rows_);
        of_repeat[repeat].insert(of_repeat[repeat].end(), begin,
                                 begin + static_cast<std::ptrdiff_t>(n_rows_));
      }
    }
    for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
      const std::int64_t n_folds = shuffle_.n_folds(repeat);
      if (n_folds < 2) continue;
      const auto values = scores(repeat, of_repeat[repeat], stop);
      for (std::int64_t i = 0; i < n; ++i) {
        const detail::ScoreTable table{values.data() + i * n_folds * n_chosen(), n_folds,
                                       n_chosen()};
        statistics[i] += table.interaction();
      }
    }
  }

  /// How many permutations a thread takes at once.
  [[nodiscard]] std::int64_t at_once() const {
    return std::max<std::int64_t>(1, detail::kBlock / shuffle_.most_folds());
  }

  /// The same by several threads.
  void permuted_by_threads(std::int64_t first, std::int64_t n, double nanoseconds_each,
                           const Control& control, double* statistics) const {
    detail::parallel_pieces(
        n, at_once(), control, nanoseconds_each * static_cast<double>(n),
        [&](std::int64_t begin, std::int64_t end, const detail::StopFlag& stop) {
          permuted(first + begin, end - begin, stop, statistics + begin);
        });
  }

  /// The mean of the statistics of the first n permutations.
  [[nodiscard]] double mean_permuted(std::int64_t n, double nanoseconds_each,
                                     const Control& control) const {
    std::vector<double> statistics(static_cast<std::size_t>(n));
    permuted_by_threads(0, n, nanoseconds_each, control, statistics.data());
    return std::accumulate(statistics.begin(), statistics.end(), 0.0) / static_cast<double>(n);
  }

 private:
  bool draw(std::int64_t permutation, std::vector<std::int8_t>& drawn) const {
    for (std::uint32_t attempt = 0; attempt < kMostAttempts; ++attempt) {
      shuffle_.draw(static_cast<std::uint32_t>(permutation), attempt, drawn.data());
      bool defined = true;
      for (std::size_t repeat = 0; repeat < shuffle_.n_repeats() && defined; ++repeat) {
        defined = is_defined(std::span(drawn).subspan(repeat * n_rows_, n_rows_),
                             shuffle_.n_folds(repeat));
      }
      if (defined) return true;
    }
    return false;
  }

  const FoldShuffle& shuffle_;
  std::size_t n_rows_;
  std::vector<double> row_weights_;
  detail::Defined defined_;
  std::vector<std::int64_t> chosen_;
  std::vector<std::unique_ptr<detail::ScaledColumns>> columns_;
  std::vector<std::unique_ptr<detail::PartitionScores>> scorers_;
};

/// The test of Besag and Clifford.
struct Permutations {
  std::int64_t n = 0;
  double p_value = 1.0;
  double mean = 0.0;  // of their statistics
  bool defined = true;
};

Permutations permute(const Luck& luck, double observed, std::int64_t most, double nanoseconds_each,
                     const Control& control) {
  const auto enough = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(kLevel * static_cast<double>(most + 1) + 1e-9));
  const int n_threads = detail::n_workers(control, nanoseconds_each * static_cast<double>(most));
  std::vector<double> statistics(static_cast<std::size_t>(most));
  Permutations test;
  std::int64_t n_reach = 0;
  double sum = 0.0;
  while (test.n < most) {
    const std::int64_t first = test.n;
    // As many again as were drawn so far: the test may stop early, and threads have to start.
    const std::int64_t last = std::min(most, first + std::max(first, luck.at_once() * n_threads));
    luck.permuted_by_threads(first, last - first, nanoseconds_each, control,
                             statistics.data() + first);
    // Looked at one after the other, so that what more threads have drawn changes nothing.
    for (; test.n < last; ++test.n) {
      const double statistic = statistics[static_cast<std::size_t>(test.n)];
      if (std::isnan(statistic)) {
        test.defined = false;
        return test;
      }
      sum += statistic;
      // What is equal but for rounding reaches it.
      n_reach += statistic >= observed - 1e-10 * observed ? 1 : 0;
      if (n_reach < enough) continue;
      ++test.n;
      test.mean = sum / static_cast<double>(test.n);
      test.p_value = static_cast<double>(n_reach) / static_cast<double>(test.n);
      return test;
    }
  }
  test.mean = sum / static_cast<double>(test.n);
  test.p_value = static_cast<double>(1 + n_reach) / static_cast<double>(1 + most);
  return test;
}

ModelLuck untestable(std::string why) {
  ModelLuck result;
  result.untestable = std::move(why);
  return result;
}

}  // namespace

ModelLuck model_luck(const Target& y, std::span<const Predictions> repeats,
                     const ModelLuckOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  const Target target = detail::checked_target(options.metric, y);
  if (options.n_permutations < 1) throw_invalid("n_permutations", "must be at least 1");
  if (options.folds.empty()) throw_invalid("folds", "none are given");
  detail::check_shapes({options.metric, target, repeats, options.folds, {}});
  const std::int64_t n_configurations = detail::n_configurations(repeats[0]);
  if (n_configurations < 2) return untestable("a single configuration");
  const FoldShuffle shuffle(detail::classes_of_rows(target), options.folds, options.units,
                            options.seed, stream::kModelLuck);
  if (auto why = shuffle.untestable(); !why.empty()) return untestable(std::move(why));

  const Luck luck(target, repeats, options, spread_out(contenders({}, n_configurations)), shuffle,
                  control);
  for (std::size_t repeat = 0; repeat < shuffle.n_repeats(); ++repeat) {
    if (!luck.is_defined(shuffle.given(repeat), shuffle.n_folds(repeat))) {
      return untestable("a fold that leaves the metric undefined");
    }
  }
  const auto given = luck.on_given_folds();
  const double observed = luck.interaction(given);
  if (!std::isfinite(observed)) return untestable("scores that overflow");
  const std::int64_t most_folds = shuffle.most_folds();
  const double nanoseconds_each = static_cast<double>(repeats.size()) *
                                  static_cast<double>(target.n_rows()) *
                                  (5.0 + 0.02 * static_cast<double>(most_folds * luck.n_chosen()));
  const auto test = permute(luck, observed, most_permutations(options.n_permutations, most_folds),
                            nanoseconds_each, control);
  if (!test.defined) return untestable("permuted folds that leave the metric undefined");
  ModelLuck result;
  result.p_value = test.p_value;
  result.n_permutations = test.n;
  const auto fill = [&](const Luck& of, double of_folds, double of_permutations) {
    result.luck_variance = std::max(0.0, (of_folds - of_permutations) / of.degrees());
    result.row_variance = of_permutations / of.degrees();
  };
  const auto rivals = contenders(options.winners, n_configurations);
  if (rivals.size() == 1 || static_cast<std::int64_t>(rivals.size()) == n_configurations) {
    fill(luck, observed, test.mean);
  } else {
    const Luck theirs(target, repeats, options, spread_out(rivals), shuffle, control);
    fill(theirs, theirs.interaction(theirs.on_given_folds()),
         theirs.mean_permuted(test.n, nanoseconds_each, control));
  }
  if (rivals.size() > 1) {
    detail::LuckBias bias(options.metric.formula_greater_is_better() ? 1.0 : -1.0);
    for (std::size_t repeat = 0; repeat < given.size(); ++repeat)
      bias.add(luck.table(given, repeat));
    result.predicted_bias =
        bias.predicted(result.luck_variance, result.row_variance, n_configurations);
  }
  return result;
}

bool luck_matters(double p_value, double predicted_bias, double estimate, const Interval& interval,
                  Alternative alternative) {
  const detail::Arithmetic arithmetic;
  constexpr double kShare = 0.1;
  double distance = (interval.high - interval.low) / 2.0;
  if (alternative == Alternative::greater) distance = estimate - interval.low;
  if (alternative == Alternative::less) distance = interval.high - estimate;
  return p_value <= kLevel && predicted_bias > kShare * distance;
}

}  // namespace bbc
