// Score intervals of rates against limits computed by hand.
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detail/intervals/effective_number.hpp"
#include "detail/intervals/score_limits.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using Form = RateTerm::Form;
using Terms = std::vector<RateTerm>;

bool near(double a, double b) { return std::fabs(a - b) <= 1e-12; }
bool is(const Interval& interval, double low, double high) {
  return near(interval.low, low) && near(interval.high, high);
}

/// The limits x solve (k / n - x)^2 = z^2 x (1 - x) / n.
void wilson() {
  // Of 8 in 16, z = 3: (12.5 -+ 7.5) / 25.
  CHECK(near(detail::wilson_low(8, 16, 3), 0.2));
  CHECK(near(1.0 - detail::wilson_low(16 - 8, 16, 3), 0.8));
  // Of 10 in 10: n / (n + z^2).
  CHECK(near(detail::wilson_low(10, 10, 2), 10.0 / 14.0));
  CHECK(detail::wilson_low(0, 10, 2) == 0.0);
  CHECK(detail::wilson_low(3, 12, 0) == 0.25);
}

/// The limits x solve (A - x)^2 = z^2 / (m n) x (1 - x) (1 + h ((1 - x) / (2 - x) + x / (1 + x)))
/// with h = (m + n) / 2 - 1. At x = 1/2 the right side is z^2 / (4 m n) (1 + 2 h / 3).
void newcombe() {
  CHECK(near(detail::newcombe_low(1.0, 1, 1, 1), 0.5));
  CHECK(near(detail::newcombe_low(1.0, 2, 6, 2), 0.5));
  CHECK(near(detail::newcombe_low(0.75, 2, 6, 1), 0.5));
  CHECK(near(detail::newcombe_low(0.75, 6, 2, 1), 0.5));
  CHECK(detail::newcombe_low(0.0, 2, 6, 1) == 0.0);
  CHECK(near(detail::newcombe_low(0.75, 2, 6, 0), 0.75));
}

void of_one_rate() {
  const auto of = [](double value, const RateTerm& term, double z) {
    return score_interval(value, Terms{term}, z);
  };
  CHECK(is(of(0.5, {Form::proportion, 1.0, 0.5, 16}, 3), 0.2, 0.8));
  CHECK(is(of(-0.5, {Form::proportion, -1.0, 0.5, 16}, 3), -0.8, -0.2));
  CHECK(is(of(0.0, {Form::proportion, -1.0, 1.0, 10, 0.0, 1.0}, 2), 0.0, 2.0 / 7.0));
  CHECK(is(of(0.5, {Form::proportion, 1.0, 0.5, 0}, 3), 0.0, 1.0));
  // 8 hits of 16; and of no more rows than `others`, 10 in 10.
  CHECK(is(of(0.5, {Form::hits, 1.0, 0.5, 8, 100}, 3), 0.2, 0.8));
  CHECK(near(of(1.0, {Form::hits, 1.0, 1.0, 20, 10}, 2).low, 10.0 / 14.0));
  CHECK(near(of(0.75, {Form::auc, 1.0, 0.0, 2, 6}, 1).low, 0.5));
  CHECK(near(of(0.25, {Form::auc, 1.0, 0.0, 2, 6}, 1).high, 0.5));
  CHECK(is(of(0.75, {Form::auc, 1.0, 0.0, 2, 0}, 1), 0.0, 1.0));
  // F1 = 2 J / (1 + J) of J = 0.5, 0.2 and 0.8.
  CHECK(is(of(2.0 / 3.0, {Form::f_beta, 1.0, 0.0, 16, 1.0}, 3), 1.0 / 3.0, 8.0 / 9.0));
}

void of_several_rates() {
  const RateTerm half{Form::proportion, 0.5, 0.5, 16};
  const double width = 0.15 * std::sqrt(2.0);
  CHECK(is(score_interval(0.5, Terms{half, half}, 3), 0.5 - width, 0.5 + width));
  // Rates of a mean are moved so that they have the value as their mean.
  RateTerm low = half;
  low.rate = 0.3;
  CHECK(is(score_interval(0.5, Terms{low, low}, 3), 0.5 - width, 0.5 + width));
  // A difference falls with the first rate's lower limit and with the second one's upper limit.
  const Terms difference{{Form::proportion, 1.0, 1.0, 10}, {Form::proportion, -1.0, 0.0, 10}};
  CHECK(is(score_interval(1.0, difference, 2), 1.0 - 2.0 / 7.0 * std::sqrt(2.0), 1.0));
}

void of_a_point_of_a_curve() {
  const Terms point{{Form::point, 1.0, 0.4, 16, 0.4}};
  CHECK(is(score_interval(0.5, point, 3), 0.0, 1.0));  // 0.3^2 + 0.4^2 = 0.5^2
  const Terms falls{{Form::point, 1.0, 0.2, 16, 0.0, 0.7}};
  CHECK(near(score_interval(0.7, falls, 3, Reach::curve).low, 0.2));
  // The lower limit starts at the apparent curve where that is lower, the upper one does not.
  const auto above = score_interval(0.8, falls, 3, Reach::curve);
  CHECK(near(above.low, 0.2) && above.high > score_interval(0.7, falls, 3, Reach::curve).high);
  const Terms rises{{Form::point, 1.0, 0.0, 16, 0.1, 0.4}};
  CHECK(near(score_interval(0.4, rises, 3, Reach::curve).high, 0.8));
}

void hull() {
  const Confidence sure{2.0 * normal_cdf(2.0) - 1.0};  // z = 2
  const Range range(0.0, 1.0);
  const Terms perfect{{Form::proportion, 1.0, 1.0, 10}};
  const std::vector<double> ones(100, 1.0);
  const CorrectedLimits agreed = corrected_limits(ones, 1.0, perfect, sure, range);
  CHECK(is(agreed.interval, 5.0 / 7.0, 1.0));
  CHECK(is(agreed.of_replicates, 1.0, 1.0));
  CHECK(agreed.few_events);
  const Confidence one_side{normal_cdf(2.0), Alternative::greater};
  CHECK(is(corrected_limits(ones, 1.0, perfect, one_side, range).interval, 5.0 / 7.0, 1.0));
  const CorrectedLimits without = corrected_limits(ones, 1.0, {}, sure, range);
  CHECK(is(without.interval, 1.0, 1.0));
  CHECK(!without.few_events);
  // Replicates that vary more than the score interval, and beyond the metric's ends.
  std::vector<double> wide(100, -0.2);
  for (std::size_t i = 50; i < wide.size(); ++i) wide[i] = 1.0;
  const CorrectedLimits kept = corrected_limits(wide, 0.4, perfect, sure, range);
  CHECK(is(kept.interval, 0.0, 1.0));
  CHECK(is(kept.of_replicates, 0.0, 1.0));
  CHECK(!kept.few_events);
}

void effective_numbers() {
  const auto number = [](std::vector<double> values, std::vector<double> weights,
                         std::vector<std::int32_t> units) {
    return detail::effective_number({std::move(values), std::move(weights), std::move(units)});
  };
  CHECK(near(number({1, 0, 1}, {2, 1, 1}, {}), 16.0 / 6.0));
  CHECK(number({}, {}, {}) == 0.0);
  // V_0 = 4 and V_1 = 8 of two units of two rows. Rows that agree within units: V = V_1.
  CHECK(near(number({1, 1, 0, 0}, {1, 1, 1, 1}, {0, 0, 1, 1}), 2.0));
  // Rows that do not: V = V_0, of two units with errors: 16 * 3 / (2 * 4 + 8).
  CHECK(near(number({1, 0, 1, 0}, {1, 1, 1, 1}, {5, 5, 9, 9}), 3.0));
  // A perfect score counts its units.
  CHECK(near(number({1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 1, 1}), 2.0));

  detail::RateRows rows;
  CHECK(detail::rate_of(rows) == 0.0);
  const std::vector<std::int32_t> units{7, 8};
  rows.add(1.0, 3.0, units, 1);
  rows.add(0.0, 1.0, units, 0);
  CHECK(detail::rate_of(rows) == 0.75);
  CHECK((rows.units == std::vector<std::int32_t>{8, 7}));
}

/// Truth 1, 0, 1, 0; called 1, 0, 1, 1.
void rates_of_predictions() {
  const Target target = problem::labels_of(4);
  const std::int8_t calls[] = {1, 0, 1, 1};
  const std::vector<Predictions> labels{View<std::int8_t>(calls, 4, 1)};
  const double scores[] = {0.9, 0.1, 0.8, 0.7};
  const std::vector<Predictions> scored{View<double>(scores, 4, 1)};
  const auto terms = [&](const char* metric, const std::vector<Predictions>& predictions,
                         std::vector<double> weights = {}) {
    CorrectionOptions options = problem::options_of(metric);
    options.row_weights = std::move(weights);
    return rate_terms(predictions, target, options, 0);
  };
  CHECK((terms("accuracy", labels) == Terms{{Form::proportion, 1.0, 0.75, 4}}));
  const Terms weighted = terms("accuracy", labels, {2, 1, 1, 0});
  CHECK(weighted.size() == 1 && near(weighted[0].rate, 1.0) && near(weighted[0].n, 16.0 / 6.0));
  CHECK((terms("balanced_accuracy", labels) ==
         Terms{{Form::proportion, 0.5, 0.5, 2}, {Form::proportion, 0.5, 1.0, 2}}));
  CHECK((terms("precision", labels) == Terms{{Form::proportion, 1.0, 2.0 / 3.0, 3}}));
  CHECK((terms("roc_auc", scored) == Terms{{Form::auc, 1.0, 0.0, 2, 2}}));
  CHECK(terms("mcc", labels).empty());
}

/// Rows of weight 0, or that no repeat predicted, are as if they were not there.
void rows_that_do_not_count() {
  const double scores[] = {0.9, 0.1, 0.8, 0.7, 0.0, 1.0};
  const double kept[] = {0.9, 0.1, 0.8, 0.7};
  const auto terms = [](std::span<const double> values, std::vector<double> weights,
                        std::vector<std::int32_t> folds, std::size_t n_repeats = 1) {
    const auto n = static_cast<std::int64_t>(values.size());
    CorrectionOptions options = problem::options_of("roc_auc");
    options.row_weights = std::move(weights);
    options.folds = std::move(folds);
    for (std::int32_t row = 0; row < n; ++row) options.resampling.units.push_back(row / 2);
    const std::vector<Predictions> repeats(n_repeats, View<double>(values.data(), n, 1));
    return rate_terms(repeats, problem::labels_of(values.size()), options, 0);
  };
  const Terms of_kept = terms(kept, {}, {});
  CHECK(of_kept.size() == 1 && of_kept[0].n > 0.0);
  CHECK(terms(scores, {1, 1, 1, 1, 0, 0}, {}) == of_kept);
  CHECK(terms(scores, {}, {0, 0, 1, 1, -1, -1}) == of_kept);
  CHECK(terms(kept, {}, {0, 0, 0, 0, 0, 0, 0, -1}, 2) == of_kept);  // a row of one repeat
}

/// Rates of classes, each computed alone, from all rows: what one pass over all of them must equal
/// bit for bit. `precision`: of the rows that are called the class, else of those that are it.
Terms one_class_after_the_other(const std::vector<std::vector<std::int32_t>>& calls,
                                const Target& target, const CorrectionOptions& options,
                                bool precision, bool weighted) {
  const std::size_t n = target.codes.size();
  const auto weight = [&](std::size_t row) {
    return options.row_weights.empty() ? 1.0 : options.row_weights[row];
  };
  Terms terms;
  for (std::int32_t code = 0; code < target.n_classes; ++code) {
    detail::RateRows rows;
    double own = 0.0;
    double all = 0.0;
    for (std::size_t row = 0; row < n; ++row) {
      double sum = 0.0;
      double count = 0.0;
      double predicted = 0.0;
      for (std::size_t repeat = 0; repeat < calls.size(); ++repeat) {
        if (!(weight(row) > 0.0)) continue;
        if (!options.folds.empty() && options.folds[repeat * n + row] < 0) continue;
        predicted += 1.0;
        if ((precision ? calls[repeat][row] : target.codes[row]) != code) continue;
        count += 1.0;
        sum += calls[repeat][row] == target.codes[row] ? 1.0 : 0.0;
      }
      if (predicted == 0.0) continue;  // has no part in the classes' weights either
      all += weight(row);
      if (target.codes[row] == code) own += weight(row);
      if (count == 0.0) continue;
      rows.add(sum / count, weight(row) * count / predicted, options.resampling.units, row);
    }
    RateTerm term;
    term.weight = weighted ? own / all : 1.0 / static_cast<double>(target.n_classes);
    term.rate = detail::rate_of(rows);
    term.n = detail::effective_number(rows);
    terms.push_back(term);
  }
  return terms;
}

CorrectionOptions averaged(const char* metric, const char* average) {
  CorrectionOptions options;
  options.metric = make_metric(metric, {average});
  return options;
}

void rates_of_many_classes() {
  problem::Random random(5);
  for (int round = 0; round < 40; ++round) {
    const std::int32_t n_classes = 2 + static_cast<std::int32_t>(random.below(30));
    const std::size_t n = 40 + random.below(60);
    Target target = problem::labels_of(0);
    target.n_classes = n_classes;
    for (std::size_t row = 0; row < n; ++row) {
      target.codes.push_back(static_cast<std::int32_t>(row) % n_classes);
    }
    const std::size_t n_repeats = 1 + random.below(4);
    std::vector<std::vector<std::int32_t>> calls(n_repeats);
    for (auto& of_repeat : calls) {
      for (std::size_t row = 0; row < n; ++row) {
        const auto any = random.below(static_cast<std::uint32_t>(n_classes));
        of_repeat.push_back(random.below(2) > 0 ? target.codes[row]
                                                : static_cast<std::int32_t>(any));
      }
    }
    std::vector<Predictions> predictions;
    for (const auto& of_repeat : calls) {
      predictions.emplace_back(
          View<std::int32_t>(of_repeat.data(), static_cast<std::int64_t>(n), 1));
    }
    const bool weights = random.below(2) > 0;
    const bool units = random.below(2) > 0;
    const bool folds = random.below(2) > 0;
    const std::pair<const char*, const char*> metrics[] = {{"balanced_accuracy", "macro"},
                                                           {"recall", "macro"},
                                                           {"recall", "weighted"},
                                                           {"precision", "macro"},
                                                           {"precision", "weighted"}};
    for (const auto& [metric, average] : metrics) {
      CorrectionOptions options = averaged(metric, average);
      for (std::size_t row = 0; weights && row < n; ++row) {
        options.row_weights.push_back(static_cast<double>(row * 7 % 5) / 8.0);
      }
      for (std::size_t row = 0; units && row < n; ++row) {
        options.resampling.units.push_back(static_cast<std::int32_t>(row / 3));
      }
      for (std::size_t i = 0; folds && i < n * n_repeats; ++i) {
        options.folds.push_back(i % 7 == 0 ? -1 : static_cast<std::int32_t>(i % 3));
      }
      const bool precision = std::string(metric) == "precision";
      const bool weighted = std::string(average) == "weighted";
      CHECK_FOR(rate_terms(predictions, target, options, 0) ==
                    one_class_after_the_other(calls, target, options, precision, weighted),
                std::string(metric) + " " + average + " of round " + std::to_string(round));
    }
  }
}

/// Each class took a pass over all rows: these would be 4 * 10^10 steps.
void as_many_classes_as_rows() {
  constexpr std::int32_t kRows = 200'000;
  Target target = problem::labels_of(0);
  target.n_classes = kRows;
  std::vector<std::int32_t> calls;
  for (std::int32_t row = 0; row < kRows; ++row) {
    target.codes.push_back(row);
    calls.push_back(row ^ (row % 4 == 1 ? 1 : 0));
  }
  const std::vector<Predictions> predictions{View<std::int32_t>(calls.data(), kRows, 1)};
  for (const char* metric : {"balanced_accuracy", "precision"}) {
    const Terms terms = rate_terms(predictions, target, averaged(metric, "macro"), 0);
    CHECK(terms.size() == kRows && terms[0].weight == 1.0 / kRows);
    // Row 1 is called 0: class 1 is never called, half of what is called 0 is.
    const bool recall = std::string(metric) == "balanced_accuracy";
    CHECK(terms[0].rate == (recall ? 1.0 : 0.5) && terms[0].n == (recall ? 1.0 : 2.0));
    CHECK(terms[1].rate == 0.0 && terms[1].n == (recall ? 1.0 : 0.0));
    CHECK(terms[2].rate == 1.0 && terms[2].n == 1.0);
  }
}

void as_numbers() {
  const Terms terms{{Form::proportion, 0.5, 0.25, 8}, {Form::point, 1.0, 0.1, 9, 0.2, 0.3}};
  const std::vector<double> numbers = numbers_of(terms);
  CHECK((numbers == std::vector<double>{0, 0.5, 0.25, 8, 0, 0, 4, 1, 0.1, 9, 0.2, 0.3}));
  CHECK(terms_of(numbers) == terms);
  const auto refusal = [](std::vector<double> given) {
    return check::message_of([&] { static_cast<void>(terms_of(given)); });
  };
  CHECK(refusal({0, 1, 1}) == "rates: must be six numbers each");
  for (const double form : {-1.0, 0.5, 100.0, std::nan("")}) {
    CHECK_FOR(refusal({form, 1, 1, 1, 1, 1}) == "rates: have an unknown form",
              std::to_string(form));
  }
}

}  // namespace

int main() {
  wilson();
  newcombe();
  of_one_rate();
  of_several_rates();
  of_a_point_of_a_curve();
  hull();
  effective_numbers();
  rates_of_predictions();
  rows_that_do_not_count();
  rates_of_many_classes();
  as_many_classes_as_rows();
  as_numbers();
  return check::report();
}
