// Every case of tests/golden/bits through the C interface, and winners' intervals through C++, bit
// by bit: what Python, R and other platforms must reproduce. The argument is that folder.
#include <bbc/c.h>

#include <bbc/correction.hpp>
#include <bbc/inference.hpp>
#include <bbc/scores.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "check.hpp"

namespace {

using Line = std::map<std::string, std::string>;

constexpr std::int64_t kRows = 36;
constexpr std::int64_t kConfigurations = 5;
constexpr std::int64_t kBootstraps = 20;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream rest(text);
  for (std::string part; std::getline(rest, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator) parts.emplace_back();
  return parts;
}

/// One map per line of a table whose cells hold no commas.
std::vector<Line> read(const std::string& path) {
  std::ifstream file(path);
  std::vector<Line> lines;
  std::string text;
  std::getline(file, text);
  const std::vector<std::string> names = split(text, ',');
  while (std::getline(file, text)) {
    const std::vector<std::string> cells = split(text, ',');
    Line& line = lines.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) line[names[i]] = cells.at(i);
  }
  return lines;
}

double real(const std::string& text) { return std::strtod(text.c_str(), nullptr); }
std::int64_t integer(const std::string& text) { return std::strtoll(text.c_str(), nullptr, 10); }

template <class T>
std::vector<T> column(const std::vector<Line>& data, const std::string& name) {
  std::vector<T> values;
  for (const Line& row : data) values.push_back(static_cast<T>(real(row.at(name))));
  return values;
}

/// Codes (repeat, row), or nothing where the case names no column.
std::vector<std::int32_t> codes(const std::vector<Line>& data, const Line& line,
                                const std::string& name) {
  std::vector<std::int32_t> all;
  for (std::int64_t repeat = 0; repeat < integer(line.at("n_repeats")); ++repeat) {
    if (line.at(name).empty()) break;
    const auto own = column<std::int32_t>(data, line.at(name) + "_" + std::to_string(repeat));
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

/// What a case predicts: one array (row, configuration, output) per repeat.
template <class T>
std::vector<std::vector<T>> predictions(const std::vector<Line>& data, const Line& line) {
  const std::int64_t n_outputs = integer(line.at("n_outputs"));
  std::vector<std::vector<T>> repeats;
  for (std::int64_t repeat = 0; repeat < integer(line.at("n_repeats")); ++repeat) {
    std::vector<T>& values = repeats.emplace_back();
    for (const Line& row : data) {
      for (std::int64_t j = 0; j < kConfigurations; ++j) {
        const std::string name =
            line.at("predictions") + "_" + std::to_string(repeat) + "_" + std::to_string(j);
        for (std::int64_t k = 0; k < n_outputs; ++k) {
          const std::string& cell = row.at(n_outputs > 1 ? name + "_" + std::to_string(k) : name);
          values.push_back(static_cast<T>(real(cell)));
        }
      }
    }
  }
  return repeats;
}

template <class T>
const T* pointer(const std::vector<T>& values) {
  return values.empty() ? nullptr : values.data();
}

/// The status of the call, and what it gives.
template <class T>
bbc_status correct(bbc_problem& problem, const std::vector<std::vector<T>>& repeats, int dtype,
                   std::int64_t n_outputs, bbc_result& result) {
  std::vector<const void*> arrays;
  for (const auto& repeat : repeats) arrays.push_back(repeat.data());
  bbc_predictions given;
  bbc_predictions_init(&given, sizeof given);
  given.repeats = arrays.data();
  given.n_repeats = static_cast<std::int64_t>(arrays.size());
  given.dtype = dtype;
  given.n_rows = kRows;
  given.n_configurations = kConfigurations;
  given.n_outputs = n_outputs;
  return bbc_correct(&problem, &given, &result);
}

int alternative_of(const std::string& name) {
  return name == "greater" ? BBC_GREATER : name == "less" ? BBC_LESS : BBC_TWO_SIDED;
}

/// The numbers of a line of doors.csv, which hold what C gives of a correction.
void check_numbers(const bbc_result& result, const Line& line, const std::string& context) {
  const auto reals = split(line.at("reals"), ' ');
  CHECK_FOR(std::to_string(result.winner) == line.at("integers"), context);
  CHECK_FOR(reals.size() == 4, context);
  CHECK_FOR(check::same(result.estimate, real(reals[0])), context);
  CHECK_FOR(check::same(result.apparent, real(reals[1])), context);
  CHECK_FOR(check::same(result.low, real(reals[2])), context);
  CHECK_FOR(check::same(result.high, real(reals[3])), context);
}

void check_case(const std::vector<Line>& data, const Line& line) {
  const std::string context = line.at("metric") + " " + line.at("seed");
  const std::string truth = line.at("truth");
  const bool has_classes = truth == "two" || truth == "three";
  const auto labels = column<std::int64_t>(data, truth);
  const auto strata = column<std::int32_t>(data, truth);
  const auto values = column<double>(data, truth);
  const auto events = column<std::uint8_t>(data, "event");
  const auto units = column<std::int32_t>(data, "group");
  const auto weights = column<double>(data, "weight");
  const auto folds = codes(data, line, "folds");
  const auto drawn = codes(data, line, "drawn");

  bbc_problem problem;
  bbc_problem_init(&problem, sizeof problem);
  problem.metric = line.at("kernel").c_str();
  problem.average = line.at("average").c_str();
  problem.negate = line.at("negate") == "1" ? 1 : 0;
  problem.n_rows = kRows;
  if (has_classes) {
    problem.labels = labels.data();
  } else {
    problem.values = values.data();
  }
  if (truth == "time") problem.events = events.data();
  problem.n_bootstraps = kBootstraps;
  problem.seed = std::strtoull(line.at("seed").c_str(), nullptr, 10);
  problem.confidence_level = 0.8;
  const bool one_sided = line.count("alternative") > 0;
  if (one_sided) problem.alternative = alternative_of(line.at("alternative"));
  if (!line.at("groups").empty()) problem.units = units.data();
  if (line.at("stratified") == "1") problem.strata = strata.data();
  if (!line.at("weights").empty()) problem.row_weights = weights.data();
  problem.folds = pointer(folds);
  problem.drawn_folds = pointer(drawn);
  problem.as_published = integer(line.at("published"));

  std::vector<double> replicates(kBootstraps);
  std::vector<std::int64_t> winners(kBootstraps);
  bbc_result result;
  bbc_result_init(&result, sizeof result);
  result.replicates = replicates.data();
  result.replicate_winners = winners.data();
  const bool are_labels = line.at("predictions").rfind("labels", 0) == 0;
  const std::int64_t n_outputs = integer(line.at("n_outputs"));
  const bbc_status status =
      are_labels
          ? correct(problem, predictions<std::int64_t>(data, line), BBC_INT64, n_outputs, result)
          : correct(problem, predictions<double>(data, line), BBC_FLOAT64, n_outputs, result);
  CHECK_FOR(status == BBC_OK, context + " " + result.message);
  if (one_sided) {
    check_numbers(result, line, context);
    return;
  }

  CHECK_FOR(check::same(result.estimate, real(line.at("estimate"))), context);
  CHECK_FOR(check::same(result.low, real(line.at("low"))), context);
  CHECK_FOR(check::same(result.high, real(line.at("high"))), context);
  CHECK_FOR(check::same(result.apparent, real(line.at("apparent"))), context);
  CHECK_FOR(result.winner == integer(line.at("winner")), context);
  CHECK_FOR(result.n_redrawn == integer(line.at("n_redrawn")), context);
  const auto expected_winners = split(line.at("winners"), ' ');
  const auto expected = split(line.at("replicates"), ' ');
  CHECK_FOR(expected.size() == replicates.size(), context);
  for (std::size_t b = 0; b < replicates.size(); ++b) {
    CHECK_FOR(winners[b] == integer(expected_winners.at(b)), context);
    CHECK_FOR(check::same(replicates[b], real(expected.at(b))), context);
  }
}

/// The winner's interval, whose range the metric knows.
template <class T>
void check_winner(const std::vector<Line>& data, const Line& line) {
  const std::string context = line.at("metric") + " " + line.at("method");
  const std::string truth = line.at("truth");
  bbc::Target target;
  if (truth == "real") {
    target.values = column<double>(data, truth);
  } else {
    target.kind = bbc::Target::Kind::labels;
    target.codes = column<std::int32_t>(data, truth);
    target.n_classes = truth == "two" ? 2 : 3;
  }
  const auto values = predictions<T>(data, line);
  const bbc::Predictions view[] = {
      bbc::View<T>{values[0].data(), kRows, kConfigurations, integer(line.at("n_outputs"))}};
  bbc::MetricParameters parameters;
  parameters.average = line.at("average");
  parameters.sign = line.at("negate") == "1" ? -1.0 : 1.0;
  bbc::CorrectionOptions corrected;
  corrected.metric = bbc::make_metric(line.at("kernel"), parameters);
  corrected.resampling.n_bootstraps = 40;
  const auto rows = bbc::row_values(target, view, corrected.metric);
  bbc::WinnerIntervalOptions options;
  options.greater_is_better = corrected.metric.greater_is_better();
  const std::string side = line.at("alternative");
  options.confidence = {0.8, side == "greater" ? bbc::Alternative::greater
                             : side == "less"  ? bbc::Alternative::less
                                               : bbc::Alternative::two_sided};
  options.seed = std::strtoull(line.at("seed").c_str(), nullptr, 10);
  const std::int64_t winner = bbc::correct(target, view, corrected).winner;
  const auto found = bbc::winner_interval(rows, winner, options);
  const auto reals = split(line.at("reals"), ' ');
  CHECK_FOR(std::to_string(winner) == line.at("integers"), context);
  CHECK_FOR(reals.size() == (found.feasible ? 4 : 2), context);
  CHECK_FOR(check::same(found.estimate, real(reals[0])), context);
  if (!found.feasible) return;
  CHECK_FOR(check::same(found.interval.low, real(reals[2])), context);
  CHECK_FOR(check::same(found.interval.high, real(reals[3])), context);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  if (n_arguments != 2) {
    std::fprintf(stderr, "usage: test_golden_bits FOLDER\n");
    return 2;
  }
  const std::string folder = arguments[1];
  const std::vector<Line> data = read(folder + "/data.csv");
  const std::vector<Line> cases = read(folder + "/cases.csv");
  CHECK(static_cast<std::int64_t>(data.size()) == kRows);
  CHECK(cases.size() >= 150);
  for (const Line& line : cases) check_case(data, line);
  for (const Line& line : read(folder + "/doors.csv")) {
    // The C interface has no weights of events.
    if (line.at("integers") == "refused" || line.at("kernel").empty()) continue;
    if (line.at("function") == "correct") check_case(data, line);
    if (line.at("function") != "winner_interval") continue;
    const bool are_labels = line.at("predictions").rfind("labels", 0) == 0;
    are_labels ? check_winner<std::int64_t>(data, line) : check_winner<double>(data, line);
  }
  return check::report();
}
