#include "delimiters.h"

#include <stdbool.h>
#include <string.h>

#include "escapes.h"
#include "instructions.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

// Bit masks of the bytes in a block.
typedef struct {
    uint64_t quotes, backslashes, controls, operators, whitespace;
    // The bytes that may follow a backslash: those that complete an escape sequence, and the letter u. They are found
    // only in blocks that can contain escape sequences.
    uint64_t letters, units;
} characters;

typedef struct {
    const uint8_t *bytes;
    size_t size, rest;
    delimiters *found;
} search;

// Returns whether the letter u at `offset` is followed by four hexadecimal digits. If the text ends first, the next part
// must begin with the missing digits.
static bool is_valid_unit(const search *search, size_t offset, delimiters_state *state) {
    size_t available = search->rest - offset - 1;
    if (available > 4) available = 4;
    for (size_t i = 1; i <= available; i++)
        if (!is_hexadecimal(search->bytes[offset + i])) return false;
    state->digits = 4 - available;
    return true;
}

// Processes a block. Only the last block can be shorter than 64 bytes, and is then followed by spaces. The function is
// inlined so that it is compiled for the instructions of its callers.
__attribute__((always_inline)) static inline void take(
    const search *search, characters block, uint64_t (*prefix_xor)(uint64_t), size_t offset, size_t size,
    delimiters_state *state) {
    delimiters *found = search->found;
    uint64_t escaped = find_escaped(block.backslashes, &state->escaped);
    if (size < 64) {
        state->escaped = escaped >> size & 1;
        escaped &= (1ULL << size) - 1;
    }
    uint64_t quotes = block.quotes & ~escaped;
    uint64_t strings = prefix_xor(quotes) ^ state->in_string;
    state->in_string = (uint64_t)((int64_t)strings >> 63);
    uint64_t outside = ~(strings | quotes);
    uint64_t scalars = outside & ~(block.operators | block.whitespace);
    uint64_t starts = scalars & ~(scalars << 1 | state->in_scalar);
    state->in_scalar = scalars >> (size - 1) & 1;

    found->backslashes[offset / 64] = block.backslashes & strings;
    escaped &= strings;
    uint64_t invalid = (block.controls & strings) | (escaped & ~(block.letters | block.units));
    for (uint64_t rest = escaped & block.units; rest != 0; rest &= rest - 1)
        if (!is_valid_unit(search, offset + (size_t)__builtin_ctzll(rest), state)) invalid |= rest & -rest;
    if (invalid != 0 && found->invalid == search->size) found->invalid = offset + (size_t)__builtin_ctzll(invalid);

    uint64_t bits = (block.operators & outside) | quotes | starts;
    uint16_t *next = found->offsets + found->count;
    found->count += (size_t)__builtin_popcountll(bits);
    // Eight at a time, because the number of delimiters in a block is hard to predict.
    while (bits != 0) {
        for (int i = 0; i < 8; i++) {
            next[i] = (uint16_t)(offset + (bits == 0 ? 64 : (size_t)__builtin_ctzll(bits)));
            bits &= bits - 1;
        }
        next += 8;
    }
}

static inline size_t size_at(const search *search, size_t offset) {
    return search->size - offset < 64 ? search->size - offset : 64;
}

// Returns the block at an offset. An incomplete block is copied, followed by spaces.
static inline const uint8_t *block_at(const search *search, size_t offset, uint8_t *copy) {
    if (offset + 64 <= search->size) return search->bytes + offset;
    memset(copy, ' ', 64);
    memcpy(copy, search->bytes + offset, search->size - offset);
    return copy;
}

static uint64_t prefix_xor_portable(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

static characters characters_of(const uint8_t *bytes) {
    characters found = {0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 64; i++) {
        uint8_t byte = bytes[i], bracket = byte | 0x20;
        found.quotes |= (uint64_t)(byte == '"') << i;
        found.backslashes |= (uint64_t)(byte == '\\') << i;
        found.controls |= (uint64_t)(byte < 0x20) << i;
        found.operators |= (uint64_t)(bracket == '{' || bracket == '}' || byte == ',' || byte == ':') << i;
        found.whitespace |= (uint64_t)(byte == ' ' || (byte >= '\t' && byte <= '\r')) << i;
        found.letters |= (uint64_t)is_letter(byte) << i;
        found.units |= (uint64_t)(byte == 'u') << i;
    }
    return found;
}

static void find_portable(const search *search, delimiters_state *state) {
    uint8_t last[64];
    for (size_t offset = 0; offset < search->size; offset += 64) {
        const uint8_t *block = block_at(search, offset, last);
        take(search, characters_of(block), prefix_xor_portable, offset, size_at(search, offset), state);
    }
}

#if defined(__x86_64__)

#define FAST __attribute__((target("avx2,pclmul,popcnt,bmi")))

FAST static inline uint64_t bits(__m256i first, __m256i second) {
    return (uint32_t)_mm256_movemask_epi8(first) | (uint64_t)(uint32_t)_mm256_movemask_epi8(second) << 32;
}

FAST static inline uint64_t equal(__m256i first, __m256i second, __m256i wanted) {
    return bits(_mm256_cmpeq_epi8(first, wanted), _mm256_cmpeq_epi8(second, wanted));
}

FAST static inline uint64_t at_most(__m256i first, __m256i second, __m256i last) {
    return bits(
        _mm256_cmpeq_epi8(_mm256_min_epu8(first, last), first),
        _mm256_cmpeq_epi8(_mm256_min_epu8(second, last), second));
}

// Each operator is found at its lowest four bits in a table.
FAST static inline __m256i operators_of(__m256i block) {
    const __m256i table = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0);
    return _mm256_cmpeq_epi8(_mm256_or_si256(block, _mm256_set1_epi8(0x20)), _mm256_shuffle_epi8(table, block));
}

FAST static inline uint64_t prefix_xor_fast(uint64_t bits) {
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8(-1), 0));
}

// A letter is found at its lowest four bits in one table, and at its highest four bits in the other.
FAST static inline __m256i letters_of(__m256i block) {
    const __m256i low = _mm256_setr_epi8(
        0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1, 0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
    const __m256i high = _mm256_setr_epi8(
        0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i mask = _mm256_set1_epi8(0xF);
    __m256i found = _mm256_and_si256(
        _mm256_shuffle_epi8(low, _mm256_and_si256(block, mask)),
        _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(block, 4), mask)));
    return _mm256_cmpgt_epi8(found, _mm256_setzero_si256());
}

FAST static inline characters characters_avx2(const uint8_t *block, uint64_t escaped) {
    const __m256i tab = _mm256_set1_epi8('\t');
    __m256i first = _mm256_loadu_si256((const __m256i *)block);
    __m256i second = _mm256_loadu_si256((const __m256i *)(block + 32));
    characters found;
    found.quotes = equal(first, second, _mm256_set1_epi8('"'));
    found.backslashes = equal(first, second, _mm256_set1_epi8('\\'));
    found.controls = at_most(first, second, _mm256_set1_epi8(0x1F));
    found.whitespace =
        equal(first, second, _mm256_set1_epi8(' '))
        | at_most(_mm256_sub_epi8(first, tab), _mm256_sub_epi8(second, tab), _mm256_set1_epi8('\r' - '\t'));
    found.letters = found.units = 0;
    if (found.backslashes | escaped) {
        found.letters = bits(letters_of(first), letters_of(second));
        found.units = equal(first, second, _mm256_set1_epi8('u'));
    }
    // A form feed and the control character 0x1A are found instead of a comma and a colon.
    found.operators = bits(operators_of(first), operators_of(second)) & ~found.controls;
    return found;
}

FAST static void find_avx2(const search *search, delimiters_state *result) {
    delimiters_state state = *result;
    uint8_t last[64];
    for (size_t offset = 0; offset < search->size; offset += 64) {
        const uint8_t *block = block_at(search, offset, last);
        take(
            search, characters_avx2(block, state.escaped), prefix_xor_fast, offset, size_at(search, offset), &state);
    }
    *result = state;
}

#endif

void delimiters_find(
    unsigned features, const uint8_t *bytes, size_t size, size_t rest, delimiters_state *state, delimiters *found) {
    const search search = {bytes, size, rest, found};
    found->count = 0;
    found->invalid = size;
#if defined(__x86_64__)
    const unsigned fast = processor_avx2 | processor_pclmul | processor_popcnt | processor_bmi;
    if ((features & fast) == fast) find_avx2(&search, state);
    else find_portable(&search, state);
#else
    (void)features;
    find_portable(&search, state);
#endif
}
