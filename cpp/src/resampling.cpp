#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/resampling.hpp>
#include <limits>
#include <string>
#include <unordered_map>

#include "detail/resampling/kept_draws.hpp"
#include "detail/resampling/unit_draws.hpp"
#include "detail/support/limits.hpp"

namespace bbc {
namespace {

constexpr auto kMostDraws = std::numeric_limits<std::uint16_t>::max();

/// Numbers codes 0, 1, ... in order of their first row.
std::vector<std::int32_t> number(const std::vector<std::int32_t>& codes, std::int64_t* n_distinct) {
  std::unordered_map<std::int32_t, std::int32_t> numbers;
  std::vector<std::int32_t> out;
  out.reserve(codes.size());
  for (const std::int32_t code : codes) {
    out.push_back(
        numbers.try_emplace(code, static_cast<std::int32_t>(numbers.size())).first->second);
  }
  *n_distinct = static_cast<std::int64_t>(numbers.size());
  return out;
}

void check_length(std::size_t length, std::int64_t n_rows, const char* name) {
  if (length != 0 && static_cast<std::int64_t>(length) != n_rows) {
    throw_invalid(name, std::to_string(length) + " values for " + std::to_string(n_rows) + " rows");
  }
}

/// The counts of the rows from those of their units.
void to_rows(const std::uint16_t* of_unit, const std::vector<std::int32_t>& unit_of_row,
             std::int64_t replicate, std::uint16_t* row_counts) {
  std::int64_t n_drawn = 0;
  for (const std::int32_t unit : unit_of_row) {
    const std::uint16_t count = unit < 0 ? std::uint16_t{0} : of_unit[unit];
    n_drawn += count;
    *row_counts++ = count;
  }
  if (n_drawn > detail::kMostRows) {
    throw_invalid("units", std::to_string(n_drawn) + " rows are drawn, but sums go up to 2^31 - 1",
                  {{"replicate", replicate}});
  }
}

}  // namespace

Sampler::Sampler(std::int64_t n_rows, const Resampling& resampling)
    : resampling_(resampling), n_rows_(n_rows), n_units_(n_rows) {
  detail::check_n_rows(n_rows);
  detail::check_n_bootstraps(resampling.n_bootstraps);
  check_length(resampling.units.size(), n_rows, "units");
  check_length(resampling.strata.size(), n_rows, "strata");
  if (!resampling.units.empty()) unit_of_row_ = number(resampling.units, &n_units_);
  if (!resampling.strata.empty()) {
    std::int64_t n_strata = 0;
    stratum_of_row_ = number(resampling.strata, &n_strata);
    const auto& strata = stratum_of_row_;
    std::vector<std::int32_t> stratum_of_unit(static_cast<std::size_t>(n_units_), -1);
    for (std::size_t row = 0; row < strata.size(); ++row) {
      const auto unit = unit_of_row_.empty() ? row : static_cast<std::size_t>(unit_of_row_[row]);
      auto& known = stratum_of_unit[unit];
      if (known >= 0 && known != strata[row]) {
        throw_invalid("units", "a unit has rows of several strata, so it is not drawn within one",
                      {{"row", static_cast<std::int64_t>(row)}});
      }
      known = strata[row];
    }
    units_of_stratum_.resize(static_cast<std::size_t>(n_strata));
    for (std::size_t unit = 0; unit < stratum_of_unit.size(); ++unit) {
      units_of_stratum_[static_cast<std::size_t>(stratum_of_unit[unit])].push_back(
          static_cast<std::int32_t>(unit));
    }
  }
  if (!resampling.resamples.empty()) {
    const auto expected = resampling.n_bootstraps * n_units_;
    if (static_cast<std::int64_t>(resampling.resamples.size()) != expected) {
      throw_invalid("resamples", "must have " + std::to_string(resampling.n_bootstraps) + " x " +
                                     std::to_string(n_units_) + " values");
    }
    for (std::size_t i = 0; i < resampling.resamples.size(); ++i) {
      const auto unit = resampling.resamples[i];
      if (unit < 0 || unit >= n_units_) {
        throw_invalid("resamples",
                      "not a number from 0 to " + std::to_string(n_units_ - 1) + " of a unit",
                      {{"replicate", static_cast<std::int64_t>(i) / n_units_}, {"unit", unit}});
      }
    }
  }
  const std::span<const std::int32_t> folds(resampling.folds);
  if (!is_explicit()) kept_ = detail::kept_draws(n_rows * (folds.empty() ? 1 : 2), resampling);
  if (folds.empty()) return;
  if (is_explicit()) throw_invalid("resamples", "two-level draws are random only");
  const auto length = static_cast<std::size_t>(n_rows);
  if (folds.size() % length != 0) {
    throw_invalid("folds", std::to_string(folds.size()) + " values for repeats of " +
                               std::to_string(n_rows) + " rows");
  }
  for (std::size_t start = 0; start < folds.size(); start += length) {
    repeats_.push_back(
        make_repeat(folds.subspan(start, length), static_cast<std::int64_t>(start / length)));
  }
}

Sampler::Repeat Sampler::make_repeat(std::span<const std::int32_t> folds,
                                     std::int64_t repeat) const {
  Repeat result;
  std::unordered_map<std::int32_t, std::int32_t> fold_numbers;
  std::unordered_map<std::int64_t, std::int32_t> unit_numbers;  // of (fold, group)
  const std::size_t n_strata = std::max<std::size_t>(units_of_stratum_.size(), 1);
  for (std::size_t row = 0; row < folds.size(); ++row) {
    if (folds[row] < 0) {
      result.fold_of_row.push_back(-1);
      result.unit_of_row.push_back(-1);
      continue;
    }
    const auto fold =
        fold_numbers.try_emplace(folds[row], static_cast<std::int32_t>(fold_numbers.size()))
            .first->second;
    if (static_cast<std::size_t>(fold) == result.units.size()) result.units.emplace_back(n_strata);
    const std::int64_t group =
        unit_of_row_.empty() ? static_cast<std::int64_t>(row) : std::int64_t{unit_of_row_[row]};
    const auto unit = unit_numbers.try_emplace(fold * n_units_ + group,
                                               static_cast<std::int32_t>(unit_numbers.size()));
    if (unit.second) {
      const auto stratum = stratum_of_row_.empty() ? 0 : stratum_of_row_[row];
      result.units[static_cast<std::size_t>(fold)][static_cast<std::size_t>(stratum)].push_back(
          unit.first->second);
    }
    result.fold_of_row.push_back(fold);
    result.unit_of_row.push_back(unit.first->second);
  }
  result.n_units = static_cast<std::int64_t>(unit_numbers.size());
  if (result.units.size() < 2) {
    throw_invalid("folds", "two-level draws need at least two folds", {{"repeat", repeat}});
  }
  return result;
}

std::int64_t Sampler::fewest_folds() const {
  if (repeats_.empty()) return 0;
  const auto fewer = [](const Repeat& a, const Repeat& b) {
    return a.units.size() < b.units.size();
  };
  return static_cast<std::int64_t>(
      std::min_element(repeats_.begin(), repeats_.end(), fewer)->units.size());
}

void Sampler::count_resample(std::int64_t replicate, std::uint16_t* unit_counts) const {
  if (replicate < 0 || replicate >= resampling_.n_bootstraps) {
    throw_invalid("replicate", std::to_string(replicate) + " of " +
                                   std::to_string(resampling_.n_bootstraps) + " resamples");
  }
  for (std::int64_t i = 0; i < n_units_; ++i) {
    auto& count = unit_counts[resampling_.resamples[replicate * n_units_ + i]];
    if (count == kMostDraws) {
      throw_invalid("resamples", "one unit is drawn more than 65535 times",
                    {{"replicate", replicate}});
    }
    ++count;
  }
}

void Sampler::draw_units(std::int64_t first, int n_replicates, std::uint32_t attempt,
                         std::uint16_t* unit_counts) const {
  std::fill_n(unit_counts, n_replicates * n_units_, std::uint16_t{0});
  const detail::UnitDraws draws(resampling_.seed, resampling_.stream);
  if (!is_explicit() && units_of_stratum_.empty()) {
    draws.add(first, n_replicates, attempt, n_units_, unit_counts);
    return;
  }
  for (int i = 0; i < n_replicates; ++i, unit_counts += n_units_) {
    if (is_explicit()) {
      count_resample(first + i, unit_counts);
    } else {
      draws.add(first + i, attempt, units_of_stratum_, unit_counts);
    }
  }
}

void Sampler::expect_again() const {
  if (kept_ != nullptr) kept_->again();
}

void Sampler::draw(std::int64_t first, int n_replicates, std::uint32_t attempt,
                   std::uint16_t* row_counts) const {
  constexpr auto kAtATime = detail::KeptDraws::kBlock;
  if (kept_ == nullptr || attempt != 0 || first + n_replicates > resampling_.n_bootstraps) {
    draw_rows(first, n_replicates, attempt, row_counts);
    return;
  }
  for (int n = 0; n_replicates > 0; first += n, n_replicates -= n, row_counts += n * n_rows_) {
    n = static_cast<int>(std::min<std::int64_t>(n_replicates, kAtATime - first % kAtATime));
    if (kept_->find(first, n, row_counts)) continue;
    draw_rows(first, n, attempt, row_counts);
    kept_->drawn(first, n, row_counts);
  }
}

void Sampler::draw_rows(std::int64_t first, int n_replicates, std::uint32_t attempt,
                        std::uint16_t* row_counts) const {
  if (unit_of_row_.empty()) {
    draw_units(first, n_replicates, attempt, row_counts);
    return;
  }
  std::vector<std::uint16_t> unit_counts(static_cast<std::size_t>(n_replicates * n_units_));
  draw_units(first, n_replicates, attempt, unit_counts.data());
  for (int i = 0; i < n_replicates; ++i) {
    to_rows(unit_counts.data() + i * n_units_, unit_of_row_, first + i, row_counts + i * n_rows_);
  }
}

void Sampler::draw_folds(std::int64_t replicate, std::uint32_t attempt, std::uint16_t* row_counts,
                         std::uint16_t* fold_counts) const {
  if (kept_ == nullptr || attempt != 0 || replicate >= resampling_.n_bootstraps) {
    draw_rows_and_folds(replicate, attempt, row_counts, fold_counts);
    return;
  }
  std::vector<std::uint16_t> both(static_cast<std::size_t>(2 * n_rows_));
  if (!kept_->find(replicate, 1, both.data())) {
    draw_rows_and_folds(replicate, attempt, both.data(), both.data() + n_rows_);
    kept_->drawn(replicate, 1, both.data());
  }
  std::copy_n(both.data(), n_rows_, row_counts);
  std::copy_n(both.data() + n_rows_, n_rows_, fold_counts);
}

void Sampler::draw_rows_and_folds(std::int64_t replicate, std::uint32_t attempt,
                                  std::uint16_t* row_counts, std::uint16_t* fold_counts) const {
  const Repeat& repeat = repeats_[static_cast<std::size_t>(replicate % n_repeats())];
  const auto n_folds = static_cast<std::int64_t>(repeat.units.size());
  // One place before the first fold: rows that the repeat did not predict are on neither side, not
  // drawn and not out of bag.
  std::vector<std::uint16_t> of_fold(repeat.units.size() + 1);
  of_fold[0] = 1;
  const auto draw = [&](std::uint16_t* unit_counts) {
    detail::UnitDraws(resampling_.seed, resampling_.stream)
        .add_two_level(replicate, attempt, repeat.units, unit_counts, of_fold.data() + 1);
  };
  if (repeat.n_units == n_rows_ && n_rows_ <= detail::kMostRows / n_folds) {  // units are the rows
    std::fill_n(row_counts, n_rows_, std::uint16_t{0});
    draw(row_counts);
  } else {
    std::vector<std::uint16_t> of_unit(static_cast<std::size_t>(repeat.n_units));
    draw(of_unit.data());
    to_rows(of_unit.data(), repeat.unit_of_row, replicate, row_counts);
  }
  std::transform(repeat.fold_of_row.begin(), repeat.fold_of_row.end(), fold_counts,
                 [&](std::int32_t fold) { return of_fold[static_cast<std::size_t>(fold + 1)]; });
}

}  // namespace bbc
