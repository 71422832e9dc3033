#pragma once

// What the C++ library of Debian's emscripten (3.1.6, of 2022) does not have yet. It stands before
// every source of the WebAssembly build, which benches/portable makes.

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <utility>
#include <version>

namespace std {  // NOLINT(cert-dcl58-cpp)

#ifndef __cpp_lib_bit_cast
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_ranges
namespace ranges {

template <class Range, class Predicate>
constexpr auto count_if(Range&& range, Predicate predicate) {
  return std::count_if(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
constexpr bool all_of(Range&& range, Predicate predicate) {
  return std::all_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
constexpr bool any_of(Range&& range, Predicate predicate) {
  return std::any_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
constexpr auto find_if(Range&& range, Predicate predicate) {
  return std::find_if(std::begin(range), std::end(range), predicate);
}
template <class Range, class Value>
constexpr auto count(Range&& range, const Value& value) {
  return std::count(std::begin(range), std::end(range), value);
}
template <class Range, class Value>
constexpr void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <class Range, class Place, class Function>
constexpr auto transform(Range&& range, Place to, Function function) {
  return std::transform(std::begin(range), std::end(range), to, function);
}
template <class Range>
constexpr auto min_element(Range&& range) {
  return std::min_element(std::begin(range), std::end(range));
}
template <class Range, class Less>
constexpr void stable_sort(Range&& range, Less less) {
  std::stable_sort(std::begin(range), std::end(range), less);
}
template <class Range, class Value>
constexpr auto find(Range&& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value);
}
template <class Range, class Value>
constexpr auto lower_bound(Range&& range, const Value& value) {
  return std::lower_bound(std::begin(range), std::end(range), value);
}
template <class Range, class Value>
constexpr auto upper_bound(Range&& range, const Value& value) {
  return std::upper_bound(std::begin(range), std::end(range), value);
}
template <class Range>
constexpr auto max_element(Range&& range) {
  return std::max_element(std::begin(range), std::end(range));
}
template <class Range>
constexpr auto max(Range&& range) {
  return *std::max_element(std::begin(range), std::end(range));
}
template <class Range>
constexpr auto min(Range&& range) {
  return *std::min_element(std::begin(range), std::end(range));
}
template <class Range, class Place>
constexpr auto copy(Range&& range, Place to) {
  return std::copy(std::begin(range), std::end(range), to);
}
template <class Range>
constexpr void sort(Range&& range) {
  std::sort(std::begin(range), std::end(range));
}
struct Less {};
template <class Range, class Key>
constexpr void sort(Range&& range, Less /*less*/, Key key) {
  std::sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(key, a) < std::invoke(key, b);
  });
}
template <class Range, class Key>
constexpr void stable_sort(Range&& range, Less /*less*/, Key key) {
  std::stable_sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(key, a) < std::invoke(key, b);
  });
}
template <class Range, class Value, class Key>
constexpr auto upper_bound(Range&& range, const Value& value, Less /*less*/, Key key) {
  return std::upper_bound(std::begin(range), std::end(range), value,
                          [&](const auto& a, const auto& b) { return a < std::invoke(key, b); });
}

}  // namespace ranges
#endif
}  // namespace std
