#pragma once

// Random problems, and what every evaluator must agree on with the general one.
#include <bbc/correction.hpp>
#include <bbc/philox.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "detail/isa/simd.hpp"
#include "detail/metrics/evaluator.hpp"

namespace problem {

inline const char* const kLevels[] = {"portable", "avx2", "avx512"};

/// Two classes in turns, the positive one first.
inline bbc::Target labels_of(std::size_t n_rows) {
  bbc::Target target;
  target.kind = bbc::Target::Kind::labels;
  target.n_classes = 2;
  for (std::size_t row = 0; row < n_rows; ++row) target.codes.push_back(row % 2 == 0 ? 1 : 0);
  return target;
}

inline bbc::CorrectionOptions options_of(const char* metric, std::int64_t n_bootstraps = 100) {
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric(metric);
  options.resampling.n_bootstraps = n_bootstraps;
  return options;
}

/// Nothing is kept that another level drew.
inline void set_level(const char* level) {
  bbc::detail::limit_simd(level);
  bbc::set_draw_memory(0);
}

/// Those of kLevels that this machine has.
inline std::vector<const char*> levels() {
  std::vector<const char*> found;
  for (const char* level : kLevels) {
    set_level(level);
    const auto place = static_cast<int>(found.size());
    if (static_cast<int>(bbc::detail::simd_level()) == place) found.push_back(level);
  }
  return found;
}

/// Every metric of a confusion matrix; those that have no average once.
inline std::vector<bbc::metric::Confusion> confusion_metrics(double beta) {
  using Formula = bbc::metric::Confusion::Formula;
  using Average = bbc::metric::Average;
  std::vector<bbc::metric::Confusion> kinds;
  for (const auto formula :
       {Formula::balanced_accuracy, Formula::precision, Formula::recall, Formula::specificity,
        Formula::npv, Formula::f_beta, Formula::jaccard, Formula::mcc, Formula::kappa,
        Formula::distance_to_corner, Formula::youden}) {
    for (const auto average :
         {Average::binary, Average::macro, Average::micro, Average::weighted}) {
      const bool averaged = formula != Formula::balanced_accuracy && formula != Formula::mcc &&
                            formula != Formula::kappa && formula != Formula::distance_to_corner &&
                            formula != Formula::youden;
      if (averaged || average == Average::macro) kinds.push_back({formula, average, beta});
    }
  }
  return kinds;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : words_(seed, 7, 0, 0) {}
  std::uint32_t below(std::uint32_t bound) { return words_.below(bound); }
  double uniform() { return words_.next() * 0x1p-32; }

 private:
  bbc::WordStream words_;
};

/// A block of bootstrap replicates; `most` > 0 adds counts up to it, as explicit resamples may.
inline bbc::detail::ReplicateBlock random_block(Random& random, std::int64_t n_rows,
                                                int n_replicates, std::uint32_t most = 0) {
  bbc::detail::ReplicateBlock block{n_replicates, n_rows, {}, {}};
  block.counts.resize(static_cast<std::size_t>(n_rows * n_replicates));
  for (int lane = 0; lane < n_replicates; ++lane) {
    std::uint16_t* counts = block.counts.data() + lane * n_rows;
    for (std::int64_t i = 0; i < n_rows; ++i) {
      ++counts[random.below(static_cast<std::uint32_t>(n_rows))];
    }
    // At least one row is out of bag and one in, as in every acceptable replicate.
    const auto out = random.below(static_cast<std::uint32_t>(n_rows));
    if (most > 0) {
      counts[random.below(static_cast<std::uint32_t>(n_rows))] = static_cast<std::uint16_t>(most);
    }
    counts[out] = 0;
    if (n_rows > 1) ++counts[(out + 1) % n_rows];
  }
  return block;
}

/// All that the driver asks of an evaluator.
struct Answers {
  std::vector<bbc::detail::Choice> winners;
  std::vector<double> keys;
  std::vector<double> scores;
  std::vector<double> out_of_bag;
  std::vector<double> in_bag;

  /// The winners that are scored are its own unless others are given.
  Answers(const bbc::detail::Evaluator& evaluator, const bbc::detail::ReplicateBlock& block,
          const std::vector<bbc::detail::Choice>* scored = nullptr) {
    const bbc::detail::StopFlag never;
    const auto n = static_cast<std::size_t>(block.n_replicates);
    winners.resize(n);
    evaluator.best(block, never, winners.data());
    if (scored == nullptr) {
      if (n > 2) winners[n / 2].configuration = -1;  // a replicate to be skipped
      scored = &winners;
    }
    const std::int64_t last = evaluator.n_configurations();
    const std::int64_t first = last / 3;
    keys.resize(n * static_cast<std::size_t>(last - first));
    scores.resize(keys.size());
    evaluator.keys(block, first, last, never, keys.data());
    evaluator.scores(block, first, last, never, scores.data());
    out_of_bag.resize(n);
    in_bag.resize(n);
    evaluator.out_of_bag(block, scored->data(), never, out_of_bag.data());
    evaluator.in_bag(block, scored->data(), never, in_bag.data());
  }
};

/// The same answers, bit by bit.
inline void check_equal(const bbc::detail::Evaluator& tested, const Answers& expected,
                        const bbc::detail::ReplicateBlock& block, const std::string& context) {
  const Answers found(tested, block, &expected.winners);
  for (std::size_t i = 0; i < expected.keys.size(); ++i) {
    const std::string place = std::to_string(i);
    CHECK_FOR(check::same(found.keys[i], expected.keys[i]), context + " key " + place);
    CHECK_FOR(check::same(found.scores[i], expected.scores[i]), context + " score " + place);
  }
  for (std::size_t lane = 0; lane < expected.winners.size(); ++lane) {
    const std::string place = context + " replicate " + std::to_string(lane);
    const auto& winner = expected.winners[lane];
    if (winner.configuration < 0) continue;
    CHECK_FOR(found.winners[lane].configuration == winner.configuration, place);
    CHECK_FOR(check::same(found.winners[lane].key, winner.key), place);
    CHECK_FOR(check::same(found.out_of_bag[lane], expected.out_of_bag[lane]),
              place + " out of bag");
    CHECK_FOR(check::same(found.in_bag[lane], expected.in_bag[lane]), place + " in bag");
  }
}

inline void check_equal(const bbc::detail::Evaluator& tested,
                        const bbc::detail::Evaluator& reference,
                        const bbc::detail::ReplicateBlock& block, const std::string& context) {
  check_equal(tested, Answers(reference, block), block, context);
}

}  // namespace problem
