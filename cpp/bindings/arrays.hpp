#pragma once

// The array types that cross the border, named once. Python converts; here nothing is converted:
// every argument is declared .noconvert(), and an array of another type is a TypeError.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <bbc/data.hpp>
#include <bbc/interval.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gil.hpp"

namespace py = pybind11;

using DoubleArray = py::array_t<double, py::array::c_style>;
using CodeArray = py::array_t<std::int32_t, py::array::c_style>;
using LabelArray = py::array_t<std::int64_t, py::array::c_style>;
using CountArray = py::array_t<std::uint16_t, py::array::c_style>;
using EventArray = py::array_t<std::uint8_t, py::array::c_style>;

template <class T>
std::vector<T> to_vector(const py::array_t<T, py::array::c_style>& array) {
  return {array.data(), array.data() + array.size()};
}

template <class T>
std::span<const T> span_of(const py::array_t<T, py::array::c_style>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

// None stands for no values: it crosses the border quicker than an empty array.
using MaybeDoubles = std::optional<DoubleArray>;
using MaybeCodes = std::optional<CodeArray>;

template <class T>
std::vector<T> to_vector(const std::optional<py::array_t<T, py::array::c_style>>& array) {
  return array ? to_vector(*array) : std::vector<T>();
}

/// A vector handed over to numpy without a copy.
template <class T>
py::array_t<T> to_array(std::vector<T>&& values, std::vector<py::ssize_t> shape = {}) {
  auto* owned = new std::vector<T>(std::move(values));
  const py::capsule owner(owned, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  if (shape.empty()) shape = {static_cast<py::ssize_t>(owned->size())};
  return py::array_t<T>(std::move(shape), owned->data(), owner);
}

template <class T>
bbc::Predictions view_of(const py::array& array) {
  bbc::View<T> view;
  view.data = static_cast<const T*>(array.data());
  view.n_rows = array.shape(0);
  view.n_configurations = array.shape(1);
  view.n_outputs = array.ndim() == 3 ? array.shape(2) : 1;
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis) {
    view.strides[static_cast<std::size_t>(axis)] =
        array.strides(axis) / static_cast<py::ssize_t>(sizeof(T));
  }
  return view;
}

/// A view of (row, configuration[, output]) predictions; the caller keeps the array alive.
inline bbc::Predictions to_predictions(const py::array& array) {
  if (array.ndim() != 2 && array.ndim() != 3)
    throw py::type_error("predictions: must be 2-d or 3-d");
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis) {
    if (array.strides(axis) % array.itemsize() != 0) {
      throw py::type_error("predictions: misaligned strides");
    }
  }
  const py::dtype type = array.dtype();
  const bool native = type.byteorder() == '=' || type.byteorder() == '|';
  const auto is = [&](char kind, py::ssize_t size) {
    return native && type.kind() == kind && type.itemsize() == size;
  };
  if (is('f', 8)) return view_of<double>(array);
  if (is('i', 1)) return view_of<std::int8_t>(array);
  if (is('b', 1) || is('u', 1)) return view_of<std::uint8_t>(array);
  if (is('i', 2)) return view_of<std::int16_t>(array);
  if (is('i', 4)) return view_of<std::int32_t>(array);
  if (is('i', 8)) return view_of<std::int64_t>(array);
  throw py::type_error("predictions: dtype must be float64, bool or an integer, not " +
                       std::string(py::str(array.dtype())));
}

inline std::vector<bbc::Predictions> to_repeats(const std::vector<py::array>& arrays) {
  std::vector<bbc::Predictions> repeats;
  repeats.reserve(arrays.size());
  for (const auto& array : arrays) repeats.push_back(to_predictions(array));
  return repeats;
}

inline bbc::Target survival_target(const EventArray& events, const DoubleArray& times) {
  bbc::Target target;
  target.kind = bbc::Target::Kind::survival;
  target.events = to_vector(events);
  target.values = to_vector(times);
  return target;
}

inline bbc::Alternative parse_alternative(const std::string& name) {
  if (name == "two-sided") return bbc::Alternative::two_sided;
  if (name == "greater") return bbc::Alternative::greater;
  if (name == "less") return bbc::Alternative::less;
  throw py::value_error("alternative: unknown '" + name + "'");
}
