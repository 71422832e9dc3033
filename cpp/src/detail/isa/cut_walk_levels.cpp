#include "detail/isa/cut_walk.hpp"
#include "detail/isa/simd.hpp"

#ifdef BBC_X86
#include <immintrin.h>
#endif

namespace bbc::detail {
namespace portable {
namespace {
constexpr int kBytes = 16;
constexpr int kVectors = 4;
typedef float Floats BBC_VECTOR(kBytes);
typedef double Doubles BBC_VECTOR(kBytes);

void widen(const std::uint8_t* from, Floats* to) {
  *to = Floats{static_cast<float>(from[0]), static_cast<float>(from[1]),
               static_cast<float>(from[2]), static_cast<float>(from[3])};
}
void widen(const std::uint8_t* from, Doubles* to) {
  *to = Doubles{static_cast<double>(from[0]), static_cast<double>(from[1])};
}

#include "detail/isa/cut_walk_loops.hpp"
}  // namespace
}  // namespace portable
const CutLoops kCutLoopsPortable{portable::best<float>, portable::best<double>};

#ifdef BBC_X86
BBC_BEGIN_AVX2
namespace avx2 {
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
}  // namespace avx2
BBC_END_TARGET
const CutLoops kCutLoopsAvx2{avx2::best<float>, avx2::best<double>};

BBC_BEGIN_AVX512
namespace avx512 {
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
}  // namespace avx512
BBC_END_TARGET
const CutLoops kCutLoopsAvx512{avx512::best<float>, avx512::best<double>};
#endif

}  // namespace bbc::detail
