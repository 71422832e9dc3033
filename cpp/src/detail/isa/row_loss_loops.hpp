// The inner loops of losses per row for vectors of kVector bytes, included once per
// instruction set, into a namespace of its own.

typedef double Doubles BBC_LOOSE_VECTOR(kVector, 8);
typedef std::int64_t Masks BBC_VECTOR(kVector);

constexpr int kDoubles = kVector / 8;

void accumulate(const std::int32_t* sums, int n_lanes, double unit, bool fresh, double* costs) {
  const int n = n_lanes * kGridTile;
  if (fresh) {
    for (int i = 0; i < n; ++i) costs[i] = unit * sums[i];
  } else {
    for (int i = 0; i < n; ++i) costs[i] += unit * sums[i];
  }
}

std::uint64_t at_most(const double* costs, double limit) {
  Masks lanes;
  for (int lane = 0; lane < kDoubles; ++lane) lanes[lane] = std::int64_t{1} << lane;
  Masks bits = {};
  for (int i = 0; i < kGridTile; i += kDoubles) {
    bits |= (*reinterpret_cast<const Doubles*>(costs + i) <= limit) & lanes << i;
  }
  std::int64_t which = 0;
  for (int lane = 0; lane < kDoubles; ++lane) which |= bits[lane];
  return static_cast<std::uint64_t>(which);
}

double smallest(const double* costs, int n) {
  Doubles smallest = Doubles{} + costs[0];
  int i = 0;
  for (; i + kDoubles <= n; i += kDoubles) {
    const Doubles cost = *reinterpret_cast<const Doubles*>(costs + i);
    smallest = cost < smallest ? cost : smallest;
  }
  double found = costs[0];
  for (; i < n; ++i) found = costs[i] < found ? costs[i] : found;
  for (int lane = 0; lane < kDoubles; ++lane)
    found = smallest[lane] < found ? smallest[lane] : found;
  return found;
}

constexpr double kLargestDouble = 1.7976931348623157e308;

bool costs(const LossRow& row, const double* predictions, double largest, double* costs) {
  using Kind = metric::RowLoss::Kind;
  const double truth = row.truth;
  const double alpha = row.alpha;
  switch (row.kind) {
#define BBC_LOSS_OF_vector(kind, formula)  \
  case Kind::kind:                         \
    for (int j = 0; j < kGridTile; ++j) {  \
      const double value = predictions[j]; \
      costs[j] = formula;                  \
    }                                      \
    break;
// They are computed elsewhere.
#define BBC_LOSS_OF_scalar(kind, formula) \
  case Kind::kind:                        \
    return false;
#define BBC_VALUE_LOSS(kind, form, truths, predictions, needs, formula) \
  BBC_LOSS_OF_##form(kind, formula)
#define BBC_CLASS_LOSS(kind, form, largest, formula, of_several) BBC_LOSS_OF_##form(kind, formula)
#define BBC_LABEL_LOSS(kind, largest, formula) BBC_LOSS_OF_scalar(kind, formula)
#include <bbc/metrics.inc>
#undef BBC_LOSS_OF_vector
#undef BBC_LOSS_OF_scalar
  }
  if (row.sign < 0.0) {
    for (int j = 0; j < kGridTile; ++j) costs[j] = -costs[j];
  }
  const double lowest = row.of_probabilities ? 0.0 : -kLargestDouble;
  const double highest = row.of_probabilities ? 1.0 : kLargestDouble;
  Masks inside = ~Masks{};
  for (int j = 0; j < kGridTile; j += kDoubles) {
    const Doubles prediction = *reinterpret_cast<const Doubles*>(predictions + j);
    const Doubles cost = *reinterpret_cast<const Doubles*>(costs + j);
    inside &= (prediction >= lowest) & (prediction <= highest);
    inside &= (cost >= -largest) & (cost <= largest);
  }
  bool all = true;
  for (int i = 0; i < kDoubles; ++i) all = all && inside[i] != 0;
  return all;
}

void range(const double* costs, double* lowest, double* highest) {
  for (int j = 0; j < kGridTile; ++j) {
    lowest[j] = costs[j] < lowest[j] ? costs[j] : lowest[j];
    highest[j] = costs[j] > highest[j] ? costs[j] : highest[j];
  }
}

/// What rounding lost when `before + term` became `after`. By value: a reference to a vector would
/// promise an alignment that the callers' vectors do not have.
template <class Number>
inline Number lost(Number term, Number before, Number after) {
  const Number virtual_term = after - before;
  return (before - (after - virtual_term)) + (term - virtual_term);
}

/// A term has 26 bits, its rest the other 27: times an integer below 2^26 both are exact. `low` is
/// what the value lacks, or null.
inline void add_product(const double* values, const double* low, const double* weights,
                        Doubles& sum, Doubles& rest) {
  const Masks upper_bits = Masks{} + static_cast<std::int64_t>(~std::uint64_t{0x7FFFFFF});
  const Doubles value = *reinterpret_cast<const Doubles*>(values);
  const Doubles weight = *reinterpret_cast<const Doubles*>(weights);
  const auto upper = (Doubles)((Masks)value & upper_bits);
  const Doubles term = weight * upper;
  const Doubles next = sum + term;
  Doubles lower = value - upper;
  if (low != nullptr) lower += *reinterpret_cast<const Doubles*>(low);
  rest += weight * lower;
  rest += lost(term, sum, next);
  sum = next;
}

template <bool kHasLow>
inline void add_products(const double* values, const double* low, const double* weights,
                         std::int64_t n, CompensatedSum& to) {
  constexpr int kChains = 4;  // independent of each other, or the latency would rule
  const auto low_of = [&](std::int64_t at) { return kHasLow ? low + at : nullptr; };
  Doubles sums[kChains] = {};
  Doubles rests[kChains] = {};
  std::int64_t i = 0;
  for (; i + kChains * kDoubles <= n; i += kChains * kDoubles) {
    BBC_UNROLL(4)
    for (int chain = 0; chain < kChains; ++chain) {
      const std::int64_t at = i + chain * kDoubles;
      add_product(values + at, low_of(at), weights + at, sums[chain], rests[chain]);
    }
  }
  for (; i + kDoubles <= n; i += kDoubles) {
    add_product(values + i, low_of(i), weights + i, sums[0], rests[0]);
  }
  if (i < n) {
    double last_values[kDoubles] = {};
    double last_low[kDoubles] = {};
    double last_weights[kDoubles] = {};
    for (int lane = 0; i + lane < n; ++lane) {
      last_values[lane] = values[i + lane];
      if (kHasLow) last_low[lane] = low[i + lane];
      last_weights[lane] = weights[i + lane];
    }
    add_product(last_values, kHasLow ? last_low : nullptr, last_weights, sums[1], rests[1]);
  }
  for (int half = kChains / 2; half > 0; half /= 2) {
    for (int chain = 0; chain < half; ++chain) {
      const Doubles next = sums[chain] + sums[chain + half];
      rests[chain] += rests[chain + half];
      rests[chain] += lost(sums[chain + half], sums[chain], next);
      sums[chain] = next;
    }
  }
  double sum[kDoubles];
  double rest[kDoubles];
  *reinterpret_cast<Doubles*>(sum) = sums[0];
  *reinterpret_cast<Doubles*>(rest) = rests[0];
  for (int half = kDoubles / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) {
      const double next = sum[lane] + sum[lane + half];
      rest[lane] += rest[lane + half];
      rest[lane] += lost(sum[lane + half], sum[lane], next);
      sum[lane] = next;
    }
  }
  const double total = to.sum + sum[0];
  to.rest += rest[0];
  to.rest += lost(sum[0], to.sum, total);
  to.sum = total;
}

void add(const double* values, const double* weights, std::int64_t n, CompensatedSum& to) {
  add_products<false>(values, nullptr, weights, n, to);
}

void add_exact(const double* values, const double* low, const double* weights, std::int64_t n,
               CompensatedSum& to) {
  add_products<true>(values, low, weights, n, to);
}

constexpr RowLossKernel kKernel{accumulate, at_most, smallest, costs, range, add, add_exact};
