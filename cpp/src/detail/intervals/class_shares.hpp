#pragma once

#include <bbc/correction.hpp>
#include <bbc/data.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace bbc::detail {

/// Any codes as 0, 1, ... in the order of their first row; of folds, negative ones stay -1.
struct Numbered {
  std::vector<std::int32_t> of_row;
  std::size_t n = 0;

  explicit Numbered(std::span<const std::int32_t> codes, bool of_folds = false) {
    std::unordered_map<std::int32_t, std::int32_t> numbers;
    of_row.reserve(codes.size());
    for (const std::int32_t code : codes) {
      const auto next = static_cast<std::int32_t>(numbers.size());
      of_row.push_back(of_folds && code < 0 ? -1 : numbers.try_emplace(code, next).first->second);
    }
    n = numbers.size();
  }
};

/// The sum over each unit's rows; over each row where there are no units.
[[nodiscard]] std::vector<double> sums_by_unit(std::span<const double> of_rows,
                                               std::span<const std::int32_t> units);

/// What the classes' shares add to the standard error of a score, by what each row contributes to
/// it, w psi / W, and by the rows' weights.
struct ClassShares {
  std::span<const double> contributions;
  std::span<const double> weights;

  /// Of independent rows, or units, of which there are none if the codes are empty.
  [[nodiscard]] double needed(std::span<const std::int32_t> units) const;
  /// What draws of folds, (repeat, row), show of it: nothing if there are none.
  [[nodiscard]] double shown(std::span<const std::int32_t> folds) const;
};

/// The classes whose shares draws hold fixed, by row; empty if they are of none.
[[nodiscard]] const std::vector<std::int32_t>& classes_of_draws(const Target& target,
                                                                const CorrectionOptions& options);

/// The share of the standard error `needed` that draws, which show so much of it, hide.
[[nodiscard]] double hidden_share(double needed, double shown);

}  // namespace bbc::detail
