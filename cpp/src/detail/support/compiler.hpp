#pragma once

// What only gcc and clang understand, in one place: another compiler needs its own spelling of
// each. Loops of one instruction set (`isa/*_levels.cpp`) use intrinsics besides.

#if !defined(__GNUC__)
#error "bbc is written for gcc and clang (also clang-cl): spell this file for another compiler"
#endif

/// Ends a typedef: `typedef std::uint8_t Bytes BBC_VECTOR(16);`. Operators work by elements.
#define BBC_VECTOR(n_bytes) __attribute__((vector_size(n_bytes)))
/// Ends a typedef of what is read where objects of another type are.
#define BBC_MAY_ALIAS __attribute__((may_alias))
/// A vector in an array of others, aligned as its elements are.
#define BBC_LOOSE_VECTOR(n_bytes, n_aligned) \
  __attribute__((vector_size(n_bytes), may_alias, aligned(n_aligned)))
/// Elements of two vectors, by number; those of the second follow those of the first.
#define BBC_SHUFFLE(...) __builtin_shufflevector(__VA_ARGS__)

#define BBC_NEVER_INLINE [[gnu::noinline]]
#define BBC_ALWAYS_INLINE [[gnu::always_inline]] inline

#define BBC_PRAGMA(text) _Pragma(#text)
/// Stands before a loop.
#define BBC_UNROLL(n_times) BBC_PRAGMA(GCC unroll n_times)

// The states of SSE, in which doubles are computed, and of the older unit. On Windows fesetenv
// leaves the former as it is; everywhere fegetenv takes fifty times as long as a look at both.
#if defined(__x86_64__)
#define BBC_SSE_STATE() __builtin_ia32_stmxcsr()
#define BBC_SET_SSE_STATE(state) __builtin_ia32_ldmxcsr(state)
#define BBC_X87_CONTROL(word) __asm__ volatile("fnstcw %0" : "=m"(word))
#else
#define BBC_SSE_STATE() 0U
#define BBC_SET_SSE_STATE(state) static_cast<void>(state)
#define BBC_X87_CONTROL(word) static_cast<void>(word)
#endif

#define BBC_PREFETCH(address) __builtin_prefetch(address)

// Where code of one instruction set may not call inline functions of the standard library.
#define BBC_COPY(to, from, n_bytes) __builtin_memcpy(to, from, n_bytes)
#define BBC_FABS(x) __builtin_fabs(x)
#define BBC_POPCOUNT(bits) __builtin_popcountll(bits)
#define BBC_TRAILING_ZEROS(bits) __builtin_ctzll(bits)
