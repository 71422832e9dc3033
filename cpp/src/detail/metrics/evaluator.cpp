#include "detail/metrics/evaluator.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace bbc::detail {

void throw_overflow(std::int64_t configuration) {
  throw_invalid("predictions", "the metric overflows: rescale the truth and the predictions",
                {{"configuration", configuration}});
}

void Evaluator::best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                           const StopFlag& stop, Choice* choices) const {
  constexpr std::int64_t kTile = 64;
  std::vector<double> tile(static_cast<std::size_t>(block.n_replicates) * kTile);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    choices[lane] = {-std::numeric_limits<double>::infinity(), -1};
  }
  for (std::int64_t from = first; from < last; from += kTile) {
    const std::int64_t to = std::min(from + kTile, last);
    keys(block, from, to, stop, tile.data());
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const double* lane_keys = tile.data() + lane * (to - from);
      for (std::int64_t j = 0; j < to - from; ++j) {
        if (lane_keys[j] > choices[lane].key || choices[lane].configuration < 0) {
          choices[lane] = {lane_keys[j], from + j};
        }
      }
    }
  }
}

void Evaluator::count_worse(const ReplicateBlock& block, std::int64_t than, const StopFlag& stop,
                            std::int64_t* worse) const {
  constexpr std::int64_t kTile = 64;
  double limits[kBlock];
  keys(block, than, than + 1, stop, limits);
  std::vector<double> tile(static_cast<std::size_t>(block.n_replicates) * kTile);
  for (std::int64_t first = 0; first < n_configurations(); first += kTile) {
    const std::int64_t last = std::min(first + kTile, n_configurations());
    keys(block, first, last, stop, tile.data());
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const double* lane_keys = tile.data() + lane * (last - first);
      for (std::int64_t j = first; j < last; ++j) {
        worse[j] += lane_keys[j - first] < limits[lane] ? 1 : 0;
      }
    }
  }
}

void Evaluator::scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                       const StopFlag& stop, double* scores) const {
  Choice choices[kBlock];
  double values[kBlock];
  for (std::int64_t j = first; j < last; ++j) {
    std::fill_n(choices, block.n_replicates, Choice{0.0, j});
    in_bag(block, choices, stop, values);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      scores[lane * (last - first) + j - first] = values[lane];
    }
  }
}

void Evaluator::scores_of(const ReplicateBlock& block, std::span<const std::int64_t> configurations,
                          const StopFlag& stop, double* scores) const {
  // Scoring a few in between costs less than another pass over the weights.
  constexpr std::int64_t kGap = 8;
  const std::size_t n = configurations.size();
  std::vector<double> values;
  for (std::size_t from = 0; from < n;) {
    std::size_t to = from + 1;
    while (to < n && configurations[to] - configurations[to - 1] <= kGap) ++to;
    const std::int64_t first = configurations[from];
    const std::int64_t width = configurations[to - 1] + 1 - first;
    values.resize(static_cast<std::size_t>(block.n_replicates * width));
    this->scores(block, first, first + width, stop, values.data());
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      for (std::size_t i = from; i < to; ++i) {
        scores[static_cast<std::size_t>(lane) * n + i] =
            values[static_cast<std::size_t>(lane * width + configurations[i] - first)];
      }
    }
    from = to;
  }
}

std::vector<std::vector<std::int32_t>> rows_of_folds(std::span<const std::int32_t> folds) {
  std::map<std::int32_t, std::vector<std::int32_t>> rows_of_code;
  for (std::size_t row = 0; row < folds.size(); ++row) {
    if (folds[row] >= 0) rows_of_code[folds[row]].push_back(static_cast<std::int32_t>(row));
  }
  if (rows_of_code.empty()) throw_invalid("folds", "no row of a repeat is in a fold");
  std::vector<std::vector<std::int32_t>> rows;
  rows.reserve(rows_of_code.size());
  for (auto& [code, of_code] : rows_of_code) rows.push_back(std::move(of_code));
  return rows;
}

std::vector<std::vector<std::int32_t>> rows_of_folds(const EvaluatorInput& input,
                                                     std::size_t repeat) {
  if (input.folds.empty()) return {{}};
  const auto n_rows = static_cast<std::size_t>(input.target.n_rows());
  return rows_of_folds(input.folds.subspan(repeat * n_rows, n_rows));
}

}  // namespace bbc::detail
