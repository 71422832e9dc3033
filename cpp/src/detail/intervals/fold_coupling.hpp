#pragma once

#include <bbc/control.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "detail/intervals/whole_row_values.hpp"

namespace bbc::detail {

/// How much more alike rows of different folds are than rows of one fold.
struct FoldCoupling {
  /// Of each partition: mean product of two rows of different folds less that of two rows of one
  /// fold, times the share of such pairs, in units of the variance of an in-bag score that rows
  /// explain. Empty where rows do not tell configurations apart.
  std::vector<double> kappas;
  double share_of_pairs = 0.0;  ///< of rows in different folds
};

/// Of partitions (partition, row) into as many folds, each of which has as many rows of a part in
/// every partition. Products are those of row values less their mean over configurations.
[[nodiscard]] FoldCoupling fold_coupling(const WholeRowValues& rows,
                                         std::span<const std::int8_t> partitions,
                                         std::int64_t n_folds, const Control& control);

}  // namespace bbc::detail
