#include "util/platform.h"

#ifdef _WIN32
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#elif defined(__EMSCRIPTEN__)
#include <cstdlib>
#else
#include <pthread.h>
#include <sys/mman.h>
#endif

namespace pushworld {

#ifdef _WIN32

void* map_pages(size_t bytes) {
  return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void unmap_pages(void* memory, size_t) { VirtualFree(memory, 0, MEM_RELEASE); }

void call_in_forked_child(void (*)()) {}

#elif defined(__EMSCRIPTEN__)

void* map_pages(size_t bytes) { return std::calloc(bytes, 1); }

void unmap_pages(void* memory, size_t) { std::free(memory); }

void call_in_forked_child(void (*)()) {}

#else

void* map_pages(size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void unmap_pages(void* memory, size_t bytes) { munmap(memory, bytes); }

void call_in_forked_child(void (*function)()) { pthread_atfork(nullptr, nullptr, function); }

#endif

}  // namespace pushworld
