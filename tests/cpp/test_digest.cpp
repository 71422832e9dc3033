// States of corrections are merged where truth and options are the same, and nowhere else.
#include <bbc/correction.hpp>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "detail/support/digest.hpp"
#include "problem.hpp"

namespace {

using bbc::Correction;
using bbc::CorrectionOptions;
using bbc::Target;
using bbc::detail::digest_of;

constexpr std::int64_t kRows = 12;

struct Given {
  Target target = problem::labels_of(kRows);
  CorrectionOptions options = problem::options_of("f_beta", 40);

  Given() { target.label_values = {0, 1}; }
};

/// Each is another truth, or other options, by one member.
const std::vector<std::function<void(Given&)>> kChanges = {
    [](Given& g) { g.target.codes[3] = 1 - g.target.codes[3]; },
    [](Given& g) { g.target.label_values = {0, 2}; },
    [](Given& g) { g.target.label_names = {"well", "ill"}; },
    [](Given& g) { g.target.event_weights = {1.0}; },
    [](Given& g) { g.options.metric.sign = -1.0; },
    [](Given& g) { g.options.metric = bbc::make_metric("f_beta", {"macro", 1.0, 0.5, 1.0}); },
    [](Given& g) { g.options.metric = bbc::make_metric("f_beta", {"binary", 2.0, 0.5, 1.0}); },
    [](Given& g) { g.options.metric = bbc::make_metric("precision"); },
    [](Given& g) { g.options.metric = bbc::make_metric("roc_auc"); },
    [](Given& g) { g.options.metric = bbc::make_metric("average_precision"); },
    [](Given& g) { g.options.resampling.seed = 1; },
    [](Given& g) { g.options.resampling.stream = 1; },
    [](Given& g) { g.options.resampling.n_bootstraps = 41; },
    [](Given& g) { g.options.resampling.units = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}; },
    [](Given& g) { g.options.resampling.strata = g.target.codes; },
    [](Given& g) { g.options.resampling.folds = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}; },
    [](Given& g) { g.options.folds = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}; },
    [](Given& g) { g.options.row_weights = std::vector<double>(kRows, 2.0); },
    [](Given& g) { g.options.row_weights = std::vector<double>(kRows, 3.0); },
    [](Given& g) { g.options.redraw = false; },
    [](Given& g) { g.options.rotate_repeats = true; },
    [](Given& g) { g.options.classes = {0, 1}; },
    [](Given& g) { g.options.fixed_class_counts = true; },
    [](Given& g) { g.options.confidence_level = 0.8; },
    [](Given& g) { g.options.alternative = bbc::Alternative::less; },
    [](Given& g) { g.options.selection = bbc::selection::OneStandardError{{1.0, 2.0}, {}}; },
    [](Given& g) { g.options.selection = bbc::selection::Threshold{}; },
    [](Given& g) { g.options.selection = bbc::selection::GreedyEnsemble{2}; },
    [](Given& g) { g.options.selection = bbc::selection::GreedyEnsemble{3}; },
    [](Given& g) { g.options.selection = bbc::selection::TopK{2}; },
    [](Given& g) { g.options.selection = bbc::selection::Rungs{{0}, {1}, {1}}; },
    [](Given& g) { g.options.selection = bbc::selection::Rungs{{0}, {1}, {0}}; },
    [](Given& g) { g.options.selection = bbc::selection::Rungs{{1}, {1}, {0}}; },
};

void unlike_ones_differ() {
  const Given base;
  std::set<std::uint64_t> digests = {digest_of(base.target, base.options)};
  for (const auto& change : kChanges) {
    Given changed;
    change(changed);
    CHECK(changed.target != base.target || changed.options != base.options);
    digests.insert(digest_of(changed.target, changed.options));
  }
  CHECK(digests.size() == kChanges.size() + 1);
}

void states_of_unlike_ones_are_refused() {
  const Given base;
  std::vector<double> scores;
  problem::Random random(1);
  for (int i = 0; i < kRows; ++i) scores.push_back(random.uniform() < 0.5 ? 0.0 : 1.0);
  std::vector<std::int64_t> labels(scores.begin(), scores.end());
  const bbc::Predictions view = bbc::View<std::int64_t>{labels.data(), kRows, 1, 1, {1, 1, 1}};
  Correction one(base.target, base.options);
  one.add({&view, 1}, 0);
  const std::string state = one.state();
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    Given changed;
    kChanges[i](changed);
    if (changed.options.rotate_repeats) continue;         // of BBC-F only
    if (changed.options.selection.index() > 1) continue;  // have no state
    Correction other(changed.target, changed.options);
    CHECK_FOR(check::message_of([&] { other.merge(state); }) ==
                  "state: of a correction with another truth or other options",
              std::to_string(i));
  }
  Correction same(base.target, base.options);
  same.merge(state);
  CHECK(same.state() == state);
  CHECK(same.finish().replicates == one.finish().replicates);
}

void damaged_states_are_refused() {
  const Given base;
  Correction one(base.target, base.options);
  const std::string state = one.state();
  const auto message = [&](const std::string& given) {
    return check::message_of([&] { one.merge(given); });
  };
  for (const std::string& given : {std::string(), std::string("bbc1"), state.substr(0, 20)}) {
    CHECK(message(given) == "state: not the state of a correction by this version");
  }
  const std::string damaged = "state: is damaged: its checksum is another";
  CHECK(message(state.substr(0, state.size() - 1)) == damaged);
  CHECK(message(state + "x") == damaged);
  // Every bit, wherever it is.
  std::string flipped = state;
  std::size_t n_accepted = 0;
  for (std::size_t bit = 0; bit < 8 * state.size(); ++bit) {
    const auto mask = static_cast<char>(1U << (bit % 8));
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ mask);
    n_accepted += message(flipped).starts_with("state: ") ? 0 : 1;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ mask);
  }
  CHECK_FOR(n_accepted == 0, std::to_string(n_accepted));
  CHECK(one.state() == state);
}

/// Equal on every machine, and the two zeros alike.
void recorded() {
  const Given base;
  CHECK_FOR(digest_of(base.target, base.options) == 0xE0AEA23449A48866U,
            std::to_string(digest_of(base.target, base.options)));
  Given zeros;
  zeros.target = {};
  zeros.target.values = {0.0, 1.0};
  zeros.options.metric = bbc::make_metric("mean_squared_error");
  Given signs = zeros;
  signs.target.values[0] = -0.0;
  CHECK(digest_of(signs.target, signs.options) == digest_of(zeros.target, zeros.options));
}

}  // namespace

int main() {
  unlike_ones_differ();
  states_of_unlike_ones_are_refused();
  damaged_states_are_refused();
  recorded();
  return check::report();
}
