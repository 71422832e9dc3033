// Weights for censoring by hand, and comparable pairs by halves of time.
#include <bbc/censoring.hpp>
#include <bbc/error.hpp>

#include "detail/fast/time_halves.hpp"
#include "problem.hpp"

namespace {

/// Five rows: an event and a censored row at 2, which leaves first the event, then 2 of 3.
void weights_by_hand() {
  bbc::Target survival;
  survival.kind = bbc::Target::Kind::survival;
  survival.values = {1, 2, 2, 3, 4};
  survival.events = {1, 1, 0, 1, 0};
  const auto censoring = bbc::censoring_survival(survival);
  CHECK((censoring.times == std::vector<double>{2, 4}));
  CHECK((censoring.survival == std::vector<double>{2.0 / 3.0, 0.0}));
  const auto uno = bbc::uno_target(survival, censoring, 3.5);
  CHECK((uno.event_weights == std::vector<double>{1, 1, 0, 2.25, 0}));
  CHECK((uno.events == survival.events));
  CHECK((bbc::uno_target(survival, censoring, 3.0).events ==
         std::vector<std::uint8_t>{1, 1, 0, 0, 0}));
  const auto auc = bbc::dynamic_auc_target(survival, censoring, 2.0);
  CHECK((auc.event_weights == std::vector<double>{1, 1, 0, 0, 0}));
  CHECK((auc.values == std::vector<double>{0, 0, -1, 1, 1}));
  const std::vector<double> times{2.0, 3.0};
  const auto weights = bbc::brier_weights(survival, censoring, times);
  CHECK((weights == std::vector<double>{0.5, 0.5, 0.5, 0.5, 0, 0, 0.75, 0.75, 0.75, 0.75}));
  const std::vector<double> own{1, 1, 0.5, 0.5, 0.25};
  CHECK((bbc::uno_target(survival, own, 3.5).event_weights == std::vector<double>{1, 1, 0, 4, 0}));
  CHECK((bbc::dynamic_auc_target(survival, own, 3.0).event_weights ==
         std::vector<double>{1, 1, 0, 2, 0}));
  const std::vector<double> later{1, 1, 1, 1, 1, 1, 0.5, 0.25, 0.5, 0.25};
  CHECK((bbc::brier_weights(survival, own, later, times) ==
         std::vector<double>{0.5, 0.5, 0.5, 0.5, 0, 0, 1, 1, 1, 2}));
  const std::vector<double> probabilities(10, 0.5);
  const bbc::View<double> view{probabilities.data(), 5, 1, 2, {2, 2, 1}};
  const auto losses = bbc::brier_losses(survival.values, weights, times, view);
  CHECK((losses == std::vector<double>{0.25, 0.25, 0, 0.375, 0.375}));
  std::vector<double> rising(10, 0.5);
  rising[7] = 0.5 + 1e-9;  // rounding
  const bbc::View<double> curves{rising.data(), 5, 1, 2, {2, 2, 1}};
  static_cast<void>(bbc::brier_losses(survival.values, weights, times, curves));
  rising[7] = 0.5 + 1e-7;
  std::string problem;
  try {
    static_cast<void>(bbc::brier_losses(survival.values, weights, times, curves));
  } catch (const bbc::Error& error) {
    problem = error.problem();
    CHECK((error.place() == bbc::Place{{"row", 3}, {"configuration", 0}}));
  }
  CHECK(problem.find("survival rises from 0.5 at time 2") != std::string::npos);
  bool refused = false;
  try {
    static_cast<void>(bbc::brier_weights({survival}, {{1.0}, {0.0}}, times));
  } catch (const bbc::Error&) {
    refused = true;
  }
  CHECK(refused);
  refused = false;
  try {
    static_cast<void>(bbc::uno_target(survival, std::vector<double>{1, 1}, 3.5));
  } catch (const bbc::Error&) {
    refused = true;
  }
  CHECK(refused);
}

/// All comparable pairs are in one node, or listed.
void halves_have_every_pair_once() {
  problem::Random random(5);
  bbc::Target target;
  target.kind = bbc::Target::Kind::survival;
  for (int row = 0; row < 100; ++row) {
    target.values.push_back(random.below(30));
    target.events.push_back(random.below(2) == 0 ? 1 : 0);
  }
  const bbc::detail::TimeHalves halves(target, 7);
  std::int64_t found = static_cast<std::int64_t>(halves.near_pairs().size());
  std::int64_t expected = 0;
  for (const auto& node : halves.nodes()) {
    for (std::size_t place = node.first; place < node.middle; ++place) {
      if (halves.is_event()[place] != 0)
        found += static_cast<std::int64_t>(node.last - node.middle);
    }
  }
  for (std::size_t place = 0; place < halves.n_rows(); ++place) {
    if (halves.is_event()[place] == 0) continue;
    expected += static_cast<std::int64_t>(halves.n_rows() - halves.first_later()[place]);
  }
  CHECK(found == expected);
}

}  // namespace

int main() {
  weights_by_hand();
  halves_have_every_pair_once();
  return check::report();
}
