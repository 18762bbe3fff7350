#include "delimiters.h"

#include <stdbool.h>

#include "blocks.h"
#include "escapes.h"

typedef struct {
    const uint8_t *bytes;
    size_t size, rest;
    delimiters *found;
} search;

// Brackets, commas and colons.
static const character_set operators = {
    {[0xA] = 2, [0xB] = 4, [0xC] = 1, [0xD] = 4}, {[0x2] = 1, [0x3] = 2, [0x5] = 4, [0x7] = 4}};

// Spaces and the characters from the tab to the carriage return.
static const character_set whitespace = {
    {[0x0] = 2, [0x9] = 1, [0xA] = 1, [0xB] = 1, [0xC] = 1, [0xD] = 1}, {[0x0] = 1, [0x2] = 2}};

static const character_set controls = {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {[0x0] = 1, [0x1] = 1}};

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

// Returns a bit mask of the bytes that are not valid after a backslash.
FOR_EACH_SET uint64_t invalid_escapes(
    const search *search, const uint8_t *block, uint64_t escaped, size_t offset, delimiters_state *state,
    const block_operations *operations) {
    uint64_t units = operations->equal(block, 'u', 0);
    uint64_t invalid = escaped & ~(operations->members(block, &escape_letters) | units);
    for (uint64_t rest = escaped & units; rest != 0; rest &= rest - 1)
        if (!is_valid_unit(search, offset + (size_t)__builtin_ctzll(rest), state)) invalid |= rest & -rest;
    return invalid;
}

// Processes a block. Only the last block can be shorter than 64 bytes, and is then followed by spaces.
FOR_EACH_SET void take(
    const search *search, const uint8_t *block, size_t offset, size_t size, delimiters_state *state,
    const block_operations *operations) {
    delimiters *found = search->found;
    uint64_t backslashes = operations->equal(block, '\\', 0);
    uint64_t escaped = find_escaped(backslashes, &state->escaped);
    if (size < 64) {
        state->escaped = escaped >> size & 1;
        escaped &= (1ULL << size) - 1;
    }
    uint64_t quotes = operations->equal(block, '"', 0) & ~escaped;
    uint64_t strings = operations->prefix_xor(quotes) ^ state->in_string;
    state->in_string = (uint64_t)((int64_t)strings >> 63);
    uint64_t outside = ~(strings | quotes);
    uint64_t brackets = operations->members(block, &operators) & outside;
    uint64_t scalars = outside & ~(brackets | operations->members(block, &whitespace));
    uint64_t starts = scalars & ~(scalars << 1 | state->in_scalar);
    state->in_scalar = scalars >> (size - 1) & 1;

    found->backslashes[offset / 64] = backslashes & strings;
    escaped &= strings;
    uint64_t invalid = operations->members(block, &controls) & strings;
    if (escaped != 0) invalid |= invalid_escapes(search, block, escaped, offset, state, operations);
    if (invalid != 0 && found->invalid == search->size) found->invalid = offset + (size_t)__builtin_ctzll(invalid);

    uint64_t bits = brackets | quotes | starts;
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

FOR_EACH_SET void find(const search *search, delimiters_state *result, const block_operations *operations) {
    // The compiler keeps a local state in registers.
    delimiters_state state = *result;
    size_t offset = 0;
    for (; offset + 64 <= search->size; offset += 64)
        take(search, search->bytes + offset, offset, 64, &state, operations);
    if (offset < search->size) {
        uint8_t block[64];
        memset(block, ' ', 64);
        memcpy(block, search->bytes + offset, search->size - offset);
        take(search, block, offset, search->size - offset, &state, operations);
    }
    *result = state;
}

#if defined(__x86_64__)
AVX2 static void find_avx2(const search *search, delimiters_state *state) { find(search, state, &avx2); }
AVX512 static void find_avx512(const search *search, delimiters_state *state) { find(search, state, &avx512); }
#endif

void delimiters_find(
    instruction_set instructions, const uint8_t *bytes, size_t size, size_t rest, delimiters_state *state,
    delimiters *found) {
    const search search = {bytes, size, rest, found};
    found->count = 0;
    found->invalid = size;
#if defined(__x86_64__)
    if (instructions == instructions_avx512) return find_avx512(&search, state);
    if (instructions == instructions_avx2) return find_avx2(&search, state);
#elif defined(CJSONSCAN_NEON)
    if (instructions == instructions_neon) return find(&search, state, &neon);
#endif
    find(&search, state, &portable);
}
