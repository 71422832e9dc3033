#pragma once

#include <bbc/correction.hpp>
#include <cstdint>

namespace bbc::detail {

/// 64 bits that tell one truth with its options from another: equal ones have equal digests, on
/// any machine.
[[nodiscard]] std::uint64_t digest_of(const Target& target, const CorrectionOptions& options);

}  // namespace bbc::detail
