#include "detail/philox_words.hpp"

namespace bbc::detail {

void philox_words(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate,
                  std::uint32_t attempt, std::int64_t n_blocks, std::uint32_t* words) {
  const PhiloxKey key = philox_key(seed);
  for (std::int64_t block = 0; block < n_blocks; ++block) {
    const PhiloxCounter out =
        philox4x32({static_cast<std::uint32_t>(block), replicate, attempt, stream}, key);
    for (std::size_t word = 0; word < 4; ++word) words[4 * block + word] = out[word];
  }
}

}  // namespace bbc::detail
