// XXH3 for Swift, compiled in, so that no library has to be there at run time.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

// A hash in the making.
typedef struct {
  XXH3_state_t state;
} cxxhash_state;

static inline cxxhash_state *cxxhash_start(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state) XXH3_128bits_reset(state);
  return (cxxhash_state *)state;
}

static inline void cxxhash_add(cxxhash_state *hash, const void *bytes, size_t count) {
  XXH3_128bits_update((XXH3_state_t *)hash, bytes, count);
}

// Answers the hash in its canonical order of bytes, and frees what it was made in.
static inline void cxxhash_finish(cxxhash_state *hash, unsigned char result[16]) {
  XXH128_canonicalFromHash((XXH128_canonical_t *)result, XXH3_128bits_digest((XXH3_state_t *)hash));
  XXH3_freeState((XXH3_state_t *)hash);
}

// The short hash of bytes that are in one place; another one for each seed.
static inline uint64_t cxxhash_short(const void *bytes, size_t count, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, count, seed);
}
