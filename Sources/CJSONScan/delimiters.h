#ifndef CJSONSCAN_DELIMITERS_H
#define CJSONSCAN_DELIMITERS_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

// The size of the sections in which a parser reads a text, in bytes. A multiple of 64.
enum { section_size = 4096 };

// The state between two sections. It is all zeros before the first section.
typedef struct {
    // All ones if the next byte is in a string.
    uint64_t in_string;
    // 1 if the next byte is escaped by a backslash.
    uint64_t escaped;
    // 1 if the previous byte belongs to a number or a literal.
    uint64_t in_scalar;
    // The number of hexadecimal digits missing from an escape sequence at the end of the text.
    size_t digits;
} delimiters_state;

// The delimiters of a section.
typedef struct {
    // The number of delimiters.
    size_t count;
    // The offset of the first byte that is not valid in its string, or the size of the section.
    size_t invalid;
    // The offsets of brackets, commas and colons outside strings, of quotation marks that are not escaped, and of the
    // first bytes of all other tokens. There is room for a whole block after the last one.
    uint16_t offsets[section_size + 64];
    // The backslashes in strings, with one bit per byte.
    uint64_t backslashes[section_size / 64];
} delimiters;

// Finds the delimiters of a section.
//
// - bytes: The section.
// - size: The size of the section.
// - rest: The number of bytes from the start of the section that can be read.
// - instructions: The instruction set, which the processor must support.
void delimiters_find(
    instruction_set instructions, const uint8_t *bytes, size_t size, size_t rest, delimiters_state *state,
    delimiters *found);

#endif
