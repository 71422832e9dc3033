#include "detail/fast/counted_sums.hpp"

#include <algorithm>
#include <cmath>

#include "detail/support/double_double.hpp"

namespace bbc::detail {
namespace {

// Sums of larger products might overflow, and the digits of smaller ones vanish.
constexpr double kLargest = 1e290;
constexpr double kSmallest = 1e-250;

}  // namespace

std::optional<double> rounded(const CompensatedSum& sum, const Sizes& sizes, double n_terms,
                              double n_calls) {
  const auto& [high, low] = sum;
  const double result = high + low;
  // The sum of sizes differs from the result by far less than the factor allows.
  const double magnitude =
      sizes.one_sign ? std::min(sizes.sum, 1.25 * std::fabs(result)) : sizes.sum;
  // Each chain of the kernel adds at most a quarter of a call's terms to its rest, which then takes
  // a few steps into the rest of all; the terms are the lower parts of the products, rounded at
  // most twice, and the rounding errors of the sums.
  const double terms = 2.0 * magnitude * (0x1p-26 + (n_terms + 2.0) * 0x1p-53);
  const double of_call = std::min(n_terms, static_cast<double>(kCountedRows));
  const double bound = 0x1p-53 * (of_call / 4.0 + 72.0 + 4.0 * n_calls) * terms;
  const bool certain = high + (low - bound) == result && high + (low + bound) == result;
  return certain ? std::optional(result) : std::nullopt;
}

CountedEntries::CountedEntries(std::span<const double> entries, std::span<const double> row_weights)
    : high_(entries) {
  if (!row_weights.empty()) {
    products_.resize(entries.size());
    low_.resize(entries.size());
    bool exact = true;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const DoubleDouble product = two_product(entries[i], row_weights[i]);
      products_[i] = product.high;
      low_[i] = product.low;
      exact = exact && product.low == 0.0;
      const double size = std::fabs(product.high);
      const bool is_zero = entries[i] == 0.0 || row_weights[i] == 0.0;
      usable_ = usable_ && (is_zero || size >= kSmallest) &&
                std::max(std::fabs(entries[i]), row_weights[i]) <= kLargest;
    }
    high_ = products_;
    if (exact) low_.clear();
  }
  double least = 0.0;
  double most = 0.0;
  for (const double product : high_) {
    least = product < least ? product : least;
    most = product > most ? product : most;
  }
  one_sign_ = least == 0.0 || most == 0.0;
  largest_ = std::max(-least, most);
  usable_ = usable_ && largest_ <= kLargest;
}

std::optional<double> CountedEntries::sum(const RowLossKernel& kernel, const double* counts,
                                          double total) const {
  if (!usable_) return std::nullopt;
  CompensatedSum sum;
  const auto n = static_cast<std::int64_t>(high_.size());
  for (std::int64_t first = 0; first < n; first += kCountedRows) {
    const std::int64_t n_rows = std::min(kCountedRows, n - first);
    if (low_.empty()) {
      kernel.add(high_.data() + first, counts + first, n_rows, sum);
    } else {
      kernel.add_exact(high_.data() + first, low_.data() + first, counts + first, n_rows, sum);
    }
  }
  if (one_sign_ && sum.sum == 0.0 && sum.rest == 0.0) return 0.0;  // nothing was added but zeros
  const auto n_terms = static_cast<double>(n);
  return rounded(sum, {largest_ * total, one_sign_}, n_terms,
                 n_terms / static_cast<double>(kCountedRows) + 1.0);
}

}  // namespace bbc::detail
