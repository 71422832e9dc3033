#include "detail/isa/cut_walk.hpp"

namespace bbc::detail {

const CutLoops& cut_loops(SimdLevel level) {
#ifdef BBC_X86
  if (level >= SimdLevel::avx512) return kCutLoopsAvx512;
  if (level == SimdLevel::avx2) return kCutLoopsAvx2;
#endif
  (void)level;
  return kCutLoopsPortable;
}

}  // namespace bbc::detail
