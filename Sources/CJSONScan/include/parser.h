#ifndef CJSONSCAN_PARSER_H
#define CJSONSCAN_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

/// The kinds of tokens. A container consists of an opening token, the tokens inside, and a closing token.
enum {
    json_null, json_true, json_false, json_number, json_string, json_key, json_object, json_array, json_close,
};

/// A token of a JSON text.
typedef struct {
    /// The offset after the token, in bytes from the start of the part that was passed to the parser.
    uint32_t end;
    /// The decoded size of a string or key in bytes, or 0 if it is unknown.
    uint32_t size;
    /// One of the constants above.
    uint8_t kind;
} json_token;

/// A parser of a JSON text (RFC 8259) that arrives in parts.
///
/// It accepts the same texts as yajl without validation of UTF-8: a vertical tab or a form feed is whitespace, and
/// strings can contain bytes that are not valid UTF-8.
typedef struct json_parser json_parser;

/// Creates a parser, or returns NULL if memory is exhausted.
json_parser *json_parser_create(void);

/// Creates a parser that uses a given instruction set, which the processor must support.
json_parser *json_parser_create_with(instruction_set instructions);

void json_parser_free(json_parser *parser);

/// Parses the next part of the text.
///
/// - bytes: The part, shorter than 4 GiB.
/// - tokens: Receives the tokens that end in the part, also those before an error. Must have room for `count + 1`.
/// - token_count: Receives the number of tokens.
/// - Returns whether the text is valid so far. After an error, all parts are invalid.
bool json_parser_parse(
    json_parser *parser, const uint8_t *bytes, size_t count, json_token *tokens, size_t *token_count);

/// Ends the text.
///
/// - tokens: Receives a number at the end of the text, which is complete only now. Must have room for one token.
/// - Returns whether the text is valid and complete.
bool json_parser_finish(json_parser *parser, json_token *tokens, size_t *token_count);

#endif
