#pragma once

#include <cstddef>
#include <new>

// new and delete of a whole test program, by what the program defines.
void* allocate(std::size_t size, std::size_t alignment);
void release(void* place) noexcept;

// NOLINTBEGIN(misc-definitions-in-headers): each program includes it once
// The library's array forms call these; a sanitizer's are its own, new and delete alike. Its
// nothrow form would have to be freed by ours, so that form is here too.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* place) noexcept { release(place); }
void operator delete(void* place, std::size_t) noexcept { release(place); }
void operator delete(void* place, std::align_val_t) noexcept { release(place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept { release(place); }
// NOLINTEND(misc-definitions-in-headers)
