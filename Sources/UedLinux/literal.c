#include "UedLinux.h"

#include <string.h>

// Looks for the first and the last byte of a literal at many places at a time, and compares the rest where both are
// found. A text with many such places is compared again and again, so a literal is short.

// From `offset` on, place by place.
static size_t find_slowly(
    const uint8_t *text, size_t offset, size_t end, const uint8_t *literal, size_t count) {
  for (; offset + count <= end; offset++)
    if (text[offset] == literal[0] && memcmp(text + offset, literal, count) == 0) return offset;
  return end;
}

typedef uint8_t block __attribute__((vector_size(16), aligned(1)));

static size_t find_by_blocks(
    const uint8_t *text, size_t offset, size_t end, const uint8_t *literal, size_t count) {
  const block first = (block){0} + literal[0], last = (block){0} + literal[count - 1];
  // The loads of a step end at `offset + count - 1 + 16`.
  for (; offset + count - 1 + 16 <= end; offset += 16) {
    uint64_t hits[2];
    block found = (block)((*(const block *)(text + offset) == first)
                          & (*(const block *)(text + offset + count - 1) == last));
    memcpy(hits, &found, sizeof hits);
    if ((hits[0] | hits[1]) == 0) continue;
    size_t hit = find_slowly(text, offset, offset + 16 + count - 1, literal, count);
    if (hit < offset + 16) return hit;
  }
  return find_slowly(text, offset, end, literal, count);
}

#ifdef __x86_64__
#include <immintrin.h>
#include <sys/platform/x86.h>

__attribute__((target("avx2"), always_inline)) static inline __m256i
both_at(const uint8_t *text, size_t distance, __m256i first, __m256i last) {
  return _mm256_and_si256(
      _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)text), first),
      _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(text + distance)), last));
}

__attribute__((target("avx2"))) static size_t
find_fast(const uint8_t *text, size_t offset, size_t end, const uint8_t *literal, size_t count) {
  const __m256i first = _mm256_set1_epi8((char)literal[0]);
  const __m256i last = _mm256_set1_epi8((char)literal[count - 1]);
  // The loads of a step end at `offset + count - 1 + 64`.
  for (; offset + count - 1 + 64 <= end; offset += 64) {
    __m256i low = both_at(text + offset, count - 1, first, last);
    __m256i high = both_at(text + offset + 32, count - 1, first, last);
    __m256i any = _mm256_or_si256(low, high);
    if (_mm256_testz_si256(any, any)) continue;
    uint64_t hits = (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
    for (; hits; hits &= hits - 1) {
      size_t hit = offset + (size_t)__builtin_ctzll(hits);
      if (memcmp(text + hit, literal, count) == 0) return hit;
    }
  }
  return find_by_blocks(text, offset, end, literal, count);
}
#endif

size_t clinux_find_literal(const void *text, size_t offset, size_t end, const uint8_t *literal, size_t count) {
#ifdef __x86_64__
  if (CPU_FEATURE_ACTIVE(AVX2)) return find_fast(text, offset, end, literal, count);
#endif
  return find_by_blocks(text, offset, end, literal, count);
}
