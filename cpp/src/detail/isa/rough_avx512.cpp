#include "detail/isa/rough_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512

namespace bbc::detail {
namespace {

constexpr int kVector = 64;
constexpr int kVectorsAtOnce = 4;
constexpr int kWalkVectors = kVectorsAtOnce;

template <class Vector>
inline Vector multiply_add(float a, Vector b, Vector sum) {
  return (Vector)_mm512_fmadd_ps(_mm512_set1_ps(a), (__m512)b, (__m512)sum);
}

#include "detail/isa/rough_loops.hpp"

}  // namespace

const RoughKernel kRoughAvx512 = kKernel;

}  // namespace bbc::detail

BBC_END_TARGET
#endif
