// The fields of an estimate, by name: those that its rule gives no meaning are left out.
#include <bbc/fields.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

using namespace bbc;

std::string names_of(const Estimate& estimate) {
  std::string names;
  visit_fields(estimate, [&](const std::string& name, const auto&) { names += name + " "; });
  return names;
}

/// What a visitor keeps of the fields, which it may move from.
struct Kept {
  double size_bias = 0.0;
  std::int64_t winner = 0;
  std::vector<double> replicates;
};

class Keep {
 public:
  explicit Keep(Kept& kept) : kept_(kept) {}
  void operator()(const std::string& name, OrNone value) const {
    if (name == "size_bias") kept_.size_bias = value.number;
  }
  void operator()(const std::string& /*name*/, Configuration value) const {
    kept_.winner = value.index;
  }
  void operator()(const std::string& name, std::vector<double>& values) const {
    if (name == "replicates") kept_.replicates = std::move(values);
  }
  template <class Other>
  void operator()(const std::string& /*name*/, const Other& /*value*/) const {}

 private:
  Kept& kept_;
};

}  // namespace

int main() {
  Estimate estimate;
  estimate.winner = 3;
  estimate.size_bias = 0.25;
  estimate.replicates = {0.5, 0.75};
  const std::string always =
      "low high replicates_low replicates_high few_events monte_carlo_error kurtosis alike_errors "
      "estimate rates replicate_sd apparent optimism size_bias winner replicates replicate_winners "
      "n_redrawn undefined_fold_share ";
  CHECK(names_of(estimate) == always);
  Kept kept;
  visit_fields(estimate, Keep(kept));
  CHECK(kept.size_bias == 0.25 && kept.winner == 3);
  CHECK(kept.replicates.size() == 2 && estimate.replicates.empty());
  estimate.n_rungs = 2;
  estimate.replicate_thresholds = {1.0};
  estimate.weights = {1.0};
  CHECK(names_of(estimate) == always +
                                  "n_rungs n_rows_scored rung_choices threshold "
                                  "replicate_thresholds weights selection_frequency ");
  return check::report();
}
