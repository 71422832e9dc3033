#pragma once

#include <bbc/error.hpp>
#include <cstddef>

/// Bytes of a struct up to a member, with it. Those up to the last member of the first version are
/// what every caller has. To append a member: put it last, such that no padding follows it (so not
/// an `int` alone) and zero is its default; leave the first version alone, and let the assertion
/// name the new last member.
#define BBC_END_OF(type, member) (offsetof(type, member) + sizeof(type::member))

namespace bbc::detail {

inline void require(bool condition, const char* argument, const char* problem) {
  if (!condition) throw_invalid(argument, problem);
}

}  // namespace bbc::detail
