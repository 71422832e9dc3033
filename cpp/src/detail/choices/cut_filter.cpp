#include "detail/choices/cut_filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "detail/metrics/confusion.hpp"
#include "detail/metrics/traits.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/lane_table.hpp"

namespace bbc::detail {
namespace {

using Formula = metric::Confusion::Formula;

using Kind = CutFormulas::Kind;

/// How a sample with so many positive and negative rows is valued.
struct Valued {
  Kind kind;
  /// Coefficients of 1, TP and FP in the numerator, then in the denominator. Factors that all
  /// configurations share are left out.
  double a[3];
  double b[3];
};

/// Coefficients of 1, TP and FP in a linear form of ConfusionRatio.
std::array<double, 3> in_counts(const ConfusionRatio::Form& of, double positives,
                                double negatives) {
  return {of[1] * positives + (of[3] + of[4]) * negatives, of[0] + of[2], of[2] - of[4]};
}

Valued of_ratio(const metric::Confusion& confusion, double positives, double negatives) {
  const ConfusionRatio ratio = confusion_ratio(confusion);
  const auto a = in_counts(ratio.numerator, positives, negatives);
  const auto b = in_counts(ratio.denominator, positives, negatives);
  if (b[1] == 0.0 && b[2] == 0.0) return {Kind::share, {a[0], a[1], a[2]}, {1.0, 0.0, 0.0}};
  // The same for all samples, of whatever size: the constant of the numerator has no term.
  const auto& terms = ratio.numerator;
  const bool is_rate = terms[1] == 0.0 && terms[3] == 0.0 && terms[4] == 0.0 && a[2] == 0.0 &&
                       (b[1] == 0.0 || b[1] == 1.0) && b[2] == 1.0;
  if (is_rate) return {Kind::rate, {0.0, 1.0, 0.0}, {b[0], b[1], b[2]}};
  return {Kind::ratio, {a[0], a[1], a[2]}, {b[0], b[1], b[2]}};
}

Valued valued(const Metric& metric, double positives, double negatives) {
  const auto* confusion = std::get_if<metric::Confusion>(&metric.kind);
  if (confusion == nullptr) return {Kind::share, {negatives, 1.0, -1.0}, {1.0, 0.0, 0.0}};
  switch (confusion->formula) {
    case Formula::youden:
    case Formula::balanced_accuracy:
      return {Kind::share, {positives * negatives, negatives, -positives}, {1.0, 0.0, 0.0}};
    case Formula::quadratic_kappa:  // of two classes
    case Formula::linear_kappa:
    case Formula::kappa: {
      const double difference = negatives - positives;
      return {Kind::ratio,
              {0.0, negatives, -positives},
              {(positives + negatives) * positives, difference, difference}};
    }
    case Formula::mcc:
      return {Kind::mcc, {0.0, negatives, -positives}, {1.0, 0.0, 0.0}};
    case Formula::distance_to_corner:  // not suited
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
      break;
  }
  return of_ratio(*confusion, positives, negatives);
}

bool suits(const Metric& metric, std::size_t n_repeats) {
  const auto* kind = std::get_if<metric::Confusion>(&metric.kind);
  if (kind == nullptr) return true;
  if (n_repeats > 1) return false;
  switch (kind->formula) {
    case Formula::distance_to_corner:  // its square root is of none of the forms
      return false;
    case Formula::youden:
    case Formula::balanced_accuracy:
    case Formula::quadratic_kappa:  // of two classes
    case Formula::linear_kappa:
    case Formula::kappa:
    case Formula::mcc:
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
      break;
  }
  return kind->average == metric::Average::binary || is_of_all_classes(kind->formula);
}

}  // namespace

std::optional<CutFilter> CutFilter::make(const ChoiceInput& input) {
  // Products of two sums of counts are exact, and lines are found by 32 bits.
  constexpr std::int64_t kMostRows = std::int64_t{1} << 25;
  if (!input.options.folds.empty() || !input.row_weights.empty() ||
      !suits(input.options.metric, input.repeats.size()) || input.target.n_rows() > kMostRows) {
    return std::nullopt;
  }
  return CutFilter(input);
}

CutProgram CutFilter::program(const CutColumn& column) const {
  const auto n_rows = static_cast<std::int32_t>(input_.target.n_rows());
  const std::size_t n = column.entries.size();
  const auto row_at = [&](std::size_t i) {
    return static_cast<std::uint32_t>(column.entries[i] % n_rows);
  };
  const auto code_at = [&](std::size_t i) { return input_.target.codes[row_at(i)]; };
  const auto tied = [&](std::size_t i) {
    return !column.tied_with_next.empty() && column.tied_with_next[i] != 0;
  };
  CutProgram program;
  program.reserve(2 * n + 4);
  std::vector<std::uint32_t> lines[2];  // of the run: its negative and its positive rows
  const auto end_run = [&] {
    for (const auto& of_class : lines) {
      program.push_back(static_cast<std::uint32_t>(of_class.size()));
    }
    for (auto& of_class : lines) {
      program.insert(program.end(), of_class.begin(), of_class.end());
      of_class.clear();
    }
  };
  // A run ends where positive rows follow negative ones; equal scores are not parted.
  bool after_negative = false;
  for (std::size_t first = 0, last = 0; first < n; first = last) {
    bool has[2] = {};
    do {
      has[code_at(last)] = true;
    } while (tied(last++));
    if (after_negative && has[1]) end_run();
    for (std::size_t i = first; i < last; ++i) {
      lines[code_at(i)].push_back(row_at(i) * std::uint32_t{kLine});
    }
    after_negative = has[0];
  }
  end_run();
  program.shrink_to_fit();
  return program;
}

void CutFilter::fill(const ReplicateBlock& block, int lane, CutFormulas& formulas) const {
  double of_class[2] = {};
  if (lane < block.n_replicates) {
    const std::uint16_t* counts = block.replicate(lane);
    std::int64_t sums[2] = {};
    for (std::int64_t row = 0; row < block.n_rows; ++row) {
      sums[input_.target.codes[static_cast<std::size_t>(row)]] += counts[row];
    }
    const auto n_repeats = static_cast<double>(input_.repeats.size());
    for (int k = 0; k < 2; ++k) of_class[k] = n_repeats * static_cast<double>(sums[k]);
  }
  formulas.negatives[lane] = of_class[0];
  formulas.positives[lane] = of_class[1];
  const Valued own = valued(input_.options.metric, of_class[1], of_class[0]);
  formulas.kind = own.kind;
  for (int i = 0; i < 3; ++i) {
    formulas.a[i][lane] = own.a[i];
    formulas.b[i][lane] = own.b[i];
  }
}

double CutFilter::largest_product(const CutFormulas& f) const {
  double largest = 0.0;
  for (int lane = 0; lane < kBlock; ++lane) {
    const double positives = f.positives[lane];
    const double negatives = f.negatives[lane];
    const double n = positives + negatives;
    const auto most = [&](const double(*c)[kBlock]) {
      return std::fabs(c[0][lane]) + std::fabs(c[1][lane]) * positives +
             std::fabs(c[2][lane]) * negatives;
    };
    double product = most(f.a);
    if (f.kind == Kind::rate) product = positives * (std::fabs(f.b[0][lane]) + n);
    if (f.kind == Kind::ratio) product *= most(f.b);
    for (int i = 0; i < 3; ++i) {
      const bool whole =
          f.a[i][lane] == std::floor(f.a[i][lane]) && f.b[i][lane] == std::floor(f.b[i][lane]);
      if (!whole) product = std::numeric_limits<double>::infinity();
    }
    if (f.kind == Kind::mcc) product = product * product * n * n;
    largest = std::max(largest, product);
  }
  return largest;
}

bool CutFilter::run(const ReplicateBlock& block, const std::vector<CutProgram>& programs,
                    const StopFlag& stop, Found* found) const {
  constexpr int kMostCount = 255;
  const LaneTable table(block, Side::in_bag);
  if (table.most() > kMostCount) return false;
  CutFormulas formulas;
  for (int lane = 0; lane < kBlock; ++lane) fill(block, lane, formulas);
  const CutLoops& loops = cut_loops(simd_level());
  // With two bits to spare unlike quotients are unlike in float64, too.
  const double product = largest_product(formulas);
  const bool exact = product < 0x1p51;
  const auto best = product < 0x1p24 ? loops.in_float : loops.in_double;
  const double tolerance = exact ? 0.0 : 0x1p-50 * (static_cast<double>(block.n_rows * 2) + 16.0);
  double largest[kBlock];
  std::vector<double> near[kBlock];  // the candidates' values
  std::fill_n(largest, kBlock, -std::numeric_limits<double>::infinity());
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    found[lane].candidates.clear();
    found[lane].exact = exact;
    found[lane].positives = formulas.positives[lane];
    found[lane].negatives = formulas.negatives[lane];
  }
  CutValues values;
  for (std::size_t j = 0; j < programs.size(); ++j) {
    stop.check();
    best(programs[j], table.lines(), formulas, &values);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const double value = values.numerator[lane] / values.denominator[lane];
      const bool is_best = value > largest[lane];
      if (exact && is_best) {
        found[lane].candidates.assign(1, static_cast<std::int64_t>(j));
        found[lane].numerator = values.numerator[lane];
        found[lane].denominator = values.denominator[lane];
      } else if (!exact && value >= largest[lane] - tolerance * std::fabs(largest[lane])) {
        found[lane].candidates.push_back(static_cast<std::int64_t>(j));
        near[lane].push_back(value);
      }
      if (is_best) largest[lane] = value;
    }
  }
  for (int lane = 0; lane < block.n_replicates && !exact; ++lane) {
    const double enough = largest[lane] - tolerance * std::fabs(largest[lane]);
    auto& candidates = found[lane].candidates;
    std::size_t n = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (near[lane][i] >= enough) candidates[n++] = candidates[i];
    }
    candidates.resize(n);
  }
  return true;
}

BestCut CutFilter::locate(const CutColumn& column, const ReplicateBlock& block, int lane,
                          const Found& found) const {
  const Valued own = valued(input_.options.metric, found.positives, found.negatives);
  const std::uint16_t* counts = block.replicate(lane);
  const auto* codes = input_.target.codes.data();
  const auto n_rows = static_cast<std::int32_t>(input_.target.n_rows());
  double above[2] = {found.negatives, found.positives};
  const auto is_best = [&] {
    const double fp = above[0];
    const double tp = above[1];
    double numerator = own.a[0] + own.a[1] * tp + own.a[2] * fp;
    double denominator = 1.0;
    if (own.kind == Kind::rate || own.kind == Kind::ratio) {
      denominator = own.b[0] + own.b[1] * tp + own.b[2] * fp;
    }
    if (own.kind == Kind::mcc) {
      numerator *= std::fabs(numerator);
      denominator = (tp + fp) * (found.positives + found.negatives - tp - fp);
    }
    if (!(denominator > 0.0)) return found.numerator == 0.0;
    return numerator * found.denominator == found.numerator * denominator;
  };
  BestCut cut;
  std::vector<std::int32_t> last;  // entries of distinct in-bag scores, up to the end of the run
  std::size_t first_best = 0;
  std::size_t n_best = is_best() ? 1 : 0;
  const std::size_t n = column.entries.size();
  bool ended = false;
  for (std::size_t begin = 0; begin < n && !ended;) {
    std::int32_t in_bag = -1;
    std::size_t end = begin;
    do {
      const std::int32_t entry = column.entries[end];
      const std::int32_t row = entry % n_rows;
      above[codes[row]] -= counts[row];
      if (counts[row] != 0) in_bag = entry;
    } while (++end < n && !column.tied_with_next.empty() && column.tied_with_next[end - 1] != 0);
    begin = end;
    if (in_bag < 0) continue;
    last.push_back(in_bag);
    if (is_best()) {
      if (n_best == 0) first_best = last.size();
      ++n_best;
    } else {
      ended = n_best > 0;
    }
  }
  const std::size_t middle = (2 * first_best + n_best - 1) / 2;
  if (middle > 0) cut.below = last[middle - 1];
  if (middle < last.size()) cut.above = last[middle];
  return cut;
}

}  // namespace bbc::detail
