#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "detail/choices/greedy_ensemble.hpp"

namespace bbc::detail {

/// Finds the configurations that could be the best addition to an ensemble, for metrics that
/// average row losses: those whose float64 sum is within rounding error of the smallest. Row losses
/// are the metric's own, bit for bit; exact sums decide among the few that remain.
class LossFilter final : public Additions {
 public:
  /// Null for metrics that are no means of row losses.
  [[nodiscard]] static std::unique_ptr<const LossFilter> make(const ChoiceInput& input);
  [[nodiscard]] std::unique_ptr<AdditionSearch> search(const ReplicateBlock& one) const override;

 private:
  class Search final : public AdditionSearch {
   public:
    Search(const LossFilter& filter, const ReplicateBlock& one);

    const std::vector<std::int64_t>& candidates() override;
    void add(std::int64_t configuration) override;

   private:
    void add_logarithms();

    const LossFilter& filter_;
    std::vector<std::int64_t> entries_;  // that are in bag
    std::vector<double> weights_;
    std::vector<double> sums_;  // of the members' predictions
    double n_members_ = 0.0;
    std::vector<double> losses_;  // of each configuration
    bool by_products_;            // log losses of counted rows
    double absolute_error_ = 0.0;
    std::vector<double> probabilities_;
    std::vector<double> products_;
    std::vector<std::int64_t> candidates_;
  };

  enum class Kind { squared, absolute, log };

  /// Adds weight * loss of (sum + prediction) / n to the losses of all configurations.
  void add_losses(std::int64_t entry, double sum, double n, double weight, double* losses) const;
  /// The probabilities that the log loss takes the logarithms of.
  void probabilities(std::int64_t entry, double sum, double n, double* probabilities) const;

  Kind kind_ = Kind::squared;
  std::int64_t n_rows_ = 0;
  std::int64_t n_configurations_ = 0;
  std::vector<double> truth_;           // of each entry, which is a row of a repeat
  std::vector<std::uint8_t> of_other_;  // log: the prediction is that of the other class
  std::vector<double> predictions_;     // [entry][configuration]
};

}  // namespace bbc::detail
