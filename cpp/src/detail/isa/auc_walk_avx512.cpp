#include "detail/isa/auc_walk.hpp"
#include "detail/isa/simd.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512

namespace bbc::detail {
namespace {

struct Avx512 {
  using Line = __m512i;

  static Line load(const std::uint8_t* from) { return _mm512_load_si512(from); }
  static Line load_packed(const std::uint8_t* from) {
    const auto* pairs = reinterpret_cast<const __m256i*>(from);
    const Line pair = _mm512_cvtepu8_epi16(_mm256_load_si256(pairs));
    return _mm512_and_si512(_mm512_or_si512(pair, _mm512_slli_epi16(pair, 4)),
                            _mm512_set1_epi8(15));
  }
  static void store(std::uint8_t* to, Line line) { _mm512_store_si512(to, line); }
  static Line add(Line a, Line b) { return _mm512_add_epi8(a, b); }
  static Line subtract(Line a, Line b) { return _mm512_sub_epi8(a, b); }
  static Line zero() { return _mm512_setzero_si512(); }
  static Line bias() { return _mm512_set1_epi8(-128); }

  /// Sums of products in 16 bits; bytes 0-7 and 8-15 of each 128 bits go to either vector.
  struct Products {
    Line low;
    Line high;

    // Written out: constructors that the compiler makes do not get the target (gcc).
    Products() { low = high = _mm512_setzero_si512(); }

    void add(Line first, Line first_below, Line second, Line second_below) {
      low = _mm512_add_epi16(low,
                             _mm512_maddubs_epi16(_mm512_unpacklo_epi8(first, second),
                                                  _mm512_unpacklo_epi8(first_below, second_below)));
      high = _mm512_add_epi16(
          high, _mm512_maddubs_epi16(_mm512_unpackhi_epi8(first, second),
                                     _mm512_unpackhi_epi8(first_below, second_below)));
    }
  };

  struct Totals {
    Line pairs[4];
    Line base[2];  // the negatives below the step, and 128 more: the products' bias
    Line twice_positives[2];
    Line former[2];  // the negatives of former parts

    Totals() {
      former[0] = former[1] = _mm512_setzero_si512();
      pairs[0] = pairs[1] = pairs[2] = pairs[3] = _mm512_setzero_si512();
      base[0] = base[1] = _mm512_set1_epi16(128);
      twice_positives[0] = twice_positives[1] = _mm512_setzero_si512();
    }

    void add(Line positives, const Products& products, int multiplier) {
      const Line zero = _mm512_setzero_si512();
      const Line times = _mm512_set1_epi16(static_cast<short>(multiplier));
      add_half(0, _mm512_maddubs_epi16(_mm512_unpacklo_epi8(positives, zero), times), products.low,
               times);
      add_half(1, _mm512_maddubs_epi16(_mm512_unpackhi_epi8(positives, zero), times), products.high,
               times);
    }

    void add_half(int half, Line positives, Line products, Line times) {
      pairs[2 * half] =
          _mm512_dpwssd_epi32(pairs[2 * half], _mm512_unpacklo_epi16(base[half], products),
                              _mm512_unpacklo_epi16(positives, times));
      pairs[2 * half + 1] =
          _mm512_dpwssd_epi32(pairs[2 * half + 1], _mm512_unpackhi_epi16(base[half], products),
                              _mm512_unpackhi_epi16(positives, times));
      twice_positives[half] = _mm512_add_epi16(twice_positives[half], positives);
    }

    void start_part() {
      const Line bias = _mm512_set1_epi16(128);
      for (int half = 0; half < 2; ++half) {
        former[half] = _mm512_add_epi16(former[half], _mm512_sub_epi16(base[half], bias));
        base[half] = bias;
      }
    }

    void add_negatives(Line negatives) {
      const Line zero = _mm512_setzero_si512();
      base[0] = _mm512_add_epi16(base[0], _mm512_unpacklo_epi8(negatives, zero));
      base[1] = _mm512_add_epi16(base[1], _mm512_unpackhi_epi8(negatives, zero));
    }

    void store(AucSums* sums) const {
      const Line bias = _mm512_set1_epi16(128);
      store_words(sums->negatives, _mm512_add_epi16(former[0], _mm512_sub_epi16(base[0], bias)),
                  _mm512_add_epi16(former[1], _mm512_sub_epi16(base[1], bias)));
      store_words(sums->twice_positives, twice_positives[0], twice_positives[1]);
      // Four rows of 128-bit parts become four columns.
      const Line a = first_halves(pairs[0], pairs[1]);
      const Line b = first_halves(pairs[2], pairs[3]);
      const Line c = second_halves(pairs[0], pairs[1]);
      const Line d = second_halves(pairs[2], pairs[3]);
      const Line even = _mm512_set_epi64(11, 10, 9, 8, 3, 2, 1, 0);
      const Line odd = _mm512_set_epi64(15, 14, 13, 12, 7, 6, 5, 4);
      std::int32_t* to = sums->twice_pairs;
      _mm512_store_si512(to, _mm512_permutex2var_epi64(a, even, b));
      _mm512_store_si512(to + 16, _mm512_permutex2var_epi64(a, odd, b));
      _mm512_store_si512(to + 32, _mm512_permutex2var_epi64(c, even, d));
      _mm512_store_si512(to + 48, _mm512_permutex2var_epi64(c, odd, d));
    }

    static void store_words(std::uint16_t* to, Line low, Line high) {
      _mm512_store_si512(to, first_halves(low, high));
      _mm512_store_si512(to + 32, second_halves(low, high));
    }

    /// The 128-bit parts of two vectors in turn: of their first halves, and of their second ones.
    static Line first_halves(Line x, Line y) {
      return _mm512_permutex2var_epi64(x, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), y);
    }
    static Line second_halves(Line x, Line y) {
      return _mm512_permutex2var_epi64(x, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), y);
    }
  };
};

#include "detail/isa/auc_walk_loops.hpp"

}  // namespace

const AucLoops kAucLoopsAvx512{walk<Avx512, false>, walk<Avx512, true>, matches, take_better,
                               add_lines<Avx512>};

}  // namespace bbc::detail

BBC_END_TARGET
#endif
