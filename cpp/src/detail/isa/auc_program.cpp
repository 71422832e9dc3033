#include "detail/isa/auc_program.hpp"

#include <algorithm>
#include <cstring>

#include "detail/support/lane_table.hpp"

namespace bbc::detail {
namespace {

/// Rows of a part that surely fits half a segment, however its ties cut it into steps.
constexpr std::size_t kLargePart = 1000;

constexpr std::uint16_t place(std::size_t partial_sum) {
  return static_cast<std::uint16_t>(partial_sum * kLine);
}

}  // namespace

AucProgrammer::AucProgrammer(std::int64_t n_lines)
    : zeros_(static_cast<std::uint32_t>(n_lines * kLine)) {}

std::uint32_t AucProgrammer::coded(std::int64_t line, std::int32_t code) {
  return static_cast<std::uint32_t>(line * kLine) | static_cast<std::uint32_t>(code);
}

void AucProgrammer::begin() {
  n_words_ = 0;
  segment_ends_.clear();
  steps_in_segment_ = 0;
  key_ = 0;
}

void AucProgrammer::finish(AucProgram& program) {
  end_segment();
  program.words.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(n_words_));
  program.segment_ends = segment_ends_;
  program.plain_key = static_cast<double>(key_);
}

void AucProgrammer::add_part(std::span<const std::uint32_t> rows,
                             std::span<const std::uint8_t> tied_with_next) {
  // A part that may take more steps than are left starts a segment and is alone in it: its
  // negatives can then be carried over when the segments are added up.
  const bool large = rows.size() > kLargePart;
  if (large || steps_in_segment_ > kSegmentSteps / 2) end_segment();
  starts_part_ = true;
  negatives_before_ = 0;
  const bool any_tie = !tied_with_next.empty();
  const auto tied = [&](std::size_t i) { return any_tie && tied_with_next[i] != 0; };
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t last = std::min<std::size_t>(first + kStepRows, rows.size());
    while (last > first && tied(last - 1)) --last;
    if (last == first) {
      last = first + kStepRows;
      while (tied(last - 1)) ++last;
      oversized_tie(rows.subspan(first, last - first));
    } else if (any_tie) {
      tied_step(rows.subspan(first, last - first), tied_with_next.subspan(first, last - first));
    } else {
      untied_step(rows.subspan(first, last - first));
    }
    first = last;
  }
  if (large) end_segment();
}

void AucProgrammer::untied_step(std::span<const std::uint32_t> rows) {
  // Everything is written at every row and kept only by moving on: no branch to mispredict.
  std::size_t n_negatives = 0;
  std::size_t n_positives = 0;
  std::size_t n_runs = 0;
  std::size_t was_positive = 0;
  for (const std::uint32_t row : rows) {
    const std::size_t positive = row & 1U;
    lower_[n_runs] = {place(n_negatives), place(n_positives)};
    n_runs += was_positive & (positive ^ 1U);
    negatives_[n_negatives] = row;
    positives_[n_positives] = row ^ 1U;
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

void AucProgrammer::tied_step(std::span<const std::uint32_t> rows,
                              std::span<const std::uint8_t> tied_with_next) {
  bool mixed = false;
  const auto extend = [](Run* runs, std::size_t& n_runs, std::size_t below, std::size_t end) {
    if (n_runs == 0 || runs[n_runs - 1].below != place(below)) ++n_runs;
    runs[n_runs - 1] = {place(below), place(end)};
  };
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t below = n_negatives_;
    const std::size_t positives_before = n_positives_;
    bool more = true;
    for (; more; ++i) {
      if (is_positive(rows[i])) {
        positives_[n_positives_++] = rows[i] ^ 1U;
      } else {
        negatives_[n_negatives_++] = rows[i];
      }
      more = tied_with_next[i] != 0;
    }
    if (n_positives_ == positives_before) continue;
    extend(lower_, n_lower_, below, n_positives_);
    extend(upper_, n_upper_, n_negatives_, n_positives_);
    mixed = mixed || n_negatives_ != below;
  }
  if (!mixed) n_upper_ = 0;
  finish_step(mixed ? 1 : 2);
}

void AucProgrammer::oversized_tie(std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> of_class[2];
  for (const std::uint32_t row : rows) of_class[row & 1U].push_back(row & ~1U);
  const bool mixed = !of_class[0].empty() && !of_class[1].empty();
  plain_steps(of_class[1], /*positive=*/true, mixed ? 1 : 2);
  plain_steps(of_class[0], /*positive=*/false, 2);
  if (mixed) plain_steps(of_class[1], /*positive=*/true, 1);
}

void AucProgrammer::plain_steps(const std::vector<std::uint32_t>& rows, bool positive,
                                std::int16_t multiplier) {
  for (std::size_t first = 0; first < rows.size(); first += kStepRows) {
    const std::size_t n = std::min<std::size_t>(kStepRows, rows.size() - first);
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(first), n,
                positive ? positives_ : negatives_);
    (positive ? n_positives_ : n_negatives_) = n;
    if (positive) lower_[n_lower_++] = {0, place(n)};
    finish_step(multiplier);
  }
}

void AucProgrammer::finish_step(std::int16_t lower_multiplier) {
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
  key_ += lower_multiplier * key_of(lower_, n_lower_);
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
  const Step step{narrow(n_rows),   narrow(n_negatives_), narrow(n_positives_),  narrow(n_lower_),
                  narrow(n_upper_), lower_multiplier,     starts_part_ ? 1U : 0U};
  append(&step, AucProgram::kHeaderWords);
  append(negatives_, n_negatives_);
  append(positives_, n_rows - n_negatives_);
  append(lower_, n_lower_);
  append(upper_, n_upper_);
  n_words_ = static_cast<std::size_t>(at - words_.data());

  n_negatives_ = n_positives_ = n_lower_ = n_upper_ = 0;
  starts_part_ = false;
  if (++steps_in_segment_ == kSegmentSteps) end_segment();
}

void AucProgrammer::end_segment() {
  if (steps_in_segment_ == 0) return;
  segment_ends_.push_back(static_cast<std::uint32_t>(n_words_));
  steps_in_segment_ = 0;
}

}  // namespace bbc::detail
