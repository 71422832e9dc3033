#include "detail/fast/chunk_tables.hpp"

#include <algorithm>
#include <limits>

namespace bbc::detail {
namespace {

constexpr int kMostByte = std::numeric_limits<std::uint8_t>::max();

}  // namespace

ChunkTables::ChunkTables(const ErrorPatterns& patterns, const PatternSumsKernel& kernel)
    : patterns_(patterns),
      kernel_(kernel),
      tables_(static_cast<std::size_t>(kChunkGroups * kPatterns * kBlock)) {}

void ChunkTables::take(const ReplicateBlock& block) {
  block_ = &block;
  pairs_ = {};
  table_.fill(block, Side::in_bag);
  lines_ = table_.most() <= kMostByte ? table_.lines() : nullptr;
  plan(table_.most());
}

void ChunkTables::take(std::span<const RowPair> pairs, const std::uint8_t* lines, int most) {
  pairs_ = pairs;
  lines_ = lines;
  if (products_.size() == 0) {
    products_ = Aligned<std::uint8_t>(static_cast<std::size_t>(kChunkRows * kLine));
  }
  plan(most * most);
}

void ChunkTables::plan(int most) {
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
}

const std::uint8_t* ChunkTables::lines_of(std::int64_t chunk) {
  const std::int64_t first_row = chunk * kChunkRows;
  if (pairs_.empty()) return lines_ + first_row * kLine;
  kernel_.products(pairs_.data() + first_row, patterns_.rows_of_chunk(chunk), lines_,
                   products_.data());
  return products_.data();
}

void ChunkTables::clamp(const Pass& pass, std::uint8_t* clamped) {
  const int n_rows = patterns_.rows_of_chunk(pass.chunk);
  const auto take_of = [&](int count) {
    return static_cast<std::uint8_t>(std::clamp(count - pass.taken, 0, kClamp));
  };
  if (lines_ != nullptr) {
    const std::uint8_t* lines = lines_of(pass.chunk);
    std::transform(lines, lines + n_rows * kLine, clamped, take_of);
    return;
  }
  for (int lane = 0; lane < block_->n_replicates; ++lane) {
    const std::uint16_t* counts = block_->replicate(lane) + pass.chunk * kChunkRows;
    for (int row = 0; row < n_rows; ++row) clamped[row * kLine + lane] = take_of(counts[row]);
  }
}

const std::uint8_t* ChunkTables::build(const Pass& pass) {
  const int n_rows = patterns_.rows_of_chunk(pass.chunk);
  if (pass.taken < 0) {
    kernel_.tables(lines_of(pass.chunk), n_rows, tables_.data());
  } else {
    alignas(64) std::uint8_t clamped[kChunkRows * kLine] = {};
    clamp(pass, clamped);
    kernel_.tables(clamped, n_rows, tables_.data());
  }
  return tables_.data();
}

}  // namespace bbc::detail
