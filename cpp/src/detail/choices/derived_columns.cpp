#include "detail/choices/derived_columns.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/traits.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

std::int64_t largest_member(const Derivation& derivation) {
  std::vector<std::int64_t> sorted = derivation.members;
  std::sort(sorted.begin(), sorted.end());
  std::int64_t largest = sorted.front();
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    if (end - begin > most) {
      most = end - begin;
      largest = sorted[begin];
    }
    begin = end;
  }
  return largest;
}

bool reads_labels(const Metric& metric) {
  const auto* loss = std::get_if<metric::RowLoss>(&metric.kind);
  return std::holds_alternative<metric::ZeroOne>(metric.kind) ||
         std::holds_alternative<metric::Confusion>(metric.kind) ||
         (loss != nullptr && traits_of(loss->kind).reads == LossTraits::Reads::label);
}

RunningAverage::RunningAverage(const Metric& metric, const Target& target,
                               const Predictions& predictions)
    : target_(target),
      predictions_(predictions),
      votes_(reads_labels(metric)),
      size_(n_rows(predictions) * n_outputs_of(predictions)) {
  if (votes_) {
    counts_.resize(at(size_ * target.n_classes));
    leader_.resize(at(size_));
  } else {
    sums_.resize(at(size_));
  }
}

void RunningAverage::add(std::int64_t configuration) {
  ++n_members_;
  if (!votes_) {
    read_values(predictions_, configuration, {}, values_);
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += values_[i];
    return;
  }
  read_codes(predictions_, target_, configuration, {}, codes_);
  const std::int64_t n_classes = target_.n_classes;
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    std::int32_t* votes = counts_.data() + static_cast<std::int64_t>(row) * n_classes;
    const std::int32_t code = codes_[row];
    const std::int32_t own = ++votes[code];
    const std::int32_t most = votes[leader_[row]];
    if (own > most || (own == most && code < leader_[row])) leader_[row] = code;
  }
}

void RunningAverage::average(double* column) const {
  const auto n = static_cast<double>(n_members_);
  for (std::size_t i = 0; i < sums_.size(); ++i) column[i] = sums_[i] / n;
}

void RunningAverage::average_with(std::int64_t configuration, double* column) {
  read_values(predictions_, configuration, {}, values_);
  const auto n = static_cast<double>(n_members_ + 1);
  for (std::size_t i = 0; i < sums_.size(); ++i) column[i] = (sums_[i] + values_[i]) / n;
}

void RunningAverage::vote(std::int32_t* column) const {
  std::copy(leader_.begin(), leader_.end(), column);
}

void RunningAverage::vote_with(std::int64_t configuration, std::int32_t* column) {
  read_codes(predictions_, target_, configuration, {}, codes_);
  const std::int64_t n_classes = target_.n_classes;
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    const std::int32_t* votes = counts_.data() + static_cast<std::int64_t>(row) * n_classes;
    const std::int32_t code = codes_[row];
    const std::int32_t leader = leader_[row];
    const std::int32_t own = votes[code] + 1;
    const bool leads = own > votes[leader] || (own == votes[leader] && code < leader);
    column[row] = leads ? code : leader;
  }
}

Target coded(Target target) {
  if (target.kind == Target::Kind::labels) {
    target.label_values.resize(static_cast<std::size_t>(target.n_classes));
    std::iota(target.label_values.begin(), target.label_values.end(), 0);
  }
  return target;
}

View<double> view_of_columns(const std::vector<double>& columns, std::int64_t n_rows,
                             std::int64_t n_outputs) {
  const std::int64_t size = n_rows * n_outputs;
  const std::int64_t n = static_cast<std::int64_t>(columns.size()) / size;
  return {columns.data(), n_rows, n, n_outputs, {n_outputs, size, 1}};
}

View<std::int32_t> view_of_columns(const std::vector<std::int32_t>& columns, std::int64_t n_rows) {
  const std::int64_t n = static_cast<std::int64_t>(columns.size()) / n_rows;
  return {columns.data(), n_rows, n, 1, {1, n_rows, 1}};
}

DerivedColumns::DerivedColumns(const Metric& metric, const Target& target,
                               std::span<const Predictions> repeats,
                               std::span<const Derivation> derivations, bool cuts)
    : averages_(repeats.size()), labels_(repeats.size()) {
  const std::int64_t rows = target.n_rows();
  std::vector<double> scores;
  for (std::size_t r = 0; r < repeats.size(); ++r) {
    const std::int64_t size = rows * n_outputs_of(repeats[r]);
    const bool to_labels = cuts || reads_labels(metric);
    if (to_labels) {
      labels_[r].resize(at(size) * derivations.size());
    } else {
      averages_[r].resize(at(size) * derivations.size());
    }
    for (std::size_t i = 0; i < derivations.size(); ++i) {
      const std::int64_t start = static_cast<std::int64_t>(i) * size;
      if (cuts) {
        read_values(repeats[r], derivations[i].members[0], {}, scores);
        for (std::int64_t row = 0; row < rows; ++row) {
          labels_[r][at(start + row)] = scores[at(row)] > derivations[i].threshold ? 1 : 0;
        }
        continue;
      }
      RunningAverage sum(metric, target, repeats[r]);
      for (const std::int64_t member : derivations[i].members) sum.add(member);
      if (to_labels) {
        sum.vote(labels_[r].data() + start);
        continue;
      }
      double* column = averages_[r].data() + start;
      sum.average(column);
      if (std::all_of(column, column + size, [](double value) { return std::isfinite(value); })) {
        continue;
      }
      throw_invalid("predictions", "their sum over an ensemble overflows: rescale them");
    }
    if (to_labels) {
      views_.emplace_back(view_of_columns(labels_[r], rows));
    } else {
      views_.emplace_back(view_of_columns(averages_[r], rows, n_outputs_of(repeats[r])));
    }
  }
}

}  // namespace bbc::detail
