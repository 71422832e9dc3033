// Means over rows against their definitions: the 0-1 loss, and every loss of a row by hand.
#include <bbc/scores.hpp>

#include "by_formula.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/zero_one.hpp"

namespace {

using namespace bbc;
using by_formula::Sample;
using Kind = metric::RowLoss::Kind;

void zero_one() {
  problem::Random random(1);
  for (const bool accuracy : {false, true}) {
    for (const std::size_t n_repeats : {1U, 3U}) {
      Target target;
      target.kind = Target::Kind::labels;
      target.n_classes = 3;
      target.label_values = {4, 2, 9};
      by_formula::Block<std::int64_t> block{25, 8};
      for (int row = 0; row < 25; ++row) {
        target.codes.push_back(static_cast<std::int32_t>(random.below(3)));
      }
      block.fill(n_repeats, [&](std::int64_t, std::int64_t j) {
        return target.label_values[j == 1 ? 0 : random.below(3)];
      });
      by_formula::check<detail::ZeroOneColumns>(
          Metric{metric::ZeroOne{accuracy}}, target, block, random,
          [&](const Sample& sample, std::size_t repeat, std::int64_t j) -> std::optional<double> {
            double wrong = 0.0;
            for (std::size_t i = 0; i < sample.size(); ++i) {
              const auto code = static_cast<std::size_t>(target.codes[sample.rows[i]]);
              const bool right = block(repeat, sample.rows[i], j) == target.label_values[code];
              wrong += right ? 0.0 : sample.weights[i];
            }
            return (accuracy ? sample.total() - wrong : wrong) / sample.total();
          },
          accuracy ? "accuracy" : "zero_one_loss");
    }
  }
}

void squared(bool root) {
  problem::Random random(2);
  for (const std::size_t n_repeats : {1U, 2U}) {
    Target target;
    by_formula::Block<double> block{25, 8};
    for (int row = 0; row < 25; ++row) target.values.push_back(0.25 * random.below(9));
    block.fill(n_repeats, [&](std::int64_t row, std::int64_t j) {
      const double truth = target.values[static_cast<std::size_t>(row)];
      return j == 1 ? truth : truth + 0.5 * (random.below(5) - 2.0);
    });
    by_formula::check<detail::RowLossColumns>(
        make_metric(root ? "root_mean_squared_error" : "mean_squared_error"), target, block, random,
        [&](const Sample& sample, std::size_t repeat, std::int64_t j) -> std::optional<double> {
          double sum = 0.0;
          for (std::size_t i = 0; i < sample.size(); ++i) {
            const double gap = target.values[sample.rows[i]] - block(repeat, sample.rows[i], j);
            sum += sample.weights[i] * gap * gap;
          }
          return root ? std::sqrt(sum / sample.total()) : sum / sample.total();
        },
        root ? "root" : "squared");
  }
}

/// Three rows with errors 1, 2 and 4 of configuration 1, in each of two repeats.
void largest_shares() {
  Target target;
  target.values = {0.0, 1.0, 3.0};
  const double values[] = {0.0, 1.0, 1.0, 3.0, 3.0, 7.0};
  const Predictions repeat = View<double>{values, 3, 2, 1, {2, 1, 1}};
  const std::vector<Predictions> repeats{repeat, repeat};
  const auto share = [&](const char* metric, std::vector<std::int32_t> folds = {},
                         const std::vector<double>& weights = {}) {
    return largest_share(target, repeats, make_metric(metric), 1, folds, weights).share;
  };
  const auto near = [](double value, double expected) {
    return std::fabs(value - expected) < 1e-12;
  };
  CHECK(near(share("mean_squared_error"), 16.0 / 21.0));
  CHECK(near(share("root_mean_squared_error"), 16.0 / 21.0));
  CHECK(near(share("r2"), 16.0 / 21.0));
  CHECK(near(share("explained_variance"), 16.0 / 21.0));
  CHECK(near(share("mean_absolute_error"), 4.0 / 7.0));
  CHECK(near(share("mean_absolute_error", {}, {1.0, 4.0, 1.0}), 8.0 / 13.0));
  // The last row is not predicted in the second repeat, then in neither.
  CHECK(near(share("mean_absolute_error", {0, 0, 0, 0, 0, -1}), 4.0 / 10.0));
  CHECK(near(share("mean_absolute_error", {0, 0, -1, 0, 0, -1}), 2.0 / 3.0));
  CHECK(share("squared_pearson") == 0.0);
  CHECK(share("spearman") == 0.0);
  const auto perfect =
      largest_share(target, repeats, make_metric("mean_squared_error"), 0, {}, {1.0, 1.0, 0.0});
  CHECK(perfect.share == 0.0 && !perfect.dominates);
  const auto message = check::message_of([&] {
    static_cast<void>(largest_share(target, repeats, make_metric("mean_squared_error"), 2, {}, {}));
  });
  CHECK(message == "configuration: there is none of number 2");
}

/// One row of which the absolute error is `times` that of each of the others.
void dominating_rows() {
  const auto dominates = [](std::size_t n_rows, double times) {
    Target target;
    target.values.assign(n_rows, 0.0);
    std::vector<double> values(n_rows, 1.0);
    values[n_rows / 2] = times;
    const auto n = static_cast<std::int64_t>(n_rows);
    const Predictions repeat = View<double>{values.data(), n, 1, 1, {1, 1, 1}};
    const auto metric = make_metric("mean_absolute_error");
    return largest_share(target, {&repeat, 1}, metric, 0, {}, {}).dominates;
  };
  CHECK(dominates(201, 23.0) && !dominates(201, 22.0));  // a tenth of the loss is 200 / 9
  CHECK(dominates(51, 13.0) && !dominates(51, 12.0));    // ten times the mean are 500 / 41
}

double loss_of(const metric::RowLoss& kind, const Target& target, const std::vector<double>& row) {
  const auto n_outputs = static_cast<std::int64_t>(row.size());
  const Predictions predictions = View<double>{row.data(), 1, 1, n_outputs, {1, 1, 1}};
  const auto losses = detail::row_losses(kind, target, predictions, 0, {});
  CHECK(losses.size() == 1);
  return losses.front();
}

double loss_of(const metric::RowLoss& kind, double truth, double prediction) {
  Target target;
  target.values = {truth};
  return loss_of(kind, target, {prediction});
}

double loss_of_class(Kind kind, std::int32_t code, const std::vector<double>& row) {
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = row.size() == 1 ? 2 : static_cast<std::int32_t>(row.size());
  target.codes = {code};
  for (std::int32_t k = 0; k < target.n_classes; ++k) target.label_values.push_back(k);
  return loss_of({kind}, target, row);
}

void losses_by_hand() {
  using by_formula::near;
  CHECK(loss_of({Kind::given}, 7.0, 0.3) == 0.3);
  CHECK(loss_of({Kind::squared}, 1.0, -2.0) == 9.0);
  CHECK(near(loss_of({Kind::squared_log}, std::exp(2.0) - 1.0, std::exp(0.5) - 1.0), 2.25));
  CHECK(loss_of({Kind::absolute}, 1.0, -2.0) == 3.0);
  CHECK(loss_of({Kind::absolute_percentage}, -4.0, -3.0) == 0.25);
  metric::RowLoss pinball{Kind::pinball};
  pinball.alpha = 0.25;
  CHECK(loss_of(pinball, 3.0, 1.0) == 0.5);
  CHECK(loss_of(pinball, 1.0, 3.0) == 1.5);
  // 2 (y log(y / p) - y + p) and 2 (log(p / y) + y / p - 1), McCullagh and Nelder 1989.
  CHECK(near(loss_of({Kind::poisson}, 3.0, 2.0), 2.0 * (3.0 * std::log(1.5) - 1.0)));
  CHECK(loss_of({Kind::poisson}, 0.0, 2.0) == 4.0);
  CHECK(near(loss_of({Kind::gamma}, 3.0, 2.0), 2.0 * (std::log(2.0 / 3.0) + 0.5)));
  CHECK(loss_of({Kind::absolute_per_cent}, -4.0, 1.0) == 125.0);
  CHECK(loss_of({Kind::symmetric_per_cent}, 3.0, 1.0) == 100.0);
  CHECK(loss_of({Kind::symmetric_per_cent}, -2.0, 0.0) == 200.0);
  CHECK(loss_of({Kind::symmetric_per_cent}, 0.0, 0.0) == 0.0);
  // Huber 1964: the two pieces meet at an error of 1, in value and slope.
  CHECK(loss_of({Kind::huber}, 3.0, 1.0) == 1.5 && loss_of({Kind::huber}, 1.0, 1.5) == 0.125);
  CHECK(loss_of({Kind::huber}, 1.0, 2.0) == 0.5);
  CHECK(near(loss_of({Kind::pseudo_huber}, 3.0, 1.0), std::sqrt(5.0) - 1.0));
  CHECK(loss_of({Kind::pseudo_huber}, 0.0, 0x1p-40) == 0x1p-81);
  CHECK(near(loss_of_class(Kind::log, 1, {0.25}), std::log(4.0)));
  CHECK(near(loss_of_class(Kind::log, 0, {0.25}), -std::log(0.75)));
  CHECK(near(loss_of_class(Kind::log, 2, {0.5, 0.375, 0.125}), std::log(8.0)));
  CHECK(near(loss_of_class(Kind::binomial, 1, {0.25}), 2.0 * std::log(4.0)));
  CHECK(loss_of_class(Kind::brier, 1, {0.25}) == 0.5625);
  CHECK(loss_of_class(Kind::brier, 0, {0.25}) == 0.0625);
  CHECK(loss_of_class(Kind::brier, 0, {0.25, 0.5, 0.25}) == 0.5625 + 0.25 + 0.0625);
  CHECK(loss_of_class(Kind::ranked_probability, 1, {0.25}) == 0.5625);
  CHECK(loss_of_class(Kind::ranked_probability, 0, {0.25, 0.5, 0.25}) == (0.5625 + 0.0625) / 2.0);
  CHECK(loss_of_class(Kind::ranked_probability, 1, {0.25, 0.5, 0.25}) == 0.0625);
  CHECK(loss_of_class(Kind::ranked_probability, 1, {0.25, 0.75}) == 0.0625);
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = 3;
  target.label_values = {5, 6, 9};
  target.codes = {0};
  const std::int8_t label = 9;
  const Predictions predictions = View<std::int8_t>{&label, 1, 1, 1, {1, 1, 1}};
  CHECK(detail::row_losses({Kind::ordinal}, target, predictions, 0, {}).front() == 2.0);
}

}  // namespace

int main() {
  zero_one();
  squared(false);
  squared(true);
  largest_shares();
  dominating_rows();
  losses_by_hand();
  return check::report();
}
