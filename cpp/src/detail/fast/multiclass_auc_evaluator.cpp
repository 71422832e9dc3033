#include "detail/fast/multiclass_auc_evaluator.hpp"

#include <algorithm>
#include <bbc/error.hpp>

#include "detail/metrics/column_reader.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

/// The scores of one class.
Predictions of_output(const Predictions& predictions, std::int64_t output) {
  return std::visit(
      [&](auto view) -> Predictions {
        view.data += output * view.strides[2];
        view.n_outputs = 1;
        return view;
      },
      predictions);
}

}  // namespace

MulticlassAucEvaluator::MulticlassAucEvaluator(const metric::MulticlassAuc& kind,
                                               const EvaluatorInput& input, const Control& control)
    : weighted_(kind.weighted),
      one_vs_rest_(kind.scheme == metric::MulticlassAuc::Scheme::ovr),
      n_classes_(input.target.n_classes),
      n_repeats_(input.repeats.size()),
      codes_(input.target.codes) {
  const Metric auc{metric::Auc{}};
  const auto n_rows = codes_.size();
  const auto add = [&](std::int32_t of, std::int32_t against) {
    Target two;
    two.kind = Target::Kind::labels;
    two.n_classes = 2;
    two.codes.resize(n_rows);
    // One fold of the rows of both classes.
    std::vector<std::int32_t> folds(n_rows * n_repeats_);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const std::int32_t code = codes_[row];
      two.codes[row] = code == of ? 1 : 0;
      const bool takes_part = against < 0 || code == of || code == against;
      for (std::size_t repeat = 0; repeat < n_repeats_; ++repeat) {
        folds[repeat * n_rows + row] = takes_part ? 0 : -1;
      }
    }
    std::vector<Predictions> scores;
    for (const Predictions& repeat : input.repeats) scores.push_back(of_output(repeat, of));
    terms_.push_back({of, against,
                      std::make_unique<const AucEvaluator>(
                          EvaluatorInput{auc, two, scores, folds, {}}, control)});
  };
  try {
    for (std::int32_t of = 0; of < n_classes_; ++of) {
      if (one_vs_rest_) add(of, -1);
      for (std::int32_t other = 0; !one_vs_rest_ && other < n_classes_; ++other) {
        if (other != of) add(of, other);
      }
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    // Which score was met first is chance: look for the first one.
    std::vector<double> values;
    for (std::int64_t j = 0; j < detail::n_configurations(input.repeats[0]); ++j) {
      for (const Predictions& repeat : input.repeats) read_values(repeat, j, {}, values);
    }
    throw;
  }
}

/// The pairs of a block of replicates.
class MulticlassAucEvaluator::Walk {
 public:
  Walk(const MulticlassAucEvaluator& evaluator, const ReplicateBlock& block, Side side)
      : evaluator_(evaluator), twice_(evaluator.terms_.size() * evaluator.n_repeats_) {
    for (const Term& term : evaluator.terms_) pairs_.emplace_back(*term.pairs, block, side);
    all_.fill(0.0);
    defined_.fill(true);
    std::int32_t last = -1;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Lanes& own = pairs_[i].of_class(0, 1);
      if (evaluator.terms_[i].of == last) continue;
      last = evaluator.terms_[i].of;
      for (std::size_t l = 0; l < kBlock; ++l) {
        all_[l] += own[l];
        defined_[l] = defined_[l] && own[l] > 0.0;
      }
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      Lanes& shares = shares_.emplace_back();
      for (std::size_t l = 0; l < kBlock; ++l) {
        const double unit = 2.0 * (positives(i)[l] * negatives(i)[l]);
        shares[l] = unit > 0.0 ? share(i, l) / unit : 0.0;
      }
    }
  }

  /// Counts the pairs of a configuration.
  void take(std::int64_t configuration) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      for (std::size_t repeat = 0; repeat < evaluator_.n_repeats_; ++repeat) {
        pairs_[i].count(repeat, configuration, twice_[repeat * pairs_.size() + i]);
      }
    }
  }
  /// Nearly the key.
  void about(Lanes& keys) const {
    keys.fill(0.0);
    for (std::size_t i = 0; i < twice_.size(); ++i) {
      const Lanes& shares = shares_[i % pairs_.size()];
      for (std::size_t l = 0; l < kBlock; ++l) keys[l] += shares[l] * twice_[i][l];
    }
  }
  [[nodiscard]] double key(std::size_t lane) const {
    DoubleDouble sum;
    for (std::size_t repeat = 0; repeat < evaluator_.n_repeats_; ++repeat) {
      sum = sum + of_repeat(repeat, lane);
    }
    return sum.rounded();
  }
  /// Mean over repeats; not a number where a class has no rows.
  [[nodiscard]] double score(std::size_t lane) const {
    const double n_defined = defined_[lane] ? 1.0 : 0.0;
    double sum = 0.0;
    for (std::size_t repeat = 0; repeat < evaluator_.n_repeats_; ++repeat) {
      const double of_repeat =
          n_defined > 0.0 ? divided(this->of_repeat(repeat, lane).rounded(), lane) : 0.0;
      sum += of_repeat / n_defined;
    }
    return sum / static_cast<double>(evaluator_.n_repeats_);
  }

 private:
  [[nodiscard]] const Lanes& positives(std::size_t i) const { return pairs_[i].of_class(0, 1); }
  [[nodiscard]] const Lanes& negatives(std::size_t i) const { return pairs_[i].of_class(0, 0); }
  [[nodiscard]] double share(std::size_t i, std::size_t lane) const {
    if (!evaluator_.weighted_) return 1.0;
    return positives(i)[lane] + (evaluator_.one_vs_rest_ ? 0.0 : negatives(i)[lane]);
  }
  [[nodiscard]] DoubleDouble of_repeat(std::size_t repeat, std::size_t lane) const {
    DoubleDouble sum;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double twice = twice_[repeat * pairs_.size() + i][lane];
      sum = sum + ratio(share(i, lane) * twice, 2.0 * (positives(i)[lane] * negatives(i)[lane]));
    }
    return sum;
  }
  [[nodiscard]] double divided(double key, std::size_t lane) const {
    const double n_classes = evaluator_.n_classes_;
    const double n_others = n_classes - 1.0;
    if (evaluator_.one_vs_rest_) return key / (evaluator_.weighted_ ? all_[lane] : n_classes);
    return key / (evaluator_.weighted_ ? 2.0 * n_others * all_[lane] : n_classes * n_others);
  }

  const MulticlassAucEvaluator& evaluator_;
  std::vector<AucEvaluator::Pairs> pairs_;
  std::vector<Lanes> shares_;
  std::vector<Lanes> twice_;  // [repeat][term]
  Lanes all_;
  std::array<bool, kBlock> defined_;
};

void MulticlassAucEvaluator::keys(const ReplicateBlock& block, std::int64_t first,
                                  std::int64_t last, const StopFlag& stop, double* keys) const {
  Walk walk(*this, block, Side::in_bag);
  for (std::int64_t j = first; j < last; ++j) {
    stop.check();
    walk.take(j);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      keys[lane * (last - first) + j - first] = walk.key(static_cast<std::size_t>(lane));
    }
  }
}

void MulticlassAucEvaluator::scores(const ReplicateBlock& block, std::int64_t first,
                                    std::int64_t last, const StopFlag& stop, double* scores) const {
  Walk walk(*this, block, Side::in_bag);
  for (std::int64_t j = first; j < last; ++j) {
    stop.check();
    walk.take(j);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      scores[lane * (last - first) + j - first] = walk.score(static_cast<std::size_t>(lane));
    }
  }
}

void MulticlassAucEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                        std::int64_t last, const StopFlag& stop,
                                        Choice* choices) const {
  // Ratios of whole numbers, each of which float64 knows to a few units in its last place.
  constexpr double kRounding = 1e-12;
  Walk walk(*this, block, Side::in_bag);
  Lanes least;  // the best key is at least this
  least.fill(-1.0);
  for (int lane = 0; lane < block.n_replicates; ++lane) choices[lane] = {};
  Lanes about;
  for (std::int64_t j = first; j < last; ++j) {
    stop.check();
    walk.take(j);
    walk.about(about);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      if (about[l] * (1.0 + kRounding) < least[l]) continue;
      least[l] = std::max(least[l], about[l] * (1.0 - kRounding));
      const Choice other{walk.key(l), j};
      if (beats(other, choices[lane])) choices[lane] = other;
    }
  }
}

void MulticlassAucEvaluator::scores_of_choices(const ReplicateBlock& block, Side side,
                                               const Choice* choices, const StopFlag& stop,
                                               double* scores) const {
  std::vector<std::int64_t> chosen;
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (choices[lane].configuration >= 0) chosen.push_back(choices[lane].configuration);
  }
  sort_distinct(chosen);
  if (chosen.empty()) return;
  Walk walk(*this, block, side);
  for (const std::int64_t configuration : chosen) {
    stop.check();
    walk.take(configuration);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      if (choices[lane].configuration != configuration) continue;
      scores[lane] = walk.score(static_cast<std::size_t>(lane));
    }
  }
}

}  // namespace bbc::detail
