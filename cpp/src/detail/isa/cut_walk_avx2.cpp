#include "detail/isa/cut_walk.hpp"
#include "detail/isa/simd.hpp"

#ifdef BBC_X86
#include <immintrin.h>

BBC_BEGIN_AVX2

namespace bbc::detail {
namespace {

constexpr int kBytes = 32;
constexpr int kVectors = 2;
typedef float Floats BBC_VECTOR(kBytes);
typedef double Doubles BBC_VECTOR(kBytes);

void widen(const std::uint8_t* from, Floats* to) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  *to = (Floats)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
}
void widen(const std::uint8_t* from, Doubles* to) {
  std::int32_t bytes;
  BBC_COPY(&bytes, from, sizeof bytes);
  *to = (Doubles)_mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(bytes)));
}

#include "detail/isa/cut_walk_loops.hpp"

}  // namespace

const CutLoops kCutLoopsAvx2{best<float>, best<double>};

}  // namespace bbc::detail

BBC_END_TARGET
#endif
