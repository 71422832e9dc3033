#include "detail/fast/weighed_errors_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "detail/support/exact_sum.hpp"

namespace bbc::detail {
namespace {

/// Counts of so many are kept at a time.
constexpr std::int64_t kMostRequests = 4096;

/// Of the errors of some rows in one lane: entries of the tables of their groups.
int look_up(const std::uint8_t* tables, const std::uint16_t* offsets, int n_groups) {
  int errors = 0;
  for (int group = 0; group < n_groups; ++group) {
    errors += tables[group * (kPatterns * kBlock) + offsets[group]];
  }
  return errors;
}

/// Limits of the sums that may be the least of each lane, but for rounding: each of n_terms
/// products is rounded as often as its weight. Sums that are `apart` may be the same to those who
/// decide.
void find_limits(const float* sums, std::int64_t n, std::size_t n_terms, float apart,
                 float* limits) {
  constexpr float kTiny = 1e-28F;  // products of smaller weights lose digits
  const float relative = 1.0F + 0x1p-22F * static_cast<float>(n_terms + 4);
  std::copy_n(sums, kBlock, limits);
  for (std::int64_t j = 1; j < n; ++j) {
    const float* own = sums + j * kBlock;
    for (int i = 0; i < kBlock; ++i) limits[i] = own[i] < limits[i] ? own[i] : limits[i];
  }
  for (int i = 0; i < kBlock; ++i) limits[i] = relative * limits[i] + kTiny + apart;
}

}  // namespace

WeighedErrorsEvaluator::WeighedErrorsEvaluator(const metric::ZeroOne& kind,
                                               const EvaluatorInput& input, const Control& control)
    : accuracy_(kind.accuracy),
      kernel_(zero_one_kernel(simd_level())),
      n_repeats_(static_cast<int>(input.repeats.size())) {
  std::map<double, std::vector<std::int32_t>> rows_of;
  for (std::size_t row = 0; row < input.row_weights.size(); ++row) {
    rows_of[input.row_weights[row]].push_back(static_cast<std::int32_t>(row));
  }
  for (auto& [weight, rows] : rows_of) {
    ErrorPatterns patterns(input, rows, kernel_.patterns, control);
    if (weight == 0.0) continue;  // their labels have been checked
    weights_.push_back(weight);
    values_.push_back({std::move(rows), std::move(patterns)});
  }
}

Pool<WeighedErrorsEvaluator::Memory>::Lease WeighedErrorsEvaluator::memory() const {
  return memory_.take([&] {
    const std::int64_t n = std::min(n_configurations(), ZeroOneSums::kPanel);
    return Memory{{},
                  {values_[0].patterns, kernel_.sums, n},
                  Aligned<float>(static_cast<std::size_t>(n * kBlock))};
  });
}

double WeighedErrorsEvaluator::sum(const double* counts) const {
  constexpr double kMost = 0x1p26;
  const std::size_t n = weights_.size();
  if (std::all_of(counts, counts + n, [](double count) { return count < kMost; })) {
    return rounded_weighted_sum(weights_.data(), counts, static_cast<std::int64_t>(n), 1);
  }
  std::vector<double> weights = weights_;
  std::vector<double> parts(counts, counts + n);
  for (std::size_t value = 0; value < n; ++value) {
    parts.push_back(std::floor(parts[value] / kMost));
    parts[value] -= kMost * parts.back();
    weights.push_back(kMost * weights_[value]);
  }
  return rounded_weighted_sum(weights.data(), parts.data(), static_cast<std::int64_t>(2 * n), 1);
}

void WeighedErrorsEvaluator::count(const ReplicateBlock& block, const StopFlag& stop,
                                   Memory& memory, const std::vector<Request>& requests,
                                   Counts& rows, Counts& errors) const {
  ChunkTables& chunks = memory.sums.tables();
  const std::size_t n_values = values_.size();
  for (std::size_t value = 0; value < n_values; ++value) {
    const ErrorPatterns& patterns = values_[value].patterns;
    chunks.use(patterns);
    chunks.take(block, memory.table, values_[value].rows);
    for (const ChunkTables::Pass& pass : chunks.passes()) {
      stop.check();
      const std::uint8_t* tables = chunks.build(pass);
      const int n_rows = patterns.rows_of_chunk(pass.chunk);
      const int n_groups = (n_rows + kGroupRows - 1) / kGroupRows;
      std::uint16_t all[kChunkGroups];
      for (int group = 0; group < n_groups; ++group) {
        const int n = std::min(n_rows - group * kGroupRows, kGroupRows);
        all[group] = static_cast<std::uint16_t>(((1 << n) - 1) << kPatternShift);
      }
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        rows[static_cast<std::size_t>(lane) * n_values + value] +=
            look_up(tables + lane, all, n_groups) * n_repeats_;
      }
      for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto& [configuration, lane, counted] = requests[i];
        for (std::int64_t repeat = 0; repeat < n_repeats_; ++repeat) {
          errors[i * n_values + value] +=
              look_up(tables + lane, patterns.offsets(pass.chunk, repeat, configuration), n_groups);
        }
      }
    }
  }
}

void WeighedErrorsEvaluator::answer(const ReplicateBlock& block, const StopFlag& stop,
                                    Memory& memory, std::vector<Request>& requests,
                                    double* totals) const {
  const std::size_t n_values = values_.size();
  Counts rows(static_cast<std::size_t>(block.n_replicates) * n_values);
  Counts errors(requests.size() * n_values);
  count(block, stop, memory, requests, rows, errors);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto lane = static_cast<std::size_t>(requests[i].lane);
    double* counted = errors.data() + i * n_values;
    for (std::size_t value = 0; accuracy_ && value < n_values; ++value) {
      counted[value] = rows[lane * n_values + value] - counted[value];
    }
    requests[i].counted = sum(counted);
  }
  if (totals == nullptr) return;
  for (std::size_t lane = 0; lane * n_values < rows.size(); ++lane) {
    totals[lane] = sum(rows.data() + lane * n_values);
  }
}

void WeighedErrorsEvaluator::keys(const ReplicateBlock& block, std::int64_t first,
                                  std::int64_t last, const StopFlag& stop, double* keys) const {
  const auto own = memory();
  own->table.fill(block, Side::in_bag);
  std::vector<Request> requests;
  for (std::int64_t from = first; from < last; from += kMostRequests / kBlock) {
    requests.clear();
    for (std::int64_t j = from; j < std::min(from + kMostRequests / kBlock, last); ++j) {
      for (int lane = 0; lane < block.n_replicates; ++lane) requests.push_back({j, lane});
    }
    answer(block, stop, *own, requests, nullptr);
    for (const auto& [configuration, lane, counted] : requests) {
      keys[lane * (last - first) + configuration - first] = key_of(counted);
    }
  }
}

void WeighedErrorsEvaluator::scores_of_choices(const ReplicateBlock& block, Side side,
                                               const Choice* choices, const StopFlag& stop,
                                               double* scores) const {
  std::vector<Request> requests;
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const std::int64_t configuration = choices[lane].configuration;
    if (configuration >= 0) requests.push_back({configuration, lane});
  }
  const auto own = memory();
  own->table.fill(block, side);
  double totals[kBlock];
  answer(block, stop, *own, requests, totals);
  for (const auto& [configuration, lane, counted] : requests) {
    scores[lane] = counted / totals[lane];
  }
}

void WeighedErrorsEvaluator::add_up(const ReplicateBlock& block, std::int64_t first,
                                    std::int64_t last, const StopFlag& stop, Memory& memory) const {
  const std::int64_t n_sums = (last - first) * kBlock;
  float* weighed = memory.weighed.data();
  std::fill_n(weighed, n_sums, 0.0F);
  for (std::size_t value = 0; value < values_.size(); ++value) {
    memory.sums.take(values_[value].patterns, block, memory.table, values_[value].rows);
    const PanelSums& panel = memory.sums.panel(first, last, stop);
    const auto weight = static_cast<float>(weights_[value]);
    if (panel.fit_words()) {
      kernel_.sums.add_weighed(panel.words(), n_sums, weight, weighed);
      continue;
    }
    panel.visit([&](const auto* errors) {
      for (std::int64_t i = 0; i < n_sums; ++i)
        weighed[i] += weight * static_cast<float>(errors[i]);
    });
  }
}

void WeighedErrorsEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                        std::int64_t last, const StopFlag& stop,
                                        Choice* choices) const {
  const auto own = memory();
  own->table.fill(block, Side::in_bag);
  std::fill_n(choices, block.n_replicates, Choice{});
  // What right labels weigh is rounded as its sum is, which may be far larger than that of errors.
  double most = 0.0;
  for (int lane = 0; accuracy_ && lane < block.n_replicates; ++lane) {
    most = std::max(most, static_cast<double>(block.total(lane)));
  }
  const auto apart = static_cast<float>(0x1p-50 * weights_.back() * most * n_repeats_);
  std::vector<Request> requests;
  const auto settle = [&] {
    answer(block, stop, *own, requests, nullptr);
    for (const auto& [configuration, lane, counted] : requests) {
      const Choice other{key_of(counted), configuration};
      if (beats(other, choices[lane])) choices[lane] = other;
    }
    requests.clear();
  };
  for (std::int64_t from = first; from < last; from += ZeroOneSums::kPanel) {
    const std::int64_t n = std::min(ZeroOneSums::kPanel, last - from);
    add_up(block, from, from + n, stop, *own);
    float limits[kBlock];
    find_limits(own->weighed.data(), n, values_.size(), apart, limits);
    const float* sums = own->weighed.data();
    for (std::int64_t j = from; j < from + n; ++j, sums += kBlock) {
      int any = 0;
      for (int word = 0; word < kBlock; ++word) any |= sums[word] <= limits[word] ? 1 : 0;
      if (any == 0) continue;
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        const int word = word_of_lane(lane);
        if (sums[word] <= limits[word]) requests.push_back({j, lane});
      }
      if (static_cast<std::int64_t>(requests.size()) >= kMostRequests) settle();
    }
    settle();
  }
}

}  // namespace bbc::detail
