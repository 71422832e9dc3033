#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/interval_estimate.hpp>
#include <bbc/predictions.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace bbc {

/// Out-of-sample scores of a binary truth.
struct BoundData {
  std::vector<std::uint8_t> is_positive;
  std::vector<std::int32_t> folds;      ///< codes 0 .. K - 1
  std::vector<std::string> fold_names;  ///< of each code, for messages; empty: the code
  View<double> scores;                  ///< (row, configuration)
};

enum class BoundMethod { delong, hanley_mcneil, tilting, mabt, naive_bootstrap };

/// `best` mean AUC of the folds' learn rows; or, of the configurations at or above the 90 %
/// quantile (type 7) of it, the one with the best AUC on the evaluation rows.
enum class BoundRule { best, top_decile };

struct BoundOptions {
  BoundMethod method = BoundMethod::mabt;
  BoundRule rule = BoundRule::top_decile;
  /// The formulas and weights behind published tables: see hanley_mcneil_paraschakis2024 and
  /// TiltingOptions::Variant::published.
  bool published = false;
  double confidence_level = 0.95;
  /// Replicates; 0: 2000 for tilting, 1000 for the naive bootstrap.
  std::int64_t n_bootstraps = 0;
  std::uint64_t seed = 0;
};

struct BoundResult {
  IntervalEstimate bound;  ///< low is the lower bound
  bool selected = false;   ///< false: infeasible before anything could be selected
  std::int64_t winner = -1;
  /// The configurations that the rule chose among on the evaluation rows; the winner if `best`.
  std::vector<std::int64_t> candidates;
  std::vector<std::int32_t> evaluation_rows;  ///< ascending
  std::int64_t n_splits = 0;                  ///< random splits tried
  std::int64_t n_bootstraps = 0;              ///< 0: nothing was resampled
  double effective_sample_size = 0.0;         ///< 0: no importance weights
};

/// A lower confidence bound for the AUC of a selected configuration, by the protocol of Paraschakis
/// et al. (2024): rows are split at random, three quarters to learn which configuration is best and
/// the rest to evaluate it, again until every fold's learn part and the evaluation part have both
/// classes. The naive bootstrap selects on all rows and resamples the winner's fold scores.
[[nodiscard]] BBC_API BoundResult bound(const BoundData& data, const BoundOptions& options,
                                        const Control& control = {});

}  // namespace bbc
