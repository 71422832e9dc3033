#pragma once

#include <bbc/correction.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// Which configurations a correction has seen. Each counts once, and none may be left out, because
/// the best of them is chosen among all.
class Coverage {
 public:
  /// Throws Error of `argument` if one of the configurations is there already.
  void add(const ConfigurationRange& block, const char* argument);
  void add(std::span<const ConfigurationRange> blocks, const char* argument);
  /// Throws Error unless there are configurations, from the first on and without gaps.
  void check_complete() const;

  /// Ascending; adjacent ones are joined.
  [[nodiscard]] const std::vector<ConfigurationRange>& ranges() const noexcept { return ranges_; }

 private:
  std::vector<ConfigurationRange> ranges_;
};

}  // namespace bbc::detail
