#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/interval_estimate.hpp>
#include <cstdint>
#include <vector>

namespace bbc {

/// Evaluation rows of one or several configurations.
struct TiltingData {
  /// The truth of the AUC; empty: the statistic is the accuracy.
  std::vector<std::uint8_t> is_positive;
  /// [configuration][row]: scores, or for the accuracy 1 where the label is right and 0 elsewhere.
  std::vector<double> columns;
  std::int64_t n_configurations = 1;
  /// The configuration whose performance is bounded.
  std::int64_t selected = 0;

  [[nodiscard]] std::int64_t n_rows() const noexcept {
    return static_cast<std::int64_t>(columns.size()) / n_configurations;
  }
};

struct TiltingOptions {
  /// `published`: as the code of Rink and Brannath's experiments does it, for tables of papers that
  /// used it: influence values of the AUC by regression on the counts, weights normalised over the
  /// whole sample although replicates are drawn within classes.
  enum class Variant { standard, published };
  Variant variant = Variant::standard;
  /// Replicates; 0: 2000 for the AUC (drawn within classes), 10000 for the accuracy.
  std::int64_t n_bootstraps = 0;
  std::uint64_t seed = 0;
  /// Explicit drawn rows, n_bootstraps x n_rows, to replay an analysis; classes keep their sizes.
  std::vector<std::int32_t> resamples;
  Confidence confidence{0.95, Alternative::greater};
};

struct TiltingResult {
  IntervalEstimate bound;
  double tau = 0.0;                    ///< the tilt of the lower bound, or of the only one
  double effective_sample_size = 0.0;  ///< of the importance weights there; the smaller of two
  std::int64_t n_bootstraps = 0;
};

/// Bootstrap tilting (Efron 1981): the performance of the nearest exponentially tilted sample in
/// which a score as good as the observed one has probability 1 - level. Other configurations than
/// the selected one are ignored.
[[nodiscard]] BBC_API TiltingResult tilting(const TiltingData& data, const TiltingOptions& options,
                                            const Control& control = {});

/// Multiplicity-adjusted bootstrap tilting (Rink and Brannath 2025): a lower bound for the best of
/// several configurations on the same rows.
[[nodiscard]] BBC_API TiltingResult mabt(const TiltingData& data, const TiltingOptions& options,
                                         const Control& control = {});

}  // namespace bbc
