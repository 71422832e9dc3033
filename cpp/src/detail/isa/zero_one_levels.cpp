#include "detail/isa/zero_one_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>
#endif

namespace bbc::detail {
namespace portable {
namespace {
constexpr int kVector = 16;
#include "detail/isa/zero_one_loops.hpp"
}  // namespace
}  // namespace portable
const ZeroOneKernel kZeroOnePortable = portable::kKernel;

#ifdef BBC_X86
BBC_BEGIN_AVX2
namespace avx2 {
namespace {
#define BBC_WITH_BMI2
constexpr int kVector = 32;
#include "detail/isa/zero_one_loops.hpp"
}  // namespace
}  // namespace avx2
BBC_END_TARGET
const ZeroOneKernel kZeroOneAvx2 = avx2::kKernel;

BBC_BEGIN_AVX512
namespace avx512 {
namespace {
#define BBC_WITH_AVX512
constexpr int kVector = 64;
#include "detail/isa/zero_one_loops.hpp"
}  // namespace
}  // namespace avx512
BBC_END_TARGET
const ZeroOneKernel kZeroOneAvx512 = avx512::kKernel;
#endif

}  // namespace bbc::detail
