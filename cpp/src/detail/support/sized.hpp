#pragma once

#include <algorithm>
#include <bbc/error.hpp>
#include <cstddef>
#include <cstring>
#include <string>

namespace bbc::detail {

// Structs of the C interface cross versions: each begins with `size_t struct_size`, what sizeof
// said where the caller was compiled. Only that many bytes are the caller's. What a shorter struct
// lacks has its default, and what a longer one has beyond must be zero: its default.

/// Larger ones are no size at all: the caller passed none.
constexpr std::size_t kMostBytes = 4096;

/// Fills a caller's struct: `defaults`, as far as it has their members, and zeros beyond.
template <class T>
void init_sized(T* given, std::size_t struct_size, T defaults) {
  if (given == nullptr || struct_size < sizeof struct_size || struct_size > kMostBytes) return;
  defaults.struct_size = struct_size;
  auto* bytes = reinterpret_cast<unsigned char*>(given);
  const std::size_t known = std::min(struct_size, sizeof(T));
  std::memcpy(bytes, &defaults, known);
  std::fill(bytes + known, bytes + struct_size, static_cast<unsigned char>(0));
}

/// What `init_sized` wrote.
inline std::size_t size_of(const void* given) {
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  return size;
}

/// Whether `init_sized` has been here: the struct has at least the members of the first version,
/// which are `oldest` bytes.
inline bool is_sized(const void* given, std::size_t oldest) {
  return size_of(given) >= oldest && size_of(given) <= kMostBytes;
}

/// A caller's struct as this version knows it. `name` is for the message.
template <class T>
T read_sized(const T* given, std::size_t oldest, T defaults, const std::string& name) {
  if (!is_sized(given, oldest)) {
    throw_invalid(name, "call bbc_" + name + "_init with its size first");
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  const std::size_t size = size_of(given);
  std::memcpy(&defaults, bytes, std::min(size, sizeof(T)));
  for (std::size_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] != 0) throw_invalid(name, "sets a member of a later version");
  }
  return defaults;
}

/// The other way: what the caller has room for.
template <class T>
void write_sized(T value, T* given) {
  value.struct_size = size_of(given);
  std::memcpy(given, &value, std::min(value.struct_size, sizeof(T)));
}

}  // namespace bbc::detail
