// Reads a CSV whose first column is the true label (0 or 1) and whose other columns are the
// out-of-sample scores of one configuration each; prints the corrected AUC.
//
//   correct_csv scores.csv [seed]
#include <bbc/bbc.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: correct_csv FILE [SEED]\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  std::string line;
  if (!std::getline(file, line)) {
    std::cerr << "correct_csv: cannot read " << argv[1] << "\n";
    return 1;
  }
  bbc::Target target;
  target.kind = bbc::Target::Kind::labels;
  target.n_classes = 2;
  std::vector<double> scores;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (int column = 0; std::getline(cells, cell, ','); ++column) {
      if (column == 0) {
        target.codes.push_back(std::stoi(cell));
      } else {
        scores.push_back(std::stod(cell));
      }
    }
  }

  bbc::View<double> view;
  view.data = scores.data();
  view.n_rows = target.n_rows();
  view.n_configurations = view.n_rows == 0 ? 0 : static_cast<long>(scores.size()) / view.n_rows;
  view.strides = {view.n_configurations, 1, 1};

  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric("roc_auc");
  options.resampling.seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  try {
    const bbc::Predictions predictions[] = {view};
    const bbc::Estimate e = bbc::correct(target, predictions, options);
    std::cout.precision(17);
    std::cout << "corrected " << e.estimate << "\ninterval " << e.interval.low << " "
              << e.interval.high << "\napparent " << e.apparent << "\nwinner " << e.winner << "\n";
  } catch (const bbc::Error& error) {
    std::cerr << "correct_csv: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
