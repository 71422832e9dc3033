#pragma once

#include <bbc/philox.hpp>
#include <cstdint>

namespace bbc::detail {

/// The first 4 * n_blocks words of WordStream(seed, stream, replicate, attempt).
void philox_words(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate,
                  std::uint32_t attempt, std::int64_t n_blocks, std::uint32_t* words);

}  // namespace bbc::detail
