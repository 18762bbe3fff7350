#include "passages.h"

#include "blocks.h"
#include "escapes.h"

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

// Processes a block. Only the last block can be shorter than 64 bytes.
FOR_EACH_SET void take(search *search, characters found, size_t offset, size_t size) {
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

// Quotation marks, backslashes and control characters.
static const character_set special_characters = {
    {1, 1, 1 | 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 | 4, 1, 1, 1}, {[0] = 1, [1] = 1, [2] = 2, [5] = 4}};

// Returns the letters and units only if the block has an escaped character.
FOR_EACH_SET characters characters_of(
    const uint8_t *block, uint64_t special, uint64_t escaped, const block_operations *operations) {
    characters found = {operations->equal(block, '"', 0), operations->equal(block, '\\', 0), 0, 0, 0};
    found.controls = special & ~(found.quotes | found.backslashes);
    if (found.backslashes | escaped) {
        found.letters = operations->members(block, &escape_letters);
        found.units = operations->equal(block, 'u', 0);
    }
    return found;
}

// Processes all blocks of 64 bytes, and returns their total length.
FOR_EACH_SET size_t take_blocks(search *search, const block_operations *operations) {
    size_t offset = 0;
    for (; offset + 64 <= search->count; offset += 64) {
        const uint8_t *block = search->bytes + offset;
        // Most blocks between long strings contain quotation marks and no backslash.
        if (search->start == none && !search->state.escaped) {
            uint64_t quotes = operations->equal(block, '"', 0);
            if (quotes != 0 && operations->equal(block, '\\', 0) == 0) {
                search->state.digits = 0;
                if (__builtin_popcountll(quotes) & 1) search->state.in_string = ~search->state.in_string;
                continue;
            }
        }
        uint64_t special = operations->members(block, &special_characters);
        // Most blocks of a long string contain no special characters.
        if (special == 0 && search->start != none && !search->state.escaped) {
            search->state.digits = 0;
            continue;
        }
        take(search, characters_of(block, special, search->state.escaped, operations), offset, 64);
    }
    return offset;
}

#if defined(__x86_64__)
AVX2 static size_t take_blocks_avx2(search *search) { return take_blocks(search, &avx2); }
AVX512 static size_t take_blocks_avx512(search *search) { return take_blocks(search, &avx512); }
#endif

static size_t take_blocks_with(instruction_set instructions, search *search) {
#if defined(__x86_64__)
    if (instructions == instructions_avx512) return take_blocks_avx512(search);
    if (instructions == instructions_avx2) return take_blocks_avx2(search);
#elif defined(CJSONSCAN_NEON)
    if (instructions == instructions_neon) return take_blocks(search, &neon);
#endif
    return take_blocks(search, &portable);
}

size_t passages_find(const uint8_t *bytes, size_t count, passages_state *state, passage *passages) {
    return passages_find_with(instructions_fastest(), bytes, count, state, passages);
}

size_t passages_find_with(
    instruction_set instructions, const uint8_t *bytes, size_t count, passages_state *state, passage *passages) {
    search search = {bytes, count, *state, none, passages, 0};
    size_t offset = take_blocks_with(instructions, &search);
    if (offset < count) {
        uint8_t rest[64] = {0};
        memcpy(rest, bytes + offset, count - offset);
        uint64_t special = portable.members(rest, &special_characters);
        take(&search, characters_of(rest, special, search.state.escaped, &portable), offset, count - offset);
    }
    end(&search, offset, &search.state);
    *state = search.state;
    return search.written;
}
