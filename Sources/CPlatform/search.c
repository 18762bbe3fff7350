#define _GNU_SOURCE

#include "search.h"

#include <stdint.h>
#include <string.h>

// 32 bytes, which need not be aligned. Comparing two vectors sets all bits of equal bytes.
typedef uint8_t vector __attribute__((vector_size(32), aligned(1)));

// The ranks of the most common bytes of archives. Any other byte is rarer and has rank 0.
static const uint8_t rank[256] = {
    ['e'] = 54, ['"'] = 53, [' '] = 52, ['t'] = 51, ['a'] = 50, ['i'] = 49, ['n'] = 48, ['o'] = 47, ['s'] = 46,
    ['r'] = 45, ['l'] = 44, ['c'] = 43, ['d'] = 42, ['p'] = 41, ['u'] = 40, ['m'] = 39, ['h'] = 38, [':'] = 37,
    ['/'] = 36, [','] = 35, ['.'] = 34, ['0'] = 33, ['-'] = 32, ['f'] = 31, ['1'] = 30, ['g'] = 29, ['b'] = 28,
    ['2'] = 27, ['v'] = 26, ['\\'] = 25, ['w'] = 24, ['y'] = 23, ['='] = 22, ['x'] = 21, ['3'] = 20, ['4'] = 19,
    ['_'] = 18, ['k'] = 17, ['9'] = 16, ['5'] = 15, ['6'] = 14, ['8'] = 13, ['7'] = 12, [';'] = 11, ['('] = 10,
    [')'] = 9, ['q'] = 8, ['z'] = 7, ['{'] = 6, ['}'] = 5, ['['] = 4, [']'] = 3, ['j'] = 2, ['+'] = 1,
};

static inline int is_letter(uint8_t byte) { return byte >= 'a' && byte <= 'z'; }

static inline uint8_t lowercase(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

static inline int is_at(const uint8_t *text, const uint8_t *wanted, size_t count, int ignores_case) {
    if (!ignores_case) return memcmp(text, wanted, count) == 0;
    for (size_t i = 0; i < count; i++)
        if (lowercase(text[i]) != wanted[i]) return 0;
    return 1;
}

// `ignores_case` is constant in each caller, so that the compiler creates a version for each.
static inline __attribute__((always_inline)) const void *find(
    const uint8_t *text, size_t count, const uint8_t *word, size_t wanted_count, int ignores_case) {
    if (wanted_count == 0 || wanted_count > count) return NULL;

    // The offsets of the two rarest bytes. Only where the text has both, the other bytes are compared.
    size_t first = 0, second = wanted_count - 1;
    for (size_t i = 0; i < wanted_count; i++)
        if (rank[word[i]] < rank[word[first]]) first = i;
    if (second == first) second = 0;
    for (size_t i = 0; i < wanted_count; i++)
        if (i != first && rank[word[i]] < rank[word[second]]) second = i;

    // A letter is compared after its case bit is set. Only the two cases of a letter become that letter.
    const vector none = {0};
    const vector first_byte = none + word[first], second_byte = none + word[second];
    const vector first_case = none + (uint8_t)(ignores_case && is_letter(word[first]) ? 0x20 : 0);
    const vector second_case = none + (uint8_t)(ignores_case && is_letter(word[second]) ? 0x20 : 0);
    const size_t starts = count - wanted_count + 1;
    size_t start = 0;
    while (start + sizeof(vector) <= starts) {
        vector here, there;
        memcpy(&here, text + start + first, sizeof here);
        memcpy(&there, text + start + second, sizeof there);
        vector both = (vector)((here | first_case) == first_byte) & (vector)((there | second_case) == second_byte);
        uint64_t words[4];
        memcpy(words, &both, sizeof words);
        if ((words[0] | words[1] | words[2] | words[3]) != 0)
            for (size_t i = 0; i < sizeof(vector); i++)
                if (both[i] && is_at(text + start + i, word, wanted_count, ignores_case)) return text + start + i;
        start += sizeof(vector);
    }
    for (; start < starts; start++)
        if (is_at(text + start, word, wanted_count, ignores_case)) return text + start;
    return NULL;
}

const void *search_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    // memmem is linear in the worst case, but takes several times as long for text without the sequence.
    if (wanted_count > 64) return memmem(bytes, count, wanted, wanted_count);
    return find(bytes, count, wanted, wanted_count, 0);
}

const void *search_find_ignoring_case(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    return find(bytes, count, wanted, wanted_count, 1);
}
