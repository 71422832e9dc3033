#pragma once

#include <bbc/correction.hpp>
#include <cstdint>
#include <string_view>

namespace bbc::detail {

/// 64 bits that tell one truth with its options from another: equal ones have equal digests, on
/// any machine.
[[nodiscard]] std::uint64_t digest_of(const Target& target, const CorrectionOptions& options);

/// 64 bits that change with every bit of the bytes.
[[nodiscard]] std::uint64_t checksum_of(std::string_view bytes);

}  // namespace bbc::detail
