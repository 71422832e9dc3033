#pragma once

// What the C++ tests need instead of a framework: checks that go on after a failure, and a
// main() that says how many failed.
#include <cstdio>

namespace check {

inline int n_failed = 0;

inline void that(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  ++n_failed;
  if (n_failed <= 20) std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
}

inline int report() {
  if (n_failed > 0) std::fprintf(stderr, "%d checks failed\n", n_failed);
  return n_failed == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(condition) check::that((condition), #condition, __FILE__, __LINE__)
