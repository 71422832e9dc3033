#include "detail/isa/simd.hpp"

#include <algorithm>
#include <atomic>
#include <bbc/error.hpp>
#include <cstdlib>
#include <string>
#include <string_view>

#ifdef BBC_AMX
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace bbc::detail {
namespace {

/// Whether there are tiles, and the kernel lets this process use them. Asking lasts: it makes the
/// state that the kernel may have to save for a thread larger, for good.
bool tiles_granted() {
#ifdef BBC_AMX
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kTile = 1U << 24U;
  constexpr unsigned kInt8 = 1U << 25U;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  if ((d & (kTile | kInt8)) != (kTile | kInt8)) return false;
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILE_DATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

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
  if (name == "amx") return SimdLevel::amx;
  throw_invalid("BBC_SIMD",
                "must be portable, avx2, avx512 or amx, not '" + std::string(name) + "'");
}

// Read as the library is loaded: later, another thread may be changing the environment. Never
// destroyed: threads of a process that ends may still ask.
const std::string& variable = *new std::string([] {
  const char* name = std::getenv("BBC_SIMD");
  return name == nullptr || *name == '\0' ? "amx" : name;
}());

std::atomic<SimdLevel> limit{SimdLevel::amx};

}  // namespace

void limit_simd(std::string_view name) { limit = allowed(name); }

SimdLevel simd_level() {
  const SimdLevel most = std::min(allowed(variable), limit.load());
  const SimdLevel level = std::min(offered(), most);
  if (level < SimdLevel::avx512 || most < SimdLevel::amx) return level;
  // Asked once: the question takes microseconds where a hypervisor answers it.
  static const bool granted = tiles_granted();
  return granted ? SimdLevel::amx : level;
}

}  // namespace bbc::detail
