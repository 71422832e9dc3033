// The table of metrics, and the same by the C interface.
#include <bbc/c.h>

#include <bbc/metric.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "check.hpp"
#include "detail/metrics/traits.hpp"

using namespace bbc;

void numbers() {
  using detail::is_one_of;
  using detail::Numbers;
  CHECK(is_one_of(Numbers::any, -1e300));
  CHECK(is_one_of(Numbers::nonnegative, 0.0) && !is_one_of(Numbers::nonnegative, -0.1));
  CHECK(is_one_of(Numbers::positive, 0.1) && !is_one_of(Numbers::positive, 0.0));
  CHECK(is_one_of(Numbers::above_minus_one, 0.0) && !is_one_of(Numbers::above_minus_one, -1.0));
}

/// Of losses that are given the caller knows the range, of which the sign is that of the value.
void range_of_given_losses() {
  const Metric loss = make_metric("row_loss", {.lowest = 0.25, .highest = 2.0});
  CHECK(loss.range(2.0).low == 0.25 && loss.range(2.0).high == 2.0);
  const Metric negated = make_metric("row_loss", {.sign = -1.0, .lowest = 0.25, .highest = 2.0});
  CHECK(negated.range(2.0).low == -2.0 && negated.range(2.0).high == -0.25);
  const Metric known = make_metric("mean_squared_error", {.lowest = 0.25});
  CHECK(known.range(2.0).low == 0.0);
  CHECK(loss != make_metric("row_loss", {.lowest = 0.25}));
}

int main() {
  numbers();
  range_of_given_losses();
  const auto& table = metric_table();
  std::set<std::string> names;
  std::set<std::string_view> kernels;
  for (const MetricFacts& facts : table) {
    names.insert(facts.name);
    const std::string average = facts.average.empty() ? "binary" : facts.average;
    const Metric metric = make_metric(facts.kernel, {.average = average, .sign = facts.sign});
    kernels.insert(facts.kernel);
    CHECK(metric.greater_is_better() == facts.greater_is_better);
    CHECK(metric.size_dependent() == facts.size_dependent);
    CHECK(facts.range.low < facts.range.high);
    for (const auto* text : {&facts.form, &facts.family, &facts.target, &facts.predicts,
                             &facts.target_range, &facts.prediction_range}) {
      CHECK(!text->empty());
    }
  }
  CHECK(names.size() == table.size());
  CHECK(kernels.size() == metric_names().size());

  bbc_metric_facts facts;
  bbc_metric_facts_init(&facts, sizeof facts);
  std::size_t n = 0;
  while (bbc_metric_facts_of(n, &facts) == BBC_OK) {
    const MetricFacts& own = table[n];
    CHECK(own.name == facts.name && own.kernel == facts.metric && own.title == facts.title);
    CHECK(own.target == facts.target && own.predicts == facts.predicts);
    CHECK((own.sign < 0.0) == (facts.negate != 0));
    const Range any = range_of(own, std::numeric_limits<double>::infinity());
    CHECK(facts.lowest == any.low && facts.highest == any.high);
    facts.n_classes = 2;
    CHECK(bbc_metric_facts_of(n, &facts) == BBC_OK);
    CHECK(facts.lowest == own.range.low && facts.highest == own.range.high);
    facts.n_classes = 0;
    ++n;
  }
  CHECK(n == table.size());
  facts.n_classes = -1;  // of a metric whose range depends on it
  bool refused = false;
  for (std::size_t i = 0; i < n; ++i) {
    refused = refused || bbc_metric_facts_of(i, &facts) == BBC_INVALID_ARGUMENT;
  }
  CHECK(refused);
  bbc_metric_facts empty{};
  CHECK(bbc_metric_facts_of(0, &empty) == BBC_INVALID_ARGUMENT);
  CHECK(bbc_metric_facts_of(0, nullptr) == BBC_INVALID_ARGUMENT);
  return 0;
}
