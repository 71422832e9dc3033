// Sorting the configurations and writing their programs: what happens once, before any replicate.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "detail/fast/auc_evaluator.hpp"
#include "detail/fast/sorted_columns.hpp"

namespace bbc::detail {

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
  std::vector<RowsToSort> to_sort;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    to_sort.push_back({input.repeats[repeat_of_part_[part]], rows[part]});
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
  sort_columns(to_sort, control, 10.0 * cells, [&] {
    return [&, programmer = AucProgrammer(n_rows), in_order = std::vector<std::uint32_t>()](
               std::size_t part, std::int64_t j, const SortedScores& sorted) mutable {
      in_order.resize(coded[part].size());
      for (std::size_t i = 0; i < in_order.size(); ++i) {
        in_order[i] = coded[part][static_cast<std::size_t>(sorted.rows[i])];
      }
      programmer.begin();
      programmer.add_part(in_order, sorted.tied_with_next);
      programmer.finish(parts_[part].programs[static_cast<std::size_t>(j)]);
    };
  });
}

void AucEvaluator::prepare_concordance(const EvaluatorInput& input, const Control& control) {
  by_time_ = std::make_unique<const ConcordanceProgrammer>(input.target);
  for (const int code : {0, 1}) parts_[0].rows_of_class[code] = by_time_->compared(code);
  Pool<ConcordanceProgrammer> programmers;
  std::vector<RowsToSort> to_sort;
  for (const Predictions& predictions : input.repeats) to_sort.push_back({predictions, {}});
  const double cells = static_cast<double>(input.target.n_rows()) *
                       static_cast<double>(n_repeats_ * n_configurations_);
  sort_columns(to_sort, control, 40.0 * cells, [&] {
    auto programmer = programmers.take([&] { return ConcordanceProgrammer(*by_time_); });
    return [&, programmer = std::move(programmer)](std::size_t part, std::int64_t j,
                                                   const SortedScores& sorted) {
      programmer->write(sorted, parts_[part].programs[static_cast<std::size_t>(j)]);
    };
  });
  // All risks are known to be finite now.
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    parts_[part].near = std::make_unique<const NearPairs>(
        by_time_->near_pairs(), input.repeats[part], zero_one_kernel(simd_level()), control);
  }
}

}  // namespace bbc::detail
