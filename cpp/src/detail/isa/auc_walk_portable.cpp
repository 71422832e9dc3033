#include "detail/isa/auc_walk.hpp"

namespace bbc::detail {
namespace {

/// Plain loops along the lanes, which compilers turn into vector code by themselves.
struct Portable {
  struct Line {
    std::uint8_t lane[kBlock];
  };

  static Line load(const std::uint8_t* from) {
    Line line;
    BBC_COPY(line.lane, from, kBlock);
    return line;
  }
  static Line load_packed(const std::uint8_t* from) {
    Line line;
    for (int l = 0; l < kBlock; l += 2) {
      line.lane[l] = from[l / 2] & 15U;
      line.lane[l + 1] = static_cast<std::uint8_t>(from[l / 2] >> 4U);
    }
    return line;
  }
  static void store(std::uint8_t* to, const Line& line) { BBC_COPY(to, line.lane, kBlock); }
  static Line add(const Line& a, const Line& b) {
    Line sum;
    for (int l = 0; l < kBlock; ++l) sum.lane[l] = static_cast<std::uint8_t>(a.lane[l] + b.lane[l]);
    return sum;
  }
  static Line subtract(const Line& a, const Line& b) {
    Line difference;
    for (int l = 0; l < kBlock; ++l) {
      difference.lane[l] = static_cast<std::uint8_t>(a.lane[l] - b.lane[l]);
    }
    return difference;
  }
  static Line zero() { return {}; }
  static Line bias() {
    Line line;
    for (auto& lane : line.lane) lane = 128;
    return line;
  }

  struct Products {
    std::int16_t lane[kBlock] = {};

    void add(const Line& first, const Line& first_below, const Line& second,
             const Line& second_below) {
      for (int l = 0; l < kBlock; ++l) {
        lane[l] = static_cast<std::int16_t>(
            lane[l] + first.lane[l] * static_cast<std::int8_t>(first_below.lane[l]) +
            second.lane[l] * static_cast<std::int8_t>(second_below.lane[l]));
      }
    }
  };

  struct Totals {
    std::int32_t pairs[kBlock] = {};
    std::uint16_t negatives[kBlock] = {};  // of the part
    std::uint16_t former[kBlock] = {};     // of former parts
    std::uint16_t twice_positives[kBlock] = {};

    void add(const Line& positives, const Products& products, int multiplier) {
      for (int l = 0; l < kBlock; ++l) {
        // 128: the products' bias.
        pairs[l] += multiplier * ((negatives[l] + 128) * positives.lane[l] + products.lane[l]);
        twice_positives[l] =
            static_cast<std::uint16_t>(twice_positives[l] + multiplier * positives.lane[l]);
      }
    }
    void start_part() {
      for (int l = 0; l < kBlock; ++l) {
        former[l] = static_cast<std::uint16_t>(former[l] + negatives[l]);
        negatives[l] = 0;
      }
    }
    void add_negatives(const Line& step) {
      for (int l = 0; l < kBlock; ++l) {
        negatives[l] = static_cast<std::uint16_t>(negatives[l] + step.lane[l]);
      }
    }
    void store(AucSums* sums) const {
      BBC_COPY(sums->twice_pairs, pairs, sizeof pairs);
      for (int l = 0; l < kBlock; ++l) {
        sums->negatives[l] = static_cast<std::uint16_t>(former[l] + negatives[l]);
      }
      BBC_COPY(sums->twice_positives, twice_positives, sizeof twice_positives);
    }
  };
};

#include "detail/isa/auc_walk_loops.hpp"

}  // namespace

const AucLoops kAucLoopsPortable{walk<Portable, false>, walk<Portable, true>, matches, take_better,
                                 add_lines<Portable>};

}  // namespace bbc::detail
