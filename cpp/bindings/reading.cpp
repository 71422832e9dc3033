// What Python would do with whole arrays on one thread before the kernel reads them.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "arrays.hpp"
#include "detail/support/parallel.hpp"
#include "register.hpp"

namespace {

constexpr std::int64_t kPiece = 1 << 16;
constexpr double kNanosecondsPerByte = 0.2;

bool is_dense(const py::array& array) {
  return (array.flags() & (py::array::c_style | py::array::f_style)) != 0;
}

/// A new array of the same type, shape and order.
py::array room_for(const py::array& array, const py::dtype& type) {
  const char order = (array.flags() & py::array::c_style) != 0 ? 'C' : 'F';
  return py::module_::import("numpy").attr("empty")(array.attr("shape"), type, py::str(&order, 1));
}

void refuse_others(const py::array& array) {
  if (!is_dense(array) || array.dtype().kind() == 'O') {
    throw py::type_error("array: must be contiguous, of plain values");
  }
}

py::array copied(const py::array& array, int n_threads) {
  refuse_others(array);
  py::array made = room_for(array, array.dtype());
  const auto* const from = static_cast<const char*>(array.data());
  auto* const to = static_cast<char*>(made.mutable_data());
  const std::int64_t n_bytes = array.nbytes();
  without_gil(n_threads, [&](const bbc::Control& control) {
    bbc::detail::parallel_pieces(
        n_bytes, 8 * kPiece, control, kNanosecondsPerByte * static_cast<double>(n_bytes),
        [&](std::int64_t first, std::int64_t last, const bbc::detail::StopFlag& /*stop*/) {
          std::memcpy(to + first, from + first, static_cast<std::size_t>(last - first));
        });
  });
  return made;
}

template <class T>
struct Range {
  T low = std::numeric_limits<T>::infinity();
  T high = -std::numeric_limits<T>::infinity();
  bool ordered = true;

  void add(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    ordered = ordered && other.ordered;
  }
};

/// Side by side, which compilers make one instruction of.
template <class T>
Range<T> range_of(const T* values, std::int64_t n) {
  constexpr int kWays = 8;
  Range<T> ways[kWays];
  int unordered[kWays] = {};
  const auto read = [&](int j, T value) {
    ways[j].low = value < ways[j].low ? value : ways[j].low;
    ways[j].high = value > ways[j].high ? value : ways[j].high;
    unordered[j] |= value != value ? 1 : 0;
  };
  const std::int64_t whole = n / kWays * kWays;
  for (std::int64_t i = 0; i < whole; i += kWays) {
    for (int j = 0; j < kWays; ++j) read(j, values[i + j]);
  }
  for (std::int64_t i = whole; i < n; ++i) read(0, values[i]);
  Range<T> all;
  for (int j = 0; j < kWays; ++j) {
    ways[j].ordered = unordered[j] == 0;
    all.add(ways[j]);
  }
  return all;
}

template <class T>
std::optional<std::pair<double, double>> range_in_parallel(const py::array& array, int n_threads) {
  const auto* const values = static_cast<const T*>(array.data());
  const std::int64_t n = array.size();
  Range<T> all;
  std::mutex mutex;
  without_gil(n_threads, [&](const bbc::Control& control) {
    bbc::detail::parallel_pieces(
        n, kPiece, control, kNanosecondsPerByte * static_cast<double>(array.nbytes()),
        [&](std::int64_t first, std::int64_t last, const bbc::detail::StopFlag& /*stop*/) {
          const Range<T> own = range_of(values + first, last - first);
          const std::lock_guard lock(mutex);
          all.add(own);
        });
  });
  if (!all.ordered || n == 0) return std::nullopt;
  return std::pair<double, double>(all.low, all.high);
}

/// The lowest and highest value, or None if one is NaN, or if there is none.
std::optional<std::pair<double, double>> range(const py::array& array, int n_threads) {
  refuse_others(array);
  if (array.dtype().equal(py::dtype::of<double>()))
    return range_in_parallel<double>(array, n_threads);
  if (array.dtype().equal(py::dtype::of<float>()))
    return range_in_parallel<float>(array, n_threads);
  throw py::type_error("array: must be float64 or float32");
}

/// Whether all values are in the type of an integer, and then as such.
template <class T>
std::optional<py::array> whole_as(const py::array& array, int n_threads) {
  const auto* const values = static_cast<const T*>(array.data());
  py::array made = room_for(array, py::dtype::of<std::int8_t>());
  auto* const to = static_cast<std::int8_t*>(made.mutable_data());
  std::atomic<bool> all_whole{true};
  without_gil(n_threads, [&](const bbc::Control& control) {
    bbc::detail::parallel_pieces(
        array.size(), kPiece, control, kNanosecondsPerByte * static_cast<double>(array.nbytes()),
        [&](std::int64_t first, std::int64_t last, const bbc::detail::StopFlag& /*stop*/) {
          int others = 0;
          for (std::int64_t i = first; i < last; ++i) {
            const T value = values[i];
            const bool fits = value >= T{-128} && value <= T{127};
            to[i] = static_cast<std::int8_t>(fits ? value : T{0});
            others |= static_cast<T>(to[i]) != value ? 1 : 0;
          }
          if (others != 0) all_whole.store(false, std::memory_order_relaxed);
        });
  });
  if (!all_whole) return std::nullopt;
  return made;
}

/// Labels that were predicted as floats as small integers, or None if one is no such integer.
std::optional<py::array> small_integers(const py::array& array, int n_threads) {
  refuse_others(array);
  if (array.dtype().equal(py::dtype::of<double>())) return whole_as<double>(array, n_threads);
  if (array.dtype().equal(py::dtype::of<float>())) return whole_as<float>(array, n_threads);
  throw py::type_error("array: must be float64 or float32");
}

template <class T, bool kIsBool = false>
std::optional<std::pair<py::array, CodeArray>> two_of(const py::array& labels) {
  const auto n = labels.shape(0);
  if (n == 0) return std::nullopt;
  const auto* const from = static_cast<const char*>(labels.data());
  const auto at = [&](py::ssize_t i) {
    T label;
    std::memcpy(&label, from + i * labels.strides(0), sizeof label);
    return kIsBool ? static_cast<T>(label != 0 ? 1 : 0) : label;
  };
  T lowest = at(0);
  T highest = lowest;
  for (py::ssize_t i = 1; i < n; ++i) {
    lowest = std::min(lowest, at(i));
    highest = std::max(highest, at(i));
  }
  if (lowest == highest || static_cast<T>(highest - 1) != lowest) return std::nullopt;
  py::array classes(labels.dtype(), 2);
  auto* const both = static_cast<T*>(classes.mutable_data());
  both[0] = lowest;
  both[1] = highest;
  CodeArray codes(n);
  std::int32_t* const to = codes.mutable_data();
  for (py::ssize_t i = 0; i < n; ++i) to[i] = at(i) == lowest ? 0 : 1;
  return std::pair(std::move(classes), std::move(codes));
}

/// Two labels that follow each other, and the code of each value; None of others. Numpy takes six
/// calls for what most small corrections begin with.
std::optional<std::pair<py::array, CodeArray>> two_labels(const py::array& labels) {
  if (labels.ndim() != 1) return std::nullopt;
  const char kind = labels.dtype().kind();
  const auto size = labels.itemsize();
  if (kind == 'b') return two_of<std::uint8_t, true>(labels);
  if (kind == 'u' && size == 1) return two_of<std::uint8_t>(labels);
  if (kind == 'i' && size == 1) return two_of<std::int8_t>(labels);
  if (kind == 'i' && size == 2) return two_of<std::int16_t>(labels);
  if (kind == 'i' && size == 4) return two_of<std::int32_t>(labels);
  if (kind == 'i' && size == 8) return two_of<std::int64_t>(labels);
  if (kind == 'u' && size == 2) return two_of<std::uint16_t>(labels);
  if (kind == 'u' && size == 4) return two_of<std::uint32_t>(labels);
  if (kind == 'u' && size == 8) return two_of<std::uint64_t>(labels);
  throw py::type_error("labels: must be bool or integers");
}

}  // namespace

void register_reading(py::module_& module) {
  module.def("copied", &copied, py::arg("array").noconvert(), py::arg("n_threads"));
  module.def("range", &range, py::arg("array").noconvert(), py::arg("n_threads"));
  module.def("two_labels", &two_labels, py::arg("labels").noconvert());
  module.def("small_integers", &small_integers, py::arg("array").noconvert(), py::arg("n_threads"));
}
