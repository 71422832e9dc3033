#pragma once

#include <bbc/row_values.hpp>

namespace bbc::detail {

/// Refuses values and scores that are not as many as they should be, or not finite.
void check_row_values(const RowValues& rows);

}  // namespace bbc::detail
