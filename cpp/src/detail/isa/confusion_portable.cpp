#include <cmath>

#include "detail/isa/confusion_kernel.hpp"

namespace bbc::detail {
namespace {

constexpr int kWide = 2;
typedef double Doubles BBC_VECTOR(16) BBC_MAY_ALIAS;

Doubles widen(const std::uint16_t* counts) {
  return Doubles{static_cast<double>(counts[0]), static_cast<double>(counts[1])};
}

Doubles root(Doubles values) { return Doubles{std::sqrt(values[0]), std::sqrt(values[1])}; }

#include "detail/isa/confusion_loops.hpp"

}  // namespace

const ConfusionKernel kConfusionPortable = kKernel;

}  // namespace bbc::detail
