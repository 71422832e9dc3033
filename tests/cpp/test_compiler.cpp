// What compiler.hpp spells for the compiler at hand.
#include <bbc/export.h>

#include <cstdint>

#include "check.hpp"
#include "detail/support/compiler.hpp"

namespace {

constexpr int kLanes = 4;
typedef std::int32_t Ints BBC_VECTOR(16);
typedef std::int32_t LooseInts BBC_LOOSE_VECTOR(16, 4);

void vectors_work_by_elements() {
  const Ints a = {1, 2, 3, 4};
  const Ints b = {40, 30, 20, 10};
  const Ints larger = a * 10 > b ? a : b;
  const Ints mixed = BBC_SHUFFLE(a, b, 0, 4, 1, 5);
  const std::int32_t expected_larger[] = {40, 30, 3, 4};
  const std::int32_t expected_mixed[] = {1, 40, 2, 30};
  for (int i = 0; i < kLanes; ++i) {
    CHECK(larger[i] == expected_larger[i]);
    CHECK(mixed[i] == expected_mixed[i]);
  }
}

void loose_vectors_lie_anywhere() {
  const std::uint32_t numbers[] = {9, 1, 2, 3, 4};
  const LooseInts four = *reinterpret_cast<const LooseInts*>(numbers + 1);
  BBC_PREFETCH(numbers);
  BBC_UNROLL(4)
  for (int i = 0; i < kLanes; ++i) CHECK(four[i] == i + 1);
  CHECK(alignof(LooseInts) == 4);
}

BBC_NEVER_INLINE std::int32_t add(std::int32_t a, std::int32_t b) { return a + b; }
BBC_ALWAYS_INLINE std::int32_t subtract(std::int32_t a, std::int32_t b) { return a - b; }

void functions() {
  CHECK(add(1, 2) == 3 && subtract(1, 2) == -1);
  std::int32_t copy = 0;
  const std::int32_t seven = 7;
  BBC_COPY(&copy, &seven, sizeof copy);
  CHECK(copy == 7);
  CHECK(BBC_FABS(-0.5) == 0.5);
  CHECK(BBC_POPCOUNT(0xF0F0U) == 8 && BBC_TRAILING_ZEROS(0xF0U) == 4);
}

}  // namespace

int main() {
  vectors_work_by_elements();
  loose_vectors_lie_anywhere();
  functions();
  return check::report();
}
