#include <bbc/version.hpp>

namespace bbc {

const char* version() noexcept { return "0.1.0"; }

}  // namespace bbc
