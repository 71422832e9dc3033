#pragma once

#include <atomic>
#include <bbc/resampling.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace bbc::detail {

/// The draws of one plan. Calls that follow each other in a process often draw the same: metrics of
/// one choice, chunks of a stream, families that are compared. Draws are kept from the second time
/// on, or from the first where `again` was promised, four bits a count; the rare ones with larger
/// counts are drawn each time.
class KeptDraws {
 public:
  static constexpr std::int64_t kBlock = 64;

  /// `n_counts` are those of a replicate: of its rows and, in two-level draws, of their folds.
  KeptDraws(std::int64_t n_counts, Resampling plan);
  KeptDraws(const KeptDraws&) = delete;
  KeptDraws& operator=(const KeptDraws&) = delete;
  ~KeptDraws();

  [[nodiscard]] bool is_of(std::int64_t n_counts, const Resampling& plan) const {
    return n_counts == n_counts_ && plan == plan_;
  }
  /// Draws will be asked for again.
  void again() noexcept { keeps_first_ = true; }

  /// Whether replicates [first, first + n), of one block, were kept; then counts are theirs.
  [[nodiscard]] bool find(std::int64_t first, int n, std::uint16_t* counts) const;
  /// Takes note of replicates that have been drawn, and may keep them.
  void drawn(std::int64_t first, int n, const std::uint16_t* counts);

 private:
  /// Replicates of a block: a bit each.
  struct Block {
    std::atomic<std::uint64_t> drawn{0};
    std::atomic<std::uint64_t> taken{0};  ///< by a thread that writes them
    std::atomic<std::uint64_t> kept{0};
  };

  /// Null if there is no room.
  [[nodiscard]] std::uint8_t* room();
  [[nodiscard]] std::int64_t bytes_of_replicate() const noexcept { return (n_counts_ + 1) / 2; }

  std::int64_t n_counts_;
  Resampling plan_;
  std::vector<Block> blocks_;
  std::int64_t n_bytes_;
  std::atomic<bool> keeps_first_{false};
  std::atomic<std::uint8_t*> packed_{nullptr};  ///< [replicate][half of its counts]
};

/// The process's draws of this plan; null where there is no room for them, or where they cannot be
/// had without waiting.
[[nodiscard]] std::shared_ptr<KeptDraws> kept_draws(std::int64_t n_counts, const Resampling& plan);

}  // namespace bbc::detail
