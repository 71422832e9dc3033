// Products of counts and grid values for vectors of kVector bytes, included into a
// namespace of each instruction set. That namespace has `Ints`, a vector of 32-bit integers,
// `multiply_add` (adds to each the products of its two 16-bit halves) and `kLanesAtOnce`
// (replicates whose sums fit the registers).
//
// Losses are laid out [pair of rows][configuration][2], counts [eight replicates][pair][lane][2]:
// one instruction multiplies and adds two rows.

typedef std::uint32_t Pair BBC_MAY_ALIAS;  // two rows of one replicate

constexpr int kInts = kVector / 4;
constexpr int kColumns = 3;  // vectors of configurations side by side
constexpr int kWidth = kColumns * kInts;
constexpr int kLanes = 8;

inline Ints load(const std::int32_t* from) { return *reinterpret_cast<const Ints*>(from); }

/// kLanesAtOnce x kWidth sums stay in registers. Never inlined: within a larger function gcc does
/// not manage to keep them there.
BBC_NEVER_INLINE void multiply_block(const std::int32_t* losses, const Pair* counts, int n_pairs,
                                     std::int32_t* sums) {
  Ints sum[kLanesAtOnce][kColumns] = {};
  for (int pair = 0; pair < n_pairs; ++pair, losses += kGridTile, counts += kLanes) {
    const Ints first = load(losses);
    const Ints second = load(losses + kInts);
    const Ints third = load(losses + 2 * kInts);
    BBC_UNROLL(8)
    for (int lane = 0; lane < kLanesAtOnce; ++lane) {
      const Ints count = Ints{} + static_cast<std::int32_t>(counts[lane]);
      sum[lane][0] = multiply_add(sum[lane][0], count, first);
      sum[lane][1] = multiply_add(sum[lane][1], count, second);
      sum[lane][2] = multiply_add(sum[lane][2], count, third);
    }
  }
  BBC_UNROLL(8)
  for (int lane = 0; lane < kLanesAtOnce; ++lane) {
    for (int column = 0; column < kColumns; ++column) {
      *reinterpret_cast<Ints*>(sums + lane * kGridTile + column * kInts) = sum[lane][column];
    }
  }
}

void multiply(const std::uint8_t* losses, const std::uint8_t* counts, int n_rows, int n_lanes,
              std::int32_t* sums) {
  const int n_pairs = (n_rows + kGridStep - 1) / kGridStep * (kGridStep / 2);
  const auto* grid = reinterpret_cast<const std::int32_t*>(losses);
  const auto* group = reinterpret_cast<const Pair*>(counts);
  for (int done = 0; done < n_lanes; done += kLanes, group += n_pairs * kLanes) {
    for (int first = 0; first < kGridTile; first += kWidth) {
      for (int lane = 0; lane < kLanes; lane += kLanesAtOnce) {
        multiply_block(grid + first, group + lane, n_pairs,
                       sums + (done + lane) * kGridTile + first);
      }
    }
  }
}

void pack(const std::uint16_t* counts, int n_rows, int lane, std::uint8_t* packed) {
  const int n_pairs = (n_rows + kGridStep - 1) / kGridStep * (kGridStep / 2);
  auto* pairs = reinterpret_cast<Pair*>(packed) + lane / kLanes * n_pairs * kLanes + lane % kLanes;
  for (int row = 0; row < 2 * n_pairs; row += 2, pairs += kLanes) {
    const std::uint32_t first = row < n_rows ? counts[row] : 0U;
    const std::uint32_t second = row + 1 < n_rows ? counts[row + 1] : 0U;
    *pairs = first | second << 16U;
  }
}

void quantise(const double* costs, double lowest, double steps_per_unit, int row,
              std::uint8_t* losses) {
  auto* grid = reinterpret_cast<std::int32_t*>(losses) + row / 2 * kGridTile;
  for (int pair = 0; pair < kGridStep / 2; ++pair, costs += 2 * kGridTile, grid += kGridTile) {
    for (int j = 0; j < kGridTile; ++j) {
      const auto a = static_cast<std::int32_t>((costs[j] - lowest) * steps_per_unit + 0.5);
      const auto b =
          static_cast<std::int32_t>((costs[kGridTile + j] - lowest) * steps_per_unit + 0.5);
      grid[j] = ((a - kGridMiddle) & 0xFFFF) |
                static_cast<std::int32_t>(static_cast<std::uint32_t>(b - kGridMiddle) << 16);
    }
  }
}

constexpr GridKernel kGrid{quantise, pack, multiply};
