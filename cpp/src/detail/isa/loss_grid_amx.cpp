#include "detail/isa/row_loss_kernel.hpp"
#include "detail/support/replicate_block.hpp"

#ifdef BBC_AMX
#include <immintrin.h>

BBC_BEGIN_AMX
namespace bbc::detail {
namespace {

typedef std::int32_t Ints __attribute__((vector_size(64), may_alias));
typedef std::int32_t HalfInts __attribute__((vector_size(32)));
typedef double Doubles __attribute__((vector_size(64), may_alias, aligned(8)));

#include "detail/isa/tile_loops.hpp"

// Losses are laid out [64 rows][16 configurations][limb][4 rows][configuration][row], where the
// limbs of a grid value are its lower byte and its upper one, less 128.
constexpr int kPanels = kGridTile / kTileSide;
constexpr int kLossBytes = kPanels * 2 * kTileBytes;
constexpr int kHalf = 2 * kTileSide;  // replicates whose sums the tiles hold

/// Sums of limbs of kHalf replicates and kSide configurations.
struct alignas(64) Limbs {
  std::int32_t sums[kHalf / kTileSide][2][kTileSide]
                   [kTileSide];  // [lane / 16][limb][lane][configuration]
};

/// Puts limbs together, some replicates at a time: while the next tiles are multiplied, by when the
/// sums of these have left the store buffer.
class Joiner {
 public:
  explicit Joiner(int n_rows) : at_once_((kHalf * kRows - 1) / n_rows + 1) {}

  void start(const Limbs& limbs, std::int32_t* sums) {
    limbs_ = &limbs;
    sums_ = sums;
    lane_ = 0;
  }
  void some() { go_on(lane_ + at_once_); }
  void rest() { go_on(kHalf); }

 private:
  void go_on(int end) {
    for (; lane_ < end && lane_ < kHalf; ++lane_) {
      const auto& of_lanes = limbs_->sums[lane_ / kTileSide];
      const Ints lower = *reinterpret_cast<const Ints*>(of_lanes[0][lane_ % kTileSide]);
      const Ints upper = *reinterpret_cast<const Ints*>(of_lanes[1][lane_ % kTileSide]);
      *reinterpret_cast<Ints*>(sums_ + lane_ * kGridTile) = lower + (upper << 8);
    }
  }

  int at_once_;
  const Limbs* limbs_ = nullptr;
  std::int32_t* sums_ = nullptr;
  int lane_ = kHalf;  // nothing to do yet
};

inline void multiply_tiles(const std::uint8_t* losses, const std::uint8_t* counts, int n_rows,
                           Joiner& joiner, Limbs& limbs) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (int row = 0; row < n_rows; row += kRows, losses += kLossBytes, counts += kCountBytes) {
    _tile_loadd(4, losses, kRows);
    _tile_loadd(6, counts, kRows);
    _tile_dpbuud(0, 6, 4);
    _tile_loadd(5, losses + kTileBytes, kRows);
    _tile_dpbusd(1, 6, 5);
    _tile_loadd(7, counts + kTileBytes, kRows);
    _tile_dpbuud(2, 7, 4);
    _tile_dpbusd(3, 7, 5);
    joiner.some();
  }
  _tile_stored(0, limbs.sums[0][0], kRows);
  _tile_stored(1, limbs.sums[0][1], kRows);
  _tile_stored(2, limbs.sums[1][0], kRows);
  _tile_stored(3, limbs.sums[1][1], kRows);
}

void multiply(const std::uint8_t* losses, const std::uint8_t* counts, int n_rows, int n_lanes,
              std::int32_t* sums) {
  _tile_loadconfig(&kShapes);
  Limbs in_turn[2];
  Joiner joiner(n_rows);
  int current = 0;
  // The counts of half the replicates stay in the first-level cache for all configurations.
  for (int half = 0; half < n_lanes; half += kHalf) {
    for (int panel = 0; panel < kPanels; ++panel, current = 1 - current) {
      multiply_tiles(losses + panel * 2 * kTileBytes, counts + half * kRows, n_rows, joiner,
                     in_turn[current]);
      joiner.rest();
      joiner.start(in_turn[current], sums + half * kGridTile + panel * kTileSide);
    }
  }
  joiner.rest();
  _tile_release();
}

void pack(const std::uint16_t* counts, int n_rows, int lane, std::uint8_t* packed) {
  CountWords ignored = {};
  pack_counts(counts, n_rows, lane, packed, ignored);
}

/// Grid values of eight configurations in one row.
inline HalfInts eight_values(const double* costs, double lowest, double steps_per_unit) {
  const Doubles cost = *reinterpret_cast<const Doubles*>(costs);
  return __builtin_convertvector((cost - lowest) * steps_per_unit + 0.5, HalfInts);
}

void quantise(const double* costs, double lowest, double steps_per_unit, int row,
              std::uint8_t* losses) {
  losses += row / kRows * kLossBytes + row % kRows * kTileSide;
  for (int panel = 0; panel < kPanels; ++panel, losses += 2 * kTileBytes, costs += kTileSide) {
    Ints lower = {};
    Ints upper = {};
    for (int i = 0; i < kGridStep; ++i) {
      const double* from = costs + i * kGridTile;
      const HalfInts first = eight_values(from, lowest, steps_per_unit);
      const HalfInts second = eight_values(from + 8, lowest, steps_per_unit);
      const Ints values = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                                  11, 12, 13, 14, 15);
      lower |= (values & 0xFF) << 8 * i;
      upper |= (values >> 8) << 8 * i;
    }
    *reinterpret_cast<Ints*>(losses) = lower;
    *reinterpret_cast<Ints*>(losses + kTileBytes) = upper ^ static_cast<int>(0x80808080U);
  }
}

}  // namespace

const GridKernel kGridAmx{kRows, 255, quantise, pack, multiply};

}  // namespace bbc::detail
BBC_END_TARGET
#endif
