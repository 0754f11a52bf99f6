// XXH3 for Swift, inlined, so that no library is needed at run time.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

// The state of a streaming hash.
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

// Stores the hash in canonical byte order and frees the state.
static inline void cxxhash_finish(cxxhash_state *hash, unsigned char result[16]) {
  XXH128_canonicalFromHash((XXH128_canonical_t *)result, XXH3_128bits_digest((XXH3_state_t *)hash));
  XXH3_freeState((XXH3_state_t *)hash);
}

// The 64-bit hash of contiguous bytes and a seed.
static inline uint64_t cxxhash_short(const void *bytes, size_t count, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, count, seed);
}
