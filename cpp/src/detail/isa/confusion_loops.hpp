// Pasted into a namespace for each instruction set, which defines Doubles, kWide, how many of them
// a vector has, widen(counts), which converts 16-bit ones, and root(values).

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

  /// The ratio of a class, `mine` being its wrong labels and `theirs` those of the other one.
  Doubles ratio(int code, Doubles mine, Doubles theirs) const {
    const Doubles right = rows[code] - mine;
    const Doubles form[ConfusionOrder::kTerms] = {right, rows[code], right + theirs, rows[1 - code],
                                                  rows[1 - code] - theirs};
    Doubles numerator = {};
    Doubles denominator = {};
    for (int i = 0; i < ConfusionOrder::kTerms; ++i) {
      numerator += order.numerator[i] * form[i];
      denominator += order.denominator[i] * form[i];
    }
    return quotient(numerator, denominator);
  }

  Doubles operator()(Doubles first_wrong, Doubles second_wrong) const {
    const Doubles predicted = rows[1] - second_wrong + first_wrong;
    const Doubles n = rows[0] + rows[1];
    // n^2 times half the covariance of truth and prediction as indicator vectors.
    const Doubles both = rows[1] * (rows[0] - first_wrong) - rows[0] * second_wrong;
    const Doubles rest = n - predicted;
    switch (kKind) {
      case Kind::quotient:
        return ratio(1, second_wrong, first_wrong);
      case Kind::balanced:
        return (rows[0] - first_wrong) * other[0] + (rows[1] - second_wrong) * other[1];
      case Kind::kappa:
        return quotient(both + both, n * n - rows[0] * rest - rows[1] * predicted);
      case Kind::mcc:
        return quotient(both * (both < 0.0 ? -both : both), predicted * rest);
      case Kind::average:  // only added up
      case Kind::corner:
        break;
    }
    return Doubles{};
  }
};

/// A value of one part, as it counts in a sum over parts.
template <Kind kKind>
struct ConfusionShare {
  const ConfusionValue<kKind> value;
  Doubles factors[2];
  Doubles inverse;  // of the product of the rows of both classes

  ConfusionShare(const ConfusionOrder& of, int word) : value(of, word) {
    for (int code = 0; code < 2; ++code) {
      factors[code] = *reinterpret_cast<const Doubles*>(of.factors[code] + word);
    }
    inverse = 1.0 / (value.other[0] * value.other[1]);
  }

  Doubles operator()(Doubles first_wrong, Doubles second_wrong) const {
    switch (kKind) {
      case Kind::average:
        return factors[0] * value.ratio(0, first_wrong, second_wrong) +
               factors[1] * value.ratio(1, second_wrong, first_wrong);
      case Kind::corner: {
        const Doubles missed = second_wrong * value.other[1] * inverse;
        const Doubles false_calls = first_wrong * value.other[0] * inverse;
        return factors[0] * root(missed * missed + false_calls * false_calls);
      }
      case Kind::mcc: {
        const Doubles own = value(first_wrong, second_wrong);
        const Doubles size = root((own < 0.0 ? -own : own) * inverse);
        return factors[0] * (own < 0.0 ? -size : size);
      }
      case Kind::quotient:
      case Kind::kappa:
        return factors[0] * value(first_wrong, second_wrong);
      case Kind::balanced:  // wrong labels of each class are added up instead
        break;
    }
    return Doubles{};
  }
};

template <Kind kKind, class Count>
void add_each_of(const ConfusionOrder& order, const ConfusionPanel<Count>& panel, double* sums) {
  for (int word = 0; word < kBlock; word += kWide) {
    const ConfusionShare<kKind> share(order, word);
    for (std::int64_t j = 0; j < panel.n_configurations; ++j) {
      *reinterpret_cast<Doubles*>(sums + j * kBlock + word) += share(
          widen(panel.wrong[0] + j * kBlock + word), widen(panel.wrong[1] + j * kBlock + word));
    }
  }
}

template <class Count>
void add_each(const ConfusionOrder& order, const ConfusionPanel<Count>& panel, double* sums) {
  switch (order.kind) {
    case Kind::quotient:
      return add_each_of<Kind::quotient>(order, panel, sums);
    case Kind::average:
      return add_each_of<Kind::average>(order, panel, sums);
    case Kind::kappa:
      return add_each_of<Kind::kappa>(order, panel, sums);
    case Kind::mcc:
      return add_each_of<Kind::mcc>(order, panel, sums);
    case Kind::corner:
      return add_each_of<Kind::corner>(order, panel, sums);
    case Kind::balanced:  // wrong labels of each class are added up instead
      break;
  }
}

template <class Count>
void add_first(const ConfusionPanel<Count>& panel, const double* factors, double* sums) {
  for (std::int64_t j = 0; j < panel.n_configurations; ++j) {
    for (int word = 0; word < kBlock; word += kWide) {
      *reinterpret_cast<Doubles*>(sums + j * kBlock + word) +=
          *reinterpret_cast<const Doubles*>(factors + word) *
          widen(panel.wrong[0] + j * kBlock + word);
    }
  }
}

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
    case Kind::average:  // only added up
    case Kind::corner:
      break;
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
    case Kind::average:  // only added up
    case Kind::corner:
      break;
  }
}

constexpr ConfusionKernel kKernel{{find_best<std::uint16_t>, count_below<std::uint16_t>,
                                   add_each<std::uint16_t>, add_first<std::uint16_t>},
                                  {find_best<std::int64_t>, count_below<std::int64_t>,
                                   add_each<std::int64_t>, add_first<std::int64_t>}};
