// Without the trait SystemYajl, this module is empty.
#if defined(SYSTEM_YAJL)

#include "yajl_tokens.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "../CJSONScan/include/passages.h"

struct yajl_tokens {
    yajl_handle handle;
    passages_state passages;
    // The next token to write, during a call.
    json_token *next;
    // The part of the text, and the offset in it that was last passed to yajl.
    const uint8_t *bytes;
    size_t count, start;
    // Whether text of the current token was omitted.
    bool is_omitted;
    size_t held;
};

// The size of the text in which passages are searched, in bytes. It fits in the CPU cache.
enum { searched_size = 1 << 14 };

// Not a whole structure, whose padding the compiler would write, too.
static inline int put(yajl_tokens *parser, uint8_t kind, size_t end, size_t size) {
    json_token *token = parser->next++;
    token->end = (uint32_t)end;
    token->size = (uint32_t)size;
    token->kind = kind;
    return 1;
}

// Not inlined, so that callbacks that rarely call it save no registers.
static __attribute__((noinline)) int put_last(yajl_tokens *parser, uint8_t kind, size_t size) {
    return put(parser, kind, parser->start + yajl_get_bytes_consumed(parser->handle), size);
}

// Writes a token with text. yajl passes a pointer into the part whenever possible, which shows the end of the token without
// a call.
static inline int put_text(
    yajl_tokens *parser, uint8_t kind, const void *text, size_t size, size_t known_size, size_t quote) {
    uintptr_t offset = (uintptr_t)text - (uintptr_t)parser->bytes;
    if (offset >= parser->count) return put_last(parser, kind, known_size);
    return put(parser, kind, offset + size + quote, known_size);
}

// The omitted text belongs to the next string or key.
static inline int put_quoted(yajl_tokens *parser, uint8_t kind, const unsigned char *text, size_t size) {
    bool is_omitted = parser->is_omitted;
    parser->is_omitted = false;
    return put_text(parser, kind, text, size, is_omitted ? 0 : size, 1);
}

static int put_null(void *context) { return put_last(context, json_null, 0); }
static int put_boolean(void *context, int value) { return put_last(context, value ? json_true : json_false, 0); }
static int put_number(void *context, const char *text, size_t size) {
    return put_text(context, json_number, text, size, 0, 0);
}
static int put_string(void *context, const unsigned char *text, size_t size) {
    return put_quoted(context, json_string, text, size);
}
static int put_key(void *context, const unsigned char *text, size_t size) {
    return put_quoted(context, json_key, text, size);
}
static int put_object(void *context) { return put_last(context, json_object, 0); }
static int put_array(void *context) { return put_last(context, json_array, 0); }
static int put_close(void *context) { return put_last(context, json_close, 0); }

static const yajl_callbacks all_callbacks = {
    .yajl_null = put_null, .yajl_boolean = put_boolean, .yajl_number = put_number, .yajl_string = put_string,
    .yajl_start_map = put_object, .yajl_map_key = put_key, .yajl_end_map = put_close,
    .yajl_start_array = put_array, .yajl_end_array = put_close,
};

static const yajl_callbacks bracket_callbacks = {
    .yajl_start_map = put_object, .yajl_end_map = put_close,
    .yajl_start_array = put_array, .yajl_end_array = put_close,
};

yajl_tokens *yajl_tokens_create(bool only_brackets) {
    yajl_tokens *parser = calloc(1, sizeof *parser);
    if (parser == NULL) return NULL;
    parser->handle = yajl_alloc(only_brackets ? &bracket_callbacks : &all_callbacks, NULL, parser);
    if (parser->handle == NULL) {
        free(parser);
        return NULL;
    }
    yajl_config(parser->handle, yajl_dont_validate_strings, 1);
    return parser;
}

void yajl_tokens_free(yajl_tokens *parser) {
    if (parser == NULL) return;
    yajl_free(parser->handle);
    free(parser);
}

static bool parse(yajl_tokens *parser, const uint8_t *bytes, size_t start, size_t end) {
    if (start == end) return true;
    parser->start = start;
    parser->held += end - start;
    return yajl_parse(parser->handle, bytes + start, end - start) == yajl_status_ok;
}

static bool parse_all(yajl_tokens *parser, const uint8_t *bytes, size_t count) {
    passage found[searched_size / passages_least_length + 1];
    for (size_t start = 0; start < count; start += searched_size) {
        size_t size = count - start < searched_size ? count - start : searched_size, offset = start;
        size_t found_count = passages_find(bytes + start, size, &parser->passages, found);
        for (size_t i = 0; i < found_count; i++) {
            if (!parse(parser, bytes, offset, start + (size_t)found[i].start)) return false;
            offset = start + (size_t)found[i].end;
            parser->is_omitted = true;
        }
        if (!parse(parser, bytes, offset, start + size)) return false;
    }
    return true;
}

bool yajl_tokens_parse(
    yajl_tokens *parser, const uint8_t *bytes, size_t count, json_token *tokens, size_t *token_count) {
    parser->next = tokens;
    parser->bytes = bytes;
    parser->count = count;
    bool is_valid = parse_all(parser, bytes, count);
    *token_count = (size_t)(parser->next - tokens);
    if (*token_count > 0 && parser->held > count - tokens[*token_count - 1].end)
        parser->held = count - tokens[*token_count - 1].end;
    return is_valid;
}

bool yajl_tokens_finish(yajl_tokens *parser, json_token *tokens, size_t *token_count) {
    parser->next = tokens;
    parser->start = parser->count = 0;
    bool is_valid = yajl_complete_parse(parser->handle) == yajl_status_ok;
    *token_count = (size_t)(parser->next - tokens);
    return is_valid;
}

size_t yajl_tokens_held(const yajl_tokens *parser) { return parser->held; }

#endif
