#include "detail/auc_program.hpp"

#include <algorithm>
#include <cstring>

#include "detail/lane_table.hpp"

namespace bbc::detail {
namespace {

constexpr std::uint16_t place(std::size_t partial_sum) {
  return static_cast<std::uint16_t>(partial_sum * kLine);
}

}  // namespace

AucProgrammer::AucProgrammer(std::span<const std::int32_t> codes,
                             std::span<const std::int32_t> lines, std::int64_t n_lines)
    : zeros_(static_cast<std::uint32_t>(n_lines * kLine)) {
  rows_.reserve(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto line =
        lines.empty() ? static_cast<std::uint32_t>(i) : static_cast<std::uint32_t>(lines[i]);
    rows_.push_back(line * kLine + static_cast<std::uint32_t>(codes[i]));
  }
}

void AucProgrammer::write(const SortedScores& order, AucProgram& program) {
  n_words_ = 0;
  stretch_ends_.clear();
  steps_in_stretch_ = 0;
  negatives_before_ = 0;
  key_ = 0;
  const std::size_t n = order.rows.size();
  const auto tied = [&](std::size_t i) {
    return !order.tied_with_next.empty() && order.tied_with_next[i] != 0;
  };
  for (std::size_t first = 0; first < n;) {
    std::size_t last = std::min<std::size_t>(first + kStepRows, n);
    while (last > first && tied(last - 1)) --last;
    if (last == first) {
      last = first + kStepRows;
      while (tied(last - 1)) ++last;
      great_tie(order, first, last);
    } else if (order.tied_with_next.empty()) {
      untied_step(order, first, last);
    } else {
      tied_step(order, first, last);
    }
    first = last;
  }
  if (steps_in_stretch_ > 0) stretch_ends_.push_back(static_cast<std::uint32_t>(n_words_));
  program.words.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(n_words_));
  program.stretch_ends = stretch_ends_;
  program.plain_key = static_cast<double>(key_);
}

void AucProgrammer::untied_step(const SortedScores& order, std::size_t first, std::size_t last) {
  // Everything is written at every row and kept only by moving on: no branch to mispredict.
  std::size_t n_negatives = 0;
  std::size_t n_positives = 0;
  std::size_t n_runs = 0;
  std::size_t was_positive = 0;
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t coded = row(order, i);
    const std::size_t positive = coded & 1U;
    lower_[n_runs] = {place(n_negatives), place(n_positives)};
    n_runs += was_positive & (positive ^ 1U);
    negatives_[n_negatives] = coded;
    positives_[n_positives] = coded ^ 1U;
    n_negatives += positive ^ 1U;
    n_positives += positive;
    was_positive = positive;
  }
  lower_[n_runs] = {place(n_negatives), place(n_positives)};
  n_runs += was_positive;
  n_negatives_ = n_negatives;
  n_positives_ = n_positives;
  n_lower_ = n_runs;
  finish_step(2);
}

void AucProgrammer::tied_step(const SortedScores& order, std::size_t first, std::size_t last) {
  bool mixed = false;
  const auto extend = [](Run* runs, std::size_t& n_runs, std::size_t below, std::size_t end) {
    if (n_runs == 0 || runs[n_runs - 1].below != place(below)) ++n_runs;
    runs[n_runs - 1] = {place(below), place(end)};
  };
  for (std::size_t i = first; i < last;) {
    const std::size_t below = n_negatives_;
    const std::size_t positives_before = n_positives_;
    bool more = true;
    for (; more; ++i) {
      const std::uint32_t coded = row(order, i);
      if (is_positive(coded)) {
        positives_[n_positives_++] = coded ^ 1U;
      } else {
        negatives_[n_negatives_++] = coded;
      }
      more = order.tied_with_next[i] != 0;
    }
    if (n_positives_ == positives_before) continue;
    extend(lower_, n_lower_, below, n_positives_);
    extend(upper_, n_upper_, n_negatives_, n_positives_);
    mixed = mixed || n_negatives_ != below;
  }
  if (!mixed) n_upper_ = 0;
  finish_step(mixed ? 1 : 2);
}

void AucProgrammer::great_tie(const SortedScores& order, std::size_t first, std::size_t last) {
  std::vector<std::uint32_t> of_class[2];
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t coded = row(order, i);
    of_class[coded & 1U].push_back(coded & ~1U);
  }
  const bool mixed = !of_class[0].empty() && !of_class[1].empty();
  plain_steps(of_class[1], /*positive=*/true, mixed ? 1 : 2);
  plain_steps(of_class[0], /*positive=*/false, 2);
  if (mixed) plain_steps(of_class[1], /*positive=*/true, 1);
}

void AucProgrammer::plain_steps(const std::vector<std::uint32_t>& rows, bool positive,
                                std::uint16_t multiplier) {
  for (std::size_t first = 0; first < rows.size(); first += kStepRows) {
    const std::size_t n = std::min<std::size_t>(kStepRows, rows.size() - first);
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(first), n,
                positive ? positives_ : negatives_);
    (positive ? n_positives_ : n_negatives_) = n;
    if (positive) lower_[n_lower_++] = {0, place(n)};
    finish_step(multiplier);
  }
}

void AucProgrammer::finish_step(std::uint16_t multiplier) {
  const auto key_of = [&](const Run* runs, std::size_t n_runs) {
    std::int64_t pairs = negatives_before_ * static_cast<std::int64_t>(n_positives_);
    std::int64_t before = 0;
    for (std::size_t k = 0; k < n_runs; ++k) {
      const std::int64_t end = runs[k].end / kLine;
      pairs += (end - before) * (runs[k].below / kLine);
      before = end;
    }
    return pairs;
  };
  key_ += multiplier * key_of(lower_, n_lower_);
  if (n_upper_ > 0) key_ += key_of(upper_, n_upper_);
  negatives_before_ += static_cast<std::int64_t>(n_negatives_);

  const auto make_even = [&](Run* runs, std::size_t& n_runs) {
    if (n_runs % 2 != 0) runs[n_runs++] = {0, place(n_positives_)};
  };
  make_even(lower_, n_lower_);
  make_even(upper_, n_upper_);
  std::size_t n_rows = n_negatives_ + n_positives_;
  while (n_rows % kRowGroup != 0) {
    positives_[n_rows - n_negatives_] = zeros_;
    ++n_rows;
  }

  words_.resize(std::max(words_.size(), n_words_ + 4 * kMost));
  std::uint32_t* at = words_.data() + n_words_;
  const auto append = [&](const void* from, std::size_t n) {
    std::memcpy(at, from, n * sizeof(std::uint32_t));
    at += n;
  };
  const auto narrow = [](std::size_t value) { return static_cast<std::uint16_t>(value); };
  const Step step{narrow(n_rows),   narrow(n_negatives_), narrow(n_positives_),
                  narrow(n_lower_), narrow(n_upper_),     multiplier};
  append(&step, AucProgram::kHeaderWords);
  append(negatives_, n_negatives_);
  append(positives_, n_rows - n_negatives_);
  append(lower_, n_lower_);
  append(upper_, n_upper_);
  n_words_ = static_cast<std::size_t>(at - words_.data());

  n_negatives_ = n_positives_ = n_lower_ = n_upper_ = 0;
  if (++steps_in_stretch_ == kStretchSteps) {
    stretch_ends_.push_back(static_cast<std::uint32_t>(n_words_));
    steps_in_stretch_ = 0;
  }
}

}  // namespace bbc::detail
