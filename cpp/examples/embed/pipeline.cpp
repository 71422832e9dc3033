// A pipeline that corrects a stream of small problems (20 rows x 10 configurations, 100
// replicates each) and reports how many it does per second on one thread.
//
//   pipeline [number of problems]
#include <bbc/bbc.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  const int n_problems = argc > 1 ? std::atoi(argv[1]) : 10000;
  constexpr int kRows = 20;
  constexpr int kConfigurations = 10;
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric("accuracy");
  options.resampling.n_bootstraps = 100;
  bbc::Control control;
  control.n_threads = 1;

  double sum = 0.0;
  const auto start = std::chrono::steady_clock::now();
  for (int problem = 0; problem < n_problems; ++problem) {
    bbc::WordStream random(42, 1, static_cast<std::uint32_t>(problem), 0);
    bbc::Target target;
    target.kind = bbc::Target::Kind::labels;
    target.n_classes = 2;
    target.label_values = {0, 1};
    std::vector<std::int8_t> labels;
    for (int row = 0; row < kRows; ++row) {
      target.codes.push_back(row % 2);
      for (int j = 0; j < kConfigurations; ++j) {
        labels.push_back(static_cast<std::int8_t>(random.below(10) < 7 ? row % 2 : 1 - row % 2));
      }
    }
    const bbc::Predictions predictions[] = {
        bbc::View<std::int8_t>{labels.data(), kRows, kConfigurations}};
    options.resampling.seed = static_cast<std::uint64_t>(problem);
    sum += bbc::correct(target, predictions, options, control).estimate;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::cout << n_problems / elapsed.count() << " problems per second; mean corrected accuracy "
            << sum / n_problems << "\n";
  return 0;
}
