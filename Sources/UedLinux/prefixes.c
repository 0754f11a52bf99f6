#include "UedLinux.h"

#include <string.h>

// The method is Teddy, by Geoffrey Langdale, from Hyperscan: it looks up a byte's alternatives by its two halves, for
// 32 bytes at a time.

void clinux_make_prefixes(struct clinux_prefixes *prefixes, const uint8_t *masks, const uint8_t *ended, int length) {
  memset(prefixes, 0, sizeof *prefixes);
  prefixes->length = length;
  memcpy(prefixes->ended, ended, (size_t)length + 1);
  memcpy(prefixes->masks, masks, (size_t)length * 256);
  for (int place = 0; place < length; place++)
    for (int byte = 0; byte < 256; byte++) {
      prefixes->low[place][byte & 15] |= masks[place * 256 + byte];
      prefixes->high[place][byte >> 4] |= masks[place * 256 + byte];
    }
}

// Whether the `count` bytes at `text` begin with a whole alternative.
static inline int is_prefix(const struct clinux_prefixes *prefixes, const uint8_t *text, size_t count) {
  size_t length = (size_t)prefixes->length;
  int alternatives = count < length ? prefixes->ended[count] : 0xFF;
  for (size_t place = 0; place < length && place < count; place++) alternatives &= prefixes->masks[place][text[place]];
  return alternatives != 0;
}

// From `offset` on, byte by byte.
static size_t find_slowly(const struct clinux_prefixes *prefixes, const uint8_t *text, size_t offset, size_t end) {
  for (; offset < end; offset++)
    if (prefixes->masks[0][text[offset]] && is_prefix(prefixes, text + offset, end - offset)) return offset;
  return end;
}

#ifdef __x86_64__
#include <immintrin.h>
#include <sys/platform/x86.h>

__attribute__((target("avx2"), always_inline)) static inline __m256i
alternatives_at(const uint8_t *text, const uint8_t low[16], const uint8_t high[16]) {
  const __m256i half = _mm256_set1_epi8(15);
  __m256i bytes = _mm256_loadu_si256((const __m256i *)text);
  __m256i lows = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)low));
  __m256i highs = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)high));
  return _mm256_and_si256(
      _mm256_shuffle_epi8(lows, _mm256_and_si256(bytes, half)),
      _mm256_shuffle_epi8(highs, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)));
}

__attribute__((target("avx2"), always_inline)) static inline size_t
find_by_blocks(const struct clinux_prefixes *prefixes, const uint8_t *text, size_t offset, size_t end, int length) {
  // The loads of a block end at `offset + length - 1 + 32`.
  for (; offset + (size_t)length - 1 + 32 <= end; offset += 32) {
    __m256i found = alternatives_at(text + offset, prefixes->low[0], prefixes->high[0]);
    for (int place = 1; place < length; place++)
      found = _mm256_and_si256(
          found, alternatives_at(text + offset + place, prefixes->low[place], prefixes->high[place]));
    unsigned hits = ~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256()));
    for (; hits; hits &= hits - 1) {
      size_t hit = offset + (size_t)__builtin_ctz(hits);
      if (is_prefix(prefixes, text + hit, (size_t)length)) return hit;
    }
  }
  return find_slowly(prefixes, text, offset, end);
}

__attribute__((target("avx2"))) static size_t
find_fast(const struct clinux_prefixes *prefixes, const uint8_t *text, size_t offset, size_t end) {
  switch (prefixes->length) {
  case 2: return find_by_blocks(prefixes, text, offset, end, 2);
  case 3: return find_by_blocks(prefixes, text, offset, end, 3);
  case 4: return find_by_blocks(prefixes, text, offset, end, 4);
  default: return find_slowly(prefixes, text, offset, end);
  }
}
#endif

size_t clinux_find_prefix(const struct clinux_prefixes *prefixes, const void *text, size_t offset, size_t end) {
#ifdef __x86_64__
  // The C library knows it already; asking the processor at every start takes long in a virtual machine.
  if (CPU_FEATURE_ACTIVE(AVX2)) return find_fast(prefixes, text, offset, end);
#endif
  return find_slowly(prefixes, text, offset, end);
}
