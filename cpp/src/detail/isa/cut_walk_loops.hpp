// Pasted into a namespace for each instruction set, which defines kBytes, the size of a vector,
// kVectors, how many of them are walked side by side, and widen(bytes, to), which converts.

template <class Real>
struct CutState {
  static constexpr int kWide = kBytes / static_cast<int>(sizeof(Real));
  typedef Real Reals BBC_VECTOR(kBytes);

  Reals above[2][kVectors];  // negative and positive rows above the cut
  Reals numerator[kVectors];
  Reals denominator[kVectors];
  Reals a[3][kVectors];
  Reals b[3][kVectors];
  Reals rows[kVectors];  // MCC

  static Reals load(const double* from) {
    Reals values;
    for (int l = 0; l < kWide; ++l) values[l] = static_cast<Real>(from[l]);
    return values;
  }

  CutState(const CutFormulas& formulas, int first) {
    for (int v = 0; v < kVectors; ++v) {
      const int lane = first + v * kWide;
      above[0][v] = load(formulas.negatives + lane);
      above[1][v] = load(formulas.positives + lane);
      for (int i = 0; i < 3; ++i) {
        a[i][v] = load(formulas.a[i] + lane);
        b[i][v] = load(formulas.b[i] + lane);
      }
      rows[v] = above[0][v] + above[1][v];
      // Below all values; where 0 / 0 counts as 0, that is the lowest cut's.
      switch (formulas.kind) {
        case CutFormulas::Kind::share:
          start(v, Real{-1}, Real{1});
          break;
        case CutFormulas::Kind::rate:
          start(v, Real{-1}, Real{0});
          break;
        case CutFormulas::Kind::ratio:
        case CutFormulas::Kind::mcc:
          start(v, Real{0}, Real{1});
      }
    }
  }
  void start(int v, Real n, Real d) {
    numerator[v] = Reals{} + n;
    denominator[v] = Reals{} + d;
  }

  void take(const std::uint8_t* line, int code) {
    for (int v = 0; v < kVectors; ++v) {
      Reals counts;
      widen(line + v * kWide, &counts);
      above[code][v] -= counts;
    }
  }

  template <CutFormulas::Kind kKind>
  void try_cut() {
    for (int v = 0; v < kVectors; ++v) {
      const Reals fp = above[0][v];
      const Reals tp = above[1][v];
      switch (kKind) {
        case CutFormulas::Kind::share: {
          const Reals value = a[0][v] + a[1][v] * tp + a[2][v] * fp;
          numerator[v] = value > numerator[v] ? value : numerator[v];
          break;
        }
        case CutFormulas::Kind::rate:
          keep_better(v, tp, b[0][v] + b[1][v] * tp + fp);
          break;
        case CutFormulas::Kind::ratio:
          keep_better(v, a[0][v] + a[1][v] * tp + a[2][v] * fp,
                      b[0][v] + b[1][v] * tp + b[2][v] * fp);
          break;
        case CutFormulas::Kind::mcc: {
          const Reals both = a[1][v] * tp + a[2][v] * fp;
          const Reals calls = tp + fp;
          keep_better(v, both * (both < 0 ? -both : both), calls * (rows[v] - calls));
        }
      }
    }
  }
  void keep_better(int v, Reals n, Reals d) {
    const auto better = n * denominator[v] > numerator[v] * d;
    numerator[v] = better ? n : numerator[v];
    denominator[v] = better ? d : denominator[v];
  }
};

template <class Real, CutFormulas::Kind kKind>
void walk(const CutProgram& program, const std::uint8_t* lines, const CutFormulas& formulas,
          CutValues* best) {
  using State = CutState<Real>;
  constexpr int kTogether = State::kWide * kVectors;
  for (int first = 0; first < kBlock; first += kTogether) {
    State state(formulas, first);
    const std::uint8_t* own = lines + first;
    const std::uint32_t* at = program.data();
    const std::uint32_t* const end = at + program.size();
    for (;;) {
      state.template try_cut<kKind>();
      if (at == end) break;
      const std::uint32_t* const negatives = at + 2 + at[0];
      const std::uint32_t* const positives = negatives + at[1];
      for (at += 2; at != negatives; ++at) state.take(own + *at, 0);
      for (; at != positives; ++at) state.take(own + *at, 1);
    }
    for (int v = 0; v < kVectors; ++v) {
      for (int l = 0; l < State::kWide; ++l) {
        best->numerator[first + v * State::kWide + l] = static_cast<double>(state.numerator[v][l]);
        best->denominator[first + v * State::kWide + l] =
            static_cast<double>(state.denominator[v][l]);
      }
    }
  }
}

template <class Real>
void best(const CutProgram& program, const std::uint8_t* lines, const CutFormulas& formulas,
          CutValues* values) {
  switch (formulas.kind) {
    case CutFormulas::Kind::share:
      return walk<Real, CutFormulas::Kind::share>(program, lines, formulas, values);
    case CutFormulas::Kind::rate:
      return walk<Real, CutFormulas::Kind::rate>(program, lines, formulas, values);
    case CutFormulas::Kind::ratio:
      return walk<Real, CutFormulas::Kind::ratio>(program, lines, formulas, values);
    case CutFormulas::Kind::mcc:
      return walk<Real, CutFormulas::Kind::mcc>(program, lines, formulas, values);
  }
}
