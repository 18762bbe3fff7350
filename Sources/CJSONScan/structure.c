#include "structure.h"

#include "blocks.h"
#include "escapes.h"

FOR_EACH_SET size_t scan(
    const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state, structure_block *blocks,
    const block_operations *operations) {
    structure_state now = *state;
    size_t written = 0;
    for (size_t i = 0; i < count; i += 64) {
        uint64_t quotes = operations->equal(bytes + i, '"', 0);
        uint64_t backslashes = operations->equal(bytes + i, '\\', 0);
        if (backslashes | now.escaped) quotes &= ~find_escaped(backslashes, &now.escaped);
        if (quotes == 0 && now.in_string) continue;
        uint64_t strings = operations->prefix_xor(quotes) ^ now.in_string;
        now.in_string = (uint64_t)((int64_t)strings >> 63);
        // Square and curly brackets differ only in bit 0x20.
        uint64_t opens = operations->equal(bytes + i, '{', 0x20) & ~strings;
        uint64_t closes = operations->equal(bytes + i, '}', 0x20) & ~strings;
        int64_t depth = now.depth, lowest = depth - __builtin_popcountll(closes);
        now.depth = lowest + __builtin_popcountll(opens);
        blocks[written] = (structure_block){i, depth, lowest, quotes, backslashes, strings, opens, closes};
        // The next block overwrites a block that is too deep.
        written += lowest <= shallow;
    }
    *state = now;
    return written;
}

#if defined(__x86_64__)

AVX2 static size_t scan_avx2(
    const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state, structure_block *blocks) {
    return scan(bytes, count, shallow, state, blocks, &avx2);
}

// AVX-512 compares 64 bytes at once.
AVX512 static size_t scan_avx512(
    const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state, structure_block *blocks) {
    return scan(bytes, count, shallow, state, blocks, &avx512);
}

#endif

size_t structure_scan_with(
    instruction_set instructions, const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state,
    structure_block *blocks) {
#if defined(__x86_64__)
    if (instructions == instructions_avx512) return scan_avx512(bytes, count, shallow, state, blocks);
    if (instructions == instructions_avx2) return scan_avx2(bytes, count, shallow, state, blocks);
#elif defined(CJSONSCAN_NEON)
    if (instructions == instructions_neon) return scan(bytes, count, shallow, state, blocks, &neon);
#endif
    return scan(bytes, count, shallow, state, blocks, &portable);
}

size_t structure_scan(
    const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state, structure_block *blocks) {
    return structure_scan_with(instructions_fastest(), bytes, count, shallow, state, blocks);
}
