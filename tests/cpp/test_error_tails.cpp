// Limits of squared errors by draws of few rows, against limits computed by hand.
#include <algorithm>
#include <bbc/philox.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "detail/intervals/error_tails.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using Form = RateTerm::Form;
using Terms = std::vector<RateTerm>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is(const Interval& interval, double low, double high) {
  return interval.low == low && interval.high == high;
}
bool near(double a, double b) { return std::fabs(a - b) <= 1e-12 * (1.0 + std::fabs(b)); }

/// Twenty draws, 20 to 1 farther than the estimate, of which the first are alike.
Terms draws(Form form, double weight, int n_alike = 0) {
  Terms terms;
  for (int i = 0; i < 20; ++i) {
    RateTerm term;
    term.form = form;
    term.weight = weight;
    term.rate = i < n_alike ? kInfinity : 20.0 - i;
    terms.push_back(term);
  }
  return terms;
}

CorrectedLimits limits(const Terms& terms, double estimate, Confidence confidence = {0.8}) {
  const std::vector<double> replicates(100, estimate);
  return corrected_limits(replicates, estimate, terms, confidence, {-50.0, 50.0});
}

/// A tenth of twenty draws is the second largest.
void farther_limits() {
  CHECK(is(limits(draws(Form::mean_of_squares, 1.0), 3.0).interval, 3.0, 22.0));
  CHECK(is(limits(draws(Form::mean_of_squares, -1.0), -3.0).interval, -22.0, -3.0));
  CHECK(limits(draws(Form::mean_of_squares, 1.0), 40.0).interval.high == 50.0);
  // 19^2 + 180^2 = 181^2.
  CHECK(near(limits(draws(Form::root_of_squares, 1.0), 0.0).interval.high, 19.0));
  CHECK(near(limits(draws(Form::root_of_squares, -1.0), -3.0).interval.low, -std::sqrt(370.0)));
  const auto found = limits(draws(Form::mean_of_squares, 1.0), 3.0);
  CHECK(is(found.of_replicates, 3.0, 3.0));
  CHECK(!found.few_events && !found.alike_errors && std::isnan(found.kurtosis));
}

void sides() {
  const Terms up = draws(Form::mean_of_squares, 1.0);
  CHECK(limits(up, 3.0, {0.9, Alternative::less}).interval.high == 22.0);
  CHECK(limits(up, 3.0, {0.9, Alternative::greater}).interval.low == 3.0);
  const Terms down = draws(Form::mean_of_squares, -1.0);
  CHECK(limits(down, 3.0, {0.9, Alternative::greater}).interval.low == -16.0);
  CHECK(limits(down, 3.0, {0.9, Alternative::less}).interval.high == 3.0);
}

/// More than a hundredth of the draws, at a tail of a tenth.
void alike() {
  const auto found = limits(draws(Form::mean_of_squares, 1.0, 1), 3.0);
  CHECK(found.alike_errors && is(found.interval, 3.0, 3.0));
  Terms terms = draws(Form::mean_of_squares, 1.0);
  terms.insert(terms.begin(), RateTerm{.form = Form::long_tails, .rate = 7.5});
  CHECK(limits(terms, 3.0).kurtosis == 7.5);
  CHECK(terms_of(numbers_of(terms)) == terms);
}

struct Sample {
  Target target;
  std::vector<double> values;
  CorrectionOptions options;

  explicit Sample(int n, const std::string& metric = "mean_squared_error") {
    target.kind = Target::Kind::real;
    for (int i = 0; i < n; ++i) {
      target.values.push_back(i);
      values.push_back(i + (i * i) % 7);
    }
    options.metric = make_metric(metric);
    options.resampling.seed = 11;
  }
  [[nodiscard]] Terms terms() const {
    const auto n = static_cast<std::int64_t>(values.size());
    const Predictions predictions = View<double>(values.data(), n, 1);
    return rate_terms({&predictions, 1}, target, options, 0);
  }
};

/// Draws of round(27^(2/3)) = 9 rows.
void by_hand() {
  const Sample sample(27);
  const auto squared = [](int i) { return std::pow((i * i) % 7, 2.0); };
  double mean = 0.0;
  for (int i = 0; i < 27; ++i) mean += squared(i) / 27.0;
  double variance = 0.0;
  for (int i = 0; i < 27; ++i) variance += std::pow(squared(i) - mean, 2.0) / 27.0;
  std::vector<double> distances;
  for (std::uint32_t draw = 0; draw < 1000; ++draw) {
    WordStream words(11, stream::kErrorTails, draw, 0);
    std::vector<double> drawn;
    double own = 0.0;
    for (int i = 0; i < 9; ++i) {
      drawn.push_back(squared(static_cast<int>(words.below(27))));
      own += drawn.back() / 9.0;
    }
    double squares = 0.0;
    for (const double value : drawn) squares += std::pow(value - own, 2.0) / 9.0;
    const double t = 3.0 * (own - mean) / std::sqrt(squares);
    distances.push_back(squares > 1e-20 ? -t * std::sqrt(variance / 27.0) : kInfinity);
  }
  std::ranges::sort(distances, std::greater{});
  const Terms terms = sample.terms();
  CHECK(terms.size() == distances.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    CHECK(std::isinf(distances[i]) ? terms[i].rate == kInfinity
                                   : near(terms[i].rate, distances[i]));
  }
}

void where_there_are_draws() {
  CHECK(Sample(20).terms().size() == 1000);
  CHECK(Sample(19).terms().empty());
  CHECK(Sample(30, "mean_absolute_error").terms().empty());
  CHECK(Sample(30, "explained_variance").terms().empty());
  CHECK(Sample(30, "root_mean_squared_error").terms()[0].weight == 1.0);
  CHECK(Sample(30, "r2").terms()[0].weight == -1.0);
  Sample negated(30);
  negated.options.metric.sign = -1.0;
  CHECK(negated.terms()[0].weight == -1.0);
  Sample sample(30);
  for (int i = 0; i < 30; ++i) sample.options.resampling.units.push_back(i / 2);
  CHECK(sample.terms().empty());
  sample.options.resampling.units.clear();
  sample.options.row_weights.assign(30, 0.0);
  std::fill_n(sample.options.row_weights.begin(), 19, 1.0);
  CHECK(sample.terms().empty());
  sample.options.row_weights[19] = 1.0;
  CHECK(sample.terms().size() == 1000);
  sample.options.resampling.strata.assign(30, 0);
  CHECK(sample.terms().size() == 2);  // the spread of losses, and what the strata's shares add
  Sample exact(30);
  exact.values = exact.target.values;
  CHECK(exact.terms().empty());
  exact.values[4] += 1e-160;  // vanishes in the truth
  CHECK(exact.terms().empty());
  exact.values[4] += 1.0;
  const Terms one = exact.terms();
  CHECK(one[0].form == Form::long_tails && near(one[0].rate, 30.0));
}

/// Of rows within classes: their squared errors are 1, 1, 1, 1 and 6, and the mean is 2.
void spread_of_losses() {
  Sample sample(5);
  for (std::size_t row = 0; row < 5; ++row) {
    sample.values[row] = sample.target.values[row] + (row < 4 ? 1.0 : std::sqrt(6.0));
  }
  sample.options.resampling.strata = {0, 1, 0, 1, 1};
  const RateTerm term = sample.terms()[0];
  CHECK(term.form == Form::mean_of_losses && term.weight == 1.0);
  const double error = std::sqrt(4.0 * 0.04 + 0.64);  // of -0.2, four times, and 0.8
  const double skewness = (0.512 - 4.0 * 0.008) / (error * error * error);
  CHECK(near(term.rate, error) && near(term.n, skewness));
  constexpr double kZ = 1.5;
  const double spread = std::sqrt(std::exp(1.0) - 1.0) * kZ;
  const double shift = skewness * (1.0 + 2.0 * kZ * kZ) / 6.0;
  const bbc::Interval found = bbc::score_interval(3.0, {&term, 1}, kZ);
  CHECK(near(found.low, 3.0 - error * (spread - shift)));
  CHECK(near(found.high, 3.0 + error * (spread + shift)));
  sample.options.fixed_class_counts = true;  // within classes: 0, 0 and -5/3, -5/3, 10/3
  CHECK(near(sample.terms()[0].rate, std::sqrt(150.0 / 9.0) / 5.0));
}

}  // namespace

int main() {
  spread_of_losses();
  farther_limits();
  sides();
  alike();
  by_hand();
  where_there_are_draws();
  return check::report();
}
