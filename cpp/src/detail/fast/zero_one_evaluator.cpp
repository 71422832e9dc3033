#include "detail/fast/zero_one_evaluator.hpp"

#include <algorithm>
#include <bit>

#include "detail/metrics/column_reader.hpp"

namespace bbc::detail {
ZeroOneEvaluator::ZeroOneEvaluator(const metric::ZeroOne& kind, const EvaluatorInput& input,
                                   const Control& control)
    : accuracy_(kind.accuracy),
      kernel_(zero_one_kernel(simd_level())),
      patterns_(input, kernel_.patterns, control) {}

double ZeroOneEvaluator::total_of(const ReplicateBlock& block, int lane) const {
  return static_cast<double>(block.total(lane) * patterns_.n_repeats());
}

template <class Value>
void ZeroOneEvaluator::fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                            const StopFlag& stop, double* out, const Value& value) const {
  const auto sums = sums_of(block);
  std::vector<double> totals(static_cast<std::size_t>(block.n_replicates));
  for (int lane = 0; lane < block.n_replicates; ++lane) totals[lane] = total_of(block, lane);
  std::vector<double> errors;
  for (std::int64_t from = first; from < last; from += ZeroOneSums::kPanel) {
    const std::int64_t to = std::min(from + ZeroOneSums::kPanel, last);
    errors.resize(static_cast<std::size_t>((to - from) * block.n_replicates));
    sums->all(from, to, stop, errors.data());
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      for (std::int64_t j = from; j < to; ++j) {
        out[lane * (last - first) + j - first] =
            value(errors[static_cast<std::size_t>(lane * (to - from) + j - from)], totals[lane]);
      }
    }
  }
}

void ZeroOneEvaluator::keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                            const StopFlag& stop, double* keys) const {
  fill(block, first, last, stop, keys,
       [&](double errors, double total) { return key_of(errors, total); });
}

void ZeroOneEvaluator::scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                              const StopFlag& stop, double* scores) const {
  fill(block, first, last, stop, scores,
       [&](double errors, double total) { return score_of(errors, total); });
}

void ZeroOneEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                  std::int64_t last, const StopFlag& stop, Choice* choices) const {
  const auto sums = sums_of(block);
  FewestErrors best[kBlock];
  FewestErrors panel[kBlock];
  for (std::int64_t from = first; from < last; from += ZeroOneSums::kPanel) {
    sums->fewest(from, std::min(from + ZeroOneSums::kPanel, last), stop, panel);
    for (int lane = 0; lane < kBlock; ++lane) {
      if (from == first || panel[lane].errors < best[lane].errors) best[lane] = panel[lane];
    }
  }
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    choices[lane] = {
        key_of(static_cast<double>(best[lane].errors), accuracy_ ? total_of(block, lane) : 0.0),
        best[lane].configuration};
  }
}

void ZeroOneEvaluator::count_worse(const ReplicateBlock& block, std::int64_t than,
                                   const StopFlag& stop, std::int64_t* worse) const {
  const auto sums = sums_of(block);
  for (std::int64_t first = 0; first < n_configurations(); first += ZeroOneSums::kPanel) {
    const std::int64_t last = std::min(first + ZeroOneSums::kPanel, n_configurations());
    sums->count_more(first, last, than, stop, worse + first);
  }
}

void ZeroOneEvaluator::scores_of_choices(const ReplicateBlock& block, Side side,
                                         const Choice* choices, const StopFlag& stop,
                                         double* scores) const {
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (choices[lane].configuration < 0) continue;
    stop.check();
    if (side == Side::out_of_bag) {
      const OutOfBagErrors found = kernel_.counts.out_of_bag(
          patterns_.column(choices[lane].configuration), block.replicate(lane), block.n_rows);
      scores[lane] = score_of(static_cast<double>(found.errors),
                              static_cast<double>(found.n_rows * patterns_.n_repeats()));
      continue;
    }
    std::int64_t errors = 0;
    for (std::int64_t chunk = 0; chunk < patterns_.n_chunks(); ++chunk) {
      const std::uint16_t* counts = block.replicate(lane) + chunk * kChunkRows;
      for (std::int64_t repeat = 0; repeat < patterns_.n_repeats(); ++repeat) {
        std::uint64_t wrong = patterns_.bits(chunk, repeat, choices[lane].configuration);
        for (; wrong != 0; wrong &= wrong - 1) errors += counts[std::countr_zero(wrong)];
      }
    }
    scores[lane] = score_of(static_cast<double>(errors), total_of(block, lane));
  }
}

}  // namespace bbc::detail
