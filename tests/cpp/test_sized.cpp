// Structs of the C interface between a program and a library of different versions.
#include <bbc/c.h>

#include <array>
#include <bbc/error.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "check.hpp"
#include "detail/support/sized.hpp"

namespace {

using bbc::detail::init_sized;
using bbc::detail::read_sized;
using bbc::detail::write_sized;

/// A struct as it was first, and as a later version appended to it.
struct First {
  std::size_t struct_size;
  double level;
};
struct Later {
  std::size_t struct_size;
  double level;
  std::int64_t method;
};
constexpr Later kDefaults = {0, 0.95, 0};
constexpr unsigned char kPattern = 0xA5;

/// Memory that looks at what is written behind its first `n` bytes.
struct Guarded {
  alignas(std::max_align_t) std::array<unsigned char, 8192> bytes;
  Guarded() { bytes.fill(kPattern); }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes.data());
  }
  [[nodiscard]] std::size_t n_written() const {
    std::size_t n = bytes.size();
    while (n > 0 && bytes[n - 1] == kPattern) --n;
    return n;
  }
};

void an_old_program_with_a_new_library() {
  Guarded memory;
  auto* given = memory.as<Later>();
  init_sized(given, sizeof(First), kDefaults);
  CHECK(memory.n_written() == sizeof(First));
  CHECK(given->level == 0.95);
  const Later read = read_sized(given, sizeof(First), kDefaults, "problem");
  CHECK(read.level == 0.95);
  CHECK(read.method == 0);  // the pattern is behind the caller's struct: never read
  write_sized(Later{sizeof(Later), 0.5, 7}, given);
  CHECK(memory.n_written() == sizeof(First));
  CHECK(given->level == 0.5);
  CHECK(given->struct_size == sizeof(First));
}

void a_new_program_with_an_old_library() {
  const First defaults = {0, 0.95};
  Later given = {};
  std::memset(&given, kPattern, sizeof given);
  init_sized(reinterpret_cast<First*>(&given), sizeof(Later), defaults);
  CHECK(given.level == 0.95);
  CHECK(given.method == 0);
  const auto read = [&] {
    return read_sized(reinterpret_cast<const First*>(&given), sizeof(First), defaults, "problem");
  };
  CHECK(read().level == 0.95);
  given.method = 1;
  CHECK(check::message_of(read) == "problem: sets a member of a later version");
}

/// No byte beyond the size is written, and none at all for what is no size.
template <class T>
void stays_inside(void (*init)(T*, std::size_t), const char* name) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, std::size_t{8}, sizeof(T) - 8,
                                 sizeof(T), sizeof(T) + 24, std::size_t{1} << 40}) {
    Guarded memory;
    init(memory.as<T>(), size);
    const bool whole = size >= sizeof(std::size_t) && size < memory.bytes.size();
    CHECK_FOR(memory.n_written() == (whole ? size : 0), std::string(name) + std::to_string(size));
  }
  init(nullptr, sizeof(T));
}

void results_are_never_overrun() {
  bbc_result result;
  std::memset(&result, kPattern, sizeof result);
  const bbc_result before = result;
  CHECK(bbc_correct(nullptr, nullptr, &result) == BBC_INVALID_ARGUMENT);
  CHECK(std::memcmp(&before, &result, sizeof result) == 0);  // no size: nothing is written
  Guarded memory;
  bbc_result_init(memory.as<bbc_result>(), sizeof result);
  CHECK(bbc_correct(nullptr, nullptr, memory.as<bbc_result>()) == BBC_INVALID_ARGUMENT);
  CHECK(std::string(memory.as<bbc_result>()->message) == "problem: must be given");
  CHECK(std::string(memory.as<bbc_result>()->argument) == "problem");
  CHECK(memory.n_written() <= sizeof result);
  // A program from before the member: its bytes are the caller's.
  constexpr std::size_t kBefore = offsetof(bbc_result, argument);
  Guarded older;
  bbc_result_init(older.as<bbc_result>(), kBefore);
  CHECK(bbc_correct(nullptr, nullptr, older.as<bbc_result>()) == BBC_INVALID_ARGUMENT);
  CHECK(older.n_written() <= kBefore);
}

}  // namespace

int main() {
  an_old_program_with_a_new_library();
  a_new_program_with_an_old_library();
  stays_inside<bbc_problem>(bbc_problem_init, "bbc_problem_init ");
  stays_inside<bbc_predictions>(bbc_predictions_init, "bbc_predictions_init ");
  stays_inside<bbc_result>(bbc_result_init, "bbc_result_init ");
  results_are_never_overrun();
  return check::report();
}
