#ifndef CYAJLTOKENS_H
#define CYAJLTOKENS_H

// A relative path, because other packages may also have a header with this name.
#include "../../CJSONScan/include/parser.h"

/// yajl with the functions of a `json_parser`.
///
/// It does not receive the middle of long strings, which is validated many bytes at a time. Omitting this text does not
/// change whether the document is valid.
typedef struct yajl_tokens yajl_tokens;

/// Creates a parser, or returns NULL if memory is exhausted.
///
/// - only_brackets: Whether to omit all tokens except brackets, which saves time.
yajl_tokens *yajl_tokens_create(bool only_brackets);

void yajl_tokens_free(yajl_tokens *parser);

/// Like `json_parser_parse`.
bool yajl_tokens_parse(
    yajl_tokens *parser, const uint8_t *bytes, size_t count, json_token *tokens, size_t *token_count);

/// Like `json_parser_finish`. An incomplete token after the value of the document is not reported.
bool yajl_tokens_finish(yajl_tokens *parser, json_token *tokens, size_t *token_count);

/// Returns the number of bytes since the last token that yajl will read again.
size_t yajl_tokens_held(const yajl_tokens *parser);

#endif
