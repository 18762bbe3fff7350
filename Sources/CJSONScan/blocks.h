#ifndef CJSONSCAN_BLOCKS_H
#define CJSONSCAN_BLOCKS_H

#include <stdint.h>
#include <string.h>

#include "instructions.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(CJSONSCAN_NEON)
#include <arm_neon.h>
#endif

// A set of ASCII characters: those for which `low[byte & 15] & high[byte >> 4]` is not 0.
typedef struct {
    uint8_t low[16], high[16];
} character_set;

// The operations that depend on the instruction set. A block has 64 bytes. A bit mask has one bit for each byte of a
// block. The lowest bit represents the first byte.
typedef struct {
    // Returns a bit mask of the bytes that equal `byte` after the bits of `ignored` are set.
    uint64_t (*equal)(const uint8_t *block, uint8_t byte, uint8_t ignored);
    // Returns a bit mask of the characters in a set.
    uint64_t (*members)(const uint8_t *block, const character_set *set);
    // Returns the exclusive or of each bit and all lower bits.
    uint64_t (*prefix_xor)(uint64_t bits);
} block_operations;

// A function that is inlined, and therefore compiled for the instruction set of its caller, which passes constant
// operations.
#define FOR_EACH_SET __attribute__((always_inline)) static inline

// Vectors that need not be aligned. A comparison with a byte sets all bits of equal bytes. The instruction set should
// have vectors of this size, because the compiler otherwise processes some comparisons byte by byte.
#define VECTOR(size) __attribute__((vector_size(size), aligned(1), may_alias))
typedef uint8_t vector8 VECTOR(8), vector16 VECTOR(16), vector32 VECTOR(32), vector64 VECTOR(64);

static const uint8_t bit_weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

static inline uint64_t equal_portable(const uint8_t *block, uint8_t byte, uint8_t ignored) {
    uint64_t result = 0;
    for (int i = 0; i < 64; i += 8) {
        const vector8 text = *(const vector8 *)(block + i);
        const vector8 bits = (vector8)((text | ignored) == byte) & *(const vector8 *)bit_weights;
        uint64_t word;
        memcpy(&word, &bits, sizeof word);
        // The highest byte of the product is the sum of all bytes.
        result |= (word * 0x0101010101010101u >> 56) << i;
    }
    return result;
}

static inline uint64_t members_portable(const uint8_t *block, const character_set *set) {
    uint64_t result = 0;
    for (int i = 0; i < 64; i++)
        result |= (uint64_t)((set->low[block[i] & 15] & set->high[block[i] >> 4]) != 0) << i;
    return result;
}

static inline uint64_t prefix_xor_portable(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

static const block_operations portable = {equal_portable, members_portable, prefix_xor_portable};

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,pclmul,popcnt,bmi")))
#define AVX512 __attribute__((target("avx512bw,pclmul,popcnt,bmi")))

AVX2 static inline uint64_t equal_avx2(const uint8_t *block, uint8_t byte, uint8_t ignored) {
    uint64_t result = 0;
    for (int i = 0; i < 64; i += 32) {
        const vector32 text = *(const vector32 *)(block + i);
        result |= (uint64_t)(uint32_t)_mm256_movemask_epi8((__m256i)((text | ignored) == byte)) << i;
    }
    return result;
}

AVX2 static inline uint64_t members_avx2(const uint8_t *block, const character_set *set) {
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->low));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->high));
    uint64_t others = 0;
    for (int i = 0; i < 64; i += 32) {
        const vector32 text = *(const vector32 *)(block + i);
        // The first lookup returns 0 for bytes that are not ASCII.
        __m256i found = _mm256_shuffle_epi8(low, (__m256i)text) & _mm256_shuffle_epi8(high, (__m256i)(text >> 4));
        others |= (uint64_t)(uint32_t)_mm256_movemask_epi8((__m256i)((vector32)found == 0)) << i;
    }
    return ~others;
}

AVX512 static inline uint64_t equal_avx512(const uint8_t *block, uint8_t byte, uint8_t ignored) {
    return _mm512_movepi8_mask((__m512i)((*(const vector64 *)block | ignored) == byte));
}

AVX512 static inline uint64_t members_avx512(const uint8_t *block, const character_set *set) {
    const __m512i low = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)set->low));
    const __m512i high = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)set->high));
    const vector64 text = *(const vector64 *)block;
    return _mm512_test_epi8_mask(
        _mm512_shuffle_epi8(low, (__m512i)text), _mm512_shuffle_epi8(high, (__m512i)(text >> 4)));
}

__attribute__((target("pclmul"))) static inline uint64_t prefix_xor_pclmul(uint64_t bits) {
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8(-1), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

static const block_operations avx2 = {equal_avx2, members_avx2, prefix_xor_pclmul};
static const block_operations avx512 = {equal_avx512, members_avx512, prefix_xor_pclmul};

#elif defined(CJSONSCAN_NEON)

// Returns a bit mask of the bytes that are 0xFF. All other bytes must be 0.
static inline uint64_t bits_neon(const vector16 found[4]) {
    const vector16 weights = *(const vector16 *)bit_weights;
    // Each step adds pairs of bytes. In the end, 8 bytes contain the sums of 8 bytes each.
    uint8x16_t first = vpaddq_u8((uint8x16_t)(found[0] & weights), (uint8x16_t)(found[1] & weights));
    uint8x16_t second = vpaddq_u8((uint8x16_t)(found[2] & weights), (uint8x16_t)(found[3] & weights));
    first = vpaddq_u8(first, second);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(first, first)), 0);
}

static inline uint64_t equal_neon(const uint8_t *block, uint8_t byte, uint8_t ignored) {
    vector16 found[4];
    for (int i = 0; i < 4; i++) found[i] = (vector16)((*(const vector16 *)(block + 16 * i) | ignored) == byte);
    return bits_neon(found);
}

static inline uint64_t members_neon(const uint8_t *block, const character_set *set) {
    const uint8x16_t low = vld1q_u8(set->low), high = vld1q_u8(set->high);
    vector16 found[4];
    for (int i = 0; i < 4; i++) {
        const vector16 text = *(const vector16 *)(block + 16 * i);
        found[i] = (vector16)vtstq_u8(
            vqtbl1q_u8(low, (uint8x16_t)(text & 15)), vqtbl1q_u8(high, (uint8x16_t)(text >> 4)));
    }
    return bits_neon(found);
}

static inline uint64_t prefix_xor_neon(uint64_t bits) {
    // Only the compiler's target says whether the processor multiplies polynomials. All processors of Apple do.
#if defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO)
    return vgetq_lane_u64(vreinterpretq_u64_p128(vmull_p64(bits, UINT64_MAX)), 0);
#else
    return prefix_xor_portable(bits);
#endif
}

static const block_operations neon = {equal_neon, members_neon, prefix_xor_neon};

#endif

#endif
