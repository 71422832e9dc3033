// The concordance index as one writes it in C++: rows by falling time, a Fenwick tree over the
// ranks of risk, every replicate and configuration walked on its own. Sorting is done once.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

class Tree {
 public:
  explicit Tree(int n) : sums_(n + 1, 0) {}
  void clear() { std::fill(sums_.begin(), sums_.end(), 0); }
  void add(int rank, std::int64_t weight) {
    for (int i = rank + 1; i < static_cast<int>(sums_.size()); i += i & -i) sums_[i] += weight;
  }
  /// Weight of all ranks below `rank`.
  std::int64_t below(int rank) const {
    std::int64_t sum = 0;
    for (int i = rank; i > 0; i -= i & -i) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<std::int64_t> sums_;
};

struct Survival {
  const double* time;
  const std::uint8_t* event;
  std::vector<int> order;  // by falling time
};

double concordance(const Survival& y, const int* rank, const std::vector<int>& weight, Tree& tree) {
  tree.clear();
  std::int64_t twice = 0, pairs = 0, seen = 0;
  const auto insert = [&](int row) {
    tree.add(rank[row], weight[row]);
    seen += weight[row];
  };
  for (std::size_t first = 0; first < y.order.size();) {
    std::size_t last = first;
    while (last < y.order.size() && y.time[y.order[last]] == y.time[y.order[first]]) ++last;
    // An event is comparable with all that last longer, and with the censored of its own time.
    for (auto i = first; i < last; ++i) {
      if (!y.event[y.order[i]]) insert(y.order[i]);
    }
    for (auto i = first; i < last; ++i) {
      const int row = y.order[i];
      if (!y.event[row] || weight[row] == 0) continue;
      twice += weight[row] * (tree.below(rank[row]) + tree.below(rank[row] + 1));
      pairs += weight[row] * seen;
    }
    for (auto i = first; i < last; ++i) {
      if (y.event[y.order[i]]) insert(y.order[i]);
    }
    first = last;
  }
  return static_cast<double>(twice) / (2.0 * static_cast<double>(pairs));
}

}  // namespace

/// Mean out-of-bag concordance of the replicates' winners; `risk` column by column.
extern "C" double fenwick_correction(int n_rows, int n_configurations, int n_bootstraps,
                                     const double* time, const std::uint8_t* event,
                                     const double* risk) {
  Survival y{time, event, std::vector<int>(n_rows)};
  std::iota(y.order.begin(), y.order.end(), 0);
  std::sort(y.order.begin(), y.order.end(), [&](int a, int b) { return time[a] > time[b]; });
  std::vector<int> ranks(static_cast<std::size_t>(n_rows) * n_configurations);
  std::vector<double> sorted;
  for (int j = 0; j < n_configurations; ++j) {
    const double* column = risk + static_cast<std::int64_t>(j) * n_rows;
    sorted.assign(column, column + n_rows);
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < n_rows; ++i) {
      ranks[static_cast<std::size_t>(j) * n_rows + i] = static_cast<int>(
          std::lower_bound(sorted.begin(), sorted.end(), column[i]) - sorted.begin());
    }
  }
  std::mt19937 generator(1);
  std::uniform_int_distribution<int> draw(0, n_rows - 1);
  std::vector<int> counts(n_rows);
  Tree tree(n_rows);
  double sum = 0.0;
  for (int b = 0; b < n_bootstraps; ++b) {
    std::fill(counts.begin(), counts.end(), 0);
    for (int i = 0; i < n_rows; ++i) ++counts[draw(generator)];
    int winner = 0;
    double best = -1.0;
    for (int j = 0; j < n_configurations; ++j) {
      const int* rank = ranks.data() + static_cast<std::size_t>(j) * n_rows;
      const double score = concordance(y, rank, counts, tree);
      if (score > best) {
        best = score;
        winner = j;
      }
    }
    for (int& count : counts) count = count == 0 ? 1 : 0;
    sum += concordance(y, ranks.data() + static_cast<std::size_t>(winner) * n_rows, counts, tree);
  }
  return sum / n_bootstraps;
}
