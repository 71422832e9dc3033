#include "detail/isa/row_loss_kernel.hpp"

#ifdef BBC_X86
#include <emmintrin.h>
#endif

namespace bbc::detail {
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

const RowLossKernel kRowLossPortable = kKernel;
const GridKernel kGridPortable = kGrid;

}  // namespace bbc::detail
