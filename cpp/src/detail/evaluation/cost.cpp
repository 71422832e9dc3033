#include "detail/evaluation/cost.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <variant>

#include "detail/fast/concordance_program.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {
namespace {

/// What is known of each road, from measurements.
struct Model {
  /// Room of a prepared prediction, in that of a double: an error takes a third of a byte, a loss
  /// on the grid two bytes.
  double size;
  /// Of a row and a configuration, in nanoseconds; drawing a row takes one. Look-ups are so cheap
  /// that 100 rows x 200 configurations are done before a thread has started.
  double of_cell;
  /// The configurations that are searched in the time in which the counts of a block are laid out:
  /// as lines of bytes, as pairs of rows (with the first exact sums), as tables, as weights.
  std::int64_t layout;
  /// Of a row and a configuration that is scored out of bag, and of each score, in nanoseconds.
  double of_scored_cell = 1.0;
  double of_score = 0.0;
};

Model model_of(Road road) {
  switch (road) {
    case Road::errors:
      return {1.0 / 24.0, 0.002, 200, 0.02, 3.0};
    case Road::weighed_errors:
      return {1.0 / 24.0, 0.005, 200, 0.2, 100.0};
    case Road::class_errors:
    case Road::part_errors:
      return {1.0 / 24.0, 0.02, 100, 0.02, 3.0};
    case Road::losses:
      return {1.0 / 4.0, 0.02, 200};
    case Road::pairs:
      return {1.0, 0.02, 60};
    case Road::class_pairs:
    case Road::time_pairs:
    case Road::filter:
      break;
  }
  return {1.0, 0.02, 20};
}

/// Counts of a block of replicates and what is laid out from them take up to 256 bytes per row.
int most_workers(std::int64_t n_rows) {
  constexpr std::int64_t kMostBytes = std::int64_t{4} << 30;
  constexpr std::int64_t kBytesPerRow = 256;
  constexpr std::int64_t kNoLimit = 1 << 20;
  return static_cast<int>(
      std::clamp(kMostBytes / (kBytesPerRow * n_rows), std::int64_t{1}, kNoLimit));
}

}  // namespace

double prepared_size(Road road, const Target& target) {
  if (target.kind != Target::Kind::survival) return model_of(road).size;
  // For each halving of the time axis, a word for each later row and two for each earlier event. A
  // general evaluator takes as much.
  const auto n_rows = static_cast<double>(target.events.size());
  const auto n_events = std::count_if(target.events.begin(), target.events.end(),
                                      [](std::uint8_t event) { return event != 0; });
  const auto n_halvings =
      static_cast<double>(std::bit_width(target.events.size() / ConcordanceProgrammer::kFew));
  const double event_share = static_cast<double>(n_events) / n_rows;
  return std::max(1.0, n_halvings * (0.3 + 0.5 * event_share));
}

std::int64_t piece_size(const EvaluatorInput& input, const Selection& selection) {
  constexpr double kCellsAtOnce = 3 << 22;
  constexpr double kLeast = 64.0;  // doubles per row
  const Predictions& first = input.repeats[0];
  if (!std::holds_alternative<selection::Best>(selection)) return n_configurations(first);
  const double cells_of_one = static_cast<double>(n_rows(first)) *
                              static_cast<double>(input.repeats.size()) *
                              static_cast<double>(n_outputs_of(first));
  const double fit = std::max(kLeast, kCellsAtOnce / cells_of_one);
  return static_cast<std::int64_t>(
      std::max(1.0, fit / prepared_size(road_of(input), input.target)));
}

double nanoseconds_of_scores(Road road, std::int64_t n_bootstraps, std::int64_t n_rows,
                             std::int64_t n_configurations) {
  const Model model = model_of(road);
  return static_cast<double>(n_bootstraps) * static_cast<double>(n_configurations) *
         (model.of_score + model.of_scored_cell * static_cast<double>(n_rows));
}

Panels::Panels(Road road, const CorrectionOptions& options, std::int64_t n_rows,
               std::size_t n_repeats, std::int64_t n_configurations, const Control& control)
    : expected_nanoseconds_(static_cast<double>(options.resampling.n_bootstraps) *
                            static_cast<double>(n_rows) *
                            (1.0 + model_of(road).of_cell * static_cast<double>(n_repeats) *
                                       static_cast<double>(n_configurations))),
      n_configurations_(n_configurations),
      n_workers_(
          std::min(detail::n_workers(control, expected_nanoseconds_), most_workers(n_rows))) {
  if (!std::holds_alternative<selection::Best>(options.selection)) return;
  const std::int64_t n_blocks = (options.resampling.n_bootstraps + kBlock - 1) / kBlock;
  const std::int64_t layout = model_of(road).layout;
  // Of tasks that all take as long. More layout than search would only keep workers busy.
  const std::int64_t most = std::min(n_configurations / layout, std::int64_t{n_workers_});
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t n_panels = 1; n_panels == 1 || n_panels <= most; ++n_panels) {
    const std::int64_t n_rounds = (n_blocks * n_panels + n_workers_ - 1) / n_workers_;
    const std::int64_t of_panel = layout + (n_configurations + n_panels - 1) / n_panels;
    if (n_rounds * of_panel >= least) continue;
    least = n_rounds * of_panel;
    n_panels_ = n_panels;
  }
}

}  // namespace bbc::detail
