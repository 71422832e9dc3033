#include <bbc/version.hpp>

namespace bbc {

const char* version() noexcept { return BBC_VERSION; }

}  // namespace bbc
