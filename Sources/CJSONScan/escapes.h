#ifndef CJSONSCAN_ESCAPES_H
#define CJSONSCAN_ESCAPES_H

#include "blocks.h"

// Returns a bit mask of the bytes that are escaped by a backslash: every second byte in a run of backslashes, and the
// byte after a run of odd length. The carries of the subtraction propagate through each run. Runs that start at even
// and odd bits are handled separately.
static inline uint64_t find_escaped(uint64_t backslashes, uint64_t *escaped) {
    if (backslashes == 0) {
        uint64_t first = *escaped;
        *escaped = 0;
        return first;
    }
    const uint64_t odd = 0xAAAAAAAAAAAAAAAAULL;
    uint64_t starts = backslashes & ~*escaped;
    uint64_t codes = (((starts << 1) | odd) - starts) ^ odd;
    uint64_t result = codes ^ (backslashes | *escaped);
    *escaped = (codes & backslashes) >> 63;
    return result;
}

// The characters that can follow a backslash, except `u`: "/ \ bfn rt.
static const character_set escape_letters = {
    {[0x2] = 1 | 4 | 8, [0x4] = 8, [0x6] = 4, [0xC] = 2, [0xE] = 4, [0xF] = 1},
    {[0x2] = 1, [0x5] = 2, [0x6] = 4, [0x7] = 8}};

static inline int is_hexadecimal(uint8_t byte) {
    uint8_t letter = byte | 0x20;
    return (byte >= '0' && byte <= '9') || (letter >= 'a' && letter <= 'f');
}

#endif
