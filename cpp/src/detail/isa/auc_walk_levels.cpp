#include "detail/isa/auc_walk.hpp"
#include "detail/isa/simd.hpp"

#ifdef BBC_X86
#include <immintrin.h>
#endif

namespace bbc::detail {
namespace portable {
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
}  // namespace portable
const AucLoops kAucLoopsPortable{portable::walk<portable::Portable, false>,
                                 portable::walk<portable::Portable, true>, portable::matches,
                                 portable::take_better, portable::add_lines<portable::Portable>};

#ifdef BBC_X86
BBC_BEGIN_AVX2
namespace avx2 {
namespace {
struct Avx2 {
  struct Line {
    __m256i half[2];
  };

  static Line load(const std::uint8_t* from) {
    const auto* halves = reinterpret_cast<const __m256i*>(from);
    return {{_mm256_load_si256(halves), _mm256_load_si256(halves + 1)}};
  }
  static Line load_packed(const std::uint8_t* from) {
    const auto* pairs = reinterpret_cast<const __m128i*>(from);
    return {{unpacked(_mm_load_si128(pairs)), unpacked(_mm_load_si128(pairs + 1))}};
  }
  static __m256i unpacked(__m128i pairs) {
    const __m256i pair = _mm256_cvtepu8_epi16(pairs);
    return _mm256_and_si256(_mm256_or_si256(pair, _mm256_slli_epi16(pair, 4)),
                            _mm256_set1_epi8(15));
  }
  static void store(std::uint8_t* to, Line line) {
    auto* halves = reinterpret_cast<__m256i*>(to);
    _mm256_store_si256(halves, line.half[0]);
    _mm256_store_si256(halves + 1, line.half[1]);
  }
  static Line add(Line a, Line b) {
    return {{_mm256_add_epi8(a.half[0], b.half[0]), _mm256_add_epi8(a.half[1], b.half[1])}};
  }
  static Line subtract(Line a, Line b) {
    return {{_mm256_sub_epi8(a.half[0], b.half[0]), _mm256_sub_epi8(a.half[1], b.half[1])}};
  }
  static Line zero() { return {{_mm256_setzero_si256(), _mm256_setzero_si256()}}; }
  static Line bias() { return {{_mm256_set1_epi8(-128), _mm256_set1_epi8(-128)}}; }

  /// Sums of products in 16 bits; bytes 0-7 and 8-15 of each 128 bits go to either vector.
  struct Products {
    __m256i low[2];
    __m256i high[2];

    // Written out: constructors that the compiler makes do not get the target (gcc).
    Products() {
      for (int h = 0; h < 2; ++h) low[h] = high[h] = _mm256_setzero_si256();
    }

    void add(Line first, Line first_below, Line second, Line second_below) {
      for (int h = 0; h < 2; ++h) {
        const __m256i low_product =
            _mm256_maddubs_epi16(_mm256_unpacklo_epi8(first.half[h], second.half[h]),
                                 _mm256_unpacklo_epi8(first_below.half[h], second_below.half[h]));
        const __m256i high_product =
            _mm256_maddubs_epi16(_mm256_unpackhi_epi8(first.half[h], second.half[h]),
                                 _mm256_unpackhi_epi8(first_below.half[h], second_below.half[h]));
        low[h] = _mm256_add_epi16(low[h], low_product);
        high[h] = _mm256_add_epi16(high[h], high_product);
      }
    }
  };

  /// Kept in memory: sixteen registers do not hold them.
  struct Totals {
    __m256i pairs[2][4];
    __m256i base[2][2];  // the negatives below the step, and 128 more: the products' bias
    __m256i twice_positives[2][2];
    __m256i former[2][2];  // the negatives of former parts

    Totals() {
      for (int h = 0; h < 2; ++h) {
        for (auto& part : pairs[h]) part = _mm256_setzero_si256();
        for (auto& part : base[h]) part = _mm256_set1_epi16(128);
        for (auto& part : former[h]) part = _mm256_setzero_si256();
        for (auto& part : twice_positives[h]) part = _mm256_setzero_si256();
      }
    }

    void add(Line positives, const Products& products, int multiplier) {
      const __m256i zero = _mm256_setzero_si256();
      const __m256i times = _mm256_set1_epi16(static_cast<short>(multiplier));
      for (int h = 0; h < 2; ++h) {
        const __m256i low = _mm256_unpacklo_epi8(positives.half[h], zero);
        const __m256i high = _mm256_unpackhi_epi8(positives.half[h], zero);
        add_quarter(h, 0, _mm256_mullo_epi16(low, times), products.low[h], times);
        add_quarter(h, 1, _mm256_mullo_epi16(high, times), products.high[h], times);
      }
    }

    void add_quarter(int h, int part, __m256i positives, __m256i products, __m256i times) {
      const __m256i first = _mm256_madd_epi16(_mm256_unpacklo_epi16(base[h][part], products),
                                              _mm256_unpacklo_epi16(positives, times));
      const __m256i second = _mm256_madd_epi16(_mm256_unpackhi_epi16(base[h][part], products),
                                               _mm256_unpackhi_epi16(positives, times));
      pairs[h][2 * part] = _mm256_add_epi32(pairs[h][2 * part], first);
      pairs[h][2 * part + 1] = _mm256_add_epi32(pairs[h][2 * part + 1], second);
      twice_positives[h][part] = _mm256_add_epi16(twice_positives[h][part], positives);
    }

    void start_part() {
      const __m256i bias = _mm256_set1_epi16(128);
      for (int h = 0; h < 2; ++h) {
        for (int part = 0; part < 2; ++part) {
          former[h][part] =
              _mm256_add_epi16(former[h][part], _mm256_sub_epi16(base[h][part], bias));
          base[h][part] = bias;
        }
      }
    }

    void add_negatives(Line negatives) {
      const __m256i zero = _mm256_setzero_si256();
      for (int h = 0; h < 2; ++h) {
        base[h][0] = _mm256_add_epi16(base[h][0], _mm256_unpacklo_epi8(negatives.half[h], zero));
        base[h][1] = _mm256_add_epi16(base[h][1], _mm256_unpackhi_epi8(negatives.half[h], zero));
      }
    }

    void store(AucSums* sums) const {
      const __m256i bias = _mm256_set1_epi16(128);
      for (int h = 0; h < 2; ++h) {
        store_halves(sums->negatives + 32 * h, 16,
                     _mm256_add_epi16(former[h][0], _mm256_sub_epi16(base[h][0], bias)),
                     _mm256_add_epi16(former[h][1], _mm256_sub_epi16(base[h][1], bias)));
        store_halves(sums->twice_positives + 32 * h, 16, twice_positives[h][0],
                     twice_positives[h][1]);
        store_halves(sums->twice_pairs + 32 * h, 16, pairs[h][0], pairs[h][1]);
        store_halves(sums->twice_pairs + 32 * h + 8, 16, pairs[h][2], pairs[h][3]);
      }
    }

    /// The low 128 bits of both side by side, and `apart` elements later the high ones.
    template <class T>
    static void store_halves(T* to, int apart, __m256i a, __m256i b) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(to), _mm256_permute2x128_si256(a, b, 0x20));
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + apart),
                         _mm256_permute2x128_si256(a, b, 0x31));
    }
  };
};

#include "detail/isa/auc_walk_loops.hpp"
}  // namespace
}  // namespace avx2
BBC_END_TARGET
const AucLoops kAucLoopsAvx2{avx2::walk<avx2::Avx2, false>, avx2::walk<avx2::Avx2, true>,
                             avx2::matches, avx2::take_better, avx2::add_lines<avx2::Avx2>};

BBC_BEGIN_AVX512
namespace avx512 {
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
}  // namespace avx512
BBC_END_TARGET
const AucLoops kAucLoopsAvx512{avx512::walk<avx512::Avx512, false>,
                               avx512::walk<avx512::Avx512, true>, avx512::matches,
                               avx512::take_better, avx512::add_lines<avx512::Avx512>};
#endif

}  // namespace bbc::detail
