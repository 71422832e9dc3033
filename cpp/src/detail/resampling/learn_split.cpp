#include "detail/resampling/learn_split.hpp"

#include <algorithm>
#include <bbc/philox.hpp>
#include <numeric>
#include <utility>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

constexpr std::int64_t kMostSplits = 1000;

bool has_both_classes(const std::vector<std::int32_t>& rows, const BoundData& data) {
  bool seen[2] = {};
  for (const std::int32_t row : rows) seen[data.is_positive[row] != 0 ? 1 : 0] = true;
  return seen[0] && seen[1];
}

/// The first rows of a random permutation: Fisher and Yates, one bounded integer per place.
std::vector<std::int32_t> permuted(std::int64_t n_rows, std::int64_t n_drawn, std::uint64_t seed,
                                   std::uint32_t attempt) {
  WordStream words(seed, stream::kSplit, 0, attempt);
  std::vector<std::int32_t> rows(static_cast<std::size_t>(n_rows));
  std::iota(rows.begin(), rows.end(), 0);
  for (std::int64_t i = 0; i < n_drawn; ++i) {
    std::swap(rows[i], rows[i + words.below(static_cast<std::uint32_t>(n_rows - i))]);
  }
  return rows;
}

std::string too_small(const BoundData& data, std::size_t n_folds) {
  const auto n_positive = static_cast<std::size_t>(
      std::ranges::count_if(data.is_positive, [](std::uint8_t flag) { return flag != 0; }));
  const std::size_t n_negative = data.is_positive.size() - n_positive;
  const std::size_t smaller = std::min(n_positive, n_negative);
  if (smaller > n_folds) return {};
  return std::string("the ") + (n_positive <= n_negative ? "positive" : "negative") +
         " class has " + std::to_string(smaller) + " rows, no more than the " +
         std::to_string(n_folds) + " folds, so none would be left to evaluate on";
}

}  // namespace

std::vector<std::vector<std::int32_t>> rows_by_code(const std::vector<std::int32_t>& folds) {
  std::vector<std::vector<std::int32_t>> rows(
      static_cast<std::size_t>(*std::ranges::max_element(folds)) + 1);
  for (std::size_t row = 0; row < folds.size(); ++row) {
    rows[static_cast<std::size_t>(folds[row])].push_back(static_cast<std::int32_t>(row));
  }
  return rows;
}

std::string fold_without_class(const BoundData& data) {
  const auto folds = rows_by_code(data.folds);
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    if (has_both_classes(folds[fold], data)) continue;
    const bool lacks_positive = folds[fold].empty() || data.is_positive[folds[fold].front()] == 0;
    const std::string name = data.fold_names.empty() ? std::to_string(fold) : data.fold_names[fold];
    return "fold " + name + " has no row of the " + (lacks_positive ? "positive" : "negative") +
           " class, so its AUC is undefined";
  }
  return {};
}

LearnSplit draw_learn_split(const BoundData& data, std::uint64_t seed) {
  const auto n_rows = static_cast<std::int64_t>(data.is_positive.size());
  const std::int64_t n_learn = n_rows * 3 / 4;
  LearnSplit split;
  split.reason = fold_without_class(data);
  const std::size_t n_folds = rows_by_code(data.folds).size();
  if (split.reason.empty()) split.reason = too_small(data, n_folds);
  if (!split.reason.empty()) return split;
  while (split.n_tried < kMostSplits) {
    const auto rows = permuted(n_rows, n_learn, seed, static_cast<std::uint32_t>(split.n_tried));
    ++split.n_tried;
    split.learn.assign(n_folds, {});
    std::vector<std::int32_t> learn(rows.begin(), rows.begin() + n_learn);
    std::ranges::sort(learn);
    for (const std::int32_t row : learn) split.learn[data.folds[row]].push_back(row);
    split.evaluation.assign(rows.begin() + n_learn, rows.end());
    std::ranges::sort(split.evaluation);
    const bool usable = has_both_classes(split.evaluation, data) &&
                        std::ranges::all_of(split.learn, [&](const auto& fold) {
                          return has_both_classes(fold, data);
                        });
    if (usable) return split;
  }
  split.reason = "none of " + std::to_string(kMostSplits) +
                 " random splits left both classes in every fold's learn part and in the "
                 "evaluation part";
  return split;
}

}  // namespace bbc::detail
