#pragma once

#include <bbc/export.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bbc {

/// The truth. Which members are filled depends on the kind.
struct Target {
  enum class Kind {
    labels,   ///< codes 0 .. n_classes - 1; for a binary metric 1 is the positive class
    real,     ///< values
    survival  ///< values are times, events tell whether the time is an event (1) or censored (0)
  };

  Kind kind = Kind::real;
  std::vector<std::int32_t> codes;
  std::int32_t n_classes = 0;
  /// The label that each code stands for, as it appears in integer predictions; empty: the code.
  std::vector<std::int64_t> label_values;
  /// What errors call each class; empty: its label.
  std::vector<std::string> label_names;
  std::vector<double> values;
  std::vector<std::uint8_t> events;
  /// Survival: how much a row's pairs with later rows count where it is the event; empty: one.
  std::vector<double> event_weights;

  bool operator==(const Target&) const = default;
  [[nodiscard]] std::int64_t n_rows() const noexcept {
    return static_cast<std::int64_t>(kind == Kind::labels ? codes.size() : values.size());
  }
  /// The name of a class in an error.
  [[nodiscard]] BBC_API std::string name_of_class(std::int32_t code) const;
  /// The target of some rows, in the given order. Throws Error at a row that is not there.
  [[nodiscard]] BBC_API Target rows(const std::vector<std::int32_t>& selected) const;
};

}  // namespace bbc
