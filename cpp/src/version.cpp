#include <bbc/control.hpp>

#include "detail/support/arithmetic.hpp"

namespace bbc {

const char* version() noexcept { return BBC_VERSION; }

}  // namespace bbc
