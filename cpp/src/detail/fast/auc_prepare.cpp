// Sorting the configurations and writing their programs: what happens once, before any replicate.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "detail/fast/auc_evaluator.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {
namespace {

constexpr std::int64_t kTile = 8;  // configurations that a worker prepares at a time

}  // namespace

bool AucEvaluator::suits(const EvaluatorInput& input) {
  const bool auc = std::holds_alternative<metric::Auc>(input.metric.kind);
  return input.row_weights.empty() && (auc || input.folds.empty()) &&
         input.target.n_rows() < std::numeric_limits<std::uint32_t>::max() / kLine;
}

AucEvaluator::AucEvaluator(const EvaluatorInput& input, const Control& control)
    : n_configurations_(detail::n_configurations(input.repeats[0])),
      n_repeats_(input.repeats.size()),
      pooled_(input.folds.empty()),
      loops_(auc_loops(simd_level())) {
  std::vector<std::vector<std::int32_t>> rows;
  for (std::size_t repeat = 0; repeat < n_repeats_; ++repeat) {
    for (auto& part : rows_of_folds(input, repeat)) {
      rows.push_back(std::move(part));
      repeat_of_part_.push_back(repeat);
      parts_.emplace_back().programs.resize(static_cast<std::size_t>(n_configurations_));
    }
  }
  if (std::holds_alternative<metric::Auc>(input.metric.kind)) {
    prepare_auc(input, rows, control);
  } else {
    prepare_concordance(input, control);
  }
}

void AucEvaluator::prepare_auc(const EvaluatorInput& input,
                               const std::vector<std::vector<std::int32_t>>& rows,
                               const Control& control) {
  const std::int64_t n_rows = input.target.n_rows();
  std::vector<std::vector<std::uint32_t>> coded(parts_.size());
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto n = pooled_ ? static_cast<std::size_t>(n_rows) : rows[part].size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = pooled_ ? static_cast<std::int32_t>(i) : rows[part][i];
      const std::int32_t code = input.target.codes[static_cast<std::size_t>(row)];
      parts_[part].rows_of_class[code].push_back(row);
      coded[part].push_back(AucProgrammer::coded(row, code));
    }
  }
  const double cells =
      static_cast<double>(n_rows) * static_cast<double>(n_repeats_ * n_configurations_);
  const std::int64_t n_tiles = (n_configurations_ + kTile - 1) / kTile;
  parallel_for(n_tiles, control, 10.0 * cells, [&](std::int64_t tile, const StopFlag& stop) {
    ScoreSorter sorter;
    SortedScores sorted;
    AucProgrammer programmer(n_rows);
    std::vector<double> columns;
    std::vector<std::uint32_t> in_order;
    const std::int64_t first = tile * kTile;
    const std::int64_t last = std::min(first + kTile, n_configurations_);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::size_t n = coded[part].size();
      if (n == 0) continue;
      in_order.resize(n);
      read_columns(input.repeats[repeat_of_part_[part]], first, last, rows[part], columns);
      for (std::int64_t j = first; j < last; ++j) {
        stop.check();
        sorter.sort({columns.data() + static_cast<std::size_t>(j - first) * n, n}, sorted);
        for (std::size_t i = 0; i < n; ++i) {
          in_order[i] = coded[part][static_cast<std::size_t>(sorted.rows[i])];
        }
        programmer.begin();
        programmer.add_part(in_order, sorted.tied_with_next);
        programmer.finish(parts_[part].programs[static_cast<std::size_t>(j)]);
      }
    }
  });
}

void AucEvaluator::prepare_concordance(const EvaluatorInput& input, const Control& control) {
  const ConcordanceProgrammer planned(input.target);
  for (Part& part : parts_) {
    for (const int code : {0, 1}) part.rows_of_class[code] = planned.compared(code);
    part.by_time = std::make_unique<const ConcordanceProgrammer>(planned);
  }
  Pool<ConcordanceProgrammer> programmers;
  const auto n = static_cast<std::size_t>(input.target.n_rows());
  const double cells = static_cast<double>(n) * static_cast<double>(n_repeats_ * n_configurations_);
  const std::int64_t n_tiles = (n_configurations_ + kTile - 1) / kTile;
  parallel_for(n_tiles, control, 40.0 * cells, [&](std::int64_t tile, const StopFlag& stop) {
    ScoreSorter sorter;
    SortedScores sorted;
    const auto programmer = programmers.take([&] { return ConcordanceProgrammer(planned); });
    std::vector<double> columns;
    const std::int64_t first = tile * kTile;
    const std::int64_t last = std::min(first + kTile, n_configurations_);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      read_columns(input.repeats[part], first, last, {}, columns);
      for (std::int64_t j = first; j < last; ++j) {
        stop.check();
        sorter.sort({columns.data() + static_cast<std::size_t>(j - first) * n, n}, sorted);
        programmer->write(sorted, parts_[part].programs[static_cast<std::size_t>(j)]);
      }
    }
  });
  // All risks are known to be finite now.
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    parts_[part].near =
        std::make_unique<const NearPairs>(parts_[part].by_time->near_pairs(), input.repeats[part],
                                          zero_one_kernel(simd_level()), control);
  }
}

}  // namespace bbc::detail
