// glibc's memory allocator, with a reserve.
//
// A failed allocation ends a Swift program. A process with a memory limit therefore reserves addresses. The first
// allocation that fails releases them and is tried again. Work on a text then sees that memory is exhausted and gives
// up, as after a signal. If this is too late, a message reports the end.
//
// Invariants: `reserve` is a mapping of `reserve_size` bytes or NULL; the code that takes it out of the variable unmaps
// it. The allocator's functions only forward to glibc, so glibc's `free` is right for their blocks.
#include "UedLinux.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int clinux_memory_exhausted;
static void *reserve;
static size_t reserve_size;
static int has_failed;

int clinux_reserve_memory(size_t size) {
  if (reserve != NULL) return 1;
  void *space = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (space == MAP_FAILED) return 0;
  reserve_size = size;
  __atomic_store_n(&reserve, space, __ATOMIC_RELEASE);
  return 1;
}

static void tell_end(int number) {
  if (has_failed) {
    static const char message[] = "ued: out of memory; unsaved changes are lost\n";
    ssize_t count = write(STDERR_FILENO, message, sizeof message - 1);
    (void)count;
    _exit(2);
  }
  signal(number, SIG_DFL);
  raise(number);
}

void clinux_tell_end_for_memory(void) {
  struct sigaction action = {.sa_handler = tell_end};
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGILL, &action, NULL);
  sigaction(SIGTRAP, &action, NULL);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// Releases the reserve; returns whether the failed allocation should be tried again.
__attribute__((noinline, cold)) static int give_reserve(void) {
  void *space = __atomic_exchange_n(&reserve, NULL, __ATOMIC_ACQ_REL);
  if (space == NULL) return 0;
  munmap(space, reserve_size);
  __atomic_store_n(&clinux_memory_exhausted, 1, __ATOMIC_RELAXED);
  return 1;
}

// Returns the result of an allocation that failed even with the reserve.
__attribute__((noinline, cold)) static void *fail(void) {
  has_failed = 1;
  return NULL;
}

#define WITH_RESERVE(allocation)                        \
  do {                                                  \
    void *block_ = allocation;                          \
    if (block_ != NULL) return block_;                  \
    if (give_reserve() && (block_ = allocation) != NULL) return block_; \
    return fail();                                      \
  } while (0)

void *malloc(size_t size) { WITH_RESERVE(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { WITH_RESERVE(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  if (size == 0) return __libc_realloc(block, size);
  WITH_RESERVE(__libc_realloc(block, size));
}

// Swift allocates its aligned blocks with this function.
void *aligned_alloc(size_t alignment, size_t size) { WITH_RESERVE(__libc_memalign(alignment, size)); }

int posix_memalign(void **place, size_t alignment, size_t size) {
  void *block = aligned_alloc(alignment, size);
  if (block == NULL) return ENOMEM;
  *place = block;
  return 0;
}
#endif
