#include "detail/isa/zero_one_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512
namespace bbc::detail {
namespace {
#define BBC_WITH_BMI2
#define BBC_WITH_AVX512
constexpr int kVector = 64;
#include "detail/isa/zero_one_loops.hpp"
}  // namespace

const ZeroOneKernel kZeroOneAvx512 = kKernel;

}  // namespace bbc::detail
BBC_END_TARGET
#endif
