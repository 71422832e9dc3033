#pragma once

#include <bbc/winner_statistics.hpp>
#include <cstdint>
#include <span>

namespace bbc::detail {

/// Rows on which a statistic is computed, with one column of predictions. Rows that weigh nothing
/// are not among them.
struct Sample {
  std::span<const std::int32_t> rows;       ///< in order of row
  std::span<const std::int32_t> ascending;  ///< in order of prediction; ties in order of row
  const std::uint8_t* is_event;             ///< by row
  const double* predictions;                ///< by row
  const double* logits;                     ///< by row; null unless they are probabilities
  const double* weights;                    ///< by row
  const double* outcomes = nullptr;         ///< by row; null unless the truth is numbers

  [[nodiscard]] double event_weight(std::int32_t row) const noexcept {
    return is_event[row] != 0 ? weights[row] : 0.0;
  }
};

/// Fills in the n_values(statistic) values of a statistic on a sample.
void evaluate(const statistic::Calibration& statistic, const Sample& sample,
              std::span<double> values);

void evaluate(const statistic::Roc& statistic, const Sample& sample, std::span<double> values);

void evaluate(const statistic::PrecisionRecall& statistic, const Sample& sample,
              std::span<double> values);

void evaluate(const statistic::NetBenefit& statistic, const Sample& sample,
              std::span<double> values);

/// Fills in the n_values(statistic) values of a statistic on a sample.
void evaluate(const statistic::SurvivalCalibration& statistic, const Sample& sample,
              std::span<double> values);

}  // namespace bbc::detail
