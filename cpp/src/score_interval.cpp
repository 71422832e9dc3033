#include <algorithm>
#include <array>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <variant>

#include "detail/intervals/class_shares.hpp"
#include "detail/intervals/effective_number.hpp"
#include "detail/intervals/error_tails.hpp"
#include "detail/intervals/score_limits.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/metrics/ties.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/values.hpp"

namespace bbc {

double detail::newcombe_low(double auc, double m, double n, double z) {
  const double scale = z * z / (m * n);
  const double half = (m + n) / 2.0 - 1.0;
  const auto outside = [&](double x) {
    const double variance =
        scale * x * (1.0 - x) * (1.0 + half * ((1.0 - x) / (2.0 - x) + x / (1.0 + x)));
    return (auc - x) * (auc - x) > variance;
  };
  double low = 0.0;
  double high = auc;
  if (!outside(low)) return 0.0;
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return low;
    (outside(middle) ? low : high) = middle;
  }
}

namespace {

using detail::RateRows;
using Form = RateTerm::Form;

/// The winner's rates: one object per metric that has any.
class Rates {
 public:
  Rates(std::span<const Predictions> repeats, const Target& target,
        const CorrectionOptions& options, std::int64_t configuration)
      : repeats_(repeats),
        target_(target),
        options_(options),
        weights_(detail::weights_of_predicted(options.row_weights, target.n_rows(), options.folds)),
        configuration_(configuration) {}

  [[nodiscard]] std::vector<RateTerm> operator()(const metric::ZeroOne& kind) const {
    return {of_labels([&](std::size_t row, std::int32_t call) {
      return (call == target_.codes[row]) == kind.accuracy ? 1.0 : 0.0;
    })};
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::Confusion& kind) const {
    using Formula = metric::Confusion::Formula;
    using Average = metric::Average;
    switch (kind.formula) {
      case Formula::balanced_accuracy:
        return means(rows_of_truth(), false);
      case Formula::mcc:
        return association(Form::mcc);
      case Formula::kappa:
      case Formula::quadratic_kappa:
      case Formula::linear_kappa:
        return association(Form::kappa);
      case Formula::youden:
      case Formula::distance_to_corner:
        return {};
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
        break;
    }
    if (target_.n_classes == 2) {
      if (kind.formula == Formula::specificity) return {term_of(rows_of_truth()[0])};
      if (kind.formula == Formula::npv) return {term_of(rows_of_calls()[0])};
    }
    const bool rates = kind.formula == Formula::recall || kind.formula == Formula::precision;
    const bool ratios = kind.formula == Formula::f_beta || kind.formula == Formula::jaccard;
    // Of all labels together recall, precision and F are the accuracy.
    if (kind.average == Average::micro && (rates || kind.formula == Formula::f_beta)) {
      return (*this)(metric::ZeroOne{true});
    }
    if (kind.average == Average::binary && kind.formula == Formula::recall) {
      return {term_of(rows_of_truth()[1])};
    }
    if (kind.average == Average::binary && kind.formula == Formula::precision) {
      return {term_of(rows_of_calls()[1])};
    }
    if (kind.average == Average::binary && ratios) {
      return {overlap(kind.formula == Formula::jaccard ? 0.0 : kind.beta * kind.beta)};
    }
    if (!rates || kind.average == Average::micro) return {};
    return means(kind.formula == Formula::recall ? rows_of_truth() : rows_of_calls(),
                 kind.average == Average::weighted);
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::Auc&) const {
    RateTerm term;
    term.form = Form::auc;
    if (options_.resampling.units.empty()) {
      term.n = n_of(1);
      term.others = n_of(0);
      return {term};
    }
    std::vector<double> sums(target_.codes.size());
    std::vector<double> counts(target_.codes.size());
    for (std::size_t repeat = 0; repeat < repeats_.size(); ++repeat) {
      add_placements(repeat, sums, counts);
    }
    RateRows of_class[2];
    for (std::size_t row = 0; row < sums.size(); ++row) {
      if (counts[row] == 0.0) continue;
      of_class[target_.codes[row]].add(sums[row] / counts[row], weight(row),
                                       options_.resampling.units, row);
    }
    term.n = detail::effective_number(of_class[1]);
    term.others = detail::effective_number(of_class[0]);
    return {term};
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::RowLoss&) const {
    const Resampling& draws = options_.resampling;
    const bool drawn_freely = draws.folds.empty() && draws.strata.empty();
    return drawn_freely || !draws.resamples.empty() ? tails() : losses();
  }
  [[nodiscard]] std::vector<RateTerm> operator()(const metric::Moments&) const { return tails(); }
  template <class Other>
  [[nodiscard]] std::vector<RateTerm> operator()(const Other&) const {
    return {};
  }

 private:
  [[nodiscard]] std::vector<RateTerm> tails() const {
    return detail::tail_terms(repeats_, target_, options_, configuration_);
  }
  /// The spread of a mean of losses over rows, or groups of them: scores of few folds, and of rows
  /// within classes, hardly show the few rows that are much worse than all others.
  [[nodiscard]] std::vector<RateTerm> losses() const {
    const auto n_rows = static_cast<std::size_t>(target_.n_rows());
    std::vector<double> sums(n_rows);
    std::vector<double> n_predicted(n_rows);
    for (std::size_t repeat = 0; repeat < repeats_.size(); ++repeat) {
      const auto values =
          detail::values_of_rows(options_.metric, target_, repeats_[repeat], configuration_);
      if (!values) return {};
      for (std::size_t row = 0; row < n_rows; ++row) {
        if (!counts(repeat, row)) continue;
        sums[row] += (*values)[row];
        n_predicted[row] += 1.0;
      }
    }
    // Where the design fixed how many rows each class has, only these vary within.
    const auto& classes = detail::classes_of_draws(target_, options_);
    const detail::Numbered parts(options_.fixed_class_counts ? classes
                                                             : std::vector<std::int32_t>());
    const auto part_of = [&](std::size_t row) {
      return parts.n > 0 ? static_cast<std::size_t>(parts.of_row[row]) : std::size_t{0};
    };
    std::vector<double> weight_of(std::max<std::size_t>(parts.n, 1));
    std::vector<double> sum_of(weight_of.size());
    double total = 0.0;
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (n_predicted[row] == 0.0) continue;
      total += weight(row);
      weight_of[part_of(row)] += weight(row);
      sum_of[part_of(row)] += weight(row) * (sums[row] / n_predicted[row]);
    }
    std::vector<double> of_rows(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (n_predicted[row] == 0.0) continue;
      const double mean = sum_of[part_of(row)] / weight_of[part_of(row)];
      of_rows[row] = weight(row) / total * (sums[row] / n_predicted[row] - mean);
    }
    const auto apart = detail::sums_by_unit(of_rows, options_.resampling.units);
    double largest = 0.0;
    for (const double value : apart) largest = std::max(largest, std::fabs(value));
    if (!(largest > 0.0) || !std::isfinite(largest)) return {};
    double squares = 0.0;
    double cubes = 0.0;
    for (const double value : apart) {
      const double part = value / largest;
      squares += part * part;
      cubes += part * part * part;
    }
    RateTerm term;
    term.form = Form::mean_of_losses;
    term.rate = largest * std::sqrt(squares);
    term.n = cubes / (squares * std::sqrt(squares));
    return {term};
  }
  [[nodiscard]] double weight(std::size_t row) const {
    return weights_.empty() ? 1.0 : weights_[row];
  }
  /// Whether a repeat predicted a row that counts.
  [[nodiscard]] bool counts(std::size_t repeat, std::size_t row) const {
    const auto n_rows = static_cast<std::size_t>(target_.n_rows());
    const bool made = options_.folds.empty() || options_.folds[repeat * n_rows + row] >= 0;
    return made && weight(row) > 0.0;
  }
  /// Adds where each row of a repeat stands: the share of the other class's weight that it is on
  /// the right side of, ties counting one half.
  void add_placements(std::size_t repeat, std::vector<double>& sums,
                      std::vector<double>& n_placed) const {
    std::vector<double> scores;
    detail::read_values(repeats_[repeat], configuration_, {}, scores);
    const detail::SortedScores order = detail::sorted_scores(scores);
    const auto weight_of = [&](std::span<const std::int32_t> tied) {
      std::array<double, 2> own{};
      for (const std::int32_t row : tied) {
        const auto at = static_cast<std::size_t>(row);
        if (counts(repeat, at)) own[static_cast<std::size_t>(target_.codes[at])] += weight(at);
      }
      return own;
    };
    std::array<double, 2> total{};
    detail::for_each_tie(order, [&](std::span<const std::int32_t> tied) {
      const auto own = weight_of(tied);
      for (std::size_t code = 0; code < 2; ++code) total[code] += own[code];
    });
    if (!(total[0] > 0.0 && total[1] > 0.0)) return;
    std::array<double, 2> below{};  // added up as the totals, which are met exactly
    detail::for_each_tie(order, [&](std::span<const std::int32_t> tied) {
      const auto own = weight_of(tied);
      const double right[] = {std::max(0.0, total[1] - below[1] - own[1] / 2.0),
                              below[0] + own[0] / 2.0};
      for (const std::int32_t row : tied) {
        const auto at = static_cast<std::size_t>(row);
        if (!counts(repeat, at)) continue;
        const auto code = static_cast<std::size_t>(target_.codes[at]);
        sums[at] += right[code] / total[1 - code];
        n_placed[at] += 1.0;
      }
      for (std::size_t code = 0; code < 2; ++code) below[code] += own[code];
    });
  }
  /// Calls `use(row, call)` with every prediction that a repeat made.
  template <class Use>
  void each_call(const Use& use) const {
    std::vector<std::int32_t> calls;
    for (std::size_t repeat = 0; repeat < repeats_.size(); ++repeat) {
      detail::read_codes(repeats_[repeat], target_, configuration_, {}, calls);
      for (std::size_t row = 0; row < calls.size(); ++row) {
        if (counts(repeat, row)) use(row, calls[row]);
      }
    }
  }
  /// A rate of rows. A row that several repeats predicted is one row, with its mean value; `value`
  /// is negative where a prediction is not of the rate's denominator. Denominators that depend on
  /// the predictions are means over repeats.
  template <class Value>
  [[nodiscard]] RateTerm of_labels(const Value& value) const {
    std::vector<double> sums(target_.codes.size());
    std::vector<double> counts(target_.codes.size());
    std::vector<double> predicted(target_.codes.size());
    each_call([&](std::size_t row, std::int32_t call) {
      predicted[row] += 1.0;
      const double found = value(row, call);
      if (found < 0.0) return;
      sums[row] += found;
      counts[row] += 1.0;
    });
    RateRows rows;
    for (std::size_t row = 0; row < sums.size(); ++row) {
      if (counts[row] == 0.0) continue;
      rows.add(sums[row] / counts[row], weight(row) * counts[row] / predicted[row],
               options_.resampling.units, row);
    }
    return term_of(rows);
  }
  [[nodiscard]] static RateTerm term_of(const RateRows& rows) {
    RateTerm term;
    term.rate = detail::rate_of(rows);
    term.n = detail::effective_number(rows);
    return term;
  }
  /// Rows of each class's recall, all classes in one pass: there may be as many as rows.
  [[nodiscard]] std::vector<RateRows> rows_of_truth() const {
    std::vector<double> right(target_.codes.size());
    std::vector<double> predicted(target_.codes.size());
    each_call([&](std::size_t row, std::int32_t call) {
      predicted[row] += 1.0;
      if (call == target_.codes[row]) right[row] += 1.0;
    });
    std::vector<RateRows> rows(static_cast<std::size_t>(target_.n_classes));
    for (std::size_t row = 0; row < right.size(); ++row) {
      if (predicted[row] == 0.0) continue;
      rows[static_cast<std::size_t>(target_.codes[row])].add(
          right[row] / predicted[row], weight(row) * predicted[row] / predicted[row],
          options_.resampling.units, row);
    }
    return rows;
  }
  /// Rows of each class's precision: a row counts in the classes that repeats call it, by the share
  /// of the repeats that do.
  [[nodiscard]] std::vector<RateRows> rows_of_calls() const {
    const std::size_t most = repeats_.size();  // of a row
    std::vector<std::size_t> n_calls(target_.codes.size());
    std::vector<std::int32_t> calls(n_calls.size() * most);
    each_call(
        [&](std::size_t row, std::int32_t call) { calls[row * most + n_calls[row]++] = call; });
    std::vector<RateRows> rows(static_cast<std::size_t>(target_.n_classes));
    for (std::size_t row = 0; row < n_calls.size(); ++row) {
      const auto own = std::span(calls).subspan(row * most, n_calls[row]);
      std::ranges::sort(own);
      const auto predicted = static_cast<double>(own.size());
      for (auto call = own.begin(); call != own.end();) {
        const auto next = std::upper_bound(call, own.end(), *call);
        const auto count = static_cast<double>(next - call);
        rows[static_cast<std::size_t>(*call)].add(*call == target_.codes[row] ? 1.0 : 0.0,
                                                  weight(row) * count / predicted,
                                                  options_.resampling.units, row);
        call = next;
      }
    }
    return rows;
  }
  /// Jaccard's index, or the F-score that is a function of it.
  [[nodiscard]] RateTerm overlap(double beta_squared) const {
    RateTerm term = of_labels([&](std::size_t row, std::int32_t call) {
      if (call != 1 && target_.codes[row] != 1) return -1.0;
      return call == target_.codes[row] ? 1.0 : 0.0;
    });
    if (beta_squared == 0.0) return term;
    term.form = Form::f_beta;
    term.others = beta_squared;
    return term;
  }
  /// The rates of a mean over classes, equal or by the weight of their rows.
  [[nodiscard]] std::vector<RateTerm> means(const std::vector<RateRows>& rows,
                                            bool weighted) const {
    std::vector<double> own(rows.size());
    double all = 0.0;
    for (std::size_t row = 0; row < target_.codes.size(); ++row) {
      all += weight(row);
      own[static_cast<std::size_t>(target_.codes[row])] += weight(row);
    }
    std::vector<RateTerm> terms;
    for (std::size_t code = 0; code < rows.size(); ++code) {
      terms.push_back(term_of(rows[code]));
      terms.back().weight = weighted ? own[code] / all : 1.0 / static_cast<double>(rows.size());
    }
    return terms;
  }
  /// Recall and specificity of a metric that is a function of them and of the classes' shares,
  /// where folds are drawn: a winner that calls nobody has scores of folds without scatter.
  [[nodiscard]] std::vector<RateTerm> association(Form form) const {
    const Resampling& draws = options_.resampling;
    const bool drawn_freely = draws.folds.empty() && draws.strata.empty();
    if (target_.n_classes != 2 || drawn_freely) return {};
    const std::vector<RateRows> rows = rows_of_truth();
    double weight_of[2] = {};
    for (std::size_t row = 0; row < target_.codes.size(); ++row) {
      weight_of[target_.codes[row]] += weight(row);
    }
    std::vector<RateTerm> terms;
    for (const std::size_t code : {1, 0}) {
      terms.push_back(term_of(rows[code]));
      terms.back().form = form;
      terms.back().others = weight_of[1] / (weight_of[0] + weight_of[1]);
    }
    return terms;
  }
  /// Kish's number of rows of a class.
  [[nodiscard]] double n_of(std::int32_t code) const {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t row = 0; row < target_.codes.size(); ++row) {
      if (target_.codes[row] != code) continue;
      sum += weight(row);
      squares += weight(row) * weight(row);
    }
    return sum > 0.0 ? sum * sum / squares : 0.0;
  }

  std::span<const Predictions> repeats_;
  const Target& target_;
  const CorrectionOptions& options_;
  std::vector<double> weights_;
  std::int64_t configuration_;
};

/// The hypotenuse, also of lengths whose squares overflow or vanish.
double length(double a, double b) {
  const double larger = std::max(std::fabs(a), std::fabs(b));
  if (!(larger > 0.0)) return 0.0;
  const double ratio = std::min(std::fabs(a), std::fabs(b)) / larger;
  return larger * std::sqrt(1.0 + ratio * ratio);
}

/// Limits of the mean of a recall and a specificity of which nothing else is known: of all recalls
/// that it allows, the longest way to each limit by MOVER.
Interval balanced_limits(double mean, double n, double others, double z) {
  constexpr int kSteps = 40;
  const double first = std::max(0.0, 2.0 * mean - 1.0);
  const double last = std::min(1.0, 2.0 * mean);
  double below = 0.0;
  double above = 0.0;
  for (int step = 0; step <= kSteps; ++step) {
    const double recall = first + (last - first) * step / kSteps;
    const double specificity = std::clamp(2.0 * mean - recall, 0.0, 1.0);
    const double recall_low = detail::wilson_low(recall * n, n, z);
    const double recall_high = 1.0 - detail::wilson_low((1.0 - recall) * n, n, z);
    const double specificity_low = detail::wilson_low(specificity * others, others, z);
    const double specificity_high =
        1.0 - detail::wilson_low((1.0 - specificity) * others, others, z);
    below = std::max(below, length(recall - recall_low, specificity - specificity_low));
    above = std::max(above, length(recall_high - recall, specificity_high - specificity));
  }
  return {mean - below / 2.0, mean + above / 2.0};
}

/// Limits of a mean as wide as draws of rows make them, which score it out of bag: of so few rows
/// that its variance is e - 1 times that of the mean of all. The quantiles of Student's ratio are
/// those of a skewed mean, to first order (Hall 1983).
Interval mean_limits(double mean, double error, double skewness, double z) {
  constexpr double kOutOfBag = 1.3108324944320862;  // sqrt(e - 1)
  const double shift = skewness * (1.0 + 2.0 * z * z) / 6.0;
  return {mean - error * std::max(0.0, kOutOfBag * z - shift),
          mean + error * std::max(0.0, kOutOfBag * z + shift)};
}

/// Limits of the rate of a term.
Interval limits_of(const RateTerm& term, double rate, double z) {
  if (term.form == Form::mean_of_losses) return mean_limits(rate, term.rate, term.n, z);
  const double p = std::clamp(rate, 0.0, 1.0);
  if (!(term.n > 0.0)) return {0.0, 1.0};
  if (term.form == Form::auc) {
    if (!(term.others > 0.0)) return {0.0, 1.0};
    return {detail::newcombe_low(p, term.n, term.others, z),
            1.0 - detail::newcombe_low(1.0 - p, term.n, term.others, z)};
  }
  if (term.form == Form::balanced) {
    if (!(term.others > 0.0)) return {0.0, 1.0};
    return balanced_limits(p, term.n, term.others, z);
  }
  if (term.form == Form::f_beta) {
    // F = (1 + b) J / (1 + b J), a function of Jaccard's index where b, beta^2, is 1; else of the
    // share that takes its place.
    const double b = term.others;
    const double j = p / (1.0 + b - b * p);
    const double low = detail::wilson_low(j * term.n, term.n, z);
    const double high = 1.0 - detail::wilson_low((1.0 - j) * term.n, term.n, z);
    const auto f = [&](double share) { return (1.0 + b) * share / (1.0 + b * share); };
    return {f(low), f(high)};
  }
  const double n =
      term.form == Form::hits ? std::min(term.n / std::max(p, 1e-300), term.others) : term.n;
  return {detail::wilson_low(p * n, n, z), 1.0 - detail::wilson_low((1.0 - p) * n, n, z)};
}

/// MCC or kappa at a recall, a specificity and a share of positives; 0 where it is undefined.
double association(Form form, double recall, double specificity, double share) {
  const double hits = share * recall;
  const double missed = share - hits;
  const double rejections = (1.0 - share) * specificity;
  const double false_calls = (1.0 - share) - rejections;
  const double covariance = hits * rejections - false_calls * missed;
  const double called = hits + false_calls;
  const double not_called = missed + rejections;
  if (form == Form::kappa) {
    const double denominator = share * not_called + (1.0 - share) * called;
    return denominator > 0.0 ? 2.0 * covariance / denominator : 0.0;
  }
  const double product = called * not_called * share * (1.0 - share);
  return product > 0.0 ? covariance / std::sqrt(product) : 0.0;
}

/// MOVER of recall and specificity, with the standard error that the classes' shares add.
Interval association_interval(double value, std::span<const RateTerm> terms, double z) {
  const RateTerm& recall = terms[0];
  const RateTerm& specificity = terms[1];
  const Interval own[] = {limits_of(recall, recall.rate, z),
                          limits_of(specificity, specificity.rate, z)};
  const auto at = [&](double r, double s) {
    return recall.weight * association(recall.form, r, s, recall.others);
  };
  const double center = at(recall.rate, specificity.rate);
  const auto half = [&](double r, double s) {
    const double of_rates = length(at(r, specificity.rate) - center, at(recall.rate, s) - center);
    return length(of_rates, z * recall.offset);
  };
  double below = half(own[0].low, own[1].low);
  double above = half(own[0].high, own[1].high);
  if (recall.weight < 0.0) std::swap(below, above);
  return {value - below, value + above};
}

bool is_of_draws(const RateTerm& term) {
  return term.form == Form::class_shares || term.form == Form::few_folds;
}

bool is_of_tails(const RateTerm& term) {
  return term.form == Form::long_tails || term.form == Form::mean_of_squares ||
         term.form == Form::root_of_squares;
}

/// The limits of draws of folds, or within classes, without the score interval: of few folds no
/// closer than by Student's t, with the standard error by the classes' shares that the draws do not
/// show. Few scores of folds may be equal by chance, which is why replicates count there, too.
Interval beyond_draws(Interval own, double estimate, std::span<const RateTerm> terms,
                      const Confidence& confidence) {
  const double tail = tail_probability(confidence);
  double hidden = 0.0;
  bool drawn = false;
  Interval distances{std::max(0.0, estimate - own.low), std::max(0.0, own.high - estimate)};
  for (const RateTerm& term : terms) {
    if (!is_of_draws(term)) continue;
    drawn = true;
    if (term.form == Form::few_folds) {
      const double half = -student_t_quantile(tail, term.n - 1.0) * std::sqrt(2.0 / term.n);
      distances.low = std::max(distances.low, half * term.rate);
      distances.high = std::max(distances.high, half * term.rate);
    } else {
      hidden = -normal_quantile(tail) * term.rate * detail::hidden_share(term.rate, term.n);
    }
  }
  if (!drawn) return own;
  if (confidence.alternative != Alternative::less) {
    own.low = estimate - length(distances.low, hidden);
  }
  if (confidence.alternative != Alternative::greater) {
    own.high = estimate + length(distances.high, hidden);
  }
  return own;
}

MonteCarloError error_of(const std::vector<double>& replicates, double estimate,
                         const Interval& own, const Interval& limits,
                         const Confidence& confidence) {
  constexpr double kRounding = 1e-12;
  const double mean = detail::rounded_mean(replicates);
  const double size = std::max(std::fabs(mean), std::fabs(estimate));
  MonteCarloError error{0.0, kNaN, kNaN};
  if (std::fabs(estimate - mean) <= kRounding * size) {
    error.estimate = detail::standard_deviation(replicates, mean) /
                     std::sqrt(static_cast<double>(replicates.size()));
  }
  const auto of_limit = [&](double order_statistics, bool moved) {
    return moved && order_statistics < error.estimate ? error.estimate : order_statistics;
  };
  const Interval by_rank = order_statistic_errors(replicates, confidence);
  error.low = of_limit(by_rank.low, limits.low != own.low);
  error.high = of_limit(by_rank.high, limits.high != own.high);
  return error;
}

}  // namespace

std::vector<RateTerm> rate_terms(std::span<const Predictions> repeats, const Target& y,
                                 const CorrectionOptions& options, std::int64_t configuration) {
  const detail::Arithmetic arithmetic;
  const Target target = detail::checked_target(options.metric, y);
  auto terms = std::visit(Rates(repeats, target, options, configuration), options.metric.kind);
  for (RateTerm& term : terms) {
    term.weight *= options.metric.sign;
    term.offset *= options.metric.sign;
  }
  const auto drawn = drawn_terms(repeats, target, options, configuration);
  for (const RateTerm& own : drawn) {
    if (own.form != Form::class_shares) continue;
    for (RateTerm& term : terms) {
      if (term.form == Form::mcc || term.form == Form::kappa) term.offset = own.rate;
    }
  }
  terms.insert(terms.end(), drawn.begin(), drawn.end());
  return terms;
}

Interval score_interval(double value, std::span<const RateTerm> terms, double z, Reach reach) {
  const detail::Arithmetic arithmetic;
  if (terms.size() == 1 && terms[0].form == Form::point) {
    const double fall = terms[0].rate;
    const double rise = terms[0].others;
    if (reach == Reach::curve) {
      // Fewer rows than these raise the left end of a curve, which a lower limit must not follow.
      const double low = std::min(value, terms[0].offset) - fall;
      return {limits_of(terms[0], low, z).low, limits_of(terms[0], value + rise, z).high};
    }
    const Interval own = limits_of(terms[0], value, z);
    return {value - length(value - own.low, fall), value + length(own.high - value, rise)};
  }
  if (terms.size() == 1) {
    const RateTerm& term = terms[0];
    const Interval own = limits_of(term, (value - term.offset) / term.weight, z);
    const double ends[] = {term.offset + term.weight * own.low,
                           term.offset + term.weight * own.high};
    return term.weight > 0.0 ? Interval{ends[0], ends[1]} : Interval{ends[1], ends[0]};
  }
  if (terms[0].form == Form::mcc || terms[0].form == Form::kappa) {
    return association_interval(value, terms, z);
  }
  double sum = 0.0;
  double total = 0.0;
  bool mean = true;  // of rates, which are moved to have the value as their mean
  for (const RateTerm& term : terms) {
    sum += term.offset + term.weight * term.rate;
    total += term.weight;
    mean = mean && term.weight * terms[0].weight > 0.0;
  }
  const double shift = mean ? (value - sum) / total : 0.0;
  double below = 0.0;
  double above = 0.0;
  for (const RateTerm& term : terms) {
    const double rate = std::clamp(term.rate + shift, 0.0, 1.0);
    const Interval own = limits_of(term, rate, z);
    double down = term.weight * (rate - own.low);
    double up = term.weight * (own.high - rate);
    if (term.weight < 0.0) std::swap(down, up);  // they are squared
    below += down * down;
    above += up * up;
  }
  return {value - std::sqrt(below), value + std::sqrt(above)};
}

std::vector<double> numbers_of(std::span<const RateTerm> terms) {
  const detail::Arithmetic arithmetic;
  std::vector<double> numbers;
  for (const RateTerm& term : terms) {
    for (const double number : {static_cast<double>(term.form), term.weight, term.rate, term.n,
                                term.others, term.offset}) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

std::vector<RateTerm> terms_of(std::span<const double> numbers) {
  const detail::Arithmetic arithmetic;
  constexpr std::size_t kNumbers = 6;
  if (numbers.size() % kNumbers != 0) throw_invalid("rates", "must be six numbers each");
  std::vector<RateTerm> terms;
  for (std::size_t i = 0; i < numbers.size(); i += kNumbers) {
    const double form = numbers[i];
    if (!(form >= 0.0 && form <= static_cast<double>(Form::mean_of_losses) &&
          form == std::floor(form))) {
      throw_invalid("rates", "have an unknown form");
    }
    terms.push_back({static_cast<Form>(static_cast<int>(form)), numbers[i + 1], numbers[i + 2],
                     numbers[i + 3], numbers[i + 4], numbers[i + 5]});
  }
  return terms;
}

CorrectedLimits corrected_limits(const std::vector<double>& replicates, double estimate,
                                 std::span<const RateTerm> terms, const Confidence& confidence,
                                 Interval range) {
  const detail::Arithmetic arithmetic;
  const Interval own = order_statistic_interval(replicates, confidence.level,
                                                confidence.alternative, range.low, range.high);
  CorrectedLimits found = limits_around(own, estimate, terms, confidence, range);
  found.monte_carlo_error = error_of(replicates, estimate, own, found.interval, confidence);
  return found;
}

CorrectedLimits limits_around(Interval own, double estimate, std::span<const RateTerm> terms,
                              const Confidence& confidence, Interval range) {
  const detail::Arithmetic arithmetic;
  CorrectedLimits found;
  found.of_replicates = beyond_draws(own, estimate, terms, confidence);
  // The score of one configuration is no mean of replicates, which may lie on one side of it.
  found.of_replicates.low = std::min(found.of_replicates.low, estimate);
  found.of_replicates.high = std::max(found.of_replicates.high, estimate);
  // Replicates that lost a shift (size_correction) may lie beyond the metric's ends.
  for (double* limit : {&found.of_replicates.low, &found.of_replicates.high}) {
    *limit = std::clamp(*limit, range.low, range.high);
  }
  found.interval = found.of_replicates;
  detail::reach_tails(terms, estimate, confidence, range, found);
  std::vector<RateTerm> rates;
  for (const RateTerm& term : terms) {
    if (!is_of_draws(term) && !is_of_tails(term)) rates.push_back(term);
  }
  if (rates.empty()) return found;
  const double z = -normal_quantile(tail_probability(confidence));
  const Interval score = score_interval(estimate, rates, z);
  double length = 0.0;
  double of_replicates = 0.0;
  if (confidence.alternative != Alternative::less) {
    found.interval.low = std::max(range.low, std::min(score.low, found.of_replicates.low));
    length += estimate - found.interval.low;
    of_replicates += estimate - found.of_replicates.low;
  }
  if (confidence.alternative != Alternative::greater) {
    found.interval.high = std::min(range.high, std::max(score.high, found.of_replicates.high));
    length += found.interval.high - estimate;
    of_replicates += found.of_replicates.high - estimate;
  }
  constexpr double kMuchLonger = 1.5;
  found.few_events = rates[0].form != Form::mean_of_losses && length > kMuchLonger * of_replicates;
  return found;
}

}  // namespace bbc
