#pragma once

#include <bbc/export.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bbc {

/// What went wrong, for callers that cannot catch types (C, R).
enum class ErrorCode {
  invalid_argument = 1,  ///< the input is wrong
  undefined_metric = 2,  ///< the data leave the metric undefined: no draw can help
  cancelled = 3,         ///< the caller asked the call to stop
};

/// Where in the data an error is: an index for each axis ("row", "configuration", ...), from 0.
using Place = std::vector<std::pair<std::string, std::int64_t>>;

/// The only exception that the kernel throws on purpose. Arguments have the kernel's names; other
/// languages put theirs in the place.
class BBC_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string argument, std::string problem, Place place = {},
        std::string hint = {})
      : std::runtime_error(in_words(argument, problem, place, hint)),
        code_(code),
        argument_(std::move(argument)),
        problem_(std::move(problem)),
        place_(std::move(place)),
        hint_(std::move(hint)) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& argument() const noexcept { return argument_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  [[nodiscard]] const Place& place() const noexcept { return place_; }
  /// What to do about it; may be empty.
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  static std::string in_words(const std::string& argument, const std::string& problem,
                              const Place& place, const std::string& hint) {
    std::string text = argument + ": " + problem;
    for (std::size_t i = 0; i < place.size(); ++i) {
      text += (i == 0 ? " at " : ", ") + place[i].first + " " + std::to_string(place[i].second);
    }
    return hint.empty() ? text : text + "; " + hint;
  }

  ErrorCode code_;
  std::string argument_;
  std::string problem_;
  Place place_;
  std::string hint_;
};

[[noreturn]] inline void throw_invalid(std::string argument, std::string problem,
                                       Place place = {}) {
  throw Error(ErrorCode::invalid_argument, std::move(argument), std::move(problem),
              std::move(place));
}

[[noreturn]] inline void throw_undefined(std::string problem, Place place = {},
                                         std::string argument = "target", std::string hint = {}) {
  throw Error(ErrorCode::undefined_metric, std::move(argument), std::move(problem),
              std::move(place), std::move(hint));
}

}  // namespace bbc
