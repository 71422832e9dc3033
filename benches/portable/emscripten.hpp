#pragma once

// What the C++ library of Debian's emscripten (3.1.6, of 2022) does not have yet. It stands before
// every source of the WebAssembly build, which benches/portable makes.

#include <algorithm>
#include <bit>
#include <utility>

namespace std {  // NOLINT(cert-dcl58-cpp)

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

namespace ranges {

template <class Range, class Predicate>
constexpr auto count_if(Range&& range, Predicate predicate) {
  return std::count_if(range.begin(), range.end(), predicate);
}
template <class Range, class Predicate>
constexpr bool all_of(Range&& range, Predicate predicate) {
  return std::all_of(range.begin(), range.end(), predicate);
}
template <class Range, class Value>
constexpr auto find(Range&& range, const Value& value) {
  return std::find(range.begin(), range.end(), value);
}
template <class Range, class Value>
constexpr auto upper_bound(Range&& range, const Value& value) {
  return std::upper_bound(range.begin(), range.end(), value);
}
template <class Range>
constexpr auto max_element(Range&& range) {
  return std::max_element(range.begin(), range.end());
}
template <class Range>
constexpr auto max(Range&& range) {
  return *std::max_element(range.begin(), range.end());
}
template <class Range>
constexpr auto min(Range&& range) {
  return *std::min_element(range.begin(), range.end());
}
template <class Range, class Place>
constexpr auto copy(Range&& range, Place to) {
  return std::copy(range.begin(), range.end(), to);
}
template <class Range>
constexpr void sort(Range&& range) {
  std::sort(range.begin(), range.end());
}
struct Less {};
template <class Range, class Key>
constexpr void sort(Range&& range, Less /*less*/, Key key) {
  std::sort(range.begin(), range.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

}  // namespace ranges
}  // namespace std
