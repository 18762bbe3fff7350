#ifndef CJSONSCAN_STRUCTURE_H
#define CJSONSCAN_STRUCTURE_H

#include <stddef.h>
#include <stdint.h>

/// What a pass over the structure of JSON text carries from one block of 64 bytes to the next.
typedef struct {
    /// All ones while the next byte stands in a string.
    uint64_t in_string;
    /// 1 while the next byte is escaped by a backslash.
    uint64_t escaped;
    /// The number of open brackets.
    int64_t depth;
} structure_state;

/// The structure of 64 bytes: a bit for each byte, the lowest for the first.
typedef struct {
    /// The number of bytes before the block.
    uint64_t offset;
    /// The number of open brackets before the block.
    int64_t depth;
    /// A number of open brackets that nothing in the block is below.
    int64_t lowest;
    /// Quotation marks that are not escaped.
    uint64_t quotes;
    /// Backslashes.
    uint64_t backslashes;
    /// The bytes of strings, the opening quotation mark included, the closing one not.
    uint64_t strings;
    /// Opening brackets outside strings, of objects and arrays.
    uint64_t opens;
    /// Closing brackets outside strings.
    uint64_t closes;
} structure_block;

/// Finds the structure of a text.
///
/// Only blocks are given in which something stands that is at most `shallow` brackets deep, and none that is the middle
/// of a string.
///
/// - bytes: The text.
/// - count: Its length in bytes, a multiple of 64.
/// - blocks: Where the blocks are written; there must be room for one for each 64 bytes.
/// - Returns the number of blocks written.
size_t structure_scan(
    const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state, structure_block *blocks);

/// The instructions to scan with, the slowest first: what every processor can, and two sets of x86-64.
typedef enum { structure_portable, structure_avx2, structure_avx512 } structure_instructions;

/// The fastest instructions that the processor has; it has the slower ones too.
structure_instructions structure_fastest(void);

/// Finds the same with the instructions that are wanted, which the processor must have.
size_t structure_scan_with(
    structure_instructions instructions, const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state,
    structure_block *blocks);

#endif
