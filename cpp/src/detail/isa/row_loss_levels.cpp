#include "detail/isa/row_loss_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>
#endif

namespace bbc::detail {
namespace portable {
namespace {
constexpr int kVector = 16;
constexpr int kLanesAtOnce = 4;
typedef std::int32_t Ints BBC_VECTOR(kVector) BBC_MAY_ALIAS;

inline Ints multiply_add(Ints sum, Ints a, Ints b) {
#ifdef BBC_X86
  return sum + (Ints)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
  return sum + (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

#include "detail/isa/loss_grid_loops.hpp"
#include "detail/isa/row_loss_loops.hpp"
}  // namespace
}  // namespace portable
const RowLossKernel kRowLossPortable = portable::kKernel;
const GridKernel kGridPortable = portable::kGrid;

#ifdef BBC_X86
BBC_BEGIN_AVX2
namespace avx2 {
namespace {
constexpr int kVector = 32;
constexpr int kLanesAtOnce = 4;
typedef std::int32_t Ints BBC_VECTOR(kVector) BBC_MAY_ALIAS;

inline Ints multiply_add(Ints sum, Ints a, Ints b) {
  return sum + (Ints)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}

#include "detail/isa/loss_grid_loops.hpp"
#include "detail/isa/row_loss_loops.hpp"
}  // namespace
}  // namespace avx2
BBC_END_TARGET
const RowLossKernel kRowLossAvx2 = avx2::kKernel;
const GridKernel kGridAvx2 = avx2::kGrid;

BBC_BEGIN_AVX512
namespace avx512 {
namespace {
constexpr int kVector = 64;
constexpr int kLanesAtOnce = 8;
typedef std::int32_t Ints BBC_VECTOR(kVector) BBC_MAY_ALIAS;

inline Ints multiply_add(Ints sum, Ints a, Ints b) {
  return (Ints)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
}

#include "detail/isa/loss_grid_loops.hpp"
#include "detail/isa/row_loss_loops.hpp"
}  // namespace
}  // namespace avx512
BBC_END_TARGET
const RowLossKernel kRowLossAvx512 = avx512::kKernel;
const GridKernel kGridAvx512 = avx512::kGrid;
#endif

}  // namespace bbc::detail
