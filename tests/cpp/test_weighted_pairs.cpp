// Concordance of weighted events: the fast evaluator against the general one, which walks a Fenwick
// tree, and against comparing all pairs: the same bits on all instruction sets. Weights for
// censoring by hand.
#include <bbc/censoring.hpp>
#include <bbc/error.hpp>

#include "detail/fast/pair_program.hpp"
#include "detail/fast/time_halves.hpp"
#include "detail/fast/weighted_pairs.hpp"
#include "detail/isa/pair_counts.hpp"
#include "survival.hpp"

namespace {

using survival::Data;
constexpr auto compare = survival::compare<bbc::detail::WeightedPairsEvaluator>;

void evaluators_agree() {
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    problem::Random random(11);
    for (const std::int64_t n_rows : {2, 3, 8, 17, 40, 150, 400}) {
      for (const std::uint32_t n_times : {1U, 4U, 1000000U}) {
        for (const double event_share : {0.1, 1.0}) {
          const Data data(random, n_rows, 11, 1, n_times, event_share, true);
          const std::string context = std::string(level) + ", " + std::to_string(n_rows) +
                                      " rows, " + std::to_string(n_times) + " times";
          compare(data, problem::random_block(random, n_rows, 64, 0), context, n_rows <= 150);
        }
      }
    }
    for (const std::uint32_t most : {15U, 200U, 300U, 60000U}) {
      const Data data(random, 90, 11, 2, 50, 0.6, true);
      compare(data, problem::random_block(random, 90, 20, most),
              "counts to " + std::to_string(most), true);
    }
    const Data once(random, 200, 9, 2, 100, 0.5, true);
    compare(once, {1, 200, std::vector<std::uint16_t>(200, 1), {}}, "every row once", true);
  }
}

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
  const Data data(random, 100, 1, 1, 30, 0.5, true);
  const bbc::detail::TimeHalves halves(data.target, 7);
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
  evaluators_agree();
  weights_by_hand();
  halves_have_every_pair_once();
  return check::report();
}
