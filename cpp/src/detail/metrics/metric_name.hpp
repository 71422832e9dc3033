#pragma once

#include <cstddef>

namespace bbc::detail {

/// The i-th of metric_names(), which are literals, or null past the last; needs no memory.
[[nodiscard]] const char* metric_name(std::size_t i) noexcept;

}  // namespace bbc::detail
