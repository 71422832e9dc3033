#include "detail/isa/pair_counts.hpp"

namespace bbc::detail {
namespace {

constexpr int kBytes = 16;
constexpr int kWide = 2;
typedef double Doubles BBC_VECTOR(16) BBC_MAY_ALIAS;

Doubles widen(const std::uint16_t* counts) {
  return Doubles{static_cast<double>(counts[0]), static_cast<double>(counts[1])};
}

#include "detail/isa/pair_counts_loops.hpp"

}  // namespace

const PairCountKernel kPairCountsPortable = kKernel;

}  // namespace bbc::detail
