#include "detail/isa/rough_kernel.hpp"

#ifdef BBC_X86

BBC_BEGIN_AVX2

namespace bbc::detail {
namespace {

constexpr int kVector = 32;
constexpr int kVectorsAtOnce = 2;
constexpr int kWalkVectors = 4;

template <class Vector>
inline Vector multiply_add(float a, Vector b, Vector sum) {
  return sum + a * b;
}

#include "detail/isa/rough_loops.hpp"

}  // namespace

const RoughKernel kRoughAvx2 = kKernel;

}  // namespace bbc::detail

BBC_END_TARGET
#endif
