#include "detail/zero_one_kernel.hpp"

namespace bbc::detail {
namespace {
constexpr int kVector = 16;
#include "detail/zero_one_loops.hpp"
}  // namespace

const ZeroOneKernel kZeroOnePortable = kKernel;

}  // namespace bbc::detail
