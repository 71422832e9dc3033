#include "detail/isa/error_tiles.hpp"

#ifdef BBC_AMX
#include <immintrin.h>

BBC_BEGIN_AMX
namespace bbc::detail {
namespace {

#include "detail/isa/tile_loops.hpp"

void pack(const std::uint8_t* errors, int n_groups, std::int64_t stride, std::uint64_t* words) {
  const __m512i zero = _mm512_setzero_si512();
  for (int group = 0; group < n_groups; ++group, errors += kTileGroup) {
    const __m512i* rows[kTileWordRows];
    for (int i = 0; i < kTileWordRows; ++i) {
      rows[i] = reinterpret_cast<const __m512i*>(errors + i * kPackTile);
    }
    // Interleaving goes by quarters of a vector: that is why a panel has four configurations of
    // each of four quarters.
    const __m512i first = _mm512_unpacklo_epi8(*rows[0], *rows[1]);
    const __m512i second = _mm512_unpackhi_epi8(*rows[0], *rows[1]);
    const __m512i third = _mm512_unpacklo_epi8(*rows[2], *rows[3]);
    const __m512i fourth = _mm512_unpackhi_epi8(*rows[2], *rows[3]);
    const __m512i panels[kTilePanels] = {
        _mm512_unpacklo_epi16(first, third), _mm512_unpackhi_epi16(first, third),
        _mm512_unpacklo_epi16(second, fourth), _mm512_unpackhi_epi16(second, fourth)};
    for (const __m512i& panel : panels) {
      *words = _mm512_cmpneq_epi8_mask(panel, zero);
      words += stride;
    }
  }
}

unsigned pack_counts(const ReplicateBlock& block, std::uint8_t* packed) {
  CountWords seen = {};
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    pack_counts(block.replicate(lane), block.n_rows, lane, packed, seen);
  }
  unsigned bits = 0;
  for (int i = 0; i < kRows; ++i) bits |= seen[i];
  return bits;
}

/// Spreads the bits of 64 rows to the bytes of a tile, two tiles in turn: a tile is not loaded
/// before the bytes have left the store buffer, so the next one is spread while this one is
/// multiplied.
class Spreader {
 public:
  explicit Spreader(const std::uint64_t* first) { spread(first, 0); }

  [[nodiscard]] const std::uint8_t* tile() const { return bytes_[current_]; }
  void next(const std::uint64_t* words) {
    current_ = 1 - current_;
    spread(words, current_);
  }

 private:
  void spread(const std::uint64_t* words, int current) {
    const __m512i one = _mm512_set1_epi8(1);
#pragma GCC unroll 16
    for (int i = 0; i < kTileSide; ++i) {
      _mm512_store_si512(bytes_[current] + i * kRows, _mm512_maskz_mov_epi8(words[i], one));
    }
    // The intrinsics of tiles do not tell the compiler that they read memory.
    __asm__ volatile("" ::: "memory");
  }

  alignas(64) std::uint8_t bytes_[2][kTileBytes];
  int current_ = 0;
};

/// Lets a panel's columns compete with those before it, some replicates at a time: while the next
/// panel is multiplied, by when the sums have left the store buffer.
class Keeper {
 public:
  Keeper(const TileProduct& product, TileFewest& fewest)
      : n_configurations_(_mm512_set1_epi32(static_cast<std::int32_t>(product.n_configurations))),
        fewest_(fewest),
        at_once_(static_cast<int>((kBlock * kRows - 1) / product.n_rows / product.n_repeats + 1)) {}

  void start(const std::int32_t* sums, std::int64_t panel) {
    const __m512i of_first_panel =
        _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 49, 50, 51);
    const std::int64_t first = panel / kTilePanels * kTileGroup + panel % kTilePanels * 4;
    here_ = _mm512_add_epi32(_mm512_set1_epi32(static_cast<std::int32_t>(first)), of_first_panel);
    exist_ = _mm512_cmplt_epi32_mask(here_, n_configurations_);
    sums_ = sums;
    lane_ = 0;
  }
  void some() { go_on(lane_ + at_once_); }
  void rest() { go_on(kBlock); }

 private:
  void go_on(int end) {
    for (; lane_ < end && lane_ < kBlock; ++lane_) {
      const __m512i errors = _mm512_load_si512(sums_ + lane_ * kTileSide);
      const __mmask16 fewer =
          _mm512_mask_cmplt_epi32_mask(exist_, errors, _mm512_load_si512(fewest_.errors[lane_]));
      _mm512_mask_store_epi32(fewest_.errors[lane_], fewer, errors);
      _mm512_mask_store_epi32(fewest_.configuration[lane_], fewer, here_);
    }
  }

  __m512i n_configurations_;
  __m512i here_{};
  TileFewest& fewest_;
  const std::int32_t* sums_ = nullptr;
  int at_once_;
  int lane_ = kBlock;  // nothing to do yet
  __mmask16 exist_ = 0;
};

constexpr int kSums = kTileSide * kTileSide;

/// Adds a panel's errors of all replicates to `sums`, or sets them if `fresh`. The spreader has the
/// panel's first tile, and at the end that of `next`.
inline void multiply_panel(const TileProduct& product, const std::uint64_t* words,
                           const std::uint64_t* next, Spreader& spreader, Keeper& keeper,
                           std::int32_t* sums) {
  if (product.fresh) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else {
    _tile_loadd(0, sums, kRows);
    _tile_loadd(1, sums + kSums, kRows);
    _tile_loadd(2, sums + 2 * kSums, kRows);
    _tile_loadd(3, sums + 3 * kSums, kRows);
  }
  for (std::int64_t repeat = 1; repeat <= product.n_repeats; ++repeat) {
    const std::uint64_t* of_repeat = words;
    words += product.repeat_stride;
    const std::uint64_t* after = repeat < product.n_repeats ? words : next;
    const std::uint8_t* counts = product.counts;
    for (std::int64_t row = 0; row < product.n_rows; row += kRows, counts += kCountBytes) {
      of_repeat += kTileSide;
      _tile_loadd(4, spreader.tile(), kRows);
      _tile_loadd(5, counts, kRows);
      _tile_dpbuud(0, 5, 4);
      _tile_loadd(6, counts + kTileBytes, kRows);
      _tile_dpbuud(1, 6, 4);
      spreader.next(row + kRows < product.n_rows ? of_repeat : after);
      _tile_loadd(7, counts + 2 * kTileBytes, kRows);
      _tile_dpbuud(2, 7, 4);
      _tile_loadd(5, counts + 3 * kTileBytes, kRows);
      _tile_dpbuud(3, 5, 4);
      keeper.some();
    }
  }
  _tile_stored(0, sums, kRows);
  _tile_stored(1, sums + kSums, kRows);
  _tile_stored(2, sums + 2 * kSums, kRows);
  _tile_stored(3, sums + 3 * kSums, kRows);
}

void multiply(const TileProduct& product, TileFewest& fewest) {
  alignas(64) std::int32_t in_turn[2][kBlock * kTileSide];
  const bool whole = product.fresh && product.last;
  _tile_loadconfig(&kShapes);
  Spreader spreader(product.words);
  Keeper keeper(product, fewest);
  for (std::int64_t i = 0; i < product.n_panels; ++i) {
    const std::uint64_t* words = product.words + i * product.panel_stride;
    const std::uint64_t* next = i + 1 < product.n_panels ? words + product.panel_stride : words;
    std::int32_t* sums = whole ? in_turn[i % 2] : product.sums + i * (kBlock * kTileSide);
    multiply_panel(product, words, next, spreader, keeper, sums);
    keeper.rest();
    if (product.last) keeper.start(sums, product.first_panel + i);
  }
  keeper.rest();
  _tile_release();
}

void reduce(const TileFewest& columns, std::int64_t* packed) {
  for (int lane = 0; lane < kBlock; ++lane) {
    std::int64_t found = INT64_MAX;
    for (int column = 0; column < kTileColumns; ++column) {
      const std::int64_t here = std::int64_t{columns.errors[lane][column]} << 32 |
                                std::int64_t{columns.configuration[lane][column]};
      found = here < found ? here : found;
    }
    packed[lane] = found;
  }
}

}  // namespace

const ErrorTileKernel kErrorTilesAmx{pack, pack_counts, multiply, reduce};

}  // namespace bbc::detail
BBC_END_TARGET
#endif
