#include <algorithm>
#include <atomic>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/intervals.hpp>
#include <bbc/philox.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "detail/metrics/check_target.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/parallel.hpp"

namespace bbc {
namespace {

using detail::kBlock;
using detail::ReplicateBlock;

/// Scores of replicates, and of replicates that lack one draw of one unit.
class ConfigurationScorer {
 public:
  ConfigurationScorer(const Target& target, const Predictions& predictions, const Metric& metric,
                      const std::vector<std::int32_t>& units, const Control& control)
      : predictions_{predictions},
        sign_(metric.sign),
        defined_(metric, target),
        evaluator_(detail::make_evaluator({metric, target, predictions_, {}, {}}, control)),
        rows_of_unit_(group(units, target.n_rows())) {
    if (evaluator_->n_configurations() != 1) {
      throw_invalid("predictions", "one fixed configuration is needed, got " +
                                       std::to_string(evaluator_->n_configurations()));
    }
  }

  [[nodiscard]] std::vector<double> operator()(const ReplicateBlock& block,
                                               const detail::StopFlag& stop) const {
    std::vector<detail::Choice> choices(static_cast<std::size_t>(block.n_replicates), {0.0, 0});
    std::vector<double> scores(choices.size());
    evaluator_->in_bag(block, choices.data(), stop, scores.data());
    for (double& score : scores) score *= sign_;
    return scores;
  }

  struct LeaveOneOut {
    std::vector<double> values;
    std::vector<std::uint16_t> counts;  ///< how often the unit left out was drawn
  };

  /// One value per distinct unit drawn; nothing if one of them is undefined.
  [[nodiscard]] std::optional<LeaveOneOut> leave_one_out(const std::uint16_t* counts,
                                                         std::int64_t n_rows,
                                                         const detail::StopFlag& stop) const {
    LeaveOneOut result;
    ReplicateBlock block{0, n_rows, {}, {}};
    const auto flush = [&] {
      const auto scores = (*this)(block, stop);
      result.values.insert(result.values.end(), scores.begin(), scores.end());
      block.n_replicates = 0;
      block.counts.clear();
    };
    for (const auto& rows : rows_of_unit_) {
      const std::uint16_t drawn = counts[rows.front()];
      if (drawn == 0) continue;
      const auto start = block.counts.size();
      block.counts.insert(block.counts.end(), counts, counts + n_rows);
      for (const std::int32_t row : rows) --block.counts[start + static_cast<std::size_t>(row)];
      const bool defined = defined_([&](std::int64_t row) {
        return block.counts[start + static_cast<std::size_t>(row)] != 0;
      });
      if (!defined) return std::nullopt;
      result.counts.push_back(drawn);
      if (++block.n_replicates == kBlock) flush();
    }
    if (block.n_replicates > 0) flush();
    return result;
  }

 private:
  /// The rows of each unit, in order of the units' codes.
  static std::vector<std::vector<std::int32_t>> group(const std::vector<std::int32_t>& units,
                                                      std::int64_t n_rows) {
    std::map<std::int32_t, std::vector<std::int32_t>> rows_of_code;
    std::vector<std::vector<std::int32_t>> rows;
    for (std::int64_t i = 0; i < n_rows; ++i) {
      const auto row = static_cast<std::int32_t>(i);
      if (units.empty()) {
        rows.push_back({row});
      } else {
        rows_of_code[units[static_cast<std::size_t>(i)]].push_back(row);
      }
    }
    for (auto& [code, of_unit] : rows_of_code) rows.push_back(std::move(of_unit));
    return rows;
  }

  std::vector<Predictions> predictions_;
  double sign_;
  detail::Defined defined_;
  std::unique_ptr<detail::Evaluator> evaluator_;
  std::vector<std::vector<std::int32_t>> rows_of_unit_;
};

}  // namespace

BootstrapSample bootstrap_sample(const Target& y, const Predictions& predictions,
                                 const Metric& metric, Resampling resampling, BootstrapKind kind,
                                 const Control& control) {
  const detail::Arithmetic arithmetic;
  const Target target = detail::checked_target(metric, y);
  CorrectionOptions options;
  options.metric = metric;
  options.resampling = std::move(resampling);
  options.resampling.stream = stream::kNaiveBootstrap;
  const detail::Replicates replicates(target, options, detail::RequiredSides::in_bag);
  const ConfigurationScorer scorer(target, predictions, metric, options.resampling.units, control);
  const auto n_rows = target.n_rows();
  const auto rows = static_cast<double>(n_rows);
  const auto n = replicates.n_bootstraps();
  const detail::StopFlag never;
  const ReplicateBlock all = replicates.all_rows();

  BootstrapSample sample;
  sample.estimate = scorer(all, never).front();
  sample.replicates.resize(static_cast<std::size_t>(n));
  const bool studentize = kind == BootstrapKind::studentized;
  const bool leave_out = studentize || kind == BootstrapKind::bca;
  constexpr const char* undefined =
      "the metric is undefined once one row is left out, so the jackknife does not exist";
  if (leave_out) {
    std::optional<ConfigurationScorer::LeaveOneOut> jackknife;
    detail::parallel_for(1, control, 5.0 * rows * rows,
                         [&](std::int64_t, const detail::StopFlag& stop) {
                           jackknife = scorer.leave_one_out(all.replicate(0), n_rows, stop);
                         });
    if (!jackknife) sample.reason = undefined;
    if (jackknife) sample.jackknife = std::move(jackknife->values);
    if (studentize && sample.reason.empty()) {
      sample.standard_error = jackknife_error(sample.jackknife, {});
    }
  }
  if (studentize) sample.replicate_errors.resize(static_cast<std::size_t>(n));

  std::atomic<bool> all_defined{true};
  const double cells = static_cast<double>(n) * rows * (studentize ? rows : 1.0);
  const auto redrawn = detail::each_block(
      replicates, 0, n, control, 5.0 * cells,
      [&](std::int64_t first, const auto& drawn, const detail::StopFlag& stop) {
        std::ranges::copy(scorer(drawn.block, stop), sample.replicates.begin() + first);
        for (int lane = 0; studentize && lane < drawn.block.n_replicates; ++lane) {
          const auto left_out = scorer.leave_one_out(drawn.block.replicate(lane), n_rows, stop);
          if (!left_out) {
            all_defined = false;
            return;
          }
          sample.replicate_errors[static_cast<std::size_t>(first + lane)] =
              jackknife_error(left_out->values, left_out->counts);
        }
      });
  sample.n_redrawn = redrawn.n_redrawn;
  if (!all_defined && sample.reason.empty())
    sample.reason = std::string("a replicate: ") + undefined;
  return sample;
}

}  // namespace bbc
