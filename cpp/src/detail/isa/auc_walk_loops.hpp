// The inner loops, once for all instruction sets. Included into the namespace of each of them,
// behind an `Isa` with the operations on lines; nothing from the standard library's templates may
// come in here, or code for one machine could be linked into another's path.

template <class Isa>
BBC_ALWAYS_INLINE void add_runs(const std::uint32_t* runs, std::uint32_t n_runs,
                                const std::uint8_t* negatives, const std::uint8_t* positives,
                                typename Isa::Products& products) {
  using Line = typename Isa::Line;
  Line before = Isa::load(positives);
  for (std::uint32_t k = 0; k < n_runs; k += 2) {
    AucProgram::Run run[2];
    BBC_COPY(run, runs + k, sizeof run);
    const Line first_end = Isa::load(positives + run[0].end);
    const Line second_end = Isa::load(positives + run[1].end);
    products.add(Isa::subtract(first_end, before), Isa::load(negatives + run[0].below),
                 Isa::subtract(second_end, first_end), Isa::load(negatives + run[1].below));
    before = second_end;
  }
}

/// How far ahead the words of a program are fetched, and about how many belong to a step.
constexpr std::int64_t kWordsAhead = 1536;
constexpr std::int64_t kWordsOfStep = 208;
constexpr std::int64_t kWordsOfCacheLine = 16;

/// Words are read once and in order, but so many cache lines of the table are on their way that
/// the processor's own guesses come too late. Inlined always: gcc finds that a function which only
/// fetches does nothing, and leaves out the call.
BBC_ALWAYS_INLINE void fetch_words(const std::uint32_t* at, const std::uint32_t* last) {
  if (last - at < kWordsAhead + kWordsOfStep) return;
  for (std::int64_t word = 0; word < kWordsOfStep; word += kWordsOfCacheLine) {
    BBC_PREFETCH(at + kWordsAhead + word);
  }
}

/// The words of the rows of the step that begins at `at`, none at the end.
struct RowsOfStep {
  const std::uint32_t* at;
  const std::uint32_t* end;

  RowsOfStep(const std::uint32_t* step_at, const std::uint32_t* last) : at(last), end(last) {
    if (step_at == last) return;
    AucProgram::Step step;
    BBC_COPY(&step, step_at, sizeof step);
    at = step_at + AucProgram::kHeaderWords;
    end = at + step.n_rows;
  }
};

/// Partial sums start at 128, so that those of the negatives, 0 to 255 above it, are the signed
/// bytes -128 to 127 that the multiplication wants; what is missing is made up with the base.
/// A pair of products stays within 128 x 255, so it does not saturate.
///
/// A table that is packed is too large for the second-level cache as well: its lines are fetched a
/// step ahead.
template <class Isa, bool kPacked>
void walk(const std::uint32_t* at, const std::uint32_t* last, const std::uint8_t* lines,
          AucSums* sums) {
  using Line = typename Isa::Line;
  alignas(64) std::uint8_t partial_sums[(kStepRows + kRowGroup) * kBlock];
  const Line start = Isa::bias();
  Isa::store(partial_sums, start);
  typename Isa::Totals totals;
  while (at != last) {
    AucProgram::Step step;
    BBC_COPY(&step, at, sizeof step);
    at += AucProgram::kHeaderWords;

    fetch_words(at, last);
    RowsOfStep next(at + step.n_rows + step.n_lower + step.n_upper, last);
    Line sum = start;
    std::uint8_t* to = partial_sums + kBlock;
    for (const std::uint32_t* end = at + step.n_rows; at != end; at += kRowGroup) {
      if (kPacked && next.at != next.end) {
        for (int i = 0; i < kRowGroup; ++i) BBC_PREFETCH(lines + next.at[i] / 2);
        next.at += kRowGroup;
      }
      for (int i = 0; i < kRowGroup; ++i) {
        sum =
            Isa::add(sum, kPacked ? Isa::load_packed(lines + at[i] / 2) : Isa::load(lines + at[i]));
        Isa::store(to, sum);
        to += kBlock;
      }
    }

    const std::uint8_t* positives = partial_sums + step.n_negatives * kBlock;
    const Line n_negatives = Isa::subtract(Isa::load(positives), start);
    if (step.starts_part != 0) totals.start_part();
    const Line n_positives = Isa::subtract(sum, Isa::load(positives));
    typename Isa::Products lower;
    add_runs<Isa>(at, step.n_lower, partial_sums, positives, lower);
    at += step.n_lower;
    totals.add(n_positives, lower, step.lower_multiplier);
    if (step.n_upper != 0) {
      typename Isa::Products upper;
      add_runs<Isa>(at, step.n_upper, partial_sums, positives, upper);
      at += step.n_upper;
      totals.add(n_positives, upper, 1);
    }
    totals.add_negatives(n_negatives);
  }
  totals.store(sums);
}

bool matches(const AucSums& sums, const AucClasses& classes) {
  std::uint16_t differences = 0;
  for (int l = 0; l < kBlock; ++l) {
    differences =
        static_cast<std::uint16_t>(differences | (sums.negatives[l] ^ classes.negatives[l]) |
                                   (sums.twice_positives[l] ^ classes.twice_positives[l]));
  }
  return differences == 0;
}

void take_better(const std::int32_t* keys, std::int32_t configuration, AucBest* best) {
  for (int l = 0; l < kBlock; ++l) {
    const bool better = keys[l] > best->key[l];
    best->key[l] = better ? keys[l] : best->key[l];
    best->configuration[l] = better ? configuration : best->configuration[l];
  }
}

template <class Isa>
void add_lines(const std::int32_t* rows, std::int64_t n_rows, const std::uint8_t* lines, int most,
               std::uint64_t* sums) {
  // As many lines as surely fit bytes, then as many of their sums as fit 16 bits.
  const std::int64_t n_fit = 255 / (most > 0 ? most : 1);
  for (std::int64_t i = 0; i < n_rows;) {
    std::uint16_t words[kBlock] = {};
    for (int k = 0; k < 257 && i < n_rows; ++k) {
      const std::int64_t last = i + n_fit < n_rows ? i + n_fit : n_rows;
      typename Isa::Line sum = Isa::zero();
      for (; i < last; ++i) {
        sum = Isa::add(sum, Isa::load(lines + static_cast<std::int64_t>(rows[i]) * kBlock));
      }
      alignas(64) std::uint8_t bytes[kBlock];
      Isa::store(bytes, sum);
      for (int l = 0; l < kBlock; ++l) words[l] = static_cast<std::uint16_t>(words[l] + bytes[l]);
    }
    for (int l = 0; l < kBlock; ++l) sums[l] += words[l];
  }
}
