// Pasted into one source for each instruction set, which defines Doubles, kWide, how many of them
// a vector has, and widen(counts), which converts 16-bit ones.

using Kind = ConfusionOrder::Kind;

constexpr std::int64_t kTile = 64;  // configurations whose counts stay in the first-level cache

Doubles widen(const std::int64_t* counts) {
  Doubles values;
  for (int l = 0; l < kWide; ++l) values[l] = static_cast<double>(counts[l]);
  return values;
}

/// All forms are whole and small enough to be exact, but for a quotient's numbers of its own.
template <Kind kKind>
struct ConfusionValue {
  const ConfusionOrder& order;
  Doubles rows[2];
  Doubles other[2];  // what rows of the classes are multiplied by

  ConfusionValue(const ConfusionOrder& of, int word) : order(of) {
    for (int code = 0; code < 2; ++code) {
      rows[code] = *reinterpret_cast<const Doubles*>(of.rows[code] + word);
    }
    for (int code = 0; code < 2; ++code) {
      other[code] = rows[1 - code] > 0.0 ? rows[1 - code] : Doubles{} + 1.0;
    }
  }

  static Doubles quotient(Doubles numerator, Doubles denominator) {
    const auto defined = denominator > 0.0;
    return (defined ? numerator : Doubles{}) / (defined ? denominator : Doubles{} + 1.0);
  }

  Doubles operator()(Doubles first_wrong, Doubles second_wrong) const {
    if constexpr (kKind == Kind::balanced) {
      return (rows[0] - first_wrong) * other[0] + (rows[1] - second_wrong) * other[1];
    }
    const Doubles right = rows[1] - second_wrong;
    const Doubles predicted = right + first_wrong;
    if constexpr (kKind == Kind::quotient) {
      const Doubles form[ConfusionOrder::kTerms] = {right, rows[1], predicted, rows[0],
                                                    rows[0] - first_wrong};
      Doubles numerator = {};
      Doubles denominator = {};
      for (int i = 0; i < ConfusionOrder::kTerms; ++i) {
        numerator += order.numerator[i] * form[i];
        denominator += order.denominator[i] * form[i];
      }
      return quotient(numerator, denominator);
    }
    const Doubles n = rows[0] + rows[1];
    // n^2 times half the covariance of truth and prediction as indicator vectors.
    const Doubles both = rows[1] * (rows[0] - first_wrong) - rows[0] * second_wrong;
    const Doubles rest = n - predicted;
    if constexpr (kKind == Kind::kappa) {
      return quotient(both + both, n * n - rows[0] * rest - rows[1] * predicted);
    }
    return quotient(both * (both < 0.0 ? -both : both), predicted * rest);
  }
};

template <Kind kKind, class Count>
void best_of(const ConfusionOrder& order, const ConfusionPanel<Count>& panel, ConfusionBest* best) {
  for (std::int64_t from = 0; from < panel.n_configurations; from += kTile) {
    const std::int64_t left = panel.n_configurations - from;
    const std::int64_t to = from + (left < kTile ? left : kTile);
    for (int word = 0; word < kBlock; word += kWide) {
      const ConfusionValue<kKind> value(order, word);
      auto* const highest = reinterpret_cast<Doubles*>(best->value + word);
      auto* const where = reinterpret_cast<Doubles*>(best->where + word);
      Doubles of_highest = *highest;
      Doubles of_where = *where;
      Doubles configuration = Doubles{} + static_cast<double>(panel.first + from);
      for (std::int64_t j = from; j < to; ++j) {
        const Doubles own = value(widen(panel.wrong[0] + j * kBlock + word),
                                  widen(panel.wrong[1] + j * kBlock + word));
        const auto higher = own > of_highest;
        of_highest = higher ? own : of_highest;
        of_where = higher ? configuration : of_where;
        configuration += 1.0;
      }
      *highest = of_highest;
      *where = of_where;
    }
  }
}

template <Kind kKind, class Count>
void count_below_of(const ConfusionOrder& order, const ConfusionPanel<Count>& panel,
                    const double* limits, std::int64_t* counts) {
  for (int word = 0; word < kBlock; word += kWide) {
    const ConfusionValue<kKind> value(order, word);
    const Doubles limit = *reinterpret_cast<const Doubles*>(limits + word);
    for (std::int64_t j = 0; j < panel.n_configurations; ++j) {
      const Doubles own = value(widen(panel.wrong[0] + j * kBlock + word),
                                widen(panel.wrong[1] + j * kBlock + word));
      const auto below = own < limit;
      for (int l = 0; l < kWide; ++l) counts[j] -= below[l];
    }
  }
}

template <class Count>
void find_best(const ConfusionOrder& order, const ConfusionPanel<Count>& panel,
               ConfusionBest* best) {
  switch (order.kind) {
    case Kind::quotient:
      return best_of<Kind::quotient>(order, panel, best);
    case Kind::balanced:
      return best_of<Kind::balanced>(order, panel, best);
    case Kind::kappa:
      return best_of<Kind::kappa>(order, panel, best);
    case Kind::mcc:
      return best_of<Kind::mcc>(order, panel, best);
  }
}

template <class Count>
void count_below(const ConfusionOrder& order, const ConfusionPanel<Count>& panel,
                 const double* limits, std::int64_t* counts) {
  switch (order.kind) {
    case Kind::quotient:
      return count_below_of<Kind::quotient>(order, panel, limits, counts);
    case Kind::balanced:
      return count_below_of<Kind::balanced>(order, panel, limits, counts);
    case Kind::kappa:
      return count_below_of<Kind::kappa>(order, panel, limits, counts);
    case Kind::mcc:
      return count_below_of<Kind::mcc>(order, panel, limits, counts);
  }
}

constexpr ConfusionKernel kKernel{{find_best<std::uint16_t>, count_below<std::uint16_t>},
                                  {find_best<std::int64_t>, count_below<std::int64_t>}};
