#pragma once

#include <stdexcept>
#include <string>

namespace bbc {

/// What went wrong, for callers that cannot catch types (C, R).
enum class ErrorCode {
  invalid_argument = 1,  ///< the input is wrong: the message names argument, problem and place
  undefined_metric = 2,  ///< the data leave the metric undefined: no draw can help
  cancelled = 3,         ///< the caller asked the call to stop
};

/// The only exception that the kernel throws on purpose.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

[[noreturn]] inline void throw_invalid(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

}  // namespace bbc
