#ifndef CJSONSCAN_ESCAPES_H
#define CJSONSCAN_ESCAPES_H

#include <stdint.h>

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

// Returns whether a byte is a hexadecimal digit.
static inline int is_hexadecimal(uint8_t byte) {
    uint8_t letter = byte | 0x20;
    return (byte >= '0' && byte <= '9') || (letter >= 'a' && letter <= 'f');
}

// Returns whether a byte other than `u` can follow a backslash.
static inline int is_letter(uint8_t byte) {
    switch (byte) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': return 1;
    default: return 0;
    }
}

#endif
