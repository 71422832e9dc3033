#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// Weights in units of their own (`relative_weights`), and 0 for rows that no repeat
/// predicted, by the fold of each row in each repeat: negative where it did not, no folds where all
/// did. Empty: all rows count alike.
[[nodiscard]] std::vector<double> weights_of_predicted(const std::vector<double>& weights,
                                                       std::int64_t n_rows,
                                                       std::span<const std::int32_t> folds,
                                                       bool even_power = false);

/// Values in [0, 1] of some rows, whose weighted mean is a rate.
struct RateRows {
  std::vector<double> values;
  std::vector<double> weights;
  std::vector<std::int32_t> units;  ///< of each row, any codes; empty: every row is a unit

  void add(double value, double weight, std::span<const std::int32_t> unit_of_row,
           std::size_t row) {
    values.push_back(value);
    weights.push_back(weight);
    if (!unit_of_row.empty()) units.push_back(unit_of_row[row]);
  }
};

/// The weighted mean; 0 without rows.
[[nodiscard]] double rate_of(const RateRows& rows);

/// The number of independent rows of equal weight whose mean would vary as much; 0 without rows.
///
/// Without units (sum w)^2 / sum w^2. With them the variance of the mean lies between that (V_0)
/// and that of units whose rows all agree (V_1, sum of W_g^2); the rows' own values estimate it
/// (V), the worse the fewer units hold values below 1 (or above 0). With f of these, (f V + V_1) /
/// (f + 1) is taken: a perfect score says nothing of how its errors would cluster.
[[nodiscard]] double effective_number(const RateRows& rows);

}  // namespace bbc::detail
