#include "detail/evaluation/cost.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <variant>

#include "detail/fast/concordance_program.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/spread.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {
namespace {

constexpr double kPackedSize = 1.0 / 24.0;  // of errors, a third of a byte per row
constexpr double kGridSize = 1.0 / 4.0;     // of losses, two bytes per row

/// Whether a configuration's errors are packed, and added up by look-up.
bool is_looked_up(const CorrectionOptions& options) {
  return std::holds_alternative<metric::ZeroOne>(options.metric.kind) && options.folds.empty() &&
         options.row_weights.empty();
}

/// The same, class by class.
bool is_looked_up_by_class(const CorrectionOptions& options, const Target& target,
                           std::size_t n_repeats) {
  return std::holds_alternative<metric::Confusion>(options.metric.kind) && options.folds.empty() &&
         options.row_weights.empty() && n_repeats == 1 && target.n_classes == 2;
}

double expected_nanoseconds(const CorrectionOptions& options, std::int64_t n_rows,
                            std::size_t n_repeats, std::int64_t n_configurations) {
  // Drawing a row, and a cell of a row and a configuration. Look-ups are so cheap that 100 rows x
  // 200 configurations are done before a thread has started.
  const double of_cell = is_looked_up(options) ? 0.002 : 0.02;
  const double columns = static_cast<double>(n_repeats) * static_cast<double>(n_configurations);
  return static_cast<double>(options.resampling.n_bootstraps) * static_cast<double>(n_rows) *
         (1.0 + of_cell * columns);
}

/// Whether losses are put on a grid.
bool is_on_grid(const CorrectionOptions& options, std::size_t n_repeats) {
  if (options.size_correction && has_spread(options.metric)) {
    return options.folds.empty() && options.row_weights.empty();
  }
  const auto* loss = std::get_if<metric::RowLoss>(&options.metric.kind);
  return loss != nullptr && options.folds.empty() && options.row_weights.empty() &&
         RowLossColumns::comparable(*loss, n_repeats, /*real_weights=*/false);
}

/// The configurations that are searched in the time in which the counts of a block are laid out:
/// as lines of bytes, as pairs of rows (with the first exact sums), as tables, as weights.
/// Measured.
std::int64_t layout_of(const CorrectionOptions& options, const Target& target,
                       std::size_t n_repeats) {
  if (is_looked_up(options) || is_on_grid(options, n_repeats)) return 200;
  if (is_looked_up_by_class(options, target, n_repeats)) return 100;
  if (std::holds_alternative<metric::Auc>(options.metric.kind)) return 60;
  return 20;
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

double prepared_size(const CorrectionOptions& options, const Target& target,
                     std::size_t n_repeats) {
  if (is_looked_up(options) || is_looked_up_by_class(options, target, n_repeats)) {
    return kPackedSize;
  }
  if (is_on_grid(options, n_repeats)) return kGridSize;
  if (!std::holds_alternative<metric::Concordance>(options.metric.kind)) return 1.0;
  // For each halving of the time axis, a word for each later row and two for each earlier event.
  const auto n_rows = static_cast<double>(target.events.size());
  const auto n_events = std::count_if(target.events.begin(), target.events.end(),
                                      [](std::uint8_t event) { return event != 0; });
  const auto n_halvings =
      static_cast<double>(std::bit_width(target.events.size() / ConcordanceProgrammer::kFew));
  const double event_share = static_cast<double>(n_events) / n_rows;
  return std::max(1.0, n_halvings * (0.3 + 0.5 * event_share));
}

std::int64_t piece_size(const CorrectionOptions& options, const Target& target,
                        std::span<const Predictions> repeats) {
  constexpr double kCellsAtOnce = 3 << 22;
  constexpr double kLeast = 64.0;  // doubles per row
  if (!std::holds_alternative<selection::Best>(options.selection)) {
    return n_configurations(repeats[0]);
  }
  const double cells_of_one = static_cast<double>(n_rows(repeats[0])) *
                              static_cast<double>(repeats.size()) *
                              static_cast<double>(n_outputs_of(repeats[0]));
  const double fit = std::max(kLeast, kCellsAtOnce / cells_of_one);
  return static_cast<std::int64_t>(
      std::max(1.0, fit / prepared_size(options, target, repeats.size())));
}

double nanoseconds_of_scores(const CorrectionOptions& options, const Target& target,
                             std::size_t n_repeats, std::int64_t n_configurations) {
  // A cell, and a score: look-ups make cells so cheap that a thread would take longer to start.
  const bool looked_up = is_looked_up_by_class(options, target, n_repeats);
  const double of_cell = looked_up ? 0.02 : 1.0;
  const double of_score = looked_up ? 3.0 : 0.0;
  return static_cast<double>(options.resampling.n_bootstraps) *
         static_cast<double>(n_configurations) *
         (of_score + of_cell * static_cast<double>(target.n_rows()));
}

Panels::Panels(const CorrectionOptions& options, const Target& target, std::size_t n_repeats,
               std::int64_t n_configurations, const Control& control)
    : expected_nanoseconds_(
          bbc::detail::expected_nanoseconds(options, target.n_rows(), n_repeats, n_configurations)),
      n_configurations_(n_configurations),
      n_workers_(std::min(detail::n_workers(control, expected_nanoseconds_),
                          most_workers(target.n_rows()))) {
  if (!std::holds_alternative<selection::Best>(options.selection)) return;
  const std::int64_t n_blocks = (options.resampling.n_bootstraps + kBlock - 1) / kBlock;
  const std::int64_t layout = layout_of(options, target, n_repeats);
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
