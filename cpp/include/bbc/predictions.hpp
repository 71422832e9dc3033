#pragma once

#include <array>
#include <cstdint>
#include <variant>

namespace bbc {

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
