#pragma once

#include <cstdint>
#include <vector>

#include "detail/isa/simd.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// The cuts of a configuration's scores, from below, as segments of rows that fall below together:
/// the number of negative and of positive rows, and the lines of these rows in a LaneTable. A
/// metric never gets better when positive rows fall below, or worse when negative ones do: only
/// cuts that have a negative row directly below and a positive one directly above are tried,
/// besides the lowest and the highest.
using CutProgram = std::vector<std::uint32_t>;

/// How a value is made of a replicate's true and false positives, TP and FP.
struct CutFormulas {
  enum class Kind {
    share,  ///< a0 + a1 TP + a2 FP
    rate,   ///< TP / (b0 + b1 TP + FP)
    ratio,  ///< (a0 + a1 TP + a2 FP) / (b0 + b1 TP + b2 FP)
    mcc,    ///< c |c| / (k (n - k)) with c = N TP - P FP and the calls k = TP + FP
  };
  Kind kind = Kind::share;
  alignas(64) double positives[kBlock];
  alignas(64) double negatives[kBlock];
  alignas(64) double a[3][kBlock];
  alignas(64) double b[3][kBlock];
};

/// The best value of a configuration's cuts, by replicate, as a quotient.
struct CutValues {
  alignas(64) double numerator[kBlock];
  alignas(64) double denominator[kBlock];
};

/// The loops for one instruction set. Numbers that are whole and small enough for products of a
/// numerator and a denominator to be exact give the best value; else each comparison of two cuts
/// may err by the rounding of the two products.
struct CutLoops {
  void (*in_float)(const CutProgram& program, const std::uint8_t* lines,
                   const CutFormulas& formulas, CutValues* best);
  void (*in_double)(const CutProgram& program, const std::uint8_t* lines,
                    const CutFormulas& formulas, CutValues* best);
};

extern const CutLoops kCutLoopsPortable;
extern const CutLoops kCutLoopsAvx2;
extern const CutLoops kCutLoopsAvx512;

[[nodiscard]] inline const CutLoops& cut_loops(SimdLevel level) {
  return BBC_OF_LEVEL(level, kCutLoops);
}

}  // namespace bbc::detail
