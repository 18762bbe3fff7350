#include "passages.h"

#include "escapes.h"
#include "instructions.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Bit masks of the quotation marks, backslashes and control characters in a block, and of the characters that may follow
// a backslash: a complete escape sequence ends there, or after four digits.
typedef struct {
    uint64_t quotes, backslashes, controls, letters, units;
} characters;

static const size_t none = SIZE_MAX;

typedef struct {
    const uint8_t *bytes;
    size_t count;
    passages_state state;
    // The start offset of the current passage, or `none`.
    size_t start;
    passage *passages;
    size_t written;
} search;

// Returns whether an escape sequence with `u` at `offset` is valid. A sequence that continues after the end of the text
// can be valid.
static inline int is_valid_unit(const search *search, size_t offset) {
    for (size_t i = offset + 1; i <= offset + 4 && i < search->count; i++)
        if (!is_hexadecimal(search->bytes[i])) return 0;
    return 1;
}

// Starts a passage at the start of a block, or after an escape sequence that continues from the previous block.
static inline void begin(search *search, size_t offset, const passages_state *before) {
    if (search->start != none) return;
    size_t rest = before->digits;
    if (before->escaped) rest = search->bytes[offset] == 'u' ? 5 : 1;
    search->start = offset + rest;
}

// Ends the current passage at the start of a block, or before an escape sequence that continues into the block.
static inline void end(search *search, size_t offset, const passages_state *before) {
    if (search->start == none) return;
    size_t begun = before->escaped ? 1 : before->digits ? 6 - before->digits : 0;
    size_t passage_end = offset - begun;
    if (passage_end >= search->start + passages_least_length)
        search->passages[search->written++] = (passage){search->start, passage_end};
    search->start = none;
}

// Processes a block. Only the last block can be shorter than 64 bytes. The function is inlined so that it is compiled for
// the instructions of its callers.
__attribute__((always_inline)) static inline void take(search *search, characters found, size_t offset, size_t size) {
    passages_state before = search->state;
    passages_state *state = &search->state;
    uint64_t escaped = find_escaped(found.backslashes, &state->escaped);
    if (size < 64) {
        state->escaped = escaped >> size & 1;
        escaped &= (1ULL << size) - 1;
    }
    found.quotes &= ~escaped;
    int is_inside = size == 64 && before.in_string && found.quotes == 0 && found.controls == 0;
    if (__builtin_popcountll(found.quotes) & 1) state->in_string = ~state->in_string;

    state->digits = before.digits > size ? before.digits - size : 0;
    if (escaped & ~(found.letters | found.units)) is_inside = 0;
    for (uint64_t rest = escaped & found.units; rest != 0; rest &= rest - 1) {
        size_t bit = (size_t)__builtin_ctzll(rest);
        if (is_inside) is_inside = is_valid_unit(search, offset + bit);
        if (bit + 5 > size) state->digits = bit + 5 - size;
    }
    if (is_inside) begin(search, offset, &before); else end(search, offset, &before);
}

static characters characters_of(const uint8_t *bytes, size_t size) {
    characters found = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < size; i++) {
        found.quotes |= (uint64_t)(bytes[i] == '"') << i;
        found.backslashes |= (uint64_t)(bytes[i] == '\\') << i;
        found.controls |= (uint64_t)(bytes[i] < 0x20) << i;
        found.letters |= (uint64_t)is_letter(bytes[i]) << i;
        found.units |= (uint64_t)(bytes[i] == 'u') << i;
    }
    return found;
}

static size_t take_portable(search *search) {
    size_t offset = 0;
    for (; offset + 64 <= search->count; offset += 64)
        take(search, characters_of(search->bytes + offset, 64), offset, 64);
    return offset;
}

#if defined(__x86_64__)

#define FAST __attribute__((target("avx2,popcnt,bmi")))

FAST static inline uint64_t bits(__m256i first, __m256i second) {
    return (uint32_t)_mm256_movemask_epi8(first) | (uint64_t)(uint32_t)_mm256_movemask_epi8(second) << 32;
}

FAST static inline __m256i letters_of(__m256i block) {
    __m256i found = _mm256_cmpeq_epi8(block, _mm256_set1_epi8('"'));
    static const char others[] = {'\\', '/', 'b', 'f', 'n', 'r', 't'};
    for (size_t i = 0; i < sizeof others; i++)
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(block, _mm256_set1_epi8(others[i])));
    return found;
}

FAST static size_t take_avx2(search *search) {
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'), last = _mm256_set1_epi8(0x1F);
    size_t offset = 0;
    for (; offset + 64 <= search->count; offset += 64) {
        __m256i first = _mm256_loadu_si256((const __m256i *)(search->bytes + offset));
        __m256i second = _mm256_loadu_si256((const __m256i *)(search->bytes + offset + 32));
        __m256i quotes[] = {_mm256_cmpeq_epi8(first, quote), _mm256_cmpeq_epi8(second, quote)};
        __m256i backslashes[] = {_mm256_cmpeq_epi8(first, backslash), _mm256_cmpeq_epi8(second, backslash)};
        __m256i controls[] = {
            _mm256_cmpeq_epi8(_mm256_min_epu8(first, last), first),
            _mm256_cmpeq_epi8(_mm256_min_epu8(second, last), second)};
        // Most blocks of a long string contain no special characters.
        __m256i special = _mm256_or_si256(
            _mm256_or_si256(_mm256_or_si256(quotes[0], quotes[1]), _mm256_or_si256(backslashes[0], backslashes[1])),
            _mm256_or_si256(controls[0], controls[1]));
        if (search->start != none && !search->state.escaped && _mm256_testz_si256(special, special)) {
            search->state.digits = 0;
            continue;
        }
        characters found = {
            bits(quotes[0], quotes[1]), bits(backslashes[0], backslashes[1]), bits(controls[0], controls[1]), 0, 0};
        if (found.backslashes | search->state.escaped) {
            const __m256i unit = _mm256_set1_epi8('u');
            found.letters = bits(letters_of(first), letters_of(second));
            found.units = bits(_mm256_cmpeq_epi8(first, unit), _mm256_cmpeq_epi8(second, unit));
        }
        take(search, found, offset, 64);
    }
    return offset;
}

#endif

static size_t find(
    const uint8_t *bytes, size_t count, passages_state *state, passage *passages, size_t (*take_blocks)(search *)) {
    search search = {bytes, count, *state, none, passages, 0};
    size_t offset = take_blocks(&search);
    if (offset < count) take(&search, characters_of(bytes + offset, count - offset), offset, count - offset);
    end(&search, offset, &search.state);
    *state = search.state;
    return search.written;
}

size_t passages_find(const uint8_t *bytes, size_t count, passages_state *state, passage *passages) {
    return passages_find_with(processor_features(), bytes, count, state, passages);
}

size_t passages_find_with(
    unsigned features, const uint8_t *bytes, size_t count, passages_state *state, passage *passages) {
#if defined(__x86_64__)
    const unsigned fast = processor_avx2 | processor_popcnt | processor_bmi;
    if ((features & fast) == fast) return find(bytes, count, state, passages, take_avx2);
#endif
    return find(bytes, count, state, passages, take_portable);
}
