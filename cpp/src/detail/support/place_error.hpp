#pragma once

#include <bbc/error.hpp>
#include <cstdint>
#include <string>
#include <utility>

namespace bbc::detail {

/// An error about one configuration of a block. It is thrown again with the
/// configuration's number among all where the start of the block is known.
class PlaceError : public Error {
 public:
  PlaceError(std::string before, std::int64_t configuration, std::string after)
      : Error(ErrorCode::invalid_argument,
              before + "configuration " + std::to_string(configuration) + after),
        before_(std::move(before)),
        after_(std::move(after)),
        configuration_(configuration) {}

  /// The same in a block whose first configuration has this number.
  [[nodiscard]] PlaceError in_block_from(std::int64_t first_configuration) const {
    return {before_, configuration_ + first_configuration, after_};
  }

 private:
  std::string before_;
  std::string after_;
  std::int64_t configuration_;
};

/// For a prediction: "predictions: `problem` at row r, configuration c`after`".
[[noreturn]] inline void throw_at(const std::string& problem, std::int64_t row,
                                  std::int64_t configuration, const std::string& after = {}) {
  throw PlaceError("predictions: " + problem + " at row " + std::to_string(row) + ", ",
                   configuration, after);
}

}  // namespace bbc::detail
