#pragma once

#include <bbc/export.h>

namespace bbc {

/// Version of the kernel, "major.minor.patch".
[[nodiscard]] BBC_API const char* version() noexcept;

}  // namespace bbc
