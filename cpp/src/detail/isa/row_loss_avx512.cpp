#include "detail/isa/row_loss_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512
namespace bbc::detail {
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

const RowLossKernel kRowLossAvx512 = kKernel;
const GridKernel kGridAvx512 = kGrid;

}  // namespace bbc::detail
BBC_END_TARGET
#endif
