#include "detail/intervals/fold_coupling.hpp"

#include <algorithm>
#include <array>

#include "detail/support/parallel.hpp"

namespace bbc::detail {
namespace {

constexpr std::int64_t kTile = 32;         // configurations side by side
constexpr std::int64_t kRowsAtOnce = 256;  // of a tile, so that they stay in the cache

/// Sums over configurations of products of two parts: (0, 0), (1, 1) and (0, 1).
using OfParts = std::array<double, 3>;

struct Sums {
  std::vector<OfParts> same;        ///< of each partition: rows of one fold, a row with itself too
  OfParts all{};                    ///< of all rows
  std::array<double, 2> squares{};  ///< of rows with themselves
};

/// Sums of rows in the folds of many partitions, a tile of configurations at a time: products of
/// pairs are squares of sums.
class FoldSums {
 public:
  FoldSums(const WholeRowValues& rows, std::span<const std::int8_t> partitions,
           std::int64_t n_folds)
      : rows_(rows),
        n_folds_(n_folds),
        n_partitions_(static_cast<std::int64_t>(partitions.size()) / rows.n_rows),
        totals_(static_cast<std::size_t>(rows.n_rows)) {
    for (std::size_t at = 0; at < partitions.size(); ++at) {
      const std::size_t row = at % static_cast<std::size_t>(rows.n_rows);
      cells_.push_back(static_cast<std::uint8_t>(rows.part_of_row[row] * n_folds + partitions[at]));
    }
    for (std::int64_t j = 0; j < rows.n_configurations; ++j) {
      const std::int32_t* own = rows.values.data() + j * rows.n_rows;
      for (std::size_t row = 0; row < totals_.size(); ++row) totals_[row] += own[row];
    }
  }

  [[nodiscard]] Sums of_tile(std::int64_t first, const StopFlag& stop) const {
    const std::int64_t n_cells = rows_.n_parts * n_folds_;
    std::vector<double> sums(static_cast<std::size_t>(n_partitions_ * n_cells * kTile), 0.0);
    std::vector<double> squares(static_cast<std::size_t>(2 * kTile), 0.0);
    std::vector<double> block(static_cast<std::size_t>(kRowsAtOnce * kTile));
    for (std::int64_t row = 0; row < rows_.n_rows; row += kRowsAtOnce) {
      const std::int64_t n = std::min(kRowsAtOnce, rows_.n_rows - row);
      read(first, row, n, block, squares);
      for (std::int64_t p = 0; p < n_partitions_; ++p) {
        stop.check();
        const std::uint8_t* cell = cells_.data() + p * rows_.n_rows + row;
        double* of_partition = sums.data() + p * n_cells * kTile;
        for (std::int64_t i = 0; i < n; ++i) {
          add(block.data() + i * kTile, of_partition + cell[i] * kTile);
        }
      }
    }
    return reduced(sums, squares);
  }

 private:
  static void add(const double* values, double* sums) {
    for (std::int64_t lane = 0; lane < kTile; ++lane) sums[lane] += values[lane];
  }

  /// Values of a tile in n rows less their means over configurations, (row, lane), and their
  /// squares, which are added up by part.
  void read(std::int64_t first, std::int64_t row, std::int64_t n, std::vector<double>& block,
            std::vector<double>& squares) const {
    const std::int64_t n_lanes = std::min(kTile, rows_.n_configurations - first);
    std::fill(block.begin(), block.end(), 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(row + i);
      const std::size_t part = rows_.part_of_row[at];
      const double scale = rows_.steps[part] / static_cast<double>(rows_.n_configurations);
      double* values = block.data() + i * kTile;
      for (std::int64_t lane = 0; lane < n_lanes; ++lane) {
        const std::int64_t own =
            rows_.values[static_cast<std::size_t>((first + lane) * rows_.n_rows + row + i)];
        // Whole numbers until here, so that no digit of the difference is lost.
        values[lane] = scale * static_cast<double>(own * rows_.n_configurations - totals_[at]);
        squares[part * kTile + static_cast<std::size_t>(lane)] += values[lane] * values[lane];
      }
    }
  }

  [[nodiscard]] Sums reduced(const std::vector<double>& sums,
                             const std::vector<double>& squares) const {
    Sums found{std::vector<OfParts>(static_cast<std::size_t>(n_partitions_)), {}, {}};
    const std::int64_t of_part = n_folds_ * kTile;
    for (std::int64_t p = 0; p < n_partitions_; ++p) {
      const double* own = sums.data() + p * rows_.n_parts * of_part;
      const double* other = rows_.n_parts == 2 ? own + of_part : nullptr;
      OfParts& same = found.same[static_cast<std::size_t>(p)];
      for (std::int64_t at = 0; at < of_part; ++at) {
        same[0] += own[at] * own[at];
        if (other == nullptr) continue;
        same[1] += other[at] * other[at];
        same[2] += own[at] * other[at];
      }
    }
    for (std::int64_t lane = 0; lane < kTile; ++lane) {
      std::array<double, 2> total{};
      for (int part = 0; part < rows_.n_parts; ++part) {
        const auto i = static_cast<std::size_t>(part);
        for (std::int64_t fold = 0; fold < n_folds_; ++fold) {
          total[i] += sums[static_cast<std::size_t>(part * of_part + fold * kTile + lane)];
        }
        found.squares[i] += squares[static_cast<std::size_t>(part * kTile + lane)];
      }
      found.all[0] += total[0] * total[0];
      found.all[1] += total[1] * total[1];
      found.all[2] += total[0] * total[1];
    }
    return found;
  }

  const WholeRowValues& rows_;
  std::int64_t n_folds_;
  std::int64_t n_partitions_;
  std::vector<std::uint8_t> cells_;   // (partition, row): part and fold
  std::vector<std::int64_t> totals_;  // of each row over configurations
};

void add(const Sums& tile, Sums& sums) {
  if (sums.same.empty()) sums.same.resize(tile.same.size());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t p = 0; p < tile.same.size(); ++p) sums.same[p][i] += tile.same[p][i];
    sums.all[i] += tile.all[i];
  }
  for (std::size_t i = 0; i < 2; ++i) sums.squares[i] += tile.squares[i];
}

/// Tiles by all threads, added up in their order.
Sums add_up(const FoldSums& folds, const WholeRowValues& rows, std::int64_t n_partitions,
            const Control& control) {
  const std::int64_t n_tiles = (rows.n_configurations + kTile - 1) / kTile;
  std::vector<Sums> tiles(static_cast<std::size_t>(n_tiles));
  const double cells = static_cast<double>(rows.values.size());
  parallel_for(n_tiles, control, 0.2 * cells * static_cast<double>(n_partitions),
               [&](std::int64_t tile, const StopFlag& stop) {
                 tiles[static_cast<std::size_t>(tile)] = folds.of_tile(tile * kTile, stop);
               });
  Sums sums;
  for (const Sums& tile : tiles) add(tile, sums);
  return sums;
}

/// Numbers of ordered pairs of rows of two parts.
struct Pairs {
  double different_folds = 0.0;
  double one_fold = 0.0;  // of two different rows
};

/// Rows of each part, and their pairs.
struct Counts {
  std::array<double, 2> rows{};
  std::array<Pairs, 3> pairs{};
  double share_of_pairs = 0.0;
};

Counts count(const WholeRowValues& rows, std::span<const std::int8_t> folds, std::int64_t n_folds) {
  std::array<std::vector<double>, 2> of_fold;
  of_fold.fill(std::vector<double>(static_cast<std::size_t>(n_folds), 0.0));
  Counts counts;
  for (std::size_t row = 0; row < folds.size(); ++row) {
    of_fold[rows.part_of_row[row]][static_cast<std::size_t>(folds[row])] += 1.0;
    counts.rows[rows.part_of_row[row]] += 1.0;
  }
  constexpr std::size_t kParts[3][2] = {{0, 0}, {1, 1}, {0, 1}};
  double different = 0.0;
  for (std::size_t pair = 0; pair < 3; ++pair) {
    const auto [a, b] = kParts[pair];
    double same = 0.0;
    for (std::size_t fold = 0; fold < of_fold[a].size(); ++fold) {
      same += of_fold[a][fold] * of_fold[b][fold];
    }
    Pairs& own = counts.pairs[pair];
    own.different_folds = counts.rows[a] * counts.rows[b] - same;
    own.one_fold = a == b ? same - counts.rows[a] : same;
    different += (a == b ? 1.0 : 2.0) * own.different_folds;
  }
  const double n = counts.rows[0] + counts.rows[1];
  counts.share_of_pairs = different / (n * (n - 1.0));
  return counts;
}

/// Variance of an in-bag score that rows explain, summed over configurations.
double explained(const Sums& sums, const Counts& counts) {
  double variance = 0.0;
  for (std::size_t part = 0; part < 2; ++part) {
    const double m = counts.rows[part];
    if (m < 2.0) continue;
    const double own = sums.squares[part] / m;
    const double pairs = (sums.all[part] - sums.squares[part]) / (m * (m - 1.0));
    variance += (own - pairs) * (2.0 - 1.0 / m) / m;
  }
  return variance;
}

/// What two rows of different folds share beyond two rows of one fold, summed over configurations.
double excess(const Sums& sums, std::size_t partition, const Counts& counts) {
  double total = 0.0;
  for (std::size_t pair = 0; pair < 3; ++pair) {
    const Pairs& n = counts.pairs[pair];
    if (n.different_folds <= 0.0 || n.one_fold <= 0.0) continue;  // nothing to compare
    const double same = sums.same[partition][pair];
    const double self = pair < 2 ? sums.squares[pair] : 0.0;
    const double twice = pair < 2 ? 1.0 : 2.0;
    total += twice * ((sums.all[pair] - same) / n.different_folds - (same - self) / n.one_fold);
  }
  return total;
}

}  // namespace

FoldCoupling fold_coupling(const WholeRowValues& rows, std::span<const std::int8_t> partitions,
                           std::int64_t n_folds, const Control& control) {
  constexpr double kNothing = 1e-12;
  const auto n_rows = static_cast<std::size_t>(rows.n_rows);
  const std::size_t n_partitions = partitions.size() / n_rows;
  const FoldSums folds(rows, partitions, n_folds);
  const Sums sums = add_up(folds, rows, static_cast<std::int64_t>(n_partitions), control);
  const Counts counts = count(rows, partitions.first(n_rows), n_folds);
  const double variance = explained(sums, counts);
  const double mean_square = (sums.squares[0] + sums.squares[1]) / static_cast<double>(rows.n_rows);
  FoldCoupling found{{}, counts.share_of_pairs};
  if (!(variance > kNothing * mean_square)) return found;
  for (std::size_t p = 0; p < n_partitions; ++p) {
    found.kappas.push_back(counts.share_of_pairs * excess(sums, p, counts) / variance);
  }
  return found;
}

}  // namespace bbc::detail
