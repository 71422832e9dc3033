#include "detail/isa/simd.hpp"

#include <algorithm>
#include <atomic>
#include <bbc/error.hpp>
#include <cstdlib>
#include <string>
#include <string_view>

namespace bbc::detail {
namespace {

SimdLevel offered() {
#ifdef BBC_X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) {
    return SimdLevel::portable;
  }
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vnni");
  return avx512 ? SimdLevel::avx512 : SimdLevel::avx2;
#else
  return SimdLevel::portable;
#endif
}

SimdLevel allowed(std::string_view name) {
  if (name == "portable") return SimdLevel::portable;
  if (name == "avx2") return SimdLevel::avx2;
  if (name == "avx512") return SimdLevel::avx512;
  throw_invalid("BBC_SIMD", "must be portable, avx2 or avx512, not '" + std::string(name) + "'");
}

// Read as the library is loaded: later, another thread may be changing the environment. Never
// destroyed: threads of a process that ends may still ask.
const std::string& variable = *new std::string([] {
  const char* name = std::getenv("BBC_SIMD");
  return name == nullptr || *name == '\0' ? "avx512" : name;
}());

std::atomic<SimdLevel> limit{SimdLevel::avx512};

}  // namespace

void limit_simd(std::string_view name) { limit = allowed(name); }

SimdLevel simd_level() { return std::min({offered(), allowed(variable), limit.load()}); }

}  // namespace bbc::detail
