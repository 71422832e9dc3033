#include "detail/fast/chunk_tables.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace bbc::detail {
namespace {

constexpr int kMostByte = std::numeric_limits<std::uint8_t>::max();

}  // namespace

ChunkTables::ChunkTables(const ErrorPatterns& patterns, const PatternSumsKernel& kernel)
    : patterns_(&patterns),
      kernel_(kernel),
      tables_(static_cast<std::size_t>(kChunkGroups * kPatterns * kBlock)) {}

void ChunkTables::take(const ReplicateBlock& block) {
  block_ = &block;
  rows_ = {};
  pairs_ = {};
  table_.fill(block, Side::in_bag);
  lines_ = table_.most() <= kMostByte ? table_.lines() : nullptr;
  plan(table_.most());
}

void ChunkTables::take(const ReplicateBlock& block, const LaneTable& table,
                       std::span<const std::int32_t> rows) {
  block_ = &block;
  rows_ = rows;
  pairs_ = {};
  lines_ = table.most() <= kMostByte ? table.lines() : nullptr;
  make_room();
  plan(table.most());
}

void ChunkTables::take(std::span<const RowPair> pairs, const std::uint8_t* lines, int most) {
  rows_ = {};
  pairs_ = pairs;
  lines_ = lines;
  make_room();
  plan(most * most);
}

void ChunkTables::make_room() {
  if (gathered_.size() != 0) return;
  gathered_ = Aligned<std::uint8_t>(static_cast<std::size_t>(kChunkRows * kLine));
}

void ChunkTables::plan(int most) {
  passes_.clear();
  gathered_of_ = -1;
  for (std::int64_t chunk = 0; chunk < patterns_->n_chunks(); ++chunk) {
    const int n_rows = patterns_->rows_of_chunk(chunk);
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
  const int n_rows = patterns_->rows_of_chunk(chunk);
  if (gathered_of_ == chunk) return gathered_.data();
  if (!rows_.empty()) {
    gathered_of_ = chunk;
    for (int i = 0; i < n_rows; ++i) {
      std::memcpy(gathered_.data() + i * kLine,
                  lines_ + rows_[static_cast<std::size_t>(first_row + i)] * std::int64_t{kLine},
                  kLine);
    }
    return gathered_.data();
  }
  if (pairs_.empty()) return lines_ + first_row * kLine;
  gathered_of_ = chunk;
  kernel_.products(pairs_.data() + first_row, n_rows, lines_, gathered_.data());
  return gathered_.data();
}

void ChunkTables::clamp(const Pass& pass, std::uint8_t* clamped) {
  const int n_rows = patterns_->rows_of_chunk(pass.chunk);
  const auto take_of = [&](int count) {
    return static_cast<std::uint8_t>(std::clamp(count - pass.taken, 0, kClamp));
  };
  if (lines_ != nullptr) {
    const std::uint8_t* lines = lines_of(pass.chunk);
    std::transform(lines, lines + n_rows * kLine, clamped, take_of);
    return;
  }
  for (int lane = 0; lane < block_->n_replicates; ++lane) {
    const std::uint16_t* counts = block_->replicate(lane);
    for (int i = 0; i < n_rows; ++i) {
      const std::int64_t at = pass.chunk * kChunkRows + i;
      const std::int64_t row = rows_.empty() ? at : rows_[static_cast<std::size_t>(at)];
      clamped[i * kLine + lane] = take_of(counts[row]);
    }
  }
}

const std::uint8_t* ChunkTables::build(const Pass& pass) {
  const int n_rows = patterns_->rows_of_chunk(pass.chunk);
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
