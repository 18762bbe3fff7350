#ifndef CSTRUCTURE_ESCAPES_H
#define CSTRUCTURE_ESCAPES_H

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

#endif
