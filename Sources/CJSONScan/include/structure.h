#ifndef CJSONSCAN_STRUCTURE_H
#define CJSONSCAN_STRUCTURE_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

/// The state of a scan between two blocks of 64 bytes. It is all zeros before the first block.
typedef struct {
    /// All ones if the next byte is in a string.
    uint64_t in_string;
    /// 1 if the next byte is escaped by a backslash.
    uint64_t escaped;
    /// The number of open brackets.
    int64_t depth;
} structure_state;

/// The structure of 64 bytes, with one bit per byte. The lowest bit represents the first byte.
typedef struct {
    /// The number of bytes before the block.
    uint64_t offset;
    /// The number of open brackets before the block.
    int64_t depth;
    /// A lower bound for the number of open brackets within the block.
    int64_t lowest;
    /// Unescaped quotation marks.
    uint64_t quotes;
    /// Backslashes.
    uint64_t backslashes;
    /// The bytes of strings, including the opening but not the closing quotation mark.
    uint64_t strings;
    /// Opening brackets of objects and arrays, outside strings.
    uint64_t opens;
    /// Closing brackets outside strings.
    uint64_t closes;
} structure_block;

/// Finds the structure of a text.
///
/// Omits blocks that are entirely in a string, and blocks in which all bytes are known to be more than `shallow`
/// brackets deep.
///
/// - bytes: The text.
/// - count: The length of the text in bytes, a multiple of 64.
/// - blocks: Receives the blocks. Must have room for one block per 64 bytes of text.
/// - Returns the number of blocks.
size_t structure_scan(
    const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state, structure_block *blocks);

/// Like structure_scan, but with an instruction set that the processor must support. Portable code replaces the sets of
/// another architecture.
size_t structure_scan_with(
    instruction_set instructions, const uint8_t *bytes, size_t count, int64_t shallow, structure_state *state,
    structure_block *blocks);

#endif
