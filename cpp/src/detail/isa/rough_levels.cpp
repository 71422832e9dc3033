#include "detail/isa/rough_kernel.hpp"

#ifdef BBC_X86
#include <immintrin.h>
#endif

namespace bbc::detail {
namespace portable {
namespace {
constexpr int kVector = 16;
constexpr int kVectorsAtOnce = 2;
constexpr int kWalkVectors = kVectorsAtOnce;

template <class Vector>
inline Vector multiply_add(float a, Vector b, Vector sum) {
  return sum + a * b;
}

#include "detail/isa/rough_loops.hpp"
}  // namespace
}  // namespace portable
const RoughKernel kRoughPortable = portable::kKernel;

#ifdef BBC_X86
BBC_BEGIN_AVX2
namespace avx2 {
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
}  // namespace avx2
BBC_END_TARGET
const RoughKernel kRoughAvx2 = avx2::kKernel;

BBC_BEGIN_AVX512
namespace avx512 {
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
}  // namespace avx512
BBC_END_TARGET
const RoughKernel kRoughAvx512 = avx512::kKernel;
#endif

}  // namespace bbc::detail
