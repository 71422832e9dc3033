#include "detail/fast/rough_scores.hpp"

#include <algorithm>

#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

double rounding(const RoughRows& rows) { return rough_rounding(rows.n); }

/// sums[lane] = the weights of all rows.
void sum_of_all(const RoughRows& rows, double* sums) {
  std::fill_n(sums, kBlock, 0.0);
  for (std::int64_t row = 0; row < rows.n; ++row) {
    const float* weights = rows.weights + row * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) sums[lane] += weights[lane];
  }
}

/// sums[class][lane], and of all rows behind them.
void sum_of_classes(const RoughRows& rows, std::span<const std::int32_t> codes,
                    std::int32_t n_classes, double* sums) {
  std::fill_n(sums, (n_classes + 1) * kBlock, 0.0);
  for (std::int64_t row = 0; row < rows.n; ++row) {
    const float* weights = rows.weights + row * kBlock;
    double* of_class = sums + codes[static_cast<std::size_t>(row)] * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) of_class[lane] += weights[lane];
  }
  double* all = sums + n_classes * kBlock;
  for (std::int32_t k = 0; k < n_classes; ++k) {
    for (int lane = 0; lane < kBlock; ++lane) all[lane] += sums[k * kBlock + lane];
  }
}

/// Nothing is known about these scores.
void know_nothing(RoughScores& scores) {
  std::fill_n(scores.of, kBlock, 0.0);
  std::fill_n(scores.error, kBlock, kInfinity);
}

/// Four columns of entries, of which some may be missing.
struct FourColumns {
  const float* of[kRoughColumns];
  explicit FourColumns(const RoughEntries& any) {
    std::fill_n(of, kRoughColumns, any.values.data());
  }
};

}  // namespace

double rough_rounding(std::int64_t n_rows) {
  return (static_cast<double>(n_rows) + 64.0) * 0x1p-50;
}

void RoughEntries::take(std::span<const double> entries) {
  // Squares and sums of larger ones might overflow where the exact ones do: they decide.
  constexpr double kLargest = 1e290;
  constexpr double kSmallest = 1e-290;
  double low = 0.0;
  double high = 0.0;
  for (const double entry : entries) {
    low = entry < low ? entry : low;
    high = entry > high ? entry : high;
  }
  const double largest = std::max(-low, high);
  one_sign = low == 0.0 || high == 0.0;
  values.resize(entries.size());
  if (!(largest <= kLargest) || (largest > 0.0 && largest < kSmallest)) {
    usable = false;
    std::fill(values.begin(), values.end(), 0.0F);
    return;
  }
  unit = largest > 0.0 ? largest : 1.0;
  const double inverse = 1.0 / unit;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    values[i] = static_cast<float>(entries[i] * inverse);
    whole = whole && (entries[i] == 0.0 || std::fabs(entries[i]) == unit);
  }
}

RoughMeans::Shared RoughMeans::shared(const RoughKernel& /*kernel*/, const RoughRows& rows) {
  Shared shared;
  sum_of_all(rows, shared.weights);
  return shared;
}

void RoughMeans::sums(const RoughKernel& kernel, const RoughRows& rows,
                      std::span<const Column* const> columns, const Shared& shared,
                      RoughScores* sums) {
  FourColumns four(*columns[0]);
  for (std::size_t i = 0; i < columns.size(); ++i) four.of[i] = columns[i]->values.data();
  alignas(64) double found[kRoughColumns * kBlock] = {};
  kernel.add_products(four.of, rows.weights, rows.n, found);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = *columns[i];
    if (!column.usable) {
      know_nothing(sums[i]);
      continue;
    }
    const double* own = found + i * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) {
      const double sum = column.unit * own[lane];
      const double size = column.one_sign ? std::fabs(sum) : column.unit * shared.weights[lane];
      sums[i].of[lane] = sum;
      sums[i].error[lane] = kRoughSum * size + kRoughTiny * column.unit * shared.weights[lane];
    }
  }
}

void Rough<RowLossColumns>::add(const RoughKernel& kernel, const RoughRows& rows,
                                const Shared& shared, std::span<const Column* const> columns,
                                RoughScores* scores) const {
  sums(kernel, rows, columns, shared, scores);
  const double own = rounding(rows);
  double inverse[kBlock];
  for (int lane = 0; lane < kBlock; ++lane) inverse[lane] = 1.0 / shared.weights[lane];
  for (std::size_t i = 0; i < columns.size(); ++i) {
    RoughScores& s = scores[i];
    for (int lane = 0; lane < kBlock; ++lane) {
      const double mean = s.of[lane] * inverse[lane];
      s.error[lane] = s.error[lane] * inverse[lane] * 1.001 + own * std::fabs(mean);
      s.of[lane] = mean;
    }
    if (!root_ || !columns[i]->usable) continue;
    // What a mean of zero may lack, as a root.
    const double least = std::sqrt(2.0 * kRoughTiny * columns[i]->unit);
    for (int lane = 0; lane < kBlock; ++lane) {
      const double mean = s.of[lane] > 0.0 ? s.of[lane] : 0.0;
      const double wrong = s.error[lane];
      const double root = std::sqrt(mean);
      // sqrt(m) - sqrt(m - e) = e / (sqrt(m) + sqrt(m - e)); upwards it is less. The root of an
      // error that is larger than the mean is at most (e / t + t) / 2, for any t.
      const double share = wrong < 0.02 * mean ? 0.51 : 1.0;
      const double of_root = share * wrong / (root > 0.0 ? root : 1.0);
      const double of_zero = 0.75 * (wrong / least + least);
      s.error[lane] = 1.001 * (wrong <= mean ? of_root : of_zero) + 1e-15 * root;
      s.of[lane] = root;
    }
  }
}

std::vector<std::uint32_t> rough_steps(const SortedScores& sorted,
                                       std::span<const std::int32_t> codes, std::int32_t positive,
                                       bool down) {
  const std::size_t n = sorted.rows.size();
  std::vector<std::uint32_t> steps(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t row = sorted.rows[i];
    const bool of_class = !codes.empty() && codes[static_cast<std::size_t>(row)] == positive;
    if (down) {
      steps[n - 1 - i] = RoughStep::of(row, of_class, i > 0 && sorted.is_tied_with_next(i - 1));
    } else {
      steps[i] = RoughStep::of(row, of_class, sorted.is_tied_with_next(i));
    }
  }
  return steps;
}

double rough_stretch(std::span<const std::uint32_t> steps) {
  std::size_t most = 0;
  std::size_t tied = 0;
  for (const std::uint32_t step : steps) {
    tied = (step & RoughStep::kTied) != 0 ? tied + 1 : 0;
    most = std::max(most, tied);
  }
  return static_cast<double>(kRoughRows) + static_cast<double>(most);
}

Rough<AucColumns>::Column Rough<AucColumns>::prepare(const AucColumns& /*metric*/,
                                                     const SortedScores& exact) const {
  Column column{rough_steps(exact, codes_, 1, /*down=*/false), 0.0};
  column.stretch = rough_stretch(column.steps);
  return column;
}

Rough<AucColumns>::Shared Rough<AucColumns>::shared(const RoughKernel& /*kernel*/,
                                                    const RoughRows& rows) const {
  double classes[3 * kBlock];
  sum_of_classes(rows, codes_, 2, classes);
  Shared shared;
  for (int lane = 0; lane < kBlock; ++lane) {
    shared.pairs[lane] = 2.0 * classes[lane] * classes[kBlock + lane];
  }
  return shared;
}

void Rough<AucColumns>::add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
                            std::span<const Column* const> columns, RoughScores* scores) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    RoughScores& s = scores[i];
    std::fill_n(s.of, kBlock, 0.0);
    kernel.add_pairs(columns[i]->steps.data(), static_cast<std::int64_t>(columns[i]->steps.size()),
                     rows.weights, s.of);
    // Of each product both factors are sums, and so is what is added up.
    const double relative = 1.01 * (3.0 * columns[i]->stretch + 16.0) * kRoughUnit + rounding(rows);
    for (int lane = 0; lane < kBlock; ++lane) {
      s.of[lane] /= shared.pairs[lane];
      s.error[lane] = relative * s.of[lane] + 0x1p-100;
    }
  }
}

Rough<AveragePrecisionColumns>::Column Rough<AveragePrecisionColumns>::prepare(
    const AveragePrecisionColumns& /*metric*/, const SortedScores& exact) const {
  Column column{rough_steps(exact, codes_, 1, /*down=*/true), 0.0};
  column.stretch = rough_stretch(column.steps);
  return column;
}

Rough<AveragePrecisionColumns>::Shared Rough<AveragePrecisionColumns>::shared(
    const RoughKernel& /*kernel*/, const RoughRows& rows) const {
  double classes[3 * kBlock];
  sum_of_classes(rows, codes_, 2, classes);
  Shared shared;
  std::copy_n(classes + kBlock, kBlock, shared.positives);
  return shared;
}

void Rough<AveragePrecisionColumns>::add(const RoughKernel& kernel, const RoughRows& rows,
                                         const Shared& shared,
                                         std::span<const Column* const> columns,
                                         RoughScores* scores) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    RoughScores& s = scores[i];
    std::fill_n(s.of, kBlock, 0.0);
    kernel.add_precisions(columns[i]->steps.data(),
                          static_cast<std::int64_t>(columns[i]->steps.size()), rows.weights, s.of);
    // Precisions are ratios of sums of all rows above, which are exact or of as many terms.
    const double of_sums = rows.exact ? 0.0 : 3.0 * static_cast<double>(rows.n);
    const double relative =
        1.01 * (columns[i]->stretch + 16.0 + of_sums) * kRoughUnit + rounding(rows);
    for (int lane = 0; lane < kBlock; ++lane) {
      s.of[lane] /= shared.positives[lane];
      s.error[lane] = relative * s.of[lane] + 1e-28;
    }
  }
}

bool Rough<AveragePrecisionColumns>::exact_sums(const RoughKernel& kernel, const Column& column,
                                                const double* weights, const double* positives,
                                                int n_lanes, double* sums) {
  double sum[kExactLanes];
  double rest[kExactLanes];
  double lost[kExactLanes];
  const auto n = static_cast<std::int64_t>(column.steps.size());
  const auto add = n_lanes == 1 ? kernel.sum_precisions_of_one : kernel.sum_precisions;
  add(column.steps.data(), n, weights, sum, rest, lost);
  // The general evaluator's sums have errors of their own, of 2^-104 of a term or so.
  const double terms = static_cast<double>(n + 16);
  for (int lane = 0; lane < n_lanes; ++lane) {
    if (positives[lane] * positives[lane] > 0x1p53) return false;  // products would be rounded
    const double bound = 4.0 * 0x1p-53 * terms * lost[lane] + 0x1p-98 * terms * sum[lane];
    const double rounded = sum[lane] + rest[lane];
    if (sum[lane] + (rest[lane] - bound) != rounded ||
        sum[lane] + (rest[lane] + bound) != rounded) {
      return false;
    }
    sums[lane] = rounded;
  }
  return true;
}

Rough<SpearmanColumns>::Column Rough<SpearmanColumns>::prepare(const SpearmanColumns& /*metric*/,
                                                               const SortedScores& exact) {
  Column column{rough_steps(exact, {}, 1, /*down=*/false), 0.0};
  column.stretch = rough_stretch(column.steps);
  return column;
}

Rough<SpearmanColumns>::Shared Rough<SpearmanColumns>::shared(const RoughKernel& /*kernel*/,
                                                              const RoughRows& rows) const {
  Shared shared;
  double all[kBlock];
  sum_of_all(rows, all);
  for (int lane = 0; lane < kBlock; ++lane) shared.all[lane] = static_cast<float>(all[lane]);
  shared.truth.resize(static_cast<std::size_t>(rows.n * kBlock));
  double below[kBlock] = {};
  double weight[kBlock] = {};
  std::fill_n(shared.squares, kBlock, 0.0);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < by_truth_.rows.size(); ++i) {
    const float* of_row = rows.weights + std::int64_t{by_truth_.rows[i]} * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) weight[lane] += of_row[lane];
    if (by_truth_.is_tied_with_next(i)) continue;
    double rank[kBlock];
    for (int lane = 0; lane < kBlock; ++lane) {
      rank[lane] = (2.0 * below[lane] + weight[lane]) - all[lane];
      shared.squares[lane] += weight[lane] * rank[lane] * rank[lane];
      below[lane] += weight[lane];
      weight[lane] = 0.0;
    }
    for (; begin <= i; ++begin) {
      const std::int64_t at = std::int64_t{by_truth_.rows[begin]} * kBlock;
      float* to = shared.truth.data() + at;
      for (int lane = 0; lane < kBlock; ++lane) {
        to[lane] = static_cast<float>(rows.weights[at + lane] * rank[lane]);
      }
    }
  }
  return shared;
}

void Rough<SpearmanColumns>::add(const RoughKernel& kernel, const RoughRows& rows,
                                 const Shared& shared, std::span<const Column* const> columns,
                                 RoughScores* scores) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    RoughScores& s = scores[i];
    double mixed[kBlock] = {};
    double squares[kBlock] = {};
    kernel.add_ranks(columns[i]->steps.data(), static_cast<std::int64_t>(columns[i]->steps.size()),
                     rows.weights, shared.truth.data(), shared.all, mixed, squares);
    const double of_sum = 1.01 * (2.0 * columns[i]->stretch + 24.0) * kRoughUnit;
    // Ranks are sums of all rows below, which are exact or of as many terms; a rank's error is
    // this share of the weight of all rows.
    const double of_rank =
        rows.exact ? 0.0 : 1.01 * (4.0 * static_cast<double>(rows.n) + 16.0) * kRoughUnit;
    for (int lane = 0; lane < kBlock; ++lane) {
      const double all = shared.all[lane];
      const double of_truth = shared.squares[lane];
      const double spread = std::sqrt(squares[lane]) * std::sqrt(of_truth);
      const double wrong_rank = of_rank * all;
      // By Cauchy and Schwarz.
      const double wrong_mixed =
          of_sum * spread + wrong_rank * std::sqrt(all) * std::sqrt(of_truth);
      const double wrong_squares =
          of_sum * squares[lane] +
          wrong_rank * (2.0 * std::sqrt(all * squares[lane]) + wrong_rank * all);
      const bool known = wrong_squares < 0.01 * squares[lane];
      const bool constant = rows.exact && squares[lane] == 0.0;
      const double rho = spread > 0.0 ? mixed[lane] / spread : 0.0;
      const double error =
          1.1 * (wrong_mixed / spread + std::fabs(rho) * wrong_squares / squares[lane]) +
          rounding(rows);
      s.of[lane] = rho;
      s.error[lane] = constant ? 0.0 : known && spread > 0.0 ? error : kInfinity;
    }
  }
}

Rough<MulticlassAucColumns>::Rough(const metric::MulticlassAuc& kind, const Target& target,
                                   const MulticlassAucColumns& /*metric*/)
    : one_vs_rest_(kind.scheme == metric::MulticlassAuc::Scheme::ovr),
      weighted_(kind.weighted),
      n_classes_(target.n_classes),
      codes_(target.codes) {}

Rough<MulticlassAucColumns>::Column Rough<MulticlassAucColumns>::prepare(
    const MulticlassAucColumns& /*metric*/, const MulticlassAucColumns::Column& exact) const {
  Column column;
  for (std::int32_t a = 0; a < n_classes_; ++a) {
    const SortedScores& sorted = exact[static_cast<std::size_t>(a)];
    if (one_vs_rest_) {
      column.push_back({rough_steps(sorted, codes_, a, /*down=*/false), 0.0});
      continue;
    }
    for (std::int32_t b = 0; b < n_classes_; ++b) {
      if (b == a) continue;
      RoughWalk walk;
      bool tied = false;  // some row since the last one that was kept, with the next
      for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
        const std::int32_t row = sorted.rows[i];
        const std::int32_t code = codes_[static_cast<std::size_t>(row)];
        if (code == a || code == b) {
          if (!walk.steps.empty() && tied) walk.steps.back() |= RoughStep::kTied;
          walk.steps.push_back(RoughStep::of(row, code == a, false));
          tied = true;
        }
        tied = tied && sorted.is_tied_with_next(i);
      }
      column.push_back(std::move(walk));
    }
  }
  for (RoughWalk& walk : column) walk.stretch = rough_stretch(walk.steps);
  return column;
}

Rough<MulticlassAucColumns>::Shared Rough<MulticlassAucColumns>::shared(
    const RoughKernel& /*kernel*/, const RoughRows& rows) const {
  Shared shared(static_cast<std::size_t>((n_classes_ + 1) * kBlock));
  sum_of_classes(rows, codes_, n_classes_, shared.data());
  return shared;
}

void Rough<MulticlassAucColumns>::add(const RoughKernel& kernel, const RoughRows& rows,
                                      const Shared& shared, std::span<const Column* const> columns,
                                      RoughScores* scores) const {
  const double* all = shared.data() + n_classes_ * kBlock;
  const double n_others = n_classes_ - 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    RoughScores& s = scores[i];
    std::fill_n(s.of, kBlock, 0.0);
    std::size_t at = 0;
    double stretch = 0.0;
    for (std::int32_t a = 0; a < n_classes_; ++a) {
      for (std::int32_t b = 0; b < (one_vs_rest_ ? 1 : n_classes_); ++b) {
        if (b == a && !one_vs_rest_) continue;
        const RoughWalk& walk = (*columns[i])[at++];
        stretch = std::max(stretch, walk.stretch);
        double twice[kBlock] = {};
        kernel.add_pairs(walk.steps.data(), static_cast<std::int64_t>(walk.steps.size()),
                         rows.weights, twice);
        const double* of_a = shared.data() + a * kBlock;
        const double* of_b = shared.data() + b * kBlock;
        for (int lane = 0; lane < kBlock; ++lane) {
          const double negatives = one_vs_rest_ ? all[lane] - of_a[lane] : of_b[lane];
          const double share = !weighted_     ? 1.0
                               : one_vs_rest_ ? of_a[lane]
                                              : of_a[lane] + negatives;
          s.of[lane] += share * twice[lane] / (2.0 * of_a[lane] * negatives);
        }
      }
    }
    const double relative = 1.01 * (3.0 * stretch + 32.0) * kRoughUnit + rounding(rows);
    for (int lane = 0; lane < kBlock; ++lane) {
      const double parts = one_vs_rest_ ? (weighted_ ? all[lane] : n_classes_)
                                        : n_others * (weighted_ ? 2.0 * all[lane] : n_classes_);
      s.of[lane] /= parts;
      s.error[lane] = relative * s.of[lane] + 0x1p-100;
    }
  }
}

Rough<MomentsColumns>::Column Rough<MomentsColumns>::prepare(
    const MomentsColumns& /*metric*/, const MomentsColumns::Column& exact) const {
  // Squares of larger values overflow, and of smaller ones vanish.
  constexpr double kLargest = 1e100;
  constexpr double kSmallest = 1e-100;
  Column column;
  double largest = 0.0;
  for (const double value : exact) {
    largest = std::max(largest, std::fabs(value));
    column.usable = column.usable && std::fabs(value) <= kLargest;
  }
  column.usable = column.usable && (largest == 0.0 || largest >= kSmallest);
  column.first.take(exact);
  if (!column.usable || formula_ == metric::Moments::Formula::r2) return column;
  std::vector<double> products(exact.size());
  for (std::size_t row = 0; row < exact.size(); ++row) products[row] = exact[row] * exact[row];
  column.second.take(products);
  if (formula_ == metric::Moments::Formula::explained_variance) return column;
  for (std::size_t row = 0; row < exact.size(); ++row) products[row] = exact[row] * y_[row];
  column.mixed.take(products);
  return column;
}

Rough<MomentsColumns>::Shared Rough<MomentsColumns>::shared(const RoughKernel& /*kernel*/,
                                                            const RoughRows& rows) const {
  Shared shared;
  sum_of_all(rows, shared.weights);
  std::fill_n(shared.mean, kBlock, 0.0);
  std::fill_n(shared.squares, kBlock, 0.0);
  for (std::int64_t row = 0; row < rows.n; ++row) {
    const float* weights = rows.weights + row * kBlock;
    const double y = y_[static_cast<std::size_t>(row)];
    for (int lane = 0; lane < kBlock; ++lane) shared.mean[lane] += weights[lane] * y;
  }
  for (int lane = 0; lane < kBlock; ++lane) shared.mean[lane] /= shared.weights[lane];
  for (std::int64_t row = 0; row < rows.n; ++row) {
    const float* weights = rows.weights + row * kBlock;
    const double y = y_[static_cast<std::size_t>(row)];
    for (int lane = 0; lane < kBlock; ++lane) {
      const double difference = y - shared.mean[lane];
      shared.squares[lane] += weights[lane] * difference * difference;
    }
  }
  for (int lane = 0; lane < kBlock; ++lane) {
    shared.inverse_weights[lane] = 1.0 / shared.weights[lane];
    shared.inverse_squares[lane] = 1.0 / shared.squares[lane];
  }
  return shared;
}

void Rough<MomentsColumns>::add(const RoughKernel& kernel, const RoughRows& rows,
                                const Shared& shared, std::span<const Column* const> columns,
                                RoughScores* scores) const {
  using Formula = metric::Moments::Formula;
  RoughMeans::Shared weights;
  std::copy_n(shared.weights, kBlock, weights.weights);
  const std::size_t n = formula_ == Formula::r2                   ? 1
                        : formula_ == Formula::explained_variance ? 2
                                                                  : 3;
  const auto is_known = [](const Column& column) {
    return column.usable && column.first.usable && column.second.usable && column.mixed.usable;
  };
  // Entries of all columns side by side: the kernel adds up kRoughColumns of them at a time.
  const RoughEntries* entries[3 * kRoughColumns];
  RoughScores sums[3 * kRoughColumns];
  std::size_t n_entries = 0;
  for (const Column* column : columns) {
    if (!is_known(*column)) continue;
    const RoughEntries* own_entries[3] = {&column->first, &column->second, &column->mixed};
    n_entries += static_cast<std::size_t>(std::copy_n(own_entries, n, entries + n_entries) -
                                          (entries + n_entries));
  }
  for (std::size_t at = 0; at < n_entries; at += kRoughColumns) {
    const std::size_t width = std::min<std::size_t>(kRoughColumns, n_entries - at);
    RoughMeans::sums(kernel, rows, {entries + at, width}, weights, sums + at);
  }
  const RoughScores* found = sums;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    RoughScores& s = scores[i];
    if (!is_known(*columns[i])) {
      know_nothing(s);
      continue;
    }
    evaluate(found, shared, rows, s);
    found += n;
  }
}

void Rough<MomentsColumns>::evaluate(const RoughScores* sums, const Shared& shared,
                                     const RoughRows& rows, RoughScores& scores) const {
  using Formula = metric::Moments::Formula;
  const double own = rounding(rows);
  // Weights in float32 may move the truth's mean and squares by so much of these.
  const double of_truth = rows.exact ? own : 8.0 * kRoughUnit;
  const RoughScores& first = sums[0];
  const RoughScores& second = sums[formula_ == Formula::r2 ? 0 : 1];
  const RoughScores& mixed = sums[formula_ == Formula::squared_pearson ? 2 : 0];
  if (formula_ == Formula::r2) {
    for (int lane = 0; lane < kBlock; ++lane) {
      const double missed = first.of[lane] * shared.inverse_squares[lane];
      scores.of[lane] = 1.0 - missed;
      scores.error[lane] = first.error[lane] * shared.inverse_squares[lane] +
                           missed * (8.0 * of_truth) + 4.0 * own * (1.0 + missed);
    }
    return;
  }
  double squares[kBlock];  // about the mean
  double wrong[kBlock];
  for (int lane = 0; lane < kBlock; ++lane) {
    const double mean = first.of[lane] * shared.inverse_weights[lane];
    const double wrong_mean = first.error[lane] * shared.inverse_weights[lane];
    squares[lane] = second.of[lane] - first.of[lane] * mean;
    // One pass loses what cancels, here and in the exact formula.
    wrong[lane] = 1.01 * (second.error[lane] + 2.0 * std::fabs(mean) * first.error[lane] +
                          first.error[lane] * wrong_mean) +
                  (2.0 * own + 4.0 * kRoughUnit) * second.of[lane];
  }
  if (formula_ == Formula::explained_variance) {
    for (int lane = 0; lane < kBlock; ++lane) {
      const double missed = squares[lane] * shared.inverse_squares[lane];
      scores.of[lane] = 1.0 - missed;
      scores.error[lane] = wrong[lane] * shared.inverse_squares[lane] +
                           std::fabs(missed) * 8.0 * of_truth +
                           4.0 * own * (1.0 + std::fabs(missed));
    }
    return;
  }
  for (int lane = 0; lane < kBlock; ++lane) {
    const double total = shared.squares[lane];
    const double product = mixed.of[lane] - first.of[lane] * shared.mean[lane];
    // By Cauchy and Schwarz.
    const double squared_mean = shared.mean[lane] * shared.mean[lane];
    const double size =
        std::sqrt(second.of[lane] * (total + 4.0 * shared.weights[lane] * squared_mean));
    const double wrong_product =
        1.02 * (std::min(mixed.error[lane], kRoughSum * size) +
                std::min(first.error[lane] * std::fabs(shared.mean[lane]), kRoughSum * size)) +
        (8.0 * of_truth + 4.0 * own) * size + 1e-30;
    const double both = squares[lane] * total;
    const bool known = wrong[lane] < 0.01 * squares[lane] && both > 0.0;
    const double root = std::sqrt(both > 0.0 ? both : 0.0);
    const double correlation = product / root;
    const double relative = wrong[lane] / squares[lane] + 8.0 * of_truth + 4.0 * own;
    const double wrong_correlation =
        1.05 * (wrong_product / root + std::fabs(correlation) * relative);
    scores.of[lane] = known ? correlation * correlation : 0.0;
    scores.error[lane] =
        known ? wrong_correlation * (2.0 * std::fabs(correlation) + wrong_correlation) : kInfinity;
  }
}

}  // namespace bbc::detail
