#include "detail/choices/loss_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"

namespace bbc::detail {
namespace {

using LossKind = metric::RowLoss::Kind;

/// As the log loss clips probabilities.
double clipped(double probability) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return std::min(std::max(probability, kEpsilon), 1.0 - kEpsilon);
}

}  // namespace

std::unique_ptr<const LossFilter> LossFilter::make(const ChoiceInput& input) {
  const auto* loss = std::get_if<metric::RowLoss>(&input.options.metric.kind);
  if (loss == nullptr || !input.options.folds.empty() ||
      !RowLossColumns::comparable(*loss, input.repeats.size(), !input.row_weights.empty())) {
    return nullptr;
  }
  const std::int64_t n_outputs = n_outputs_of(input.repeats[0]);
  auto made = std::make_unique<LossFilter>();
  LossFilter& filter = *made;
  if (loss->kind == LossKind::squared || (loss->kind == LossKind::brier && n_outputs <= 2)) {
    filter.kind_ = Kind::squared;
  } else if (loss->kind == LossKind::absolute) {
    filter.kind_ = Kind::absolute;
  } else if (loss->kind == LossKind::log) {
    filter.kind_ = Kind::log;
  } else {
    return nullptr;
  }
  const Target& target = input.target;
  filter.n_rows_ = target.n_rows();
  filter.n_configurations_ = n_configurations(input.repeats[0]);
  const auto n = static_cast<std::size_t>(filter.n_configurations_);
  const auto n_rows = static_cast<std::size_t>(filter.n_rows_);
  filter.predictions_.resize(input.repeats.size() * n_rows * n);
  std::vector<double> values;
  for (std::size_t r = 0; r < input.repeats.size(); ++r) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      const bool has_code = target.kind == Target::Kind::labels;
      filter.truth_.push_back(has_code ? (target.codes[row] == 1 ? 1.0 : 0.0) : target.values[row]);
      filter.of_other_.push_back(n_outputs == 1 && has_code && target.codes[row] != 1 ? 1 : 0);
    }
    for (std::size_t j = 0; j < n; ++j) {
      read_values(input.repeats[r], static_cast<std::int64_t>(j), {}, values);
      for (std::size_t row = 0; row < n_rows; ++row) {
        std::int64_t output = 0;
        if (n_outputs > 1) output = filter.kind_ == Kind::log ? target.codes[row] : 1;
        const auto from = static_cast<std::int64_t>(row) * n_outputs + output;
        filter.predictions_[(r * n_rows + row) * n + j] = values[static_cast<std::size_t>(from)];
      }
    }
  }
  return made;
}

std::unique_ptr<AdditionSearch> LossFilter::search(const ReplicateBlock& one) const {
  return std::make_unique<Search>(*this, one);
}

void LossFilter::add_losses(std::int64_t entry, double sum, double n, double weight,
                            double* losses) const {
  const double* prediction = predictions_.data() + entry * n_configurations_;
  const double truth = truth_[static_cast<std::size_t>(entry)];
  switch (kind_) {
    case Kind::squared:
      for (std::int64_t j = 0; j < n_configurations_; ++j) {
        const double difference = truth - (sum + prediction[j]) / n;
        losses[j] += weight * (difference * difference);
      }
      return;
    case Kind::absolute:
      for (std::int64_t j = 0; j < n_configurations_; ++j) {
        losses[j] += weight * std::fabs(truth - (sum + prediction[j]) / n);
      }
      return;
    case Kind::log: {
      std::vector<double> of_truth(static_cast<std::size_t>(n_configurations_));
      probabilities(entry, sum, n, of_truth.data());
      for (std::size_t j = 0; j < of_truth.size(); ++j) {
        losses[j] -= weight * detail::log(of_truth[j]);
      }
      return;
    }
  }
}

void LossFilter::probabilities(std::int64_t entry, double sum, double n,
                               double* probabilities) const {
  const double* prediction = predictions_.data() + entry * n_configurations_;
  if (of_other_[static_cast<std::size_t>(entry)] != 0) {
    for (std::int64_t j = 0; j < n_configurations_; ++j) {
      probabilities[j] = clipped(1.0 - (sum + prediction[j]) / n);
    }
  } else {
    for (std::int64_t j = 0; j < n_configurations_; ++j) {
      probabilities[j] = clipped((sum + prediction[j]) / n);
    }
  }
}

LossFilter::Search::Search(const LossFilter& filter, const ReplicateBlock& one)
    : filter_(filter),
      losses_(static_cast<std::size_t>(filter.n_configurations_)),
      by_products_(filter.kind_ == Kind::log && one.row_weights.empty()),
      probabilities_(losses_.size()),
      products_(losses_.size()) {
  const auto n_entries = static_cast<std::int64_t>(filter.truth_.size());
  for (std::int64_t entry = 0; entry < n_entries; ++entry) {
    const std::int64_t row = entry % filter.n_rows_;
    const double weight = one.replicate(0)[row] * one.row_weight(row);
    if (weight == 0.0) continue;
    entries_.push_back(entry);
    weights_.push_back(weight);
  }
  sums_.resize(entries_.size());
}

/// A logarithm of the product of some rows' probabilities in place of one for each: they are at
/// least 2^-52, so that 18 of them do not vanish.
void LossFilter::Search::add_logarithms() {
  constexpr double kMostFactors = 18.0;
  double n_factors = 0.0;
  double total = 0.0;
  std::fill(products_.begin(), products_.end(), 1.0);
  const auto take_logarithms = [&] {
    for (std::size_t j = 0; j < losses_.size(); ++j) {
      losses_[j] -= detail::log(products_[j]);
      products_[j] = 1.0;
    }
    n_factors = 0.0;
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    filter_.probabilities(entries_[i], sums_[i], n_members_ + 1.0, probabilities_.data());
    for (auto left = static_cast<std::int64_t>(weights_[i]); left > 0; --left) {
      if (n_factors == kMostFactors) take_logarithms();
      for (std::size_t j = 0; j < losses_.size(); ++j) products_[j] *= probabilities_[j];
      n_factors += 1.0;
    }
    total += weights_[i];
  }
  take_logarithms();
  // Each factor's rounding is one of the logarithm's value, and so are those of two sums.
  absolute_error_ = 0x1p-49 * (total + kMostFactors);
}

const std::vector<std::int64_t>& LossFilter::Search::candidates() {
  std::fill(losses_.begin(), losses_.end(), 0.0);
  candidates_.clear();
  const double n = n_members_ + 1.0;
  if (by_products_) {
    add_logarithms();
  } else {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      filter_.add_losses(entries_[i], sums_[i], n, weights_[i], losses_.data());
    }
  }
  if (!std::all_of(losses_.begin(), losses_.end(), [](double sum) { return std::isfinite(sum); })) {
    return candidates_;
  }
  // A sum of m products that are not negative is off by less than (m + 2) 2^-53 of itself; the
  // products' weights may be rounded, too, and what vanishes is far below the last term.
  const double least = *std::min_element(losses_.begin(), losses_.end());
  const double tolerance = 0x1p-50 * (static_cast<double>(entries_.size()) + 8.0);
  const double enough = least * (1.0 + tolerance) + absolute_error_ + 1e-300;
  for (std::size_t j = 0; j < losses_.size(); ++j) {
    if (losses_[j] <= enough) candidates_.push_back(static_cast<std::int64_t>(j));
  }
  return candidates_;
}

void LossFilter::Search::add(std::int64_t configuration) {
  n_members_ += 1.0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    sums_[i] += filter_.predictions_[static_cast<std::size_t>(
        entries_[i] * filter_.n_configurations_ + configuration)];
  }
}

}  // namespace bbc::detail
