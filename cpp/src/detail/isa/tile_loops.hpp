// What the kernels of AMX tiles share, included into an anonymous namespace of each.
//
// A tile instruction multiplies the bytes of 16 replicates and 64 rows with those of 64 rows and 16
// configurations, the latter laid out [four rows][configuration][row].

constexpr int kRows = 64;
constexpr int kTileSide = 16;  // replicates, or configurations, of a tile
constexpr int kTileBytes = kRows * kTileSide;
constexpr int kCountBytes = kBlock * kRows;  // of all replicates in 64 rows

/// Eight tiles of 16 rows of 64 bytes. In memory for good: the intrinsic that reads it does not
/// tell the compiler how much.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t n_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t n_rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileShapes kShapes;

typedef std::uint16_t CountWords __attribute__((vector_size(2 * kRows)));
typedef std::uint8_t CountBytes __attribute__((vector_size(kRows), may_alias));

/// Lays out a replicate's counts among [64 rows][replicate][row], filled up with zeros; adds their
/// bits to `seen`.
inline void pack_counts(const std::uint16_t* counts, std::int64_t n_rows, int lane,
                        std::uint8_t* packed, CountWords& seen) {
  const auto put = [&](std::int64_t row, const CountWords& words) {
    seen |= words;
    *reinterpret_cast<CountBytes*>(packed + row * kBlock + lane * kRows) =
        __builtin_convertvector(words, CountBytes);
  };
  CountWords words;
  std::int64_t row = 0;
  for (; row + kRows <= n_rows; row += kRows) {
    __builtin_memcpy(&words, counts + row, sizeof words);
    put(row, words);
  }
  if (row == n_rows) return;
  words = CountWords{};
  __builtin_memcpy(&words, counts + row,
                   sizeof(std::uint16_t) * static_cast<unsigned long>(n_rows - row));
  put(row, words);
}
