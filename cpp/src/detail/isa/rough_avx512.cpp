#include "detail/isa/rough_kernel.hpp"

#ifdef BBC_X86

BBC_BEGIN_AVX512

namespace bbc::detail {
namespace {

constexpr int kVector = 64;
constexpr int kVectorsAtOnce = 4;

#include "detail/isa/rough_loops.hpp"

}  // namespace

const RoughKernel kRoughAvx512 = kKernel;

}  // namespace bbc::detail

BBC_END_TARGET
#endif
