#ifndef CJSONSCAN_PASSAGES_H
#define CJSONSCAN_PASSAGES_H

#include <stddef.h>
#include <stdint.h>

/// What the search for passages carries from one piece of JSON text to the next; all zeros before the first.
typedef struct {
    /// All ones while the next byte stands in a string.
    uint64_t in_string;
    /// 1 while the next byte is escaped by a backslash.
    uint64_t escaped;
    /// The number of hexadecimal digits of an escape that are still to come.
    uint64_t digits;
} passages_state;

/// A part of a text.
typedef struct {
    uint64_t start, end;
} passage;

/// The least length of a passage, in bytes.
enum { passages_least_length = 192 };

/// Finds long passages inside strings that are as JSON wants them (RFC 8259, section 7): without control characters, and
/// with whole and valid escapes.
///
/// Without its passages a text is JSON exactly when it is with them.
///
/// - bytes: The text.
/// - count: Its length in bytes.
/// - passages: Where they are written, in their order; there must be room for one for each 192 bytes.
/// - Returns the number of passages written.
size_t passages_find(const uint8_t *bytes, size_t count, passages_state *state, passage *passages);

/// Finds the same with what every processor can.
size_t passages_find_portable(const uint8_t *bytes, size_t count, passages_state *state, passage *passages);

#endif
