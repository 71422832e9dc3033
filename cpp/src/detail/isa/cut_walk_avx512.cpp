#include "detail/isa/cut_walk.hpp"
#include "detail/isa/simd.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX512

namespace bbc::detail {
namespace {

constexpr int kBytes = 64;
constexpr int kVectors = 4;
typedef float Floats BBC_VECTOR(kBytes);
typedef double Doubles BBC_VECTOR(kBytes);

void widen(const std::uint8_t* from, Floats* to) {
  const __m128i bytes = _mm_load_si128(reinterpret_cast<const __m128i*>(from));
  *to = (Floats)_mm512_maskz_cvtepi32_ps(0xFFFF, _mm512_maskz_cvtepu8_epi32(0xFFFF, bytes));
}
void widen(const std::uint8_t* from, Doubles* to) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  *to = (Doubles)_mm512_maskz_cvtepi32_pd(0xFF, _mm256_cvtepu8_epi32(bytes));
}

#include "detail/isa/cut_walk_loops.hpp"

}  // namespace

const CutLoops kCutLoopsAvx512{best<float>, best<double>};

}  // namespace bbc::detail

BBC_END_TARGET
#endif
