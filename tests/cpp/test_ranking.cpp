// Ranking metrics against their definitions by pairs of rows or by thresholds: AUC, average
// precision, AUC of several classes, Spearman's rho and the concordance index.
#include <functional>

#include "by_formula.hpp"
#include "detail/metrics/auc.hpp"
#include "detail/metrics/average_precision.hpp"
#include "detail/metrics/concordance.hpp"
#include "detail/metrics/multiclass_auc.hpp"
#include "detail/metrics/spearman.hpp"

namespace {

using namespace bbc;
using by_formula::Sample;
using Scores = by_formula::Block<double>;
using Values = std::vector<double>;

/// Scores with many ties, few or none; one configuration is constant.
double draw_score(problem::Random& random, std::int64_t configuration, double signal) {
  if (configuration == 1) return 0.25;
  const double score = 0.4 * signal + random.uniform();
  return configuration % 2 == 0 ? std::floor(5.0 * score) / 7.0 : score;
}

Target labels(problem::Random& random, std::int64_t n_rows, std::uint32_t n_classes) {
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = static_cast<std::int32_t>(n_classes);
  for (std::int64_t row = 0; row < n_rows; ++row) {
    target.codes.push_back(static_cast<std::int32_t>(random.below(n_classes)));
  }
  return target;
}

/// Scores and codes of a sample's rows.
struct Rows {
  Values scores;
  std::vector<std::int32_t> codes;
  Values weights;

  [[nodiscard]] double weight_of(std::int32_t code) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < codes.size(); ++i) sum += codes[i] == code ? weights[i] : 0.0;
    return sum;
  }
};

Rows rows_of(const Sample& sample, const Scores& block, const Target& target, std::size_t repeat,
             std::int64_t configuration, std::int64_t output = 0) {
  Rows rows{{}, {}, sample.weights};
  for (const std::size_t row : sample.rows) {
    rows.scores.push_back(block(repeat, row, configuration, output));
    rows.codes.push_back(target.codes[row]);
  }
  return rows;
}

/// Weight of the pairs (a row that `high` takes, one that `low` takes) in the right order, as a
/// share of all such pairs.
template <class High, class Low>
double pairs_won(const Rows& rows, const High& high, const Low& low) {
  double won = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < rows.codes.size(); ++i) {
    if (!high(rows.codes[i])) continue;
    for (std::size_t j = 0; j < rows.codes.size(); ++j) {
      if (!low(rows.codes[j])) continue;
      const double weight = rows.weights[i] * rows.weights[j];
      const bool tied = rows.scores[i] == rows.scores[j];
      won += rows.scores[i] > rows.scores[j] ? weight : tied ? 0.5 * weight : 0.0;
      all += weight;
    }
  }
  return won / all;
}

void auc() {
  problem::Random random(1);
  for (const std::size_t n_repeats : {1U, 2U}) {
    const Target target = labels(random, 30, 2);
    Scores block{30, 7};
    block.fill(n_repeats, [&](std::int64_t row, std::int64_t j) {
      return draw_score(random, j, target.codes[static_cast<std::size_t>(row)]);
    });
    by_formula::check<detail::AucColumns>(
        make_metric("roc_auc"), target, block, random,
        [&](const Sample& sample, std::size_t repeat, std::int64_t j) -> std::optional<double> {
          const Rows rows = rows_of(sample, block, target, repeat, j);
          if (rows.weight_of(0) == 0.0 || rows.weight_of(1) == 0.0) return {};
          return pairs_won(
              rows, [](auto code) { return code == 1; }, [](auto code) { return code == 0; });
        },
        "auc");
  }
}

/// Precision times the step in recall at every distinct score.
double average_precision(const Rows& rows) {
  Values thresholds = rows.scores;
  std::sort(thresholds.begin(), thresholds.end(), std::greater<>());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  double area = 0.0;
  double recall = 0.0;
  for (const double threshold : thresholds) {
    double right = 0.0;
    double called = 0.0;
    for (std::size_t i = 0; i < rows.codes.size(); ++i) {
      if (rows.scores[i] < threshold) continue;
      called += rows.weights[i];
      if (rows.codes[i] == 1) right += rows.weights[i];
    }
    const double next = right / rows.weight_of(1);
    area += (next - recall) * (right / called);
    recall = next;
  }
  return area;
}

void average_precision() {
  // scikit-learn's example: .83 from thresholds .8, .4, .35, .1.
  const Rows example{{0.1, 0.4, 0.35, 0.8}, {0, 0, 1, 1}, {1.0, 1.0, 1.0, 1.0}};
  CHECK(by_formula::near(average_precision(example), 5.0 / 6.0));
  problem::Random random(2);
  for (const std::size_t n_repeats : {1U, 2U}) {
    const Target target = labels(random, 30, 2);
    Scores block{30, 7};
    block.fill(n_repeats, [&](std::int64_t row, std::int64_t j) {
      return draw_score(random, j, target.codes[static_cast<std::size_t>(row)]);
    });
    by_formula::check<detail::AveragePrecisionColumns>(
        make_metric("average_precision"), target, block, random,
        [&](const Sample& sample, std::size_t repeat, std::int64_t j) -> std::optional<double> {
          const Rows rows = rows_of(sample, block, target, repeat, j);
          if (rows.weight_of(1) == 0.0) return {};
          return average_precision(rows);
        },
        "average precision");
  }
}

double multiclass_auc(const metric::MulticlassAuc& kind, const std::vector<Rows>& by_class) {
  const auto n = static_cast<std::int32_t>(by_class.size());
  double sum = 0.0;
  double all = 0.0;
  for (std::int32_t a = 0; a < n; ++a) {
    const Rows& rows = by_class[static_cast<std::size_t>(a)];
    const auto is_a = [a](std::int32_t code) { return code == a; };
    if (kind.scheme == metric::MulticlassAuc::Scheme::ovr) {
      const double share = kind.weighted ? rows.weight_of(a) : 1.0;
      sum += share * pairs_won(rows, is_a, [a](std::int32_t code) { return code != a; });
      all += share;
      continue;
    }
    for (std::int32_t b = 0; b < n; ++b) {
      if (b == a) continue;
      const double share = kind.weighted ? rows.weight_of(a) + rows.weight_of(b) : 1.0;
      sum += share * pairs_won(rows, is_a, [b](std::int32_t code) { return code == b; });
      all += share;
    }
  }
  return sum / all;
}

void multiclass_auc() {
  using Scheme = metric::MulticlassAuc::Scheme;
  problem::Random random(3);
  for (const auto scheme : {Scheme::ovr, Scheme::ovo, Scheme::ovo_pairs}) {
    for (const bool weighted : {false, true}) {
      for (const std::uint32_t n_classes : {2U, 3U, 4U}) {
        const metric::MulticlassAuc kind{scheme, weighted};
        const Target target = labels(random, 20 * n_classes, n_classes);
        Scores block{target.n_rows(), 6, target.n_classes};
        block.fill(1 + n_classes % 2, [&](std::int64_t row, std::int64_t j) {
          return draw_score(random, j,
                            target.codes[static_cast<std::size_t>(row)] == 1 ? 1.0 : 0.0);
        });
        by_formula::check<detail::MulticlassAucColumns>(
            Metric{kind}, target, block, random,
            [&](const Sample& sample, std::size_t repeat, std::int64_t j) -> std::optional<double> {
              std::vector<Rows> by_class;
              for (std::int32_t a = 0; a < target.n_classes; ++a) {
                by_class.push_back(rows_of(sample, block, target, repeat, j, a));
                if (by_class.back().weight_of(a) == 0.0) return {};
              }
              return multiclass_auc(kind, by_class);
            },
            "scheme " + std::to_string(static_cast<int>(scheme)) + " of " +
                std::to_string(n_classes) + (weighted ? " weighted" : ""));
      }
    }
  }
}

/// Twice the centred midranks of a sample whose rows are repeated by their weight.
Values ranks(const Values& values, const Values& weights) {
  Values ranks;
  for (const double value : values) {
    double rank = 0.0;
    for (std::size_t j = 0; j < values.size(); ++j) {
      rank += values[j] < value ? weights[j] : values[j] > value ? -weights[j] : 0.0;
    }
    ranks.push_back(rank);
  }
  return ranks;
}

double spearman(const Values& a, const Values& b, const Values& weights) {
  const Values of_a = ranks(a, weights);
  const Values of_b = ranks(b, weights);
  double both = 0.0;
  double squares[2] = {};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    both += weights[i] * of_a[i] * of_b[i];
    squares[0] += weights[i] * of_a[i] * of_a[i];
    squares[1] += weights[i] * of_b[i] * of_b[i];
  }
  const bool varies = std::any_of(a.begin(), a.end(), [&](double value) { return value != a[0]; });
  return varies ? both / std::sqrt(squares[0] * squares[1]) : 0.0;
}

void spearman() {
  // 1 - 6 sum d^2 / (n (n^2 - 1)) without ties: d = 0, 1, 1, 0 give .8.
  CHECK(by_formula::near(spearman({1, 3, 2, 4}, {1, 2, 3, 4}, {1, 1, 1, 1}), 0.8));
  problem::Random random(4);
  for (const std::size_t n_repeats : {1U, 2U}) {
    Target target;
    for (int row = 0; row < 28; ++row) target.values.push_back(0.5 * random.below(9));
    Scores block{28, 7};
    block.fill(n_repeats, [&](std::int64_t row, std::int64_t j) {
      return draw_score(random, j, 0.3 * target.values[static_cast<std::size_t>(row)]);
    });
    by_formula::check<detail::SpearmanColumns>(
        make_metric("spearman"), target, block, random,
        [&](const Sample& sample, std::size_t repeat, std::int64_t j) -> std::optional<double> {
          Values scores;
          Values truth;
          for (const std::size_t row : sample.rows) {
            scores.push_back(block(repeat, row, j));
            truth.push_back(target.values[row]);
          }
          if (std::all_of(truth.begin(), truth.end(), [&](double y) { return y == truth[0]; })) {
            return {};
          }
          return spearman(scores, truth, sample.weights);
        },
        "spearman");
  }
}

void concordance() {
  problem::Random random(5);
  for (const std::size_t n_cases : {1U, 2U, 3U, 4U}) {
    const std::size_t n_repeats = 1 + n_cases % 2;
    const bool has_weights = n_cases > 2;  // of events, as Uno's index has them
    Target target;
    target.kind = Target::Kind::survival;
    for (int row = 0; row < 30; ++row) {
      target.values.push_back(random.below(12));
      target.events.push_back(random.below(3) > 0 ? 1 : 0);
      if (!has_weights) continue;
      target.event_weights.push_back(target.events.back() / (0.1 + random.uniform()));
    }
    Scores block{30, 7};
    block.fill(n_repeats, [&](std::int64_t row, std::int64_t j) {
      return draw_score(random, j, -0.2 * target.values[static_cast<std::size_t>(row)]);
    });
    by_formula::check<detail::ConcordanceColumns>(
        make_metric("concordance_index"), target, block, random,
        [&](const Sample& sample, std::size_t repeat, std::int64_t j) -> std::optional<double> {
          double concordant = 0.0;
          double comparable = 0.0;
          for (std::size_t a = 0; a < sample.size(); ++a) {
            if (target.events[sample.rows[a]] == 0) continue;
            for (std::size_t b = 0; b < sample.size(); ++b) {
              const double gap = target.values[sample.rows[b]] - target.values[sample.rows[a]];
              if (gap < 0.0 || (gap == 0.0 && target.events[sample.rows[b]] != 0)) continue;
              const double of_event = has_weights ? target.event_weights[sample.rows[a]] : 1.0;
              const double weight = of_event * sample.weights[a] * sample.weights[b];
              const double first = block(repeat, sample.rows[a], j);
              const double second = block(repeat, sample.rows[b], j);
              comparable += weight;
              concordant += first > second ? weight : first == second ? 0.5 * weight : 0.0;
            }
          }
          if (comparable == 0.0) return {};
          return concordant / comparable;
        },
        "concordance", {.exact_ties = !has_weights});
  }
}

}  // namespace

int main() {
  auc();
  average_precision();
  multiclass_auc();
  spearman();
  concordance();
  return check::report();
}
