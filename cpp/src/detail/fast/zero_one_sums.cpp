#include "detail/fast/zero_one_sums.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace bbc::detail {
namespace {

constexpr int kMostByte = std::numeric_limits<std::uint8_t>::max();
constexpr int kMostWord = std::numeric_limits<std::uint16_t>::max();

/// Adds to each configuration the lanes in which its errors are above the limits.
template <class Word>
void add_above(const Word* errors, std::int64_t n, const Word* limits, std::int64_t* counts) {
  for (std::int64_t j = 0; j < n; ++j) {
    Word above = 0;
    for (int word = 0; word < kBlock; ++word) {
      above = static_cast<Word>(above + (errors[j * kBlock + word] > limits[word] ? 1 : 0));
    }
    counts[j] += above;
  }
}

}  // namespace

ZeroOneSums::ZeroOneSums(const ErrorPatterns& patterns, const ZeroOneKernel& kernel)
    : patterns_(patterns),
      kernel_(kernel),
      tables_(static_cast<std::size_t>(kChunkGroups * kPatterns * kBlock)),
      words_(n_sums()),
      least_(kBlock),
      where_(kBlock) {}

void ZeroOneSums::take(const Bag& bag) {
  bag_ = &bag;
  pairs_ = {};
  table_.fill(bag, Side::in_bag);
  lines_ = table_.most() <= kMostByte ? table_.lines() : nullptr;
  plan(table_.most());
}

void ZeroOneSums::take(std::span<const RowPair> pairs, const std::uint8_t* lines, int most) {
  pairs_ = pairs;
  lines_ = lines;
  if (products_.size() == 0) {
    products_ = Aligned<std::uint8_t>(static_cast<std::size_t>(kChunkRows * kLine));
  }
  plan(most * most);
}

void ZeroOneSums::plan(int most) {
  passes_.clear();
  for (std::int64_t chunk = 0; chunk < patterns_.n_chunks(); ++chunk) {
    const int n_rows = patterns_.rows_of_chunk(chunk);
    const int weight = lines_ == nullptr ? most : kernel_.weight(lines_of(chunk), n_rows);
    if (lines_ != nullptr && weight <= kMostByte) {
      passes_.push_back({chunk, weight, -1});
      continue;
    }
    for (std::int32_t taken = 0; taken < most; taken += kClamp) {
      passes_.push_back({chunk, kClamp * n_rows, taken});
    }
  }
  const bool several = passes_.size() * static_cast<std::size_t>(patterns_.n_repeats()) > 1;
  if (several && bytes_.size() == 0) bytes_ = Aligned<std::uint8_t>(n_sums());
}

const std::uint8_t* ZeroOneSums::lines_of(std::int64_t chunk) {
  const std::int64_t first_row = chunk * kChunkRows;
  if (pairs_.empty()) return lines_ + first_row * kLine;
  kernel_.products(pairs_.data() + first_row, patterns_.rows_of_chunk(chunk), lines_,
                   products_.data());
  return products_.data();
}

void ZeroOneSums::build_tables(const Pass& pass) {
  const int n_rows = patterns_.rows_of_chunk(pass.chunk);
  const std::uint8_t* lines = lines_ == nullptr ? nullptr : lines_of(pass.chunk);
  if (pass.taken < 0) {
    kernel_.tables(lines, n_rows, tables_.data());
    return;
  }
  alignas(64) std::uint8_t clamped[kChunkRows * kLine] = {};
  const auto clamp = [&](int row, int lane, int count) {
    clamped[row * kLine + lane] =
        static_cast<std::uint8_t>(std::clamp(count - pass.taken, 0, kClamp));
  };
  if (lines != nullptr) {
    for (int row = 0; row < n_rows; ++row) {
      for (int lane = 0; lane < kLine; ++lane) clamp(row, lane, lines[row * kLine + lane]);
    }
  } else {
    for (int lane = 0; lane < bag_->n_replicates; ++lane) {
      const std::uint16_t* counts = bag_->replicate(lane) + pass.chunk * kChunkRows;
      for (int row = 0; row < n_rows; ++row) clamp(row, lane, counts[row]);
    }
  }
  kernel_.tables(clamped, n_rows, tables_.data());
}

void ZeroOneSums::spill(std::int64_t n) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(n * kBlock); ++i) {
    longs_[i] += words_.data()[i];
  }
}

bool ZeroOneSums::run(std::int64_t first, std::int64_t n, bool best, const StopFlag& stop) {
  std::fill_n(least_.data(), kBlock, static_cast<std::uint16_t>(kMostWord));
  std::fill_n(where_.data(), kBlock, std::uint16_t{0});
  longs_.clear();
  ZeroOneStep step{};
  step.tables = tables_.data();
  step.n_configurations = n;
  step.bytes_fresh = true;
  step.words_fresh = true;
  step.bytes = bytes_.data();
  step.words = words_.data();
  step.least = least_.data();
  step.where = where_.data();
  int in_bytes = 0;
  int in_words = 0;
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    const Pass& pass = passes_[i];
    stop.check();
    build_tables(pass);
    step.n_groups = (patterns_.rows_of_chunk(pass.chunk) + kGroupRows - 1) / kGroupRows;
    for (std::int64_t repeat = 0; repeat < patterns_.n_repeats(); ++repeat) {
      const bool last_repeat = repeat + 1 == patterns_.n_repeats();
      const bool last = last_repeat && i + 1 == passes_.size();
      const int next = last ? 0 : (last_repeat ? passes_[i + 1].weight : pass.weight);
      in_bytes += pass.weight;
      if (in_words + in_bytes > kMostWord) {
        if (longs_.empty()) longs_.resize(static_cast<std::size_t>(n * kBlock));
        spill(n);
        in_words = 0;
        step.words_fresh = true;
      }
      step.offsets = patterns_.offsets(pass.chunk, repeat, first);
      const bool to_best = last && best && longs_.empty();
      step.to = to_best                               ? SumsTo::best
                : last || in_bytes + next > kMostByte ? SumsTo::words
                                                      : SumsTo::bytes;
      kernel_.step(step);
      step.bytes_fresh = step.to != SumsTo::bytes;
      if (step.bytes_fresh) {
        in_words += in_bytes;
        in_bytes = 0;
        step.words_fresh = false;
      }
    }
  }
  if (longs_.empty()) return true;
  spill(n);
  return false;
}

void ZeroOneSums::least(std::int64_t first, std::int64_t last, const StopFlag& stop, Least* least) {
  const std::int64_t n = last - first;
  if (run(first, n, /*best=*/true, stop)) {
    for (int lane = 0; lane < kBlock; ++lane) {
      const int word = word_of_lane(lane);
      least[lane] = {least_.data()[word], first + where_.data()[word]};
    }
    return;
  }
  for (int lane = 0; lane < kBlock; ++lane) {
    least[lane] = {std::numeric_limits<std::int64_t>::max(), first};
  }
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t* errors = longs_.data() + j * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) {
      const std::int64_t here = errors[word_of_lane(lane)];
      if (here < least[lane].errors) least[lane] = {here, first + j};
    }
  }
}

void ZeroOneSums::add_to(std::int64_t first, std::int64_t last, std::int32_t times,
                         const StopFlag& stop, std::int32_t* twice) {
  const std::int64_t n = last - first;
  const auto add = [&](const auto* sums) {
    for (std::int64_t j = 0; j < n; ++j, sums += kBlock, twice += kBlock) {
      for (int i = 0; i < kBlock / 2; ++i) {
        twice[2 * i] += times * static_cast<std::int32_t>(sums[i]);
        twice[2 * i + 1] += times * static_cast<std::int32_t>(sums[kBlock / 2 + i]);
      }
    }
  };
  if (run(first, n, /*best=*/false, stop)) {
    add(words_.data());
  } else {
    add(longs_.data());
  }
}

void ZeroOneSums::all(std::int64_t first, std::int64_t last, const StopFlag& stop, double* errors) {
  const std::int64_t n = last - first;
  const bool fits = run(first, n, /*best=*/false, stop);
  for (int lane = 0; lane < bag_->n_replicates; ++lane) {
    for (std::int64_t j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(j * kBlock + word_of_lane(lane));
      errors[lane * n + j] = fits ? words_.data()[at] : static_cast<double>(longs_[at]);
    }
  }
}

void ZeroOneSums::count_more(std::int64_t first, std::int64_t last, std::int64_t than,
                             const StopFlag& stop, std::int64_t* counts) {
  const std::int64_t n = last - first;
  // Whether the sums fit into words depends on the counts of the rows only.
  if (run(than, 1, /*best=*/false, stop)) {
    std::uint16_t of_than[kBlock];
    std::copy_n(words_.data(), kBlock, of_than);
    run(first, n, /*best=*/false, stop);
    add_above(words_.data(), n, of_than, counts);
  } else {
    std::int64_t of_than[kBlock];
    std::copy_n(longs_.data(), kBlock, of_than);
    run(first, n, /*best=*/false, stop);
    add_above(longs_.data(), n, of_than, counts);
  }
}

}  // namespace bbc::detail
