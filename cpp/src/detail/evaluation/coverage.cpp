#include "detail/evaluation/coverage.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <iterator>
#include <string>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

void Coverage::add(const ConfigurationRange& block, const char* argument) {
  if (block.first < 0 || block.last <= block.first) {
    throw_invalid(argument, "configurations " + std::to_string(block.first) + " to " +
                                std::to_string(block.last) + " are no range");
  }
  const auto after = std::ranges::upper_bound(ranges_, block.first, {}, &ConfigurationRange::first);
  const auto twice = [&](std::int64_t configuration) {
    throw_invalid(argument, "configuration " + std::to_string(configuration) + " was added before");
  };
  if (after != ranges_.begin() && std::prev(after)->last > block.first) twice(block.first);
  if (after != ranges_.end() && after->first < block.last) twice(after->first);
  auto own = ranges_.insert(after, block);
  if (own != ranges_.begin() && std::prev(own)->last == own->first) {
    std::prev(own)->last = own->last;
    own = std::prev(ranges_.erase(own));
  }
  const auto next = std::next(own);
  if (next != ranges_.end() && next->first == own->last) {
    own->last = next->last;
    ranges_.erase(next);
  }
}

void Coverage::add(std::span<const ConfigurationRange> blocks, const char* argument) {
  for (const ConfigurationRange& block : blocks) add(block, argument);
}

void Coverage::check_complete() const {
  if (ranges_.empty()) throw_invalid("predictions", "no configurations were added");
  const std::int64_t missing = ranges_.front().first != 0 ? 0 : ranges_.front().last;
  if (missing == 0 || ranges_.size() > 1) {
    throw_invalid("predictions", "configuration " + std::to_string(missing) + " was never added");
  }
}

}  // namespace bbc::detail
