// Large arrays ask for large pages, and nothing else changes.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "check.hpp"
#include "detail/support/aligned.hpp"

namespace {

using bbc::detail::ask_for_large_pages;
using bbc::detail::resize_large;

constexpr std::size_t kLarge = std::size_t{32} << 20U;

/// Whether the system gives large pages on request.
bool on_request() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string line;
  std::getline(file, line);
  return line.find("[madvise]") != std::string::npos;
}

/// Whether the mapping that holds this address has asked for large pages.
bool has_asked(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream file("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find('-');
    const std::size_t space = line.find(' ');
    if (dash < space) {  // addresses, with which a mapping begins
      const auto from = std::stoull(line.substr(0, dash), nullptr, 16);
      const auto to = std::stoull(line.substr(dash + 1, space - dash - 1), nullptr, 16);
      inside = from <= at && at < to;
    }
    if (inside && line.starts_with("VmFlags:")) {
      return line.find(" hg") != std::string::npos;
    }
  }
  return false;
}

void large_arrays_ask() {
  std::vector<std::uint16_t> array;
  resize_large(array, kLarge);
  CHECK(array.size() == kLarge);
  for (const std::size_t at : {std::size_t{0}, kLarge / 2, kLarge - 1}) CHECK(array[at] == 0);
  if (on_request()) CHECK(has_asked(array.data() + kLarge / 2));
  array[kLarge / 2] = 7;
  resize_large(array, kLarge / 2 + 1);
  CHECK(array[kLarge / 2] == 7);
}

/// Advice on part of a page, or on nothing, does nothing.
void small_arrays_are_left_alone() {
  std::vector<std::uint16_t> array;
  resize_large(array, 1000);
  CHECK(array.size() == 1000 && array[999] == 0);
  ask_for_large_pages(nullptr, 0);
  ask_for_large_pages(array.data(), 1000);
  CHECK(array[0] == 0);
}

}  // namespace

int main() {
  large_arrays_ask();
  small_arrays_are_left_alone();
  return check::report();
}
