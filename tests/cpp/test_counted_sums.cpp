// Sums by count are rounded as the exact sums are, whatever the rows weigh.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "detail/fast/counted_sums.hpp"
#include "detail/support/double_double.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/once_each.hpp"
#include "problem.hpp"

namespace {

using namespace bbc::detail;

enum class Entries { losses, both_signs, wide, labels, cancelling };

double draw(problem::Random& random, Entries kind, std::size_t i) {
  const double uniform = random.uniform() + 0x1p-33 * random.uniform();
  switch (kind) {
    case Entries::losses:
      return uniform * uniform;
    case Entries::both_signs:
      return uniform - 0.5;
    case Entries::wide:
      return std::ldexp(uniform, static_cast<int>(random.below(400)) - 200);
    case Entries::labels:
      return random.below(3) == 0 ? -1.0 : 0.0;
    case Entries::cancelling:
      return i % 2 == 0 ? 1.0 + std::ldexp(1.0, -static_cast<int>(random.below(53))) : -1.0;
  }
  return 0.0;
}

double exact_sum(const std::vector<double>& entries, const std::vector<double>& weights,
                 const std::vector<double>& counts) {
  ExactSum sum;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const DoubleDouble product = two_product(entries[i], weights.empty() ? 1.0 : weights[i]);
    for (const double part : {product.high, product.low}) {
      sum.add(counts[i] * upper_half(part));
      sum.add(counts[i] * (part - upper_half(part)));
    }
  }
  return sum.round();
}

void check_sums(problem::Random& random, Entries kind, std::size_t n, bool weighted,
                std::uint32_t most) {
  std::vector<double> entries;
  std::vector<double> weights;
  std::vector<double> counts;
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    entries.push_back(draw(random, kind, i));
    if (weighted) weights.push_back(random.below(9) == 0 ? 0.0 : 0.5 + random.uniform());
    counts.push_back(random.below(most));
    total += counts.back();
  }
  const CountedEntries counted(entries, weights);
  const double expected = exact_sum(entries, weights, counts);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const auto sum = counted.sum(row_loss_kernel(simd_level()), counts.data(), total);
    const std::string context = std::string(level) + " entries " +
                                std::to_string(static_cast<int>(kind)) + " rows " +
                                std::to_string(n) + (weighted ? " weighted" : "");
    // Sums of many of one sign are nearly always certain; what cancels need not be.
    if (n > 7 && (kind == Entries::losses || kind == Entries::labels)) {
      CHECK_FOR(sum.has_value(), context);
    }
    if (sum) CHECK_FOR(check::same(*sum, expected), context);
  }
}

/// Nothing is certain of numbers that would overflow or vanish.
void extremes() {
  const std::vector<double> counts{1.0, 2.0};
  const RowLossKernel& kernel = row_loss_kernel(simd_level());
  const std::vector<double> large{1e300, 1.0};
  CHECK(!CountedEntries(large, {}).sum(kernel, counts.data(), 3.0));
  const std::vector<double> ones{1.0, 1.0};
  const std::vector<double> tiny{1e-290, 1.0};
  CHECK(!CountedEntries(ones, tiny).sum(kernel, counts.data(), 3.0));
  const std::vector<double> nothing{0.0, -0.0};
  const auto zero = CountedEntries(nothing, ones).sum(kernel, counts.data(), 3.0);
  CHECK(zero && *zero == 0.0 && !std::signbit(*zero));
}

void once() {
  OnceEach<int> values(2);
  CHECK(values.find(0) == nullptr);
  CHECK(values.keep(1, std::make_unique<const int>(7)) == 7);
  CHECK(values.keep(1, std::make_unique<const int>(8)) == 7);
  CHECK(*values.find(1) == 7 && values.find(0) == nullptr);
}

}  // namespace

int main() {
  problem::Random random(5);
  for (const auto kind : {Entries::losses, Entries::both_signs, Entries::wide, Entries::labels,
                          Entries::cancelling}) {
    for (const std::size_t n :
         {std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{1500}}) {
      for (const bool weighted : {false, true}) {
        for (int i = 0; i < 5; ++i) check_sums(random, kind, n, weighted, i == 4 ? 65536 : 4);
      }
    }
  }
  extremes();
  once();
  return check::report();
}
