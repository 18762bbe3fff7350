#ifndef CYAJL_SHIM_H
#define CYAJL_SHIM_H

#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

// yajl's configuration functions are variadic, which Swift cannot call: one shim for each option in use.

/// Passes bytes that are no UTF-8 on, instead of stopping at them.
static inline void cyajl_pass_invalid_utf8(yajl_handle parser) {
    yajl_config(parser, yajl_dont_validate_strings, 1);
}

/// Writes line breaks and two spaces for each level.
static inline void cyajl_beautify(yajl_gen generator) {
    yajl_gen_config(generator, yajl_gen_beautify, 1);
    yajl_gen_config(generator, yajl_gen_indent_string, "  ");
}

#endif
