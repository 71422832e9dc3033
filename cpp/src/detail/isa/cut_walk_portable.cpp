#include "detail/isa/cut_walk.hpp"

namespace bbc::detail {
namespace {

constexpr int kBytes = 16;
constexpr int kVectors = 4;
typedef float Floats BBC_VECTOR(kBytes);
typedef double Doubles BBC_VECTOR(kBytes);

void widen(const std::uint8_t* from, Floats* to) {
  *to = Floats{static_cast<float>(from[0]), static_cast<float>(from[1]),
               static_cast<float>(from[2]), static_cast<float>(from[3])};
}
void widen(const std::uint8_t* from, Doubles* to) {
  *to = Doubles{static_cast<double>(from[0]), static_cast<double>(from[1])};
}

#include "detail/isa/cut_walk_loops.hpp"

}  // namespace

const CutLoops kCutLoopsPortable{best<float>, best<double>};

}  // namespace bbc::detail
