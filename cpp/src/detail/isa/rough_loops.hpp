// Rough sums for vectors of kVector bytes, included into a namespace of each instruction
// set. That namespace also says how many vectors of lanes fit the registers at a time, in
// products of columns and in walks that add up pairs, and defines multiply_add(entry, weights,
// sums), which may round once or twice.

typedef float Floats BBC_LOOSE_VECTOR(kVector, 4);

constexpr int kFloats = kVector / 4;
/// Lanes of a pass.
constexpr int kPass = kFloats * kVectorsAtOnce;

inline Floats load(const float* from) { return *reinterpret_cast<const Floats*>(from); }

inline void add_to(double* sums, const Floats (&vectors)[kVectorsAtOnce]) {
  float lanes[kPass];
  BBC_COPY(lanes, vectors, sizeof lanes);
  for (int l = 0; l < kPass; ++l) sums[l] += lanes[l];
}

inline void add_scaled_to(double* sums, const double* factors,
                          const Floats (&vectors)[kVectorsAtOnce]) {
  float lanes[kPass];
  BBC_COPY(lanes, vectors, sizeof lanes);
  for (int l = 0; l < kPass; ++l) sums[l] += factors[l] * lanes[l];
}

/// Factors are null where they are one.
BBC_NEVER_INLINE void add_products_of(const float* const* columns, const float* weights,
                                      std::int64_t n, const double* factors, double* sums) {
  Floats sum[kRoughColumns][kVectorsAtOnce] = {};
  const float* first = columns[0];
  const float* second = columns[1];
  const float* third = columns[2];
  const float* fourth = columns[3];
  for (std::int64_t row = 0; row < n; ++row, weights += kBlock) {
    BBC_UNROLL(8)
    for (int v = 0; v < kVectorsAtOnce; ++v) {
      const Floats weight = load(weights + v * kFloats);
      sum[0][v] = multiply_add(first[row], weight, sum[0][v]);
      sum[1][v] = multiply_add(second[row], weight, sum[1][v]);
      sum[2][v] = multiply_add(third[row], weight, sum[2][v]);
      sum[3][v] = multiply_add(fourth[row], weight, sum[3][v]);
    }
  }
  for (int column = 0; column < kRoughColumns; ++column) {
    if (factors == nullptr) {
      add_to(sums + column * kBlock, sum[column]);
    } else {
      add_scaled_to(sums + column * kBlock, factors, sum[column]);
    }
  }
}

void add_scaled(const float* const* columns, const float* weights, std::int64_t n,
                const double* factors, double* sums) {
  for (std::int64_t row = 0; row < n; row += kRoughRows) {
    const std::int64_t n_rows = n - row < kRoughRows ? n - row : kRoughRows;
    const float* from[kRoughColumns];
    for (int column = 0; column < kRoughColumns; ++column) from[column] = columns[column] + row;
    for (int lane = 0; lane < kBlock; lane += kPass) {
      add_products_of(from, weights + row * kBlock + lane, n_rows,
                      factors == nullptr ? nullptr : factors + lane, sums + lane);
    }
  }
}

void add_products(const float* const* columns, const float* weights, std::int64_t n, double* sums) {
  add_scaled(columns, weights, n, nullptr, sums);
}

void add_rows(const std::int32_t* rows, std::int64_t n, const float* weights, double* sums) {
  for (std::int64_t first = 0; first < n; first += kRoughRows) {
    const std::int64_t last = n - first < kRoughRows ? n : first + kRoughRows;
    for (int lane = 0; lane < kBlock; lane += kPass) {
      Floats sum[kVectorsAtOnce] = {};
      for (std::int64_t i = first; i < last; ++i) {
        const float* weight = weights + std::int64_t{rows[i]} * kBlock + lane;
        BBC_UNROLL(8)
        for (int v = 0; v < kVectorsAtOnce; ++v) sum[v] += load(weight + v * kFloats);
      }
      add_to(sums + lane, sum);
    }
  }
}

inline const float* weight_of(std::uint32_t step, const float* weights) {
  return weights + static_cast<std::int64_t>(step >> RoughStep::kRowShift) * kBlock;
}

/// Steps from `first` that end with a tie or after about kRoughRows.
inline std::int64_t end_of_chunk(const std::uint32_t* steps, std::int64_t first, std::int64_t n) {
  std::int64_t last = n - first < kRoughRows ? n : first + kRoughRows;
  while (last < n && (steps[last - 1] & RoughStep::kTied) != 0) ++last;
  return last;
}

/// Lanes of a walk that adds up pairs.
constexpr int kWalk = kFloats * kWalkVectors;

/// Adds the pairs of some steps with each other and with what is `low` so far.
BBC_ALWAYS_INLINE void walk_pairs(const std::uint32_t* at, const std::uint32_t* last,
                                  const float* weights, Floats (&pairs)[kWalkVectors],
                                  Floats (&low)[kWalkVectors], Floats (&high)[kWalkVectors]) {
  while (at != last) {
    if ((*at & RoughStep::kTied) == 0) {
      const float* weight = weight_of(*at, weights);
      if ((*at & RoughStep::kPositive) == 0) {
        BBC_UNROLL(8)
        for (int v = 0; v < kWalkVectors; ++v) low[v] += load(weight + v * kFloats);
      } else {
        BBC_UNROLL(8)
        for (int v = 0; v < kWalkVectors; ++v) {
          const Floats own = load(weight + v * kFloats);
          pairs[v] += own * low[v];
          high[v] += own;
        }
      }
      ++at;
      continue;
    }
    Floats tied[2][kWalkVectors] = {};
    for (bool goes_on = true; goes_on; ++at) {
      const float* weight = weight_of(*at, weights);
      Floats* own = tied[(*at & RoughStep::kPositive) != 0 ? 1 : 0];
      for (int v = 0; v < kWalkVectors; ++v) own[v] += load(weight + v * kFloats);
      goes_on = (*at & RoughStep::kTied) != 0;
    }
    for (int v = 0; v < kWalkVectors; ++v) {
      pairs[v] += tied[1][v] * (low[v] + 0.5F * tied[0][v]);
      low[v] += tied[0][v];
      high[v] += tied[1][v];
    }
  }
}

/// Pairs of a chunk's rows with each other, and the weights of its classes.
BBC_NEVER_INLINE void pairs_of_chunk(const std::uint32_t* at, const std::uint32_t* last,
                                     const float* weights, Floats (&twice)[kWalkVectors],
                                     Floats (&below)[kWalkVectors],
                                     Floats (&positives)[kWalkVectors]) {
  Floats pairs[kWalkVectors] = {};
  Floats low[kWalkVectors] = {};
  Floats high[kWalkVectors] = {};
  walk_pairs(at, last, weights, pairs, low, high);
  for (int v = 0; v < kWalkVectors; ++v) {
    twice[v] = pairs[v] + pairs[v];
    below[v] = low[v];
    positives[v] = high[v];
  }
}

void add_pairs(const std::uint32_t* steps, std::int64_t n, const float* weights, double* sums) {
  for (int lane = 0; lane < kBlock; lane += kWalk) {
    double before[kWalk] = {};
    for (std::int64_t first = 0; first < n;) {
      const std::int64_t last = end_of_chunk(steps, first, n);
      Floats twice[kWalkVectors];
      Floats below[kWalkVectors];
      Floats positives[kWalkVectors];
      pairs_of_chunk(steps + first, steps + last, weights + lane, twice, below, positives);
      float own[3][kWalk];
      BBC_COPY(own[0], twice, sizeof own[0]);
      BBC_COPY(own[1], below, sizeof own[1]);
      BBC_COPY(own[2], positives, sizeof own[2]);
      for (int l = 0; l < kWalk; ++l) {
        sums[lane + l] += own[0][l] + 2.0 * before[l] * own[2][l];
        before[l] += own[1][l];
      }
      first = last;
    }
  }
}

/// Pairs of a few short walks; returns where the next one begins.
BBC_NEVER_INLINE const std::uint32_t* pairs_of_walks(const std::uint32_t* at,
                                                     const std::uint32_t* last,
                                                     const float* weights,
                                                     Floats (&twice)[kWalkVectors]) {
  Floats pairs[kWalkVectors] = {};
  std::int64_t n_steps = 0;
  while (at != last && n_steps < kRoughRows) {
    const std::uint32_t* end = at + 1 + *at;
    n_steps += *at;
    Floats low[kWalkVectors] = {};
    Floats high[kWalkVectors] = {};
    walk_pairs(at + 1, end, weights, pairs, low, high);
    at = end;
  }
  for (int v = 0; v < kWalkVectors; ++v) twice[v] = pairs[v] + pairs[v];
  return at;
}

void add_walks(const std::uint32_t* words, std::int64_t n, const float* weights, double* sums) {
  for (int lane = 0; lane < kBlock; lane += kWalk) {
    for (const std::uint32_t* at = words; at != words + n;) {
      Floats twice[kWalkVectors];
      at = pairs_of_walks(at, words + n, weights + lane, twice);
      float own[kWalk];
      BBC_COPY(own, twice, sizeof own);
      for (int l = 0; l < kWalk; ++l) sums[lane + l] += own[l];
    }
  }
}

/// Goes on from the weights of both classes so far.
BBC_NEVER_INLINE void precisions_of_chunk(const std::uint32_t* at, const std::uint32_t* last,
                                          const float* weights, Floats (&called)[2][kVectorsAtOnce],
                                          Floats (&areas)[kVectorsAtOnce]) {
  Floats area[kVectorsAtOnce] = {};
  Floats wrong[kVectorsAtOnce];
  Floats right[kVectorsAtOnce];
  for (int v = 0; v < kVectorsAtOnce; ++v) {
    wrong[v] = called[0][v];
    right[v] = called[1][v];
  }
  constexpr float kTiny = 1e-30F;  // where nothing is called yet, it keeps 0 / 0 away
  while (at != last) {
    const float* weight = weight_of(*at, weights);
    if ((*at & RoughStep::kTied) == 0) {
      if ((*at & RoughStep::kPositive) == 0) {
        BBC_UNROLL(8)
        for (int v = 0; v < kVectorsAtOnce; ++v) wrong[v] += load(weight + v * kFloats);
      } else {
        BBC_UNROLL(8)
        for (int v = 0; v < kVectorsAtOnce; ++v) {
          const Floats own = load(weight + v * kFloats);
          right[v] += own;
          area[v] += own * right[v] / (right[v] + wrong[v] + kTiny);
        }
      }
      ++at;
      continue;
    }
    Floats own[kVectorsAtOnce] = {};
    for (bool goes_on = true; goes_on; ++at) {
      const float* of_row = weight_of(*at, weights);
      const bool positive = (*at & RoughStep::kPositive) != 0;
      for (int v = 0; v < kVectorsAtOnce; ++v) {
        (positive ? own : wrong)[v] += load(of_row + v * kFloats);
      }
      goes_on = (*at & RoughStep::kTied) != 0;
    }
    for (int v = 0; v < kVectorsAtOnce; ++v) {
      right[v] += own[v];
      area[v] += own[v] * right[v] / (right[v] + wrong[v] + kTiny);
    }
  }
  for (int v = 0; v < kVectorsAtOnce; ++v) {
    called[0][v] = wrong[v];
    called[1][v] = right[v];
    areas[v] = area[v];
  }
}

void add_precisions(const std::uint32_t* steps, std::int64_t n, const float* weights,
                    double* sums) {
  for (int lane = 0; lane < kBlock; lane += kPass) {
    Floats called[2][kVectorsAtOnce] = {};
    for (std::int64_t first = 0; first < n;) {
      const std::int64_t last = end_of_chunk(steps, first, n);
      Floats areas[kVectorsAtOnce];
      precisions_of_chunk(steps + first, steps + last, weights + lane, called, areas);
      add_to(sums + lane, areas);
      first = last;
    }
  }
}

BBC_NEVER_INLINE void ranks_of_chunk(const std::uint32_t* at, const std::uint32_t* last,
                                     const float* weights, const float* truth, const float* all,
                                     Floats (&below)[kVectorsAtOnce],
                                     Floats (&mixed)[kVectorsAtOnce],
                                     Floats (&squares)[kVectorsAtOnce]) {
  Floats low[kVectorsAtOnce];  // twice the weight below, less all
  Floats products[kVectorsAtOnce] = {};
  Floats own_squares[kVectorsAtOnce] = {};
  for (int v = 0; v < kVectorsAtOnce; ++v) low[v] = below[v] - load(all + v * kFloats);
  while (at != last) {
    const bool tied = (*at & RoughStep::kTied) != 0;
    Floats weight[kVectorsAtOnce];
    Floats of_truth[kVectorsAtOnce];
    const float* of_row = weight_of(*at, weights);
    const float* rank_of_row = weight_of(*at, truth);
    BBC_UNROLL(8)
    for (int v = 0; v < kVectorsAtOnce; ++v) {
      weight[v] = load(of_row + v * kFloats);
      of_truth[v] = load(rank_of_row + v * kFloats);
    }
    ++at;
    if (tied) {
      for (bool goes_on = true; goes_on; ++at) {
        const float* more = weight_of(*at, weights);
        const float* more_of_truth = weight_of(*at, truth);
        for (int v = 0; v < kVectorsAtOnce; ++v) {
          weight[v] += load(more + v * kFloats);
          of_truth[v] += load(more_of_truth + v * kFloats);
        }
        goes_on = (*at & RoughStep::kTied) != 0;
      }
    }
    BBC_UNROLL(8)
    for (int v = 0; v < kVectorsAtOnce; ++v) {
      const Floats rank = low[v] + weight[v];
      low[v] = rank + weight[v];
      products[v] += rank * of_truth[v];
      own_squares[v] += rank * rank * weight[v];
    }
  }
  for (int v = 0; v < kVectorsAtOnce; ++v) {
    below[v] = low[v] + load(all + v * kFloats);
    mixed[v] = products[v];
    squares[v] = own_squares[v];
  }
}

void add_ranks(const std::uint32_t* steps, std::int64_t n, const float* weights, const float* truth,
               const float* all, double* mixed, double* squares) {
  for (int lane = 0; lane < kBlock; lane += kPass) {
    Floats below[kVectorsAtOnce] = {};
    for (std::int64_t first = 0; first < n;) {
      const std::int64_t last = end_of_chunk(steps, first, n);
      Floats own_mixed[kVectorsAtOnce];
      Floats own_squares[kVectorsAtOnce];
      ranks_of_chunk(steps + first, steps + last, weights + lane, truth + lane, all + lane, below,
                     own_mixed, own_squares);
      add_to(mixed + lane, own_mixed);
      add_to(squares + lane, own_squares);
      first = last;
    }
  }
}

typedef double Doubles BBC_VECTOR(kVector);
constexpr int kDoubles = kVector / 8;

/// What is left of a - b * c, where b * c is nearly a: exact, like Dekker's product.
template <class Number>
inline Number left_of(Number a, Number b, Number c) {
  constexpr double kSplit = 0x1p27 + 1.0;
  const Number b_scaled = kSplit * b;
  const Number b_high = b_scaled - (b_scaled - b);
  const Number b_low = b - b_high;
  const Number c_scaled = kSplit * c;
  const Number c_high = c_scaled - (c_scaled - c);
  const Number c_low = c - c_high;
  const Number product = b * c;
  const Number low =
      ((b_high * c_high - product) + b_high * c_low + b_low * c_high) + b_low * c_low;
  return (a - product) - low;
}

template <class Number>
inline Number magnitude_of(Number a) {
  return a < 0.0 ? -a : a;
}

/// Lanes are n_lanes apart; Number is a double or a vector of them.
template <class Number>
inline void sum_precisions_as(const std::uint32_t* steps, std::int64_t n, const double* weights,
                              int n_lanes, double* sum, double* rest, double* lost) {
  Number wrong = {};
  Number right = {};
  Number own = {};  // positives of the current tie
  Number area = {};
  Number compensation = {};
  Number magnitude = {};
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t step = steps[i];
    const double* of_row =
        weights + static_cast<std::int64_t>(step >> RoughStep::kRowShift) * n_lanes;
    Number weight;  // copied: template arguments lose the alignment of their type
    BBC_COPY(&weight, of_row, sizeof weight);
    const bool tied = (step & RoughStep::kTied) != 0;
    if ((step & RoughStep::kPositive) == 0) {
      wrong += weight;
      // Nothing ends here, or one row that is not positive.
      if (tied || i == 0 || (steps[i - 1] & RoughStep::kTied) == 0) continue;
    } else {
      right += weight;
      own += weight;
      if (tied) continue;
    }
    const Number called = right + wrong;
    const Number divisor = called > 0.0 ? called : called + 1.0;
    const Number pairs = own * right;
    const Number inverse = 1.0 / divisor;
    const Number quotient = pairs * inverse;
    const Number left = left_of(pairs, quotient, divisor) * inverse;
    const Number next = area + quotient;
    const Number virtual_quotient = next - area;
    const Number low = (area - (next - virtual_quotient)) + (quotient - virtual_quotient);
    compensation += low + left;
    magnitude += magnitude_of(low) + magnitude_of(left);
    area = next;
    own = own - own;
  }
  BBC_COPY(sum, &area, sizeof area);
  BBC_COPY(rest, &compensation, sizeof area);
  BBC_COPY(lost, &magnitude, sizeof area);
}

void sum_precisions(const std::uint32_t* steps, std::int64_t n, const double* weights, double* sum,
                    double* rest, double* lost) {
  for (int lane = 0; lane < kExactLanes; lane += kDoubles) {
    sum_precisions_as<Doubles>(steps, n, weights + lane, kExactLanes, sum + lane, rest + lane,
                               lost + lane);
  }
}

void sum_precisions_of_one(const std::uint32_t* steps, std::int64_t n, const double* weights,
                           double* sum, double* rest, double* lost) {
  sum_precisions_as<double>(steps, n, weights, 1, sum, rest, lost);
}

constexpr RoughKernel kKernel{add_products, add_scaled,     add_rows,
                              add_pairs,    add_walks,      add_precisions,
                              add_ranks,    sum_precisions, sum_precisions_of_one};
