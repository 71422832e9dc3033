#include "detail/isa/rough_kernel.hpp"

namespace bbc::detail {
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

const RoughKernel kRoughPortable = kKernel;

}  // namespace bbc::detail
