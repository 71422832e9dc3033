#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

/// The configurations that predicted a row, as bytes.
std::string_view pattern_of(std::span<const std::uint8_t> predicted, std::int64_t row,
                            std::int64_t n_configurations) {
  return {reinterpret_cast<const char*>(predicted.data()) + row * n_configurations,
          static_cast<std::size_t>(n_configurations)};
}

/// One rung: its first row stands for all, which the same configurations predicted.
struct Rung {
  std::int64_t first_row = 0;
  std::int64_t n_rows = 0;
  std::int64_t n_alive = 0;
  std::string_view alive;
};

/// Refuses a later rung with a configuration that an earlier one lacks.
void check_nested(const Rung& earlier, const Rung& later) {
  const auto missing_in = [](const Rung& one, const Rung& other) {
    std::size_t j = 0;
    while (j < one.alive.size() && (one.alive[j] != 0 || other.alive[j] == 0)) ++j;
    return j;
  };
  const std::size_t back = missing_in(earlier, later);
  if (back == earlier.alive.size()) return;
  Place place = {{"row", later.first_row}, {"configuration", static_cast<std::int64_t>(back)}};
  place.push_back({"other row", earlier.first_row});
  const std::size_t other = missing_in(later, earlier);
  if (other < later.alive.size()) {
    place.push_back({"other configuration", static_cast<std::int64_t>(other)});
  }
  throw Error(ErrorCode::invalid_argument, "predictions",
              "are missing in no common order of rungs: what predicted this row did not predict "
              "the other, which comes earlier",
              place,
              "all configurations must take the folds in one order, and those that are dropped "
              "must not come back");
}

/// The rungs in order, and the rung of each row.
std::vector<Rung> ordered_rungs(std::span<const std::uint8_t> predicted, std::int64_t n_rows,
                                std::int64_t n_configurations, std::span<const std::int32_t> given,
                                std::vector<std::int32_t>& of_row) {
  std::vector<Rung> rungs;
  std::vector<std::int64_t> found(static_cast<std::size_t>(n_rows));
  std::unordered_map<std::string_view, std::int64_t> by_pattern;
  std::map<std::int32_t, std::int64_t> by_number;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    const std::string_view alive = pattern_of(predicted, row, n_configurations);
    const auto n_alive = std::count_if(alive.begin(), alive.end(), [](char one) { return one; });
    if (n_alive == 0) {
      throw_invalid("predictions", "are missing in all configurations", {{"row", row}});
    }
    const auto next = static_cast<std::int64_t>(rungs.size());
    const auto rung =
        given.empty()
            ? by_pattern.try_emplace(alive, next).first->second
            : by_number.try_emplace(given[static_cast<std::size_t>(row)], next).first->second;
    found[static_cast<std::size_t>(row)] = rung;
    if (rung == next) rungs.push_back({row, 0, n_alive, alive});
    Rung& own = rungs[static_cast<std::size_t>(rung)];
    ++own.n_rows;
    if (alive == own.alive) continue;
    std::int64_t j = 0;
    while (alive[static_cast<std::size_t>(j)] == own.alive[static_cast<std::size_t>(j)]) ++j;
    throw_invalid("rungs",
                  "must hold rows that the same configurations predicted; of two rows of one, this "
                  "configuration predicted one alone",
                  {{"row", own.first_row}, {"other row", row}, {"configuration", j}});
  }
  std::vector<std::int64_t> order(rungs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  if (given.empty()) {
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return rungs[static_cast<std::size_t>(a)].n_alive >
             rungs[static_cast<std::size_t>(b)].n_alive;
    });
  } else {
    order.clear();
    for (const auto& [number, rung] : by_number) order.push_back(rung);
  }
  std::vector<Rung> sorted;
  std::vector<std::int32_t> place(rungs.size());
  for (const std::int64_t rung : order) {
    place[static_cast<std::size_t>(rung)] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(rungs[static_cast<std::size_t>(rung)]);
  }
  for (const std::int64_t rung : found) of_row.push_back(place[static_cast<std::size_t>(rung)]);
  return sorted;
}

/// Whether the rows of each rung score, as far as that depends on the rung.
std::vector<bool> scoring_rungs(const std::vector<Rung>& rungs, std::int64_t n_rows,
                                const RungOptions& options) {
  std::vector<bool> scores;
  std::int64_t seen = 0;
  for (const Rung& rung : rungs) {
    seen += rung.n_rows;
    scores.push_back(static_cast<double>(seen) >= options.burn * static_cast<double>(n_rows));
  }
  for (const std::int32_t rung : options.choose_only) {
    if (rung < 0 || static_cast<std::size_t>(rung) >= rungs.size()) {
      throw_invalid("choose_only", "names a rung that no row has", {{"rung", rung}});
    }
    scores[static_cast<std::size_t>(rung)] = false;
  }
  return scores;
}

}  // namespace

selection::Rungs find_rungs(std::span<const std::uint8_t> given, std::int64_t n_rows,
                            std::int64_t n_configurations,
                            std::span<const std::int32_t> given_rungs,
                            std::span<const std::int32_t> given_units, const RungOptions& options) {
  const detail::Arithmetic arithmetic;
  const auto predicted = detail::owned(given);  // whose rows are keys
  const auto of_row = detail::owned(given_rungs);
  const auto unit_of_row = detail::owned(given_units);
  if (n_rows < 1 || n_configurations < 1 ||
      predicted.size() != static_cast<std::size_t>(n_rows * n_configurations)) {
    throw_invalid("predicted", "must be of shape (rows, configurations)");
  }
  for (const auto& [name, n] :
       {std::pair{"rungs", of_row.size()}, std::pair{"groups", unit_of_row.size()}}) {
    if (n == 0 || n == static_cast<std::size_t>(n_rows)) continue;
    throw_invalid(name,
                  "has " + std::to_string(n) + " values for " + std::to_string(n_rows) + " rows");
  }
  if (!(options.burn >= 0.0 && options.burn <= 1.0)) {
    throw_invalid("burn", "must be a share of the rows, 0 to 1");
  }
  selection::Rungs result;
  const auto rungs = ordered_rungs(predicted, n_rows, n_configurations, of_row, result.of_row);
  for (std::size_t i = 1; i < rungs.size(); ++i) check_nested(rungs[i - 1], rungs[i]);
  result.reached.assign(static_cast<std::size_t>(n_configurations), 0);
  for (const Rung& rung : rungs) {
    for (std::size_t j = 0; j < rung.alive.size(); ++j) result.reached[j] += rung.alive[j] != 0;
  }
  std::unordered_map<std::int32_t, std::int32_t> first_rung;  // of units
  for (std::size_t row = 0; row < unit_of_row.size(); ++row) {
    auto& first = first_rung.try_emplace(unit_of_row[row], result.of_row[row]).first->second;
    first = std::min(first, result.of_row[row]);
  }
  const std::vector<bool> scores = scoring_rungs(rungs, n_rows, options);
  bool any = false;
  for (std::size_t row = 0; row < result.of_row.size(); ++row) {
    const std::int32_t rung = result.of_row[row];
    const bool fresh = unit_of_row.empty() || first_rung.at(unit_of_row[row]) == rung;
    result.scores.push_back(fresh && scores[static_cast<std::size_t>(rung)] ? 1 : 0);
    any = any || result.scores.back() != 0;
  }
  if (!any) {
    throw_invalid("rungs",
                  "leave no row to score: those of later rungs belong to groups that earlier rungs "
                  "have seen, or their rungs choose only");
  }
  return result;
}

}  // namespace bbc
