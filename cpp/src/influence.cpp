#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <cmath>
#include <numeric>
#include <optional>

#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/parallel.hpp"

namespace bbc {
namespace {

constexpr std::int64_t kMostUnits = 2048;  // that are left out one by one
constexpr std::int32_t kMixed = -1;        // a unit with rows of both sides

/// The rows of a fold, or of all folds, of one repeat.
using Rows = std::vector<std::int32_t>;

/// The units and the two sides whose smaller one limits what is known: the classes, or events and
/// censored times; one side if there are none.
class Units {
 public:
  Units(const Metric& metric, const Target& target, const std::vector<std::int32_t>& given,
        std::span<const double> weights)
      : of_row_(given) {
    const auto n_rows = static_cast<std::size_t>(target.n_rows());
    if (of_row_.empty()) {
      of_row_.resize(n_rows);
      std::iota(of_row_.begin(), of_row_.end(), 0);
    }
    if (of_row_.size() != n_rows) throw_invalid("units", "must be one per row");
    if (*std::ranges::min_element(of_row_) < 0) throw_invalid("units", "must not be negative");
    const auto n_units = static_cast<std::size_t>(*std::ranges::max_element(of_row_)) + 1;
    rows_.resize(n_units);
    side_.resize(n_units);
    std::vector<double> totals(2 * n_units, 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const auto unit = static_cast<std::size_t>(of_row_[row]);
      const std::int32_t side = side_of(metric, target, row);
      side_[unit] = rows_[unit].empty() || side_[unit] == side ? side : kMixed;
      rows_[unit].push_back(static_cast<std::int32_t>(row));
      totals[2 * unit + static_cast<std::size_t>(side)] += weights.empty() ? 1.0 : weights[row];
    }
    const bool weighted = !weights.empty();
    n_of_side_[0] = effective(totals, weighted, [](const double* own) { return own[0]; });
    n_of_side_[1] = effective(totals, weighted, [](const double* own) { return own[1]; });
    n_ = effective(totals, weighted, [](const double* own) { return own[0] + own[1]; });
    sided_ = has_sides(metric, target);
    if (std::holds_alternative<metric::Concordance>(metric.kind)) {
      limiting_ = n_of_side_[1];
    } else {
      limiting_ = sided_ ? std::min(n_of_side_[0], n_of_side_[1]) : n_;
    }
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const Rows& rows(std::size_t unit) const { return rows_[unit]; }
  [[nodiscard]] std::size_t of_row(std::size_t row) const {
    return static_cast<std::size_t>(of_row_[row]);
  }
  /// The number that limits what is known.
  [[nodiscard]] double limiting() const { return limiting_; }
  /// (G - 1) / G, of the units that this one is drawn among.
  [[nodiscard]] double shrinkage(std::size_t unit) const {
    const bool of_side = sided_ && side_[unit] != kMixed;
    const double n = of_side ? n_of_side_[static_cast<std::size_t>(side_[unit])] : n_;
    return (n - 1.0) / n;
  }

 private:
  static bool has_sides(const Metric& metric, const Target& target) {
    if (target.kind != Target::Kind::labels || target.n_classes != 2) return false;
    return std::holds_alternative<metric::Auc>(metric.kind) ||
           std::holds_alternative<metric::AveragePrecision>(metric.kind) ||
           std::holds_alternative<metric::Confusion>(metric.kind);
  }
  static std::int32_t side_of(const Metric& metric, const Target& target, std::size_t row) {
    if (std::holds_alternative<metric::Concordance>(metric.kind)) {
      return target.events[row] != 0 ? 1 : 0;
    }
    return has_sides(metric, target) && target.codes[row] == 1 ? 1 : 0;
  }
  /// Units with weight; where weights are given, Kish's effective number of them.
  template <class Weight>
  static double effective(const std::vector<double>& totals, bool weighted, const Weight& weight) {
    double n = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t at = 0; at < totals.size(); at += 2) {
      const double own = weight(totals.data() + at);
      n += own > 0.0 ? 1.0 : 0.0;
      sum += own;
      squares += own * own;
    }
    return weighted && squares > 0.0 ? sum * sum / squares : n;
  }

  std::vector<std::int32_t> of_row_;
  std::vector<Rows> rows_;
  std::vector<std::int32_t> side_;
  double n_of_side_[2] = {};
  double n_ = 0.0;
  double limiting_ = 0.0;
  bool sided_ = false;
};

/// The contributions of one repeat to a score that is linear in its rows, added to `values`.
class LinearScore {
 public:
  LinearScore(const Target& target, std::span<const double> weights)
      : target_(target), weights_(weights) {}

  /// A mean over rows, of the folds' means where there are several parts.
  void add_means(const std::vector<double>& of_row, const std::vector<Rows>& parts,
                 std::vector<double>& values) const {
    Shares shares;
    for (const Rows& part : parts) {
      double total = 0.0;
      for (const std::int32_t row : part) total += weight(row);
      if (!(total > 0.0)) continue;
      shares.n_parts += 1.0;
      for (const std::int32_t row : part) {
        shares.of_rows.push_back({row, weight(row) / total, of_row[static_cast<std::size_t>(row)]});
      }
    }
    add(shares, 1.0, values);
  }

  /// The AUC: each class averages its placements against the other.
  void add_auc(const std::vector<double>& scores, const std::vector<Rows>& parts,
               std::vector<double>& values) const {
    Shares shares;
    for (Rows part : parts) {
      double total[2] = {};
      for (const std::int32_t row : part) total[side(row)] += weight(row);
      if (!(total[0] > 0.0 && total[1] > 0.0)) continue;
      shares.n_parts += 1.0;
      std::ranges::stable_sort(
          part, {}, [&](std::int32_t row) { return scores[static_cast<std::size_t>(row)]; });
      double below[2] = {};
      for (std::size_t first = 0; first < part.size();) {
        double tied[2] = {};
        std::size_t last = first;
        const double score = scores[static_cast<std::size_t>(part[first])];
        for (; last < part.size() && scores[static_cast<std::size_t>(part[last])] == score; ++last)
          tied[side(part[last])] += weight(part[last]);
        for (; first < last; ++first) {
          const std::int32_t row = part[first];
          const std::size_t other = 1 - side(row);
          const double under = (below[other] + 0.5 * tied[other]) / total[other];
          shares.of_rows.push_back(
              {row, weight(row) / total[1 - other], other == 0 ? under : 1.0 - under});
        }
        below[0] += tied[0];
        below[1] += tied[1];
      }
    }
    add(shares, 2.0, values);
  }

 private:
  struct Share {
    std::int32_t row;
    double weight;  // of the row in its part
    double value;
  };
  struct Shares {
    std::vector<Share> of_rows;
    double n_parts = 0.0;
  };

  [[nodiscard]] double weight(std::int32_t row) const {
    return weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] std::size_t side(std::int32_t row) const {
    return target_.codes[static_cast<std::size_t>(row)] == 1 ? 1 : 0;
  }
  /// Centres at the score, whose shares weigh `n_sides` in each part.
  static void add(const Shares& shares, double n_sides, std::vector<double>& values) {
    double score = 0.0;
    for (const Share& share : shares.of_rows) score += share.weight * share.value;
    score /= shares.n_parts * n_sides;
    for (const Share& share : shares.of_rows) {
      values[static_cast<std::size_t>(share.row)] +=
          share.weight * (share.value - score) / shares.n_parts;
    }
  }

  const Target& target_;
  std::span<const double> weights_;
};

/// By row, before the sign of the metric; nothing where the score is not linear in its rows.
std::optional<std::vector<double>> linear(const detail::EvaluatorInput& input,
                                          std::int64_t configuration) {
  const bool auc = std::holds_alternative<metric::Auc>(input.metric.kind);
  std::vector<double> values(static_cast<std::size_t>(input.target.n_rows()), 0.0);
  const LinearScore score(input.target, input.row_weights);
  for (std::size_t repeat = 0; repeat < input.repeats.size(); ++repeat) {
    auto parts = detail::rows_of_folds(input, repeat);
    if (parts.size() == 1 && parts[0].empty()) {
      parts[0].resize(values.size());
      std::iota(parts[0].begin(), parts[0].end(), 0);
    }
    if (auc) {
      std::vector<double> scores;
      detail::read_values(input.repeats[repeat], configuration, {}, scores);
      score.add_auc(scores, parts, values);
      continue;
    }
    const auto of_row =
        detail::values_of_rows(input.metric, input.target, input.repeats[repeat], configuration);
    if (!of_row) return std::nullopt;
    score.add_means(*of_row, parts, values);
  }
  for (double& value : values) value /= static_cast<double>(input.repeats.size());
  return values;
}

/// The jackknife by unit, before the sign of the metric; NaN where leaving a unit out leaves the
/// metric undefined.
std::vector<double> jackknife(const detail::EvaluatorInput& input, std::int64_t configuration,
                              const Units& units, const Control& control) {
  std::vector<Predictions> column;
  for (const Predictions& repeat : input.repeats) {
    column.push_back(detail::configurations(repeat, configuration, configuration + 1));
  }
  const auto evaluator = detail::make_evaluator(
      {input.metric, input.target, column, input.folds, input.row_weights}, control);
  const auto n_rows = static_cast<std::size_t>(input.target.n_rows());
  const std::vector<double> weights(input.row_weights.begin(), input.row_weights.end());
  const auto scores_without = [&](std::span<const std::size_t> left_out, double* scores,
                                  const detail::StopFlag& stop) {
    const auto n = left_out.size();
    detail::ReplicateBlock block{static_cast<int>(n), static_cast<std::int64_t>(n_rows),
                                 std::vector<std::uint16_t>(n * n_rows, 1), weights};
    const std::vector<detail::Choice> choices(n, detail::Choice{0.0, 0});
    for (std::size_t lane = 0; lane < n; ++lane) {
      if (left_out[lane] >= units.size()) continue;  // nothing is left out
      for (const std::int32_t row : units.rows(left_out[lane])) {
        block.counts[lane * n_rows + static_cast<std::size_t>(row)] = 0;
      }
    }
    evaluator->in_bag(block, choices.data(), stop, scores);
  };
  const auto step = (static_cast<std::int64_t>(units.size()) + kMostUnits - 1) / kMostUnits;
  std::vector<std::size_t> chosen;
  for (std::size_t unit = 0; unit < units.size(); unit += static_cast<std::size_t>(step)) {
    if (!units.rows(unit).empty()) chosen.push_back(unit);
  }
  const std::size_t none = units.size();
  double whole = 0.0;
  scores_without({&none, 1}, &whole, detail::StopFlag{});
  std::vector<double> values(units.size(), 0.0);
  const double cells = static_cast<double>(chosen.size()) * static_cast<double>(n_rows);
  detail::parallel_pieces(
      static_cast<std::int64_t>(chosen.size()), detail::kBlock, control, 10.0 * cells,
      [&](std::int64_t first, std::int64_t last, const detail::StopFlag& stop) {
        stop.check();
        double scores[detail::kBlock];
        const auto n = static_cast<std::size_t>(last - first);
        const std::span own(chosen.data() + first, n);
        scores_without(own, scores, stop);
        for (std::size_t i = 0; i < n; ++i) {
          values[own[i]] = (whole - scores[i]) * std::sqrt(units.shrinkage(own[i])) *
                           std::sqrt(static_cast<double>(step));
        }
      });
  return values;
}

std::string too_few(const Units& units) {
  return units.limiting() < 2.0 ? "too few rows or groups of a class tell the error of the score"
                                : "";
}

}  // namespace

Influence influence(const Target& y, std::span<const Predictions> repeats,
                    const CorrectionOptions& options, std::int64_t configuration,
                    const Control& control) {
  const detail::Arithmetic arithmetic;
  const Target target = detail::checked_target(options.metric, y);
  const auto weights =
      detail::relative_weights(options.row_weights, target.n_rows(), /*even_power=*/true);
  const detail::EvaluatorInput input{options.metric, target, repeats, options.folds, weights};
  detail::check_shapes(input);
  if (configuration < 0 || configuration >= detail::n_configurations(repeats[0])) {
    throw_invalid("configuration", "there is none of number " + std::to_string(configuration));
  }
  const Units units(options.metric, target, options.resampling.units, weights);
  Influence found{{}, units.limiting(), too_few(units)};
  if (!found.infeasible.empty()) return found;
  if (const auto of_row = linear(input, configuration)) {
    found.values.assign(units.size(), 0.0);
    for (std::size_t row = 0; row < of_row->size(); ++row) {
      found.values[units.of_row(row)] += (*of_row)[row];
    }
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      if (!units.rows(unit).empty()) found.values[unit] /= std::sqrt(units.shrinkage(unit));
    }
  } else {
    found.values = jackknife(input, configuration, units, control);
  }
  for (double& value : found.values) {
    if (std::isnan(value)) {
      return {{}, units.limiting(), "the metric is undefined without one of the rows or groups"};
    }
    value *= options.metric.sign;
  }
  return found;
}

}  // namespace bbc
