// Philox for several counters side by side, included into a namespace of each instruction
// set. That namespace says what a vector is: `U64x`, kLanes integers of 64 bits, with
// `multiply` (lower halves of two vectors), `upper_halves` (moved down by a shuffle, since shifts
// would wait for the port that multiplies), `minimum` (of 32-bit halves), and `first_of_pairs` and
// `second_of_pairs` (which interleave the even, or odd, lanes of two vectors).
//
// A counter takes one lane, each of its four words the lower half of a vector; upper halves may
// hold anything, since a multiplication reads lower halves alone.

typedef std::uint32_t LooseU32 BBC_MAY_ALIAS;
typedef std::uint64_t LooseU64x BBC_LOOSE_VECTOR(sizeof(U64x), 4);  // in buffers of others

constexpr int kRounds = 10;
constexpr std::uint32_t kFirstFactor = 0xD2511F53U;
constexpr std::uint32_t kSecondFactor = 0xCD9E8D57U;

struct Words {
  U64x word[4];
};

/// What all counters of a range share.
struct Shared {
  U64x attempt;
  U64x stream;
  U64x keys[2 * kRounds];

  explicit Shared(const PhiloxRange& range) {
    attempt = U64x{} + range.attempt;
    stream = U64x{} + range.stream;
    std::uint32_t first = range.key[0];
    std::uint32_t second = range.key[1];
    for (int round = 0; round < kRounds; ++round) {
      keys[2 * round] = U64x{} + first;
      keys[2 * round + 1] = U64x{} + second;
      first += 0x9E3779B9U;
      second += 0xBB67AE85U;
    }
  }
};

/// 0, 1, ... in the lanes.
inline U64x count_up() {
  U64x lanes{};
  for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = static_cast<std::uint64_t>(lane);
  return lanes;
}

/// Takes the words of kCounters vectors of counters through the rounds from `first_round` on.
/// Multiplications wait for each other, so that there is time for `meanwhile(round)` in between.
template <int kCounters, class Meanwhile>
inline void mix(Words (&counters)[kCounters], int first_round, const Shared& shared,
                const Meanwhile& meanwhile) {
  BBC_UNROLL(10)
  for (int round = first_round; round < kRounds; ++round) {
    BBC_UNROLL(2)
    for (int i = 0; i < kCounters; ++i) {
      auto& [a, b, c, d] = counters[i].word;
      const U64x first = multiply(a, U64x{} + kFirstFactor);
      const U64x second = multiply(c, U64x{} + kSecondFactor);
      a = upper_halves(second) ^ b ^ shared.keys[2 * round];
      b = second;
      c = upper_halves(first) ^ d ^ shared.keys[2 * round + 1];
      d = first;
    }
    meanwhile(round);
  }
}

// One replicate: the lanes are blocks that follow each other.

/// Puts out what belongs to each lane: the lower and upper half of `front`, then of `back`.
inline void interleave(const U64x& front, const U64x& back, std::uint32_t* to) {
  *reinterpret_cast<LooseU64x*>(to) = first_of_pairs(front, back);
  *reinterpret_cast<LooseU64x*>(to + 2 * kLanes) = second_of_pairs(front, back);
}

/// Calls use(four, block) for the words of kLanes blocks at a time, as `interleave` takes them.
template <class Use>
inline void for_blocks(const PhiloxRange& range, int n, const Use& use) {
  const Shared shared(range);
  U64x blocks{};
  for (int lane = 0; lane < kLanes; ++lane) {
    // `interleave` puts even lanes out first.
    const int at = lane % 2 * (kLanes / 2) + lane / 2;
    blocks[lane] = range.first_block + static_cast<std::uint32_t>(at);
  }
  for (int block = 0; block < n; block += kLanes, blocks += kLanes) {
    Words counters[1] = {{{blocks, U64x{} + range.replicate, shared.attempt, shared.stream}}};
    mix(counters, 0, shared, [](int) {});
    use(counters[0], block);
  }
}

void words(const PhiloxRange& range, int n, std::uint32_t* words) {
  const U64x lower = U64x{} + 0xFFFFFFFFU;
  for_blocks(range, n, [&](const Words& four, int block) {
    interleave((four.word[0] & lower) | (four.word[1] << 32),
               (four.word[2] & lower) | (four.word[3] << 32), words + 4 * block);
  });
}

/// Bits of the lanes in which Lemire's method rejects a product; `least` are the lower halves.
inline std::uint64_t rejected_lanes(const U64x& smallest, std::uint32_t bound) {
  const std::uint32_t threshold = (0U - bound) % bound;
  std::uint64_t lanes = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    lanes |= std::uint64_t{(smallest[lane] & 0xFFFFFFFFU) < threshold} << lane;
  }
  return lanes;
}

bool scaled(const PhiloxRange& range, int n, std::uint32_t bound, std::uint32_t* scaled) {
  const U64x lower = U64x{} + 0xFFFFFFFFU;
  const U64x factor = U64x{} + bound;
  U64x smallest = lower;  // of the products' lower halves
  for_blocks(range, n, [&](const Words& four, int block) {
    U64x products[4];
    for (int i = 0; i < 4; ++i) {
      products[i] = multiply(four.word[i], factor);
      smallest = minimum(smallest, products[i]);
    }
    interleave((products[0] >> 32) | (products[1] & ~lower),
               (products[2] >> 32) | (products[3] & ~lower), scaled + 4 * block);
  });
  return rejected_lanes(smallest, bound) == 0;
}

bool scale(const std::uint32_t* words, int n, std::uint32_t bound, std::uint32_t* scaled) {
  const U64x lower = U64x{} + 0xFFFFFFFFU;
  const U64x factor = U64x{} + bound;
  U64x smallest = lower;
  const int whole = n / (2 * kLanes) * (2 * kLanes);
  for (int i = 0; i < whole; i += 2 * kLanes) {
    const U64x pairs = *reinterpret_cast<const LooseU64x*>(words + i);
    const U64x even = multiply(pairs, factor);
    const U64x odd = multiply(upper_halves(pairs), factor);
    smallest = minimum(smallest, minimum(even, odd));
    *reinterpret_cast<LooseU64x*>(scaled + i) = (even >> 32) | (odd & ~lower);
  }
  bool accepted = rejected_lanes(smallest, bound) == 0;
  const std::uint32_t threshold = (0U - bound) % bound;
  for (int i = whole; i < n; ++i) {
    const std::uint64_t product = std::uint64_t{words[i]} * bound;
    accepted &= static_cast<std::uint32_t>(product) >= threshold;
    scaled[i] = static_cast<std::uint32_t>(product >> 32U);
  }
  return accepted;
}

// Several replicates: the lanes are replicates, all at the same block, so that the first rounds
// work on words that depend on the block alone or on the replicate alone. These are made once.

/// What blocks contribute to the third round's c, and to the fourth round's a, c and d.
struct OfBlocks {
  static constexpr int kMost = static_cast<int>(kMostUnitsOfBatch) / 4;
  alignas(64) std::uint64_t to_c2[kMost];
  alignas(64) std::uint64_t to_a3[kMost];
  alignas(64) std::uint64_t to_c3[kMost];
  alignas(64) std::uint64_t to_c4[kMost];

  OfBlocks(const PhiloxRange& range, const Shared& shared, int n) {
    const U64x first_factor = U64x{} + kFirstFactor;
    const U64x second_factor = U64x{} + kSecondFactor;
    const U64x b1 = multiply(shared.attempt, second_factor);
    U64x block = count_up() + range.first_block;
    for (int i = 0; i < n; i += kLanes, block += kLanes) {
      const U64x d1 = multiply(block, first_factor);
      const U64x c1 = upper_halves(d1) ^ shared.stream ^ shared.keys[1];
      const U64x b2 = multiply(c1, second_factor);
      const U64x a2 = upper_halves(b2) ^ b1 ^ shared.keys[2];
      const U64x d3 = multiply(a2, first_factor);
      *reinterpret_cast<U64x*>(to_c2 + i) = d1 ^ shared.keys[3];
      *reinterpret_cast<U64x*>(to_a3 + i) = b2 ^ shared.keys[4];
      *reinterpret_cast<U64x*>(to_c3 + i) = upper_halves(d3) ^ shared.keys[5];
      *reinterpret_cast<U64x*>(to_c4 + i) = d3 ^ shared.keys[7];
    }
  }
};

constexpr int kVectors = 2;  // of replicates abreast: one would wait for itself
constexpr int kAbreast = kVectors * kLanes;
/// The round in which words depend on block and replicate.
constexpr int kJoined = 4;

/// What one block of some replicates draws, in upper halves.
struct Products {
  alignas(64) std::uint64_t of_word[4][kAbreast];

  /// Counts the first n_words units of a replicate.
  void tally(int replicate, std::uint32_t n_words, std::uint16_t* counts) const {
    const auto* units = reinterpret_cast<const LooseU32*>(of_word[0]) + 1;
    for (std::uint32_t word = 0; word < n_words; ++word) {
      ++counts[units[2 * (static_cast<int>(word) * kAbreast + replicate)]];
    }
  }
};

/// Draws from one block; `d2` is what the replicates alone decide. Keeps the `least` lower halves
/// of products; `meanwhile` as in `mix`, from round kJoined on.
template <class Meanwhile>
inline void draw(const OfBlocks& blocks, int block, const U64x (&d2)[kVectors],
                 const Shared& shared, const U64x& n_units, U64x (&smallest)[kVectors],
                 Products& products, const Meanwhile& meanwhile) {
  Words counters[kVectors];
  for (int i = 0; i < kVectors; ++i) {
    const U64x b3 = multiply(upper_halves(d2[i]) ^ blocks.to_c2[block], U64x{} + kSecondFactor);
    const U64x a3 = upper_halves(b3) ^ blocks.to_a3[block];
    const U64x c3 = d2[i] ^ blocks.to_c3[block];
    const U64x d4 = multiply(a3, U64x{} + kFirstFactor);
    const U64x b4 = multiply(c3, U64x{} + kSecondFactor);
    counters[i] = {
        {upper_halves(b4) ^ b3 ^ shared.keys[6], b4, upper_halves(d4) ^ blocks.to_c4[block], d4}};
  }
  mix(counters, kJoined, shared, meanwhile);
  for (int i = 0; i < kVectors; ++i) {
    for (int word = 0; word < 4; ++word) {
      const U64x product = multiply(counters[i].word[word], n_units);
      smallest[i] = minimum(smallest[i], product);
      *reinterpret_cast<U64x*>(products.of_word[word] + i * kLanes) = product;
    }
  }
}

std::uint64_t draw_replicate_batch(const PhiloxRange& range, int n_replicates,
                                   std::uint32_t n_units, std::uint16_t* counts) {
  const Shared shared(range);
  const int last = static_cast<int>((n_units - 1) / 4);
  const std::uint32_t words_of_last = n_units - 4 * static_cast<std::uint32_t>(last);
  const OfBlocks blocks(range, shared, last + 1);
  const U64x bound = U64x{} + n_units;
  const U64x b1 = multiply(shared.attempt, U64x{} + kSecondFactor);
  U64x replicates = count_up() + range.replicate;
  Products products[2];
  std::uint16_t nobody[kMostUnitsOfBatch] = {};
  std::uint64_t again = 0;
  for (int first = 0; first < n_replicates; first += kAbreast) {
    std::uint16_t* of[kAbreast];
    for (int i = 0; i < kAbreast; ++i) {
      of[i] = first + i < n_replicates ? counts + (first + i) * static_cast<int>(n_units) : nobody;
    }
    U64x d2[kVectors];
    U64x smallest[kVectors];
    for (int i = 0; i < kVectors; ++i, replicates += kLanes) {
      d2[i] = multiply(replicates ^ upper_halves(b1) ^ shared.keys[0], U64x{} + kFirstFactor);
      smallest[i] = U64x{} - 1;
    }
    draw(blocks, 0, d2, shared, bound, smallest, products[0], [](int) {});
    for (int block = 1; block <= last; ++block) {
      // Counting is a block behind: the processor does it while it multiplies.
      const Products& before = products[(block - 1) % 2];
      draw(blocks, block, d2, shared, bound, smallest, products[block % 2], [&](int round) {
        constexpr int kLeft = kRounds - kJoined;
        const int from = kAbreast * (round - kJoined) / kLeft;
        const int to = kAbreast * (round + 1 - kJoined) / kLeft;
        for (int i = from; i < to; ++i) before.tally(i, 4, of[i]);
      });
    }
    for (int i = 0; i < kAbreast; ++i) products[last % 2].tally(i, words_of_last, of[i]);
    for (int i = 0; i < kVectors; ++i) {
      again |= rejected_lanes(smallest[i], n_units) << (first + i * kLanes);
    }
  }
  // Lanes without a replicate do not count.
  return n_replicates < 64 ? again & ((std::uint64_t{1} << n_replicates) - 1) : again;
}

constexpr DrawKernel kKernel{words, scaled, scale, draw_replicate_batch};
