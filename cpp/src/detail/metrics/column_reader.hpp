#pragma once

#include <bbc/data.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc::detail {

[[nodiscard]] std::int64_t n_rows(const Predictions& predictions);
[[nodiscard]] std::int64_t n_configurations(const Predictions& predictions);
[[nodiscard]] std::int64_t n_outputs_of(const Predictions& predictions);

/// Refuses a view that would read one element in the place of many.
void check_strides(const Predictions& predictions);

/// The same predictions, of rows [first, last) only.
[[nodiscard]] Predictions rows_of(const Predictions& predictions, std::int64_t first,
                                  std::int64_t last);
/// The same predictions, of configurations [first, last) only.
[[nodiscard]] Predictions configurations(const Predictions& predictions, std::int64_t first,
                                         std::int64_t last);

// Another thread or process may write to the caller's memory during a call. So what chooses a place
// in memory, or what code takes for finite or for a known label, is read once, into memory of our
// own, and the copy is checked. Where predictions are read in place, each becomes a bit or a number
// of which any value will do.

/// Copies one configuration's predictions of some rows (empty: all) as doubles, output innermost.
/// Throws Error naming row and configuration at the first value that is not finite.
void read_values(const Predictions& predictions, std::int64_t configuration,
                 std::span<const std::int32_t> rows, std::vector<double>& values);

/// One prediction. Error as above.
[[nodiscard]] double read_value(const Predictions& predictions, std::int64_t row,
                                std::int64_t configuration);

/// Copies configurations [first, last) of single-output predictions, one behind the other: reading
/// neighbours together is much faster where a row's predictions lie side by side. Errors as above.
void read_columns(const Predictions& predictions, std::int64_t first, std::int64_t last,
                  std::span<const std::int32_t> rows, std::vector<double>& columns);

/// The same for labels, as codes of the target. Throws Error at the first label that the target
/// does not have.
void read_codes(const Predictions& predictions, const Target& target, std::int64_t configuration,
                std::span<const std::int32_t> rows, std::vector<std::int32_t>& codes);

/// The error for a prediction.
[[noreturn]] void throw_at(const std::string& problem, std::int64_t row,
                           std::int64_t configuration);

/// The error where a fast reader met what is not allowed, and the slow one that says where does not
/// find it any more.
[[noreturn]] void throw_changed();

/// The error for a label that the target does not have.
[[noreturn]] void throw_unknown_label(const Target& target, std::int64_t label, std::int64_t row,
                                      std::int64_t configuration);

}  // namespace bbc::detail
