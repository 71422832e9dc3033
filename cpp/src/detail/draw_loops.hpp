// Philox for several counters side by side, included into an anonymous namespace of one file per
// instruction set. That file says what a vector is: `Longs`, kLanes integers of 64 bits, with
// `multiply` (lower halves of two vectors), `upper_halves` (moved down by a shuffle, since shifts
// would wait for the port that multiplies), `minimum` (of 32-bit halves), and `first_of_pairs` and
// `second_of_pairs` (which interleave the even, or odd, lanes of two vectors).
//
// A counter takes one lane, each of its four words the lower half of a vector; upper halves may
// hold anything, since a multiplication reads lower halves alone.

constexpr int kRounds = 10;

struct Counters {
  Longs block;
  Longs replicate;
};

/// Takes blocks past a replicate's last one to the next replicate. Short replicates: several of
/// them fit into one step.
inline void carry(Counters& counters, std::uint32_t n_blocks) {
  for (std::uint32_t done = 0; done < kLanes; done += n_blocks) {
    const auto over = (Longs)(counters.block >= n_blocks);
    counters.block -= over & n_blocks;
    counters.replicate += over & 1;
  }
}

inline Counters start(const PhiloxRange& range) {
  Counters counters;
  for (int lane = 0; lane < kLanes; ++lane) {
    // `interleave` puts even lanes out first.
    const int at = lane % 2 * (kLanes / 2) + lane / 2;
    counters.block[lane] = range.first_block + static_cast<std::uint32_t>(at);
    counters.replicate[lane] = range.first_replicate;
  }
  carry(counters, range.n_blocks);
  return counters;
}

inline void advance(Counters& counters, std::uint32_t n_blocks) {
  counters.block += kLanes;
  carry(counters, n_blocks);
}

struct Words {
  Longs word[4];
};

/// What all counters of a range share.
struct Shared {
  Longs attempt;
  Longs stream;
  Longs keys[2 * kRounds];

  explicit Shared(const PhiloxRange& range) {
    attempt = Longs{} + range.attempt;
    stream = Longs{} + range.stream;
    std::uint32_t first = range.key[0];
    std::uint32_t second = range.key[1];
    for (int round = 0; round < kRounds; ++round) {
      keys[2 * round] = Longs{} + first;
      keys[2 * round + 1] = Longs{} + second;
      first += 0x9E3779B9U;
      second += 0xBB67AE85U;
    }
  }
};

inline Words philox(const Counters& counters, const Shared& shared) {
  const Longs first_factor = Longs{} + 0xD2511F53U;
  const Longs second_factor = Longs{} + 0xCD9E8D57U;
  Longs a = counters.block;
  Longs b = counters.replicate;
  Longs c = shared.attempt;
  Longs d = shared.stream;
  for (int round = 0; round < kRounds; ++round) {
    const Longs first = multiply(a, first_factor);
    const Longs second = multiply(c, second_factor);
    a = upper_halves(second) ^ b ^ shared.keys[2 * round];
    b = second;
    c = upper_halves(first) ^ d ^ shared.keys[2 * round + 1];
    d = first;
  }
  return {{a, b, c, d}};
}

/// Puts out what belongs to each lane: the lower and upper half of `front`, then of `back`.
inline void interleave(const Longs& front, const Longs& back, std::uint32_t* to) {
  *reinterpret_cast<Longs*>(to) = first_of_pairs(front, back);
  *reinterpret_cast<Longs*>(to + 2 * kLanes) = second_of_pairs(front, back);
}

void words(const PhiloxRange& range, int n, std::uint32_t* words) {
  const Longs lower = Longs{} + 0xFFFFFFFFU;
  const Shared shared(range);
  const std::uint32_t n_blocks = range.n_blocks;
  Counters counters = start(range);
  for (int block = 0; block < n; block += kLanes) {
    const Words four = philox(counters, shared);
    interleave((four.word[0] & lower) | (four.word[1] << 32),
               (four.word[2] & lower) | (four.word[3] << 32), words + 4 * block);
    advance(counters, n_blocks);
  }
}

bool scaled(const PhiloxRange& range, int n, std::uint32_t bound, std::uint32_t* scaled) {
  const Longs lower = Longs{} + 0xFFFFFFFFU;
  const Longs factor = Longs{} + bound;
  const Shared shared(range);
  const std::uint32_t n_blocks = range.n_blocks;
  Counters counters = start(range);
  Longs least = lower;  // of the products' lower halves
  for (int block = 0; block < n; block += kLanes) {
    const Words four = philox(counters, shared);
    Longs products[4];
    for (int i = 0; i < 4; ++i) {
      products[i] = multiply(four.word[i], factor);
      least = minimum(least, products[i]);
    }
    interleave((products[0] >> 32) | (products[1] & ~lower),
               (products[2] >> 32) | (products[3] & ~lower), scaled + 4 * block);
    advance(counters, n_blocks);
  }
  const std::uint32_t threshold = (0U - bound) % bound;
  bool accepted = true;
  for (int lane = 0; lane < kLanes; ++lane) accepted &= (least[lane] & 0xFFFFFFFFU) >= threshold;
  return accepted;
}

constexpr DrawKernel kKernel{words, scaled};
