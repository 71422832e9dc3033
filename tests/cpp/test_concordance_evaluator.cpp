// The fast concordance index against the general one, which walks a Fenwick tree, and against
// comparing all pairs: the same bits on all instruction sets. The general one of weighted events
// (Uno's) against all pairs.
#include "detail/fast/auc_evaluator.hpp"
#include "survival.hpp"

namespace {

using problem::random_block;
using survival::Data;
constexpr auto compare = survival::compare<bbc::detail::AucEvaluator>;

void weighted_pairs_add_up() {
  problem::Random random(11);
  const auto check = [](const Data& data, const bbc::detail::ReplicateBlock& block,
                        const std::string& context) {
    const auto views = data.views();
    const bbc::Metric metric = bbc::make_metric("concordance_index");
    survival::compare_pairs(data, *survival::general({metric, data.target, views, {}, {}}), block,
                            context);
  };
  for (const std::int64_t n_rows : {2, 3, 8, 17, 40, 150}) {
    for (const std::uint32_t n_times : {1U, 4U, 1000000U}) {
      for (const double event_share : {0.1, 1.0}) {
        const Data data(random, n_rows, 11, 1, n_times, event_share, true);
        check(data, random_block(random, n_rows, 64, 0),
              std::to_string(n_rows) + " rows, " + std::to_string(n_times) + " times, weighted");
      }
    }
  }
  for (const std::uint32_t most : {15U, 60000U}) {
    const Data data(random, 90, 11, 2, 50, 0.6, true);
    check(data, random_block(random, 90, 20, most), "weighted, counts to " + std::to_string(most));
  }
}

}  // namespace

int main() {
  weighted_pairs_add_up();
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    problem::Random random(11);
    for (const std::int64_t n_rows : {2, 3, 8, 9, 17, 64, 150, 400}) {
      for (const std::uint32_t n_times : {1U, 4U, 1000000U}) {
        for (const double event_share : {0.1, 0.6, 1.0}) {
          const Data data(random, n_rows, 11, 1, n_times, event_share, false);
          const std::string context = std::string(level) + ", " + std::to_string(n_rows) +
                                      " rows, " + std::to_string(n_times) + " times";
          compare(data, random_block(random, n_rows, 64), context, n_rows <= 150);
        }
      }
    }
    for (const std::uint32_t most : {15U, 16U, 200U, 300U, 60000U}) {
      const Data data(random, 90, 11, 2, 50, 0.6, false);
      compare(data, random_block(random, 90, 20, most), "counts to " + std::to_string(most), true);
    }
    // No ties, which the first two configurations never have; several panels; whole leaves.
    for (const std::int64_t n_rows : {40, 41, 120}) {
      const Data untied(random, n_rows, 2, 2, 1000, 0.7, false);
      compare(untied, random_block(random, n_rows, 64), "no ties", true);
      compare(untied, random_block(random, n_rows, 33, 15), "no ties, counts to 15", true);
    }
    const Data panels(random, 60, 600, 1, 30, 0.6, false);
    compare(panels, random_block(random, 60, 64), "600 configurations", false);
    const Data large(random, 2500, 4, 1, 100000, 0.5, false);
    compare(large, random_block(random, 2500, 64), "2500 rows", false);
    const Data once(random, 200, 9, 2, 100, 0.5, false);
    compare(once, {1, 200, std::vector<std::uint16_t>(200, 1), {}}, "every row once", true);
  }
  return check::report();
}
