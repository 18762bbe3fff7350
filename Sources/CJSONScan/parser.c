#include "parser.h"

#include <stdlib.h>
#include <string.h>

#include "delimiters.h"
#include "escapes.h"
#include "instructions.h"

// The tokens that the grammar allows next.
typedef enum { a_value, a_value_or_end, a_name, a_name_or_end, a_colon, a_separator } expectation;

// The part of a number that was read last. No number is complete after the states before `zero` and those at odd places after it.
typedef enum {
    no_number, sign, zero, digits, point, fraction, exponent_letter, exponent_sign, exponent
} number_state;

struct json_parser {
    delimiters_state delimiters;
    instruction_set instructions;
    expectation expected;
    // Whether an error was found.
    bool failed;
    // Whether the open token is not allowed here. As with yajl, this is an error only when the token ends, because a
    // text that was truncated may end within it.
    bool is_misplaced;
    // The token that continues after the end of the text so far: `json_string`, `json_key`, `json_number`, a literal,
    // or `no_token`.
    uint8_t open;
    // The state of an open number, and the number of bytes of an open literal that were read.
    number_state number;
    size_t matched;
    // The kinds of the open containers, one bit for each: 1 for an object.
    uint64_t *levels;
    size_t depth, capacity;
};

enum { no_token = 0xFF };

// The tokens written so far.
typedef struct {
    json_token *next;
    // The offset of the current section in the text.
    uint32_t start;
} output;

json_parser *json_parser_create(void) { return json_parser_create_with(instructions_fastest()); }

json_parser *json_parser_create_with(instruction_set instructions) {
    json_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL) return NULL;
    parser->instructions = instructions;
    parser->open = no_token;
    return parser;
}

void json_parser_free(json_parser *parser) {
    if (parser == NULL) return;
    free(parser->levels);
    free(parser);
}

static inline void put(output *output, uint8_t kind, size_t end, size_t size) {
    *output->next++ = (json_token){output->start + (uint32_t)end, (uint32_t)size, kind};
}

// MARK: Containers

static inline bool is_in_object(const json_parser *parser) {
    size_t last = parser->depth - 1;
    return parser->depth > 0 && (parser->levels[last / 64] >> last % 64 & 1);
}

static bool push(json_parser *parser, bool is_object) {
    size_t depth = parser->depth;
    if (depth == parser->capacity * 64) {
        size_t capacity = parser->capacity == 0 ? 1 : 2 * parser->capacity;
        uint64_t *levels = realloc(parser->levels, capacity * sizeof *levels);
        if (levels == NULL) return false;
        parser->levels = levels;
        parser->capacity = capacity;
    }
    uint64_t bit = 1ULL << depth % 64;
    uint64_t others = parser->levels[depth / 64] & (bit - 1);
    parser->levels[depth / 64] = is_object ? others | bit : others;
    parser->depth++;
    return true;
}

// MARK: Numbers and literals

static inline bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

// Returns the state after a byte, or `no_number` if the number ends before it.
static inline number_state next_state(number_state state, uint8_t byte) {
    switch (state) {
    case no_number: if (byte == '-') return sign; // fallthrough
    case sign: return byte == '0' ? zero : is_digit(byte) ? digits : no_number;
    case digits: if (is_digit(byte)) return digits; // fallthrough
    case zero: return byte == '.' ? point : (byte | 0x20) == 'e' ? exponent_letter : no_number;
    case point: return is_digit(byte) ? fraction : no_number;
    case fraction:
        return is_digit(byte) ? fraction : (byte | 0x20) == 'e' ? exponent_letter : no_number;
    case exponent_letter: if (byte == '-' || byte == '+') return exponent_sign; // fallthrough
    case exponent_sign: case exponent: return is_digit(byte) ? exponent : no_number;
    }
    return no_number;
}

static inline bool is_complete(number_state state) {
    return state == zero || state == digits || state == fraction || state == exponent;
}

// Returns whether a byte can follow a number or literal: whitespace, or the first byte of another token.
static inline bool is_delimiter(uint8_t byte) {
    switch (byte) {
    case ' ': case '\t': case '\n': case '\v': case '\f': case '\r':
    case '"': case ',': case ':': case '{': case '}': case '[': case ']': return true;
    default: return false;
    }
}

static bool begin_scalar(json_parser *parser, const uint8_t *bytes, size_t at, size_t rest, output *output);

// Reads a number or literal, or the rest of an open one, and leaves it open if the text ends first.
//
// - at: The offset of its next byte in the section.
// - rest: The number of bytes from the start of the section to the end of the text.
static bool read_scalar(json_parser *parser, const uint8_t *bytes, size_t at, size_t rest, output *output) {
    static const char *const literals[] = {"null", "true", "false"};
    uint8_t kind = parser->open;
    if (kind == json_number) {
        number_state state = parser->number;
        while (at < rest) {
            number_state next = next_state(state, bytes[at]);
            if (next == no_number) break;
            state = next;
            at++;
            if (state == digits || state == fraction || state == exponent)
                while (at < rest && is_digit(bytes[at])) at++;
        }
        parser->number = state;
        if (at == rest) return true;
        if (!is_complete(state)) return false;
    } else {
        const char *literal = literals[kind];
        for (; literal[parser->matched] != 0; parser->matched++, at++) {
            if (at == rest) return true;
            if (bytes[at] != (uint8_t)literal[parser->matched]) return false;
        }
    }
    if (parser->is_misplaced) return false;
    parser->open = no_token;
    parser->expected = a_separator;
    put(output, kind, at, 0);
    if (at == rest || is_delimiter(bytes[at])) return true;
    // Another number or literal begins here, as in `07`.
    parser->is_misplaced = true;
    return begin_scalar(parser, bytes, at, rest, output);
}

static bool begin_scalar(json_parser *parser, const uint8_t *bytes, size_t at, size_t rest, output *output) {
    parser->number = no_number;
    parser->matched = 0;
    switch (bytes[at]) {
    case 'n': parser->open = json_null; break;
    case 't': parser->open = json_true; break;
    case 'f': parser->open = json_false; break;
    default: parser->open = json_number;
    }
    return read_scalar(parser, bytes, at, rest, output);
}

// MARK: Sections

// Returns whether any bit is set from `start` to `end`, which is greater.
static inline bool has_bit(const uint64_t *bits, size_t start, size_t end) {
    size_t word = start / 64, last = (end - 1) / 64;
    uint64_t first = bits[word] & UINT64_MAX << start % 64;
    for (; word < last; first = bits[++word])
        if (first != 0) return true;
    return (first & UINT64_MAX >> (63 - (end - 1) % 64)) != 0;
}

// Reads a string that begins at `at`, and leaves it open if the section ends first.
//
// - index: The index of the delimiter after the opening quotation mark.
static inline bool read_string(
    json_parser *parser, uint8_t kind, size_t at, size_t size, const delimiters *found, size_t *index,
    output *output) {
    if (*index == found->count) {
        parser->open = kind;
        return found->invalid == size;
    }
    size_t end = found->offsets[(*index)++];
    if (found->invalid < end) return false;
    put(output, kind, end + 1, has_bit(found->backslashes, at, end) ? 0 : end - at - 1);
    return true;
}

// Returns whether a token that is not allowed continues after the end of the text, so that the error is found later.
static bool is_open(
    json_parser *parser, const uint8_t *bytes, size_t at, size_t size, size_t rest, const delimiters *found,
    size_t index, output *output) {
    parser->is_misplaced = true;
    switch (bytes[at]) {
    case '"':
        parser->open = json_string;
        return index == found->count && found->invalid == size;
    case ',': case ':': case '{': case '}': case '[': case ']': return false;
    default: return begin_scalar(parser, bytes, at, rest, output);
    }
}

// Reads the tokens of a section.
//
// - rest: The number of bytes from the start of the section to the end of the text.
static bool read_section(
    json_parser *parser, const uint8_t *bytes, size_t size, size_t rest, const delimiters *found, output *output) {
    size_t index = 0;
    if (parser->open == json_string || parser->open == json_key) {
        size_t end = found->count > 0 ? found->offsets[index++] : size;
        if (found->invalid < end) return false;
        if (end == size) return true;
        if (parser->is_misplaced) return false;
        put(output, parser->open, end + 1, 0);
        parser->expected = parser->open == json_key ? a_colon : a_separator;
        parser->open = no_token;
    }
    // Each state has its own code, so that the processor can predict what follows it.
    bool is_object = is_in_object(parser);
    size_t at;
#define NEXT(state)                                      \
    if (index == found->count) {                         \
        parser->expected = state;                        \
        return true;                                     \
    }                                                    \
    at = found->offsets[index++];
    switch (parser->expected) {
    case a_value: goto value;
    case a_value_or_end: goto value_or_end;
    case a_name: goto name;
    case a_name_or_end: goto name_or_end;
    case a_colon: goto colon;
    case a_separator: goto separator;
    }
name_or_end:
    NEXT(a_name_or_end)
    if (bytes[at] == '}') goto end;
    goto known_name;
name:
    NEXT(a_name)
known_name:
    if (bytes[at] != '"') goto unexpected;
    if (!read_string(parser, json_key, at, size, found, &index, output)) return false;
colon:
    NEXT(a_colon)
    if (bytes[at] != ':') goto unexpected;
    goto value;
value_or_end:
    NEXT(a_value_or_end)
    if (bytes[at] == ']') goto end;
    goto known_value;
value:
    NEXT(a_value)
known_value:
    switch (bytes[at]) {
    case '"':
        if (!read_string(parser, json_string, at, size, found, &index, output)) return false;
        break;
    case '{':
        if (!push(parser, true)) return false;
        put(output, json_object, at + 1, 0);
        is_object = true;
        goto name_or_end;
    case '[':
        if (!push(parser, false)) return false;
        put(output, json_array, at + 1, 0);
        is_object = false;
        goto value_or_end;
    default:
        if (!begin_scalar(parser, bytes, at, rest, output)) return false;
    }
separator:
    NEXT(a_separator)
    if (bytes[at] == ',' && parser->depth > 0) {
        if (is_object) goto name;
        goto value;
    }
    if (parser->depth == 0 || bytes[at] != (is_object ? '}' : ']')) goto unexpected;
end:
    parser->depth--;
    put(output, json_close, at + 1, 0);
    is_object = is_in_object(parser);
    goto separator;
unexpected:
    return is_open(parser, bytes, at, size, rest, found, index, output);
#undef NEXT
}

// MARK: Parts

static bool parse(json_parser *parser, const uint8_t *bytes, size_t count, output *output) {
    delimiters_state *state = &parser->delimiters;
    for (size_t i = 0; i < count && state->digits > 0; i++, state->digits--)
        if (!is_hexadecimal(bytes[i])) return false;
    bool is_scalar = parser->open != no_token && parser->open != json_string && parser->open != json_key;
    if (is_scalar && !read_scalar(parser, bytes, 0, count, output)) return false;
    for (size_t start = 0; start < count; start += section_size) {
        size_t rest = count - start, size = rest < section_size ? rest : section_size;
        delimiters found;
        delimiters_find(parser->instructions, bytes + start, size, rest, state, &found);
        output->start = (uint32_t)start;
        if (!read_section(parser, bytes + start, size, rest, &found, output)) return false;
    }
    // The next part can only continue a token that is still open.
    if (parser->open == no_token) state->in_scalar = 0;
    return true;
}

bool json_parser_parse(
    json_parser *parser, const uint8_t *bytes, size_t count, json_token *tokens, size_t *token_count) {
    output output = {tokens, 0};
    if (!parser->failed) parser->failed = !parse(parser, bytes, count, &output);
    *token_count = (size_t)(output.next - tokens);
    return !parser->failed;
}

bool json_parser_finish(json_parser *parser, json_token *tokens, size_t *token_count) {
    output output = {tokens, 0};
    bool is_number = parser->open == json_number && is_complete(parser->number);
    if (!parser->failed && is_number && !parser->is_misplaced) {
        put(&output, json_number, 0, 0);
        parser->open = no_token;
        parser->expected = a_separator;
    }
    *token_count = (size_t)(output.next - tokens);
    return !parser->failed && parser->open == no_token && parser->expected == a_separator && parser->depth == 0;
}
