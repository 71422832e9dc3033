#include "detail/isa/auc_walk.hpp"

#include <algorithm>
#include <cstring>

namespace bbc::detail {
namespace {

/// The walk in plain C++ with partial sums and products that cannot overflow.
template <class Weight, class Partial, class Product>
void walk_exact(const AucProgram& program, const Weight* lines, double* twice_pairs) {
  std::vector<Partial> partial_sums((kStepRows + kRowGroup) * kBlock);
  double base[kBlock] = {};
  std::fill_n(twice_pairs, kBlock, 0.0);
  const std::uint32_t* at = program.words.data();
  const auto add_runs = [&](std::uint16_t n_runs, const Partial* positives, double times) {
    Product products[kBlock] = {};
    const Partial* before = positives;
    for (std::uint16_t k = 0; k < n_runs; ++k, ++at) {
      AucProgram::Run run;
      std::memcpy(&run, at, sizeof run);
      const Partial* below = partial_sums.data() + run.below;
      const Partial* end = positives + run.end;
      for (int l = 0; l < kBlock; ++l) {
        products[l] += static_cast<Product>(end[l] - before[l]) * static_cast<Product>(below[l]);
      }
      before = end;
    }
    for (int l = 0; l < kBlock; ++l) {
      const auto n_positives = static_cast<double>(before[l] - positives[l]);
      twice_pairs[l] += times * (base[l] * n_positives + static_cast<double>(products[l]));
    }
  };
  while (at != program.words.data() + program.words.size()) {
    AucProgram::Step step;
    std::memcpy(&step, at, sizeof step);
    at += AucProgram::kHeaderWords;
    for (int i = 0; i < step.n_rows; ++i) {
      const Partial* from = partial_sums.data() + i * kBlock;
      Partial* to = partial_sums.data() + (i + 1) * kBlock;
      const Weight* line = lines + at[i];
      for (int l = 0; l < kBlock; ++l) to[l] = static_cast<Partial>(from[l] + line[l]);
    }
    at += step.n_rows;
    const Partial* positives = partial_sums.data() + step.n_negatives * kBlock;
    if (step.starts_part != 0) std::fill_n(base, kBlock, 0.0);
    add_runs(step.n_lower, positives, step.lower_multiplier);
    if (step.n_upper != 0) add_runs(step.n_upper, positives, 1.0);
    for (int l = 0; l < kBlock; ++l) base[l] += static_cast<double>(positives[l]);
  }
}

}  // namespace

void auc_walk_exact(const AucProgram& program, const std::uint8_t* lines, double* twice_pairs) {
  // 128 rows of at most 255 each, and their products, fit.
  walk_exact<std::uint8_t, std::uint16_t, std::uint32_t>(program, lines, twice_pairs);
}

void auc_walk_exact(const AucProgram& program, const std::uint16_t* lines, double* twice_pairs) {
  walk_exact<std::uint16_t, double, double>(program, lines, twice_pairs);
}

}  // namespace bbc::detail
