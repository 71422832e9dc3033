#include "detail/isa/row_loss_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX2
namespace bbc::detail {
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

const RowLossKernel kRowLossAvx2 = kKernel;
const GridKernel kGridAvx2 = kGrid;

}  // namespace bbc::detail
BBC_END_TARGET
#endif
