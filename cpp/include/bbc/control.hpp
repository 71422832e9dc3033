#pragma once

#include <cstdint>
#include <functional>

namespace bbc {

/// How a call runs; nothing here changes a bit of the result.
struct Control {
  /// Worker threads; 0 takes all cores.
  int n_threads = 0;
  /// Called about every 50 ms on the calling thread with the share that is done of the current
  /// step, of which a call takes several (preparing, drawing and scoring; piece by piece where
  /// there is much of it). Returning false stops the call with ErrorCode::cancelled. May throw.
  std::function<bool(double)> poll;
};

}  // namespace bbc
