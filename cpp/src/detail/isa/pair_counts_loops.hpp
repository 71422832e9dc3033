// Pasted into one source for each instruction set, which defines kBytes, the size of its vectors,
// Doubles, kWide, how many of them a vector has, and widen(counts), which converts 16-bit ones.

template <class Count>
struct Lines;
template <>
struct Lines<std::uint16_t> {
  typedef std::uint16_t Vector BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
};
template <>
struct Lines<std::uint32_t> {
  typedef std::uint32_t Vector BBC_VECTOR(kBytes) BBC_MAY_ALIAS;
};

Doubles widen(const std::uint32_t* counts) {
  Doubles values;
  for (int l = 0; l < kWide; ++l) values[l] = static_cast<double>(counts[l]);
  return values;
}

template <class Count>
void add_nodes(const std::uint32_t* at, const std::uint32_t* last, const Count* counts, Count* sums,
               Count* below) {
  using Vector = typename Lines<Count>::Vector;
  constexpr int kVectors = kBlock * static_cast<int>(sizeof(Count)) / kBytes;
  const auto line = [](auto* from) { return reinterpret_cast<Vector*>(from); };
  const auto fixed = [](const Count* from) { return reinterpret_cast<const Vector*>(from); };
  for (int v = 0; v < kVectors; ++v) line(sums)[v] = Vector{};
  while (at != last) {
    PairNode node;
    BBC_COPY(&node, at, sizeof node);
    at += sizeof node / sizeof *at;
    Vector sum[kVectors] = {};
    Vector* to = line(sums);
    for (const std::uint32_t* end = at + node.n_rows; at != end; ++at) {
      const Vector* own = fixed(counts + *at);
      to += kVectors;
      for (int v = 0; v < kVectors; ++v) to[v] = sum[v] += own[v];
    }
    for (const std::uint32_t* end = at + 2 * node.n_events; at != end; at += 2) {
      Vector* own = line(below + at[0]);
      const Vector* lower = fixed(sums + at[1]);
      for (int v = 0; v < kVectors; ++v) own[v] += lower[v];
    }
  }
}

template <class Count>
void add_pairs(const std::uint32_t* at, const std::uint32_t* last, const Count* counts,
               Count* below) {
  using Vector = typename Lines<Count>::Vector;
  constexpr int kVectors = kBlock * static_cast<int>(sizeof(Count)) / kBytes;
  for (; at != last; at += 2) {
    auto* own = reinterpret_cast<Vector*>(below + at[0]);
    const auto* lower = reinterpret_cast<const Vector*>(counts + at[1]);
    for (int v = 0; v < kVectors; ++v) own[v] += lower[v];
  }
}

template <class Count>
void add_up(const Count* below, const double* weights, std::int64_t n_events, double times,
            double* keys) {
  constexpr int kVectors = kBlock / kWide;
  Doubles sums[kVectors];
  for (int v = 0; v < kVectors; ++v) sums[v] = reinterpret_cast<const Doubles*>(keys)[v];
  for (std::int64_t event = 0; event < n_events; ++event) {
    const Count* of_event = below + event * kBlock;
    const auto* weight = reinterpret_cast<const Doubles*>(weights + event * kBlock);
    for (int v = 0; v < kVectors; ++v) {
      sums[v] += weight[v] * (times * widen(of_event + v * kWide));
    }
  }
  for (int v = 0; v < kVectors; ++v) reinterpret_cast<Doubles*>(keys)[v] = sums[v];
}

constexpr PairCountKernel kKernel{
    {add_nodes<std::uint16_t>, add_pairs<std::uint16_t>, add_up<std::uint16_t>},
    {add_nodes<std::uint32_t>, add_pairs<std::uint32_t>, add_up<std::uint32_t>}};
