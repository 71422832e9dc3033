#include "detail/support/aligned.hpp"

#include "detail/support/arithmetic.hpp"

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace bbc::detail {

void ask_for_large_pages([[maybe_unused]] void* data,
                         [[maybe_unused]] std::size_t n_bytes) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21U;
  if (n_bytes < 2 * kLargePage) return;
  // Whole large pages within the array: what lies around it belongs to others.
  const auto first = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t begin = (first + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (first + n_bytes) / kLargePage * kLargePage;
  // Advice only: where it is not taken, all works as before.
  static_cast<void>(
      madvise(static_cast<char*>(data) + (begin - first), end - begin, MADV_HUGEPAGE));
#endif
}

}  // namespace bbc::detail
