#include "detail/isa/auc_walk.hpp"
#include "detail/isa/simd.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX2

namespace bbc::detail {
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

const AucLoops kAucLoopsAvx2{walk<Avx2, false>, walk<Avx2, true>, matches, take_better,
                             add_lines<Avx2>};

}  // namespace bbc::detail

BBC_END_TARGET
#endif
