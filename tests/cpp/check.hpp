#pragma once

// What the C++ tests need instead of a framework: checks that go on after a failure, and a
// main() that says how many failed.
#include <bbc/error.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace check {

inline int n_failed = 0;

inline void that(bool holds, const char* what, const char* file, int line,
                 const std::string& context = {}) {
  if (holds) return;
  ++n_failed;
  if (n_failed > 20) return;
  std::fprintf(stderr, "%s:%d: failed: %s %s\n", file, line, what, context.c_str());
}

inline int report() {
  if (n_failed > 0) std::fprintf(stderr, "%d checks failed\n", n_failed);
  return n_failed == 0 ? 0 : 1;
}

/// Equal bits; the two zeros, which compare equal everywhere, count as equal too.
inline bool same(double a, double b) { return a == b || std::memcmp(&a, &b, sizeof a) == 0; }

/// Whether this case of a large product runs now: one of so many, and every night all of them.
/// Where `number` is the sum of a case's places along the axes, these take turns, and no value is
/// left out.
inline bool runs(std::uint64_t number, std::uint64_t every) {
  static const bool all = std::getenv("BBC_NIGHTLY") != nullptr;
  return all || number % every == 0;
}

/// The message of the error that `body` throws.
template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const bbc::Error& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace check

#define CHECK(condition) check::that((condition), #condition, __FILE__, __LINE__)
/// `context`, a string, says which of many cases failed.
#define CHECK_FOR(condition, context) \
  check::that((condition), #condition, __FILE__, __LINE__, context)
