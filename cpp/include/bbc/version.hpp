#pragma once

namespace bbc {

/// Version of the kernel, "major.minor.patch".
[[nodiscard]] const char* version() noexcept;

}  // namespace bbc
