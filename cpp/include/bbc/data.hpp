#pragma once

#include <bbc/export.h>

#include <array>
#include <cstdint>
#include <string>
#include <variant>
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

/// Out-of-sample predictions of a block of configurations in one repeat: a view that copies
/// nothing, of shape (row, configuration, output). Strides are counted in elements and may be
/// negative; one of 0 along an axis of more than one element is refused.
template <class T>
struct View {
  const T* data = nullptr;
  std::int64_t n_rows = 0;
  std::int64_t n_configurations = 0;
  std::int64_t n_outputs = 1;
  std::array<std::int64_t, 3> strides{};

  View() = default;
  View(const T* values, std::int64_t rows, std::int64_t configurations, std::int64_t outputs,
       const std::array<std::int64_t, 3>& steps)
      : data(values),
        n_rows(rows),
        n_configurations(configurations),
        n_outputs(outputs),
        strides(steps) {}
  /// In C order.
  View(const T* values, std::int64_t rows, std::int64_t configurations, std::int64_t outputs = 1)
      : View(values, rows, configurations, outputs, {configurations * outputs, outputs, 1}) {}

  [[nodiscard]] const T& operator()(std::int64_t row, std::int64_t configuration,
                                    std::int64_t output = 0) const noexcept {
    return data[row * strides[0] + configuration * strides[1] + output * strides[2]];
  }
};

/// Labels come as integers, everything else as float64: nothing is ever rounded on the way in.
using Predictions = std::variant<View<std::int8_t>, View<std::uint8_t>, View<std::int16_t>,
                                 View<std::int32_t>, View<std::int64_t>, View<double>>;

}  // namespace bbc
