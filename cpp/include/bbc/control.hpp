#pragma once

#include <cstdint>
#include <functional>

namespace bbc {

/// How a call runs; nothing here changes a bit of the result.
struct Control {
  /// Worker threads; 0 takes all cores.
  int n_threads = 0;
  /// Called about every 50 ms on the calling thread with the share of the work that is done;
  /// returning false stops the call with ErrorCode::cancelled. May throw.
  std::function<bool(double)> poll;
};

}  // namespace bbc
