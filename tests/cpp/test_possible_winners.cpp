// The model confidence set on scores whose elimination can be worked out by hand.
#include <bbc/control.hpp>
#include <bbc/winners.hpp>
#include <limits>

#include "check.hpp"

namespace {

using namespace bbc;

/// Two configurations: t of the worse is the difference over its root mean square, and a replicate
/// reaches it if the absolute difference of the centred scores does.
void two_configurations() {
  const std::vector<double> scores{0.75, 0.5};
  // Differences of the centred replicates: 0, .25, -.25, .5.
  const std::vector<double> replicates{0.75, 0.5, 0.875, 0.375, 0.5, 0.5, 1.0, 0.25};
  const auto set = model_confidence_set(scores, replicates, true, 0.5);
  // The worse is eliminated first: |0|, |.25|, |-.25|, |.5| reach .25 in three of four.
  CHECK(set.reached == (std::vector<std::int64_t>{4, 3}));
  CHECK(set.p_values == (std::vector<double>{1.0, 0.75}));
  CHECK(set.possible == (std::vector<std::uint8_t>{1, 1}));
  const auto losses = model_confidence_set(scores, replicates, false, 0.2);
  CHECK(losses.reached == (std::vector<std::int64_t>{3, 4}));
  CHECK(losses.possible == (std::vector<std::uint8_t>{0, 1}));
}

void scores_that_do_not_vary() {
  const std::vector<double> scores{0.5, 1.0, 1.0, 0.5};
  std::vector<double> replicates;
  for (int b = 0; b < 20; ++b) replicates.insert(replicates.end(), scores.begin(), scores.end());
  const auto set = model_confidence_set(scores, replicates, true, 0.95);
  CHECK(set.reached == (std::vector<std::int64_t>{0, 20, 20, 0}));
  CHECK(set.possible == (std::vector<std::uint8_t>{0, 1, 1, 0}));
  CHECK(set.standard_errors == std::vector<double>(4, 0.0));
}

void wrong_arguments() {
  const std::vector<double> two{0.5, 0.25};
  const std::vector<double> none;
  const std::vector<double> bad{0.5, std::numeric_limits<double>::quiet_NaN()};
  const auto message = [](const std::vector<double>& scores, const std::vector<double>& replicates,
                          double level) {
    return check::message_of(
        [&] { static_cast<void>(model_confidence_set(scores, replicates, true, level)); });
  };
  CHECK(check::contains(message(none, two, 0.9), "scores: there is no configuration"));
  CHECK(check::contains(message(two, none, 0.9), "replicates"));
  CHECK(check::contains(message(two, {0.5, 0.5, 0.5}, 0.9), "replicates"));
  CHECK(check::contains(message(two, bad, 0.9), "must be finite"));
  CHECK(check::contains(message(two, two, 1.0), "confidence_level"));
  const std::vector<double> many(kMostRivals + 1);
  CHECK(message(many, many, 0.9) ==
        "predictions: have 100001 configurations, at most 100000 can be compared with each other");
}

}  // namespace

int main() {
  two_configurations();
  scores_that_do_not_vary();
  wrong_arguments();
  return check::report();
}
