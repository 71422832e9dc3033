// The inner loops of the 0-1 loss for vectors of kVector bytes, included into a
// namespace of each instruction set. The vectors are the compiler's own: the same lines
// become SSE2, AVX2, AVX-512 or NEON. The including file defines BBC_WITH_BMI2 and BBC_WITH_AVX512
// where it has them: a target pragma does not define the compiler's own macros.

typedef std::uint8_t Bytes BBC_VECTOR(kVector) BBC_MAY_ALIAS;
typedef std::uint16_t Words BBC_VECTOR(kVector) BBC_MAY_ALIAS;

constexpr int kPieces = kBlock / kVector;  // vectors that a line of bytes takes
constexpr int kWordsPerPiece = kVector / 2;
constexpr int kOdd = kBlock / 2;  // where the words of odd lanes start

int weight(const std::uint8_t* lines, int n_rows) {
  Words even[kPieces] = {};
  Words odd[kPieces] = {};
  for (int row = 0; row < n_rows; ++row) {
    for (int piece = 0; piece < kPieces; ++piece) {
      const Words line = *reinterpret_cast<const Words*>(lines + row * kBlock + piece * kVector);
      even[piece] += line & 0xFF;
      odd[piece] += line >> 8;
    }
  }
  std::uint16_t most = 0;
  for (int piece = 0; piece < kPieces; ++piece) {
    for (int i = 0; i < kWordsPerPiece; ++i) {
      most = even[piece][i] > most ? even[piece][i] : most;
      most = odd[piece][i] > most ? odd[piece][i] : most;
    }
  }
  return most;
}

Bytes product(const RowPair& pair, const std::uint8_t* lines, int piece) {
  const std::uint8_t* first = lines + std::int64_t{pair.first} * kBlock + piece * kVector;
  const std::uint8_t* second = lines + std::int64_t{pair.second} * kBlock + piece * kVector;
  return *reinterpret_cast<const Bytes*>(first) * *reinterpret_cast<const Bytes*>(second);
}

void products(const RowPair* pairs, int n, const std::uint8_t* lines, std::uint8_t* products) {
  for (int i = 0; i < n; ++i, products += kBlock) {
    for (int piece = 0; piece < kPieces; ++piece) {
      *reinterpret_cast<Bytes*>(products + piece * kVector) = product(pairs[i], lines, piece);
    }
  }
}

void add_products(const RowPair* pairs, std::uint64_t wanted, const std::uint8_t* lines,
                  std::uint32_t* sums) {
  Words even[kPieces] = {};
  Words odd[kPieces] = {};
  for (; wanted != 0; wanted &= wanted - 1) {
    const RowPair& pair = pairs[BBC_TRAILING_ZEROS(wanted)];
    for (int piece = 0; piece < kPieces; ++piece) {
      const auto line = (Words)product(pair, lines, piece);
      even[piece] += line & 0xFF;
      odd[piece] += line >> 8;
    }
  }
  for (int piece = 0; piece < kPieces; ++piece) {
    for (int i = 0; i < kWordsPerPiece; ++i) {
      sums[piece * kVector + 2 * i] += even[piece][i];
      sums[piece * kVector + 2 * i + 1] += odd[piece][i];
    }
  }
}

void tables(const std::uint8_t* lines, int n_rows, std::uint8_t* tables) {
  for (int row = 0; row < n_rows; row += kGroupRows, tables += kPatterns * kBlock) {
    for (int piece = 0; piece < kPieces; ++piece) {
      std::uint8_t* table = tables + piece * kVector;
      *reinterpret_cast<Bytes*>(table) = Bytes{};
      // Patterns of rows past the end never occur.
      for (int i = 0; i < kGroupRows && row + i < n_rows; ++i) {
        const Bytes counts =
            *reinterpret_cast<const Bytes*>(lines + (row + i) * kBlock + piece * kVector);
        const std::uint8_t* without = table;
        std::uint8_t* with = table + (1 << i) * kBlock;
        for (int pattern = 0; pattern < 1 << i; ++pattern) {
          *reinterpret_cast<Bytes*>(with + pattern * kBlock) =
              *reinterpret_cast<const Bytes*>(without + pattern * kBlock) + counts;
        }
      }
    }
  }
}

template <int n_groups, SumsTo to>
void step_of(const ZeroOneStep& step) {
  Words fewest[2 * kPieces];
  Words where[2 * kPieces];
  Words configuration = {};
  if (to == SumsTo::best) {
    for (int i = 0; i < 2 * kPieces; ++i) {
      fewest[i] = *reinterpret_cast<const Words*>(step.fewest + i * kWordsPerPiece);
      where[i] = *reinterpret_cast<const Words*>(step.where + i * kWordsPerPiece);
    }
  }
  const std::uint8_t* tables = step.tables;
  const std::uint16_t* offsets = step.offsets;
  std::uint8_t* bytes = step.bytes;
  const std::int64_t bytes_per_configuration = bytes == nullptr ? 0 : kBlock;  // none if unused
  std::uint16_t* words = step.words;
  const bool bytes_fresh = step.bytes_fresh;
  const bool words_fresh = step.words_fresh;
  for (std::int64_t j = 0; j < step.n_configurations; ++j) {
    for (int piece = 0; piece < kPieces; ++piece) {
      Bytes sum = {};
      if (!bytes_fresh) sum = *reinterpret_cast<const Bytes*>(bytes + piece * kVector);
      for (int group = 0; group < n_groups; ++group) {
        sum += *reinterpret_cast<const Bytes*>(tables + group * (kPatterns * kBlock) +
                                               offsets[group] + piece * kVector);
      }
      if (to == SumsTo::bytes) {
        *reinterpret_cast<Bytes*>(bytes + piece * kVector) = sum;
        continue;
      }
      Words even = (Words)sum & 0xFF;
      Words odd = (Words)sum >> 8;
      auto* even_words = reinterpret_cast<Words*>(words + piece * kWordsPerPiece);
      auto* odd_words = reinterpret_cast<Words*>(words + kOdd + piece * kWordsPerPiece);
      if (!words_fresh) {
        even += *even_words;
        odd += *odd_words;
      }
      if (to == SumsTo::words) {
        *even_words = even;
        *odd_words = odd;
        continue;
      }
      where[piece] = even < fewest[piece] ? configuration : where[piece];
      fewest[piece] = even < fewest[piece] ? even : fewest[piece];
      where[kPieces + piece] =
          odd < fewest[kPieces + piece] ? configuration : where[kPieces + piece];
      fewest[kPieces + piece] = odd < fewest[kPieces + piece] ? odd : fewest[kPieces + piece];
    }
    configuration += 1;
    offsets += kChunkGroups;
    bytes += bytes_per_configuration;
    words += kBlock;
  }
  if (to == SumsTo::best) {
    for (int i = 0; i < 2 * kPieces; ++i) {
      *reinterpret_cast<Words*>(step.fewest + i * kWordsPerPiece) = fewest[i];
      *reinterpret_cast<Words*>(step.where + i * kWordsPerPiece) = where[i];
    }
  }
}

template <int n_groups>
void step_with(const ZeroOneStep& step) {
  switch (step.to) {
    case SumsTo::bytes:
      return step_of<n_groups, SumsTo::bytes>(step);
    case SumsTo::words:
      return step_of<n_groups, SumsTo::words>(step);
    case SumsTo::best:
      return step_of<n_groups, SumsTo::best>(step);
  }
}

void step(const ZeroOneStep& step) {
  switch (step.n_groups) {
    case 1:
      return step_with<1>(step);
    case 2:
      return step_with<2>(step);
    case 3:
      return step_with<3>(step);
    case 4:
      return step_with<4>(step);
    case 5:
      return step_with<5>(step);
    case 6:
      return step_with<6>(step);
    case 7:
      return step_with<7>(step);
    default:
      return step_with<kChunkGroups>(step);
  }
}

void add_weighed(const std::uint16_t* words, std::int64_t n, float weight, float* sums) {
  for (std::int64_t first = 0; first < n; first += kBlock, words += kBlock, sums += kBlock) {
    for (int i = 0; i < kBlock; ++i) sums[i] += weight * static_cast<float>(words[i]);
  }
}

/// Bit i is set where row i of the next `n`, at most a chunk, was not drawn.
std::uint64_t out_of_bag_rows(const std::uint16_t* counts, std::int64_t n) {
  std::uint64_t rows = 0;
#ifdef BBC_WITH_AVX512
  const std::uint64_t wanted = (std::uint64_t{1} << n) - 1;
  const auto first = static_cast<__mmask32>(wanted);
  const auto second = static_cast<__mmask32>(wanted >> 32);
  rows = _mm512_mask_testn_epi16_mask(first, _mm512_maskz_loadu_epi16(first, counts),
                                      _mm512_set1_epi16(-1));
  const std::uint64_t rest = _mm512_mask_testn_epi16_mask(
      second, _mm512_maskz_loadu_epi16(second, counts + 32), _mm512_set1_epi16(-1));
  return rows | rest << 32;
#elif defined(BBC_X86)
  if (n == kChunkRows) {
    const __m128i zero = _mm_setzero_si128();
    for (int i = 0; i < kChunkRows; i += 16) {
      const auto* from = reinterpret_cast<const __m128i*>(counts + i);
      const __m128i first = _mm_cmpeq_epi16(_mm_loadu_si128(from), zero);
      const __m128i second = _mm_cmpeq_epi16(_mm_loadu_si128(from + 1), zero);
      const int bits = _mm_movemask_epi8(_mm_packs_epi16(first, second));
      rows |= static_cast<std::uint64_t>(bits) << i;
    }
    return rows;
  }
#endif
  for (std::int64_t i = 0; i < n; ++i) rows |= static_cast<std::uint64_t>(counts[i] == 0) << i;
  return rows;
}

OutOfBagErrors out_of_bag(const ErrorColumn& column, const std::uint16_t* counts,
                          std::int64_t n_rows) {
  OutOfBagErrors found{0, 0};
  const std::uint16_t* offsets = column.offsets;
  for (std::int64_t row = 0; row < n_rows; row += kChunkRows, offsets += column.chunk_stride) {
    const std::int64_t left = n_rows - row;
    const std::uint64_t rows = out_of_bag_rows(counts + row, left < kChunkRows ? left : kChunkRows);
    found.n_rows += BBC_POPCOUNT(rows);
    for (std::int64_t repeat = 0; repeat < column.n_repeats; ++repeat) {
      const std::uint16_t* from = offsets + repeat * column.repeat_stride;
#ifdef BBC_WITH_BMI2
      std::uint64_t halves[2];
      BBC_COPY(halves, from, sizeof halves);
      constexpr std::uint64_t kUsed = 0x0FC00FC00FC00FC0;
      const std::uint64_t wrong = _pext_u64(halves[0], kUsed) | _pext_u64(halves[1], kUsed)
                                                                    << (kChunkRows / 2);
#else
      const std::uint64_t wrong = error_bits(from);
#endif
      found.errors += BBC_POPCOUNT(rows & wrong);
    }
  }
  return found;
}

bool greater(const double* a, const double* b, int n, std::uint8_t* greater) {
  std::uint8_t equal = 0;
  for (int j = 0; j < n; ++j) {
    greater[j] = a[j] > b[j] ? 1 : 0;
    equal |= static_cast<std::uint8_t>(a[j] == b[j] ? 1 : 0);
  }
  return equal != 0;
}

typedef std::uint8_t Sixteen BBC_VECTOR(16) BBC_MAY_ALIAS;
typedef std::uint16_t Eight BBC_VECTOR(16) BBC_MAY_ALIAS;

#define BBC_FIRST_HALVES(a, b) \
  BBC_SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define BBC_LAST_HALVES(a, b) \
  BBC_SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

void pack(const std::uint8_t* errors, std::uint16_t* offsets) {
  const Sixteen zero = {};
  for (int j = 0; j < kPackTile; j += 16) {
    Sixteen patterns[kChunkGroups];
    for (int group = 0; group < kChunkGroups; ++group) {
      Sixteen pattern = {};
      for (int i = kGroupRows - 1; i >= 0; --i) {
        pattern += pattern;
        pattern +=
            *reinterpret_cast<const Sixteen*>(errors + (group * kGroupRows + i) * kPackTile + j);
      }
      patterns[group] = pattern;
    }
    // Three rounds of interleaving groups i and i + 4 put the eight of a configuration together.
    for (int round = 0; round < 3; ++round) {
      Sixteen next[kChunkGroups];
      for (int i = 0; i < kChunkGroups / 2; ++i) {
        next[2 * i] = BBC_FIRST_HALVES(patterns[i], patterns[i + kChunkGroups / 2]);
        next[2 * i + 1] = BBC_LAST_HALVES(patterns[i], patterns[i + kChunkGroups / 2]);
      }
      for (int i = 0; i < kChunkGroups; ++i) patterns[i] = next[i];
    }
    for (int i = 0; i < kChunkGroups; ++i, offsets += 16) {
      *reinterpret_cast<Eight*>(offsets) = (Eight)BBC_FIRST_HALVES(patterns[i], zero)
                                           << kPatternShift;
      *reinterpret_cast<Eight*>(offsets + 8) = (Eight)BBC_LAST_HALVES(patterns[i], zero)
                                               << kPatternShift;
    }
  }
}

template <class T>
bool find_errors(const LabelRow<T>& row, std::uint8_t* errors) {
  const T* labels = row.labels;
  const int n = row.n_configurations;
  if (!row.truth_fits) {
    for (int j = 0; j < n; ++j) errors[j] = 1;
  } else {
    const T truth = row.truth;
    for (int j = 0; j < n; ++j) errors[j] = labels[j] != truth ? 1 : 0;
  }
  const T lowest = row.lowest;
  const T highest = row.highest;
  T unknown = 0;
  if (row.is_range) {
    for (int j = 0; j < n; ++j) unknown |= T((labels[j] < lowest) | (labels[j] > highest));
  } else {
    for (int j = 0; j < n; ++j) unknown |= T((labels[j] != lowest) & (labels[j] != highest));
  }
  return unknown == 0;
}

constexpr ZeroOneKernel kKernel{{{find_errors<std::int8_t>},
                                 {find_errors<std::uint8_t>},
                                 {find_errors<std::int16_t>},
                                 {find_errors<std::int32_t>},
                                 {find_errors<std::int64_t>},
                                 greater,
                                 pack},
                                {weight, products, tables, step, add_weighed},
                                {out_of_bag, add_products}};
