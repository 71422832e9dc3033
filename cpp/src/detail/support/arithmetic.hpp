#pragma once

#include <cfenv>
#include <cstddef>
#include <cstdint>

#include "detail/support/compiler.hpp"

// Every source includes this, itself or through others.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "bbc gives the same bits everywhere: build it without -ffast-math and its parts"
#endif

namespace bbc::detail {

/// A place in a vector, of an index that is signed as those of rows and configurations are.
inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The arithmetic that results are defined in: rounding to nearest, subnormal numbers as they are,
/// no traps. The caller may have another one; a library that was linked with -ffast-math, for
/// example, makes the thread that loads it flush subnormals to zero. So each public function that
/// computes begins with one of these, and each worker; the caller's arithmetic comes back at the
/// end.
class Arithmetic {
 public:
  Arithmetic() noexcept : is_usual_(is_usual(sse_before_)) {
    if (is_usual_) return;
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
    BBC_SET_SSE_STATE(kDefaultSse);
  }
  ~Arithmetic() {
    if (!is_usual_) std::fesetenv(&before_);
    BBC_SET_SSE_STATE(sse_before_);  // and the flags of what was computed since are gone
  }
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;

 private:
  static constexpr unsigned kDefaultSse = 0x1F80;  // to nearest, subnormal numbers, no traps
  static constexpr unsigned kFlags = 0x3F;
  static constexpr std::uint16_t kDefaultX87 = 0x37F;

  /// Where it can be told quickly, as it mostly can.
  static bool is_usual(unsigned sse) noexcept {
    std::uint16_t x87 = 0;
    BBC_X87_CONTROL(x87);
    return (sse & ~kFlags) == kDefaultSse && x87 == kDefaultX87;
  }

  unsigned sse_before_ = BBC_SSE_STATE();
  bool is_usual_;
  std::fenv_t before_;
};

}  // namespace bbc::detail
