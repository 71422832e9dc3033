#include "detail/resampling/fold_shuffle.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/philox.hpp>
#include <bbc/resampling.hpp>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

std::vector<std::int32_t> classes_of_rows(const Target& target) {
  if (target.kind == Target::Kind::labels) return target.codes;
  if (target.kind == Target::Kind::survival) return {target.events.begin(), target.events.end()};
  return std::vector<std::int32_t>(target.values.size(), 0);
}

FoldShuffle::FoldShuffle(std::span<const std::int32_t> strata, std::span<const std::int32_t> folds,
                         const std::vector<std::int32_t>& units, std::uint64_t seed,
                         std::uint32_t stream)
    : n_rows_(strata.size()), seed_(seed), stream_(stream) {
  Resampling resampling;
  resampling.units = units;
  const Sampler numbered(static_cast<std::int64_t>(n_rows_), resampling);
  unit_of_row_.assign(numbered.unit_of_row().begin(), numbered.unit_of_row().end());
  n_units_ = static_cast<std::size_t>(numbered.n_units());
  // Strata are numbered in order of their first row; there is but one if a unit spans several.
  std::unordered_map<std::int32_t, std::int32_t> numbers;
  std::vector<std::int32_t> stratum_of_unit(n_units_, -1);
  bool spans = false;
  for (std::size_t row = 0; row < n_rows_; ++row) {
    const auto next = static_cast<std::int32_t>(numbers.size());
    const auto stratum = numbers.try_emplace(strata[row], next).first->second;
    auto& known = stratum_of_unit[unit_of(row)];
    spans = spans || (known >= 0 && known != stratum);
    known = stratum;
  }
  if (spans) std::fill(stratum_of_unit.begin(), stratum_of_unit.end(), 0);
  for (std::size_t first = 0; first < folds.size(); first += n_rows_) {
    repeats_.push_back(make_repeat(folds.subspan(first, n_rows_), stratum_of_unit));
  }
}

FoldShuffle::Repeat FoldShuffle::make_repeat(
    std::span<const std::int32_t> folds, const std::vector<std::int32_t>& stratum_of_unit) const {
  std::map<std::int32_t, std::int64_t> units_of_fold;  // how many, by code
  for (const std::int32_t code : folds) {
    if (code >= 0) units_of_fold[code] = 0;
  }
  Repeat repeat;
  if (units_of_fold.empty()) throw_invalid("folds", "no row of a repeat is in a fold");
  repeat.n_folds = static_cast<std::int64_t>(units_of_fold.size());
  if (repeat.n_folds > kBlock) return repeat;
  repeat.fold_of_row.assign(n_rows_, -1);
  repeat.fold_of_unit.assign(n_units_, -1);
  const auto n_strata = 1 + *std::max_element(stratum_of_unit.begin(), stratum_of_unit.end());
  repeat.units_of_stratum.resize(static_cast<std::size_t>(n_strata));
  for (std::size_t row = 0; row < n_rows_; ++row) {
    if (folds[row] < 0) continue;
    const auto found = units_of_fold.find(folds[row]);
    const auto fold = static_cast<std::int8_t>(std::distance(units_of_fold.begin(), found));
    repeat.fold_of_row[row] = fold;
    auto& known = repeat.fold_of_unit[unit_of(row)];
    repeat.split = repeat.split || (known >= 0 && known != fold);
    if (known < 0) {
      ++found->second;
      const auto stratum = static_cast<std::size_t>(stratum_of_unit[unit_of(row)]);
      repeat.units_of_stratum[stratum].push_back(static_cast<std::int32_t>(unit_of(row)));
    }
    known = fold;
  }
  for (const auto& [code, n_units] : units_of_fold) {
    if (repeat.fewest_units == 0 || n_units < repeat.fewest_units) repeat.fewest_units = n_units;
  }
  return repeat;
}

std::string FoldShuffle::untestable() const {
  const auto any = [&](const auto& holds) {
    return std::any_of(repeats_.begin(), repeats_.end(), holds);
  };
  if (!any([](const Repeat& repeat) { return repeat.n_folds > 1; })) {
    return "a single hold-out";
  }
  if (any([](const Repeat& repeat) { return repeat.n_folds > kBlock; })) {
    return "more than 64 folds";
  }
  if (any([](const Repeat& repeat) { return repeat.split; })) {
    return "a group with rows in several folds";
  }
  if (any([](const Repeat& repeat) { return repeat.n_folds > 1 && repeat.fewest_units < 2; })) {
    return unit_of_row_.empty() ? "a fold of a single row" : "a fold of a single group";
  }
  return "";
}

std::int64_t FoldShuffle::most_folds() const {
  std::int64_t most = 0;
  for (const Repeat& repeat : repeats_) most = std::max(most, repeat.n_folds);
  return most;
}

void FoldShuffle::draw(std::uint32_t permutation, std::uint32_t attempt,
                       std::int8_t* fold_of_row) const {
  WordStream words(seed_, stream_, permutation, attempt);
  for (const Repeat& repeat : repeats_) {
    auto of_unit = repeat.fold_of_unit;
    for (const auto& units : repeat.units_of_stratum) {
      for (std::size_t i = units.size(); i-- > 1;) {
        const std::size_t j = words.below(static_cast<std::uint32_t>(i + 1));
        std::swap(of_unit[static_cast<std::size_t>(units[i])],
                  of_unit[static_cast<std::size_t>(units[j])]);
      }
    }
    for (std::size_t row = 0; row < n_rows_; ++row) {
      *fold_of_row++ = repeat.fold_of_row[row] < 0 ? std::int8_t{-1} : of_unit[unit_of(row)];
    }
  }
}

}  // namespace bbc::detail
