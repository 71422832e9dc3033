#include "detail/isa/zero_one_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX2
namespace bbc::detail {
namespace {
#define BBC_WITH_BMI2
constexpr int kVector = 32;
#include "detail/isa/zero_one_loops.hpp"
}  // namespace

const ZeroOneKernel kZeroOneAvx2 = kKernel;

}  // namespace bbc::detail
BBC_END_TARGET
#endif
