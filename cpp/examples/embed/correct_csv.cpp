// Reads a CSV whose first column is the true label (0 or 1) and whose other columns are the
// out-of-sample scores of one configuration each; prints the corrected AUC.
//
//   correct_csv scores.csv [seed]
#include <algorithm>
#include <bbc/bbc.hpp>
#include <charconv>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <istream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

struct Table {
  std::vector<int> labels;
  std::vector<double> scores;  // row after row
  std::int64_t n_configurations = 0;
};

double number(const std::string& cell, const std::string& place) {
  std::istringstream text(cell);
  double value = 0.0;
  if (!(text >> value) || !(text >> std::ws).eof()) {
    throw std::runtime_error(place + ": '" + cell + "' is not a number");
  }
  return value;
}

Table read_table(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read " + path);
  Table table;
  table.n_configurations = std::count(line.begin(), line.end(), ',');
  for (int row = 2; std::getline(file, line); ++row) {
    const std::string place = path + ", line " + std::to_string(row);
    if (line.ends_with('\r')) line.pop_back();
    const auto n_scores = std::count(line.begin(), line.end(), ',');
    if (n_scores != table.n_configurations) {
      throw std::runtime_error(place + ": " + std::to_string(n_scores + 1) +
                               " columns, but the header has " +
                               std::to_string(table.n_configurations + 1));
    }
    std::istringstream cells(line + ',');  // without the comma an empty last cell would be lost
    std::string cell;
    for (int column = 1; std::getline(cells, cell, ','); ++column) {
      const std::string at = place + ", column " + std::to_string(column);
      const double value = number(cell, at);
      if (column > 1) {
        table.scores.push_back(value);
      } else if (value == 0 || value == 1) {
        table.labels.push_back(static_cast<int>(value));
      } else {
        throw std::runtime_error(at + ": the label '" + cell + "' is not 0 or 1");
      }
    }
  }
  return table;
}

std::uint64_t read_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || stopped != end) {
    throw std::runtime_error("the seed '" + text + "' is not a whole number from 0 to 2^64 - 1");
  }
  return seed;
}

bbc::Estimate correct(const Table& table, std::uint64_t seed) {
  bbc::Target target;
  target.kind = bbc::Target::Kind::labels;
  target.n_classes = 2;
  target.codes.assign(table.labels.begin(), table.labels.end());

  const bbc::View<double> view{table.scores.data(), target.n_rows(), table.n_configurations};

  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric("roc_auc");
  options.resampling.seed = seed;
  const bbc::Predictions predictions[] = {view};
  return bbc::correct(target, predictions, options);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: correct_csv FILE [SEED]\n";
    return 2;
  }
  try {
    const std::uint64_t seed = argc > 2 ? read_seed(argv[2]) : 0;
    const bbc::Estimate e = correct(read_table(argv[1]), seed);
    std::cout.precision(17);
    std::cout << "corrected " << e.estimate << "\ninterval " << e.interval.low << " "
              << e.interval.high << "\napparent " << e.apparent << "\nwinner " << e.winner << "\n";
  } catch (const std::exception& error) {  // bbc::Error too
    std::cerr << "correct_csv: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
