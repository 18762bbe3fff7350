#ifndef CJSONSCAN_PASSAGES_H
#define CJSONSCAN_PASSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

/// The state of the search between two parts of a JSON text. It is all zeros before the first part.
typedef struct {
    /// All ones if the next byte is in a string.
    uint64_t in_string;
    /// 1 if the next byte is escaped by a backslash.
    uint64_t escaped;
    /// The number of hexadecimal digits missing from an unfinished escape sequence.
    uint64_t digits;
} passages_state;

/// A range of offsets in a text.
typedef struct {
    uint64_t start, end;
} passage;

/// The minimum length of a passage, in bytes.
enum { passages_least_length = 192 };

/// Finds long passages of valid string content (RFC 8259, section 7). They contain no control characters, and their
/// escape sequences are complete and valid.
///
/// Removing the passages does not change whether the text is valid JSON.
///
/// - bytes: The text.
/// - count: The length of the text in bytes.
/// - passages: Receives the passages in order. Must have room for one passage per 192 bytes of text.
/// - Returns the number of passages.
size_t passages_find(const uint8_t *bytes, size_t count, passages_state *state, passage *passages);

/// Like passages_find, but with an instruction set that the processor must support. Portable code replaces the sets of
/// another architecture.
size_t passages_find_with(
    instruction_set instructions, const uint8_t *bytes, size_t count, passages_state *state, passage *passages);

#endif
