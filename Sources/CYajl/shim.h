#ifndef CYAJL_SHIM_H
#define CYAJL_SHIM_H

#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

// The configuration functions of yajl are variadic, so Swift cannot call them. Each option in use has a shim.

/// Makes the parser accept invalid UTF-8 instead of failing.
static inline void cyajl_pass_invalid_utf8(yajl_handle parser) {
    yajl_config(parser, yajl_dont_validate_strings, 1);
}

/// Enables line breaks, and indentation by two spaces per level.
static inline void cyajl_beautify(yajl_gen generator) {
    yajl_gen_config(generator, yajl_gen_beautify, 1);
    yajl_gen_config(generator, yajl_gen_indent_string, "  ");
}

/// The nesting of a JSON text, for a parser that only validates.
typedef struct {
    /// The number of open brackets, and the largest number allowed.
    long depth, limit;
    /// The number of containers that are elements of the outermost one.
    long element_count;
} cyajl_nesting;

static inline int cyajl_open(void *context) {
    cyajl_nesting *nesting = (cyajl_nesting *)context;
    nesting->element_count += nesting->depth == 1;
    return ++nesting->depth <= nesting->limit;
}

static inline int cyajl_close(void *context) {
    ((cyajl_nesting *)context)->depth--;
    return 1;
}

/// Callbacks for brackets only. Their context is a `cyajl_nesting`.
static const yajl_callbacks cyajl_nesting_callbacks = {
    .yajl_start_map = cyajl_open,
    .yajl_end_map = cyajl_close,
    .yajl_start_array = cyajl_open,
    .yajl_end_array = cyajl_close,
};

/// Allocates a parser that validates a JSON text and tracks its nesting.
static inline yajl_handle cyajl_alloc_validator(cyajl_nesting *nesting) {
    return yajl_alloc(&cyajl_nesting_callbacks, NULL, nesting);
}

#endif
