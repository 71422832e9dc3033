#include "detail/isa/zero_one_kernel.hpp"

#ifdef BBC_X86
#include <emmintrin.h>
#endif

namespace bbc::detail {
namespace {
constexpr int kVector = 16;
#include "detail/isa/zero_one_loops.hpp"
}  // namespace

const ZeroOneKernel kZeroOnePortable = kKernel;

}  // namespace bbc::detail
