#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "detail/isa/row_loss_kernel.hpp"

namespace bbc::detail {

/// Rows that are added to a compensated sum at a time. Their weights stay in the first-level cache.
inline constexpr std::int64_t kCountedRows = 1024;

/// What is known of the sizes of products beside their sum.
struct Sizes {
  double sum = 0.0;       ///< no more than this
  bool one_sign = false;  ///< so the sum of products is that of their sizes
};

/// The correctly rounded sum, if it is certain: of n_terms products, which the kernel added in
/// n_calls calls, of at most kCountedRows terms each.
[[nodiscard]] std::optional<double> rounded(const CompensatedSum& sum, const Sizes& sizes,
                                            double n_terms, double n_calls);

/// The entries of some rows, times the rows' sample weights, for sums of counts of these rows.
class CountedEntries {
 public:
  /// Row weights may be empty, and then the entries have to outlive this.
  CountedEntries(std::span<const double> entries, std::span<const double> row_weights);

  /// The correctly rounded sum of count times entry times row weight, if it is certain. Counts are
  /// whole numbers below 2^26 that add up to `total`.
  [[nodiscard]] std::optional<double> sum(const RowLossKernel& kernel, const double* counts,
                                          double total) const;

 private:
  std::span<const double> high_;
  std::vector<double> products_;  // what `high_` shows, if not the entries
  std::vector<double> low_;       // what the products lack to be exact; empty: nothing
  double largest_ = 0.0;
  bool one_sign_ = true;
  bool usable_ = true;
};

}  // namespace bbc::detail
