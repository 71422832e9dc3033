#include "detail/isa/pair_counts.hpp"

namespace bbc::detail {
namespace {

constexpr int kBytes = 16;
typedef std::uint16_t Words BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
typedef std::int32_t Ints BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
typedef double Doubles BBC_VECTOR(kBytes) BBC_MAY_ALIAS;

Words bytes_to_words(const std::uint8_t* from) {
  Words words;
  for (int l = 0; l < kBytes / 2; ++l) words[l] = from[l];
  return words;
}
Ints bytes_to_ints(const std::uint8_t* from) { return Ints{from[0], from[1], from[2], from[3]}; }
Ints words_to_ints(const std::uint16_t* from) { return Ints{from[0], from[1], from[2], from[3]}; }
Doubles ints_to_doubles(const std::int32_t* from) {
  return Doubles{static_cast<double>(from[0]), static_cast<double>(from[1])};
}

#include "detail/isa/pair_counts_loops.hpp"

}  // namespace

const PairCountKernel kPairCountsPortable = kKernel;

}  // namespace bbc::detail
