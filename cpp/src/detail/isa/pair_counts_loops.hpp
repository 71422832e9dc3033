// Pasted into one source for each instruction set, which defines kBytes, the size of its vectors
// Words, Ints and Doubles, and the functions that fill one from numbers of a narrower type.

template <class Count>
struct LineOf;
template <>
struct LineOf<std::uint8_t> {
  typedef std::uint8_t Vector BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
};
template <>
struct LineOf<std::uint16_t> {
  typedef std::uint16_t Vector BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
};
template <>
struct LineOf<std::uint32_t> {
  typedef std::uint32_t Vector BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
};

template <class Count>
constexpr int kVectors = kBlock * static_cast<int>(sizeof(Count)) / kBytes;

/// A vector of a line of counts, as wide as the sums that it is added to.
template <class Sum, class Count>
BBC_ALWAYS_INLINE typename LineOf<Sum>::Vector counts_at(const Count* line, int vector) {
  if constexpr (sizeof(Sum) == sizeof(Count)) {
    return reinterpret_cast<const typename LineOf<Sum>::Vector*>(line)[vector];
  } else {
    return bytes_to_words(line + vector * (kBytes / 2));
  }
}

template <class Sum, class Count>
BBC_ALWAYS_INLINE void add_nodes(const std::uint32_t* at, const std::uint32_t* last,
                                 const Count* counts, Sum* sums, Sum* below) {
  using Vector = typename LineOf<Sum>::Vector;
  for (int v = 0; v < kVectors<Sum>; ++v) reinterpret_cast<Vector*>(sums)[v] = Vector{};
  while (at != last) {
    PairNode node;
    BBC_COPY(&node, at, sizeof node);
    at += sizeof node / sizeof *at;
    Vector sum[kVectors<Sum>] = {};
    auto* to = reinterpret_cast<Vector*>(sums);
    for (const std::uint32_t* end = at + node.n_rows; at != end; ++at) {
      to += kVectors<Sum>;
      for (int v = 0; v < kVectors<Sum>; ++v) {
        sum[v] += counts_at<Sum>(counts + *at, v);
        to[v] = sum[v];
      }
    }
    for (const std::uint32_t* end = at + 2 * node.n_events; at != end; at += 2) {
      auto* own = reinterpret_cast<Vector*>(below + at[0]);
      const auto* lower = reinterpret_cast<const Vector*>(sums + at[1]);
      for (int v = 0; v < kVectors<Sum>; ++v) own[v] += lower[v];
    }
  }
}

template <class Count, class Far, class Near>
void add_far(const std::uint32_t* first, const std::uint32_t* last,
             const PairTables<Count, Far, Near>& tables) {
  add_nodes(first, last, tables.counts, tables.far_sums, tables.far_below);
}

template <class Count, class Far, class Near>
void add_near(const std::uint32_t* first, const std::uint32_t* last,
              const PairTables<Count, Far, Near>& tables) {
  add_nodes(first, last, tables.counts, tables.near_sums, tables.near_below);
}

template <class Count, class Far, class Near>
void add_pairs(const std::uint32_t* at, const std::uint32_t* last,
               const PairTables<Count, Far, Near>& tables) {
  using Vector = typename LineOf<Near>::Vector;
  for (; at != last; at += 2) {
    auto* own = reinterpret_cast<Vector*>(tables.near_below + at[0]);
    for (int v = 0; v < kVectors<Near>; ++v) {
      own[v] += counts_at<Near>(tables.counts + at[1], v);
    }
  }
}

constexpr int kInts = kBytes / 4;
constexpr int kDoubles = kBytes / 8;

/// Pairs of events [first, last), which are weighted alike: whole numbers, exact in either form.
void add_products(const PairTables<std::uint8_t, std::uint16_t, std::uint8_t>& tables,
                  const std::uint32_t* rows, std::int64_t first, std::int64_t last,
                  Doubles* products) {
  Ints sums[kBlock / kInts] = {};
  for (std::int64_t event = first; event < last; ++event) {
    const std::uint8_t* counts = tables.counts + rows[event];
    const std::uint16_t* far = tables.far_below + event * kBlock;
    const std::uint8_t* near = tables.near_below + event * kBlock;
    for (int v = 0; v < kBlock / kInts; ++v) {
      const Ints below = words_to_ints(far + v * kInts) + bytes_to_ints(near + v * kInts);
      sums[v] += below * bytes_to_ints(counts + v * kInts);
    }
  }
  alignas(kBytes) std::int32_t whole[kBlock];
  for (int v = 0; v < kBlock / kInts; ++v) reinterpret_cast<Ints*>(whole)[v] = sums[v];
  for (int v = 0; v < kBlock / kDoubles; ++v) products[v] = ints_to_doubles(whole + v * kDoubles);
}

void add_products(const PairTables<std::uint32_t, std::uint32_t, std::uint32_t>& tables,
                  const std::uint32_t* rows, std::int64_t first, std::int64_t last,
                  Doubles* products) {
  alignas(kBytes) double sums[kBlock] = {};
  for (std::int64_t event = first; event < last; ++event) {
    const std::uint32_t* counts = tables.counts + rows[event];
    const std::uint32_t* far = tables.far_below + event * kBlock;
    const std::uint32_t* near = tables.near_below + event * kBlock;
    for (int l = 0; l < kBlock; ++l) {
      sums[l] += static_cast<double>(counts[l]) *
                 (static_cast<double>(far[l]) + static_cast<double>(near[l]));
    }
  }
  for (int v = 0; v < kBlock / kDoubles; ++v) products[v] = reinterpret_cast<Doubles*>(sums)[v];
}

template <class Count, class Far, class Near>
void add_up(const PairTables<Count, Far, Near>& tables, const std::uint32_t* rows,
            const WeightedEvents* at, const WeightedEvents* last, double times, double* keys) {
  Doubles sums[kBlock / kDoubles] = {};
  std::int64_t first = 0;
  for (; at != last; ++at) {
    const double weight = at->weight * times;  // a power of two: exact
    Doubles products[kBlock / kDoubles];
    add_products(tables, rows, first, at->last, products);
    for (int v = 0; v < kBlock / kDoubles; ++v) sums[v] += weight * products[v];
    first = at->last;
  }
  for (int v = 0; v < kBlock / kDoubles; ++v) reinterpret_cast<Doubles*>(keys)[v] = sums[v];
}

constexpr PairCountKernel kKernel{{add_far<std::uint8_t, std::uint16_t, std::uint8_t>,
                                   add_near<std::uint8_t, std::uint16_t, std::uint8_t>,
                                   add_pairs<std::uint8_t, std::uint16_t, std::uint8_t>,
                                   add_up<std::uint8_t, std::uint16_t, std::uint8_t>},
                                  {add_far<std::uint32_t, std::uint32_t, std::uint32_t>,
                                   add_near<std::uint32_t, std::uint32_t, std::uint32_t>,
                                   add_pairs<std::uint32_t, std::uint32_t, std::uint32_t>,
                                   add_up<std::uint32_t, std::uint32_t, std::uint32_t>}};
