// Compares the two JSON parsers: both must accept the same texts and find the same tokens, regardless of how the texts
// are divided.
//
// Usage: driver CASES [FILE…]. Reads each file, then as many generated or changed texts, and prints their numbers. With
// the option --accepts or --rejects before the files, they must be accepted or rejected.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser.h"
#include "yajl_tokens.h"

static uint64_t seed = 1;

static size_t choose(size_t count) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % count;
}

// MARK: Parsing

// The tokens of a text, with offsets in the whole text, and whether it was accepted.
typedef struct {
    json_token *tokens;
    size_t count;
    bool is_accepted;
    // The offset after the part in which an error was found, or of the end of the text.
    size_t end;
} result;

// The functions of a parser.
typedef struct {
    void *parser;
    bool (*parse)(void *, const uint8_t *, size_t, json_token *, size_t *);
    bool (*finish)(void *, json_token *, size_t *);
} functions;

static bool parse_sections(void *parser, const uint8_t *bytes, size_t count, json_token *tokens, size_t *found) {
    return json_parser_parse(parser, bytes, count, tokens, found);
}
static bool finish_sections(void *parser, json_token *tokens, size_t *found) {
    return json_parser_finish(parser, tokens, found);
}
static bool parse_yajl(void *parser, const uint8_t *bytes, size_t count, json_token *tokens, size_t *found) {
    return yajl_tokens_parse(parser, bytes, count, tokens, found);
}
static bool finish_yajl(void *parser, json_token *tokens, size_t *found) {
    return yajl_tokens_finish(parser, tokens, found);
}

static bool is_whitespace(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static void take(result *result, size_t start, size_t count) {
    for (size_t i = 0; i < count; i++) result->tokens[result->count++].end += (uint32_t)start;
}

// Parses a text in parts that the seed determines. Each part is in memory of exactly its size, so that sanitizers notice
// every access outside.
static result parse(functions functions, const uint8_t *text, size_t count, uint64_t parts) {
    result result = {malloc((count + 2) * sizeof(json_token)), 0, true, 0};
    size_t found = 0;
    seed = parts;
    bool is_whole = choose(8) == 0;
    for (size_t start = 0; start < count && result.is_accepted;) {
        size_t size = is_whole ? count : 1 + choose(choose(3) == 0 ? count : 10);
        if (size > count - start) size = count - start;
        uint8_t *part = malloc(size);
        json_token *tokens = malloc((size + 1) * sizeof *tokens);
        assert(result.tokens && part && tokens);
        memcpy(part, text + start, size);
        result.is_accepted = functions.parse(functions.parser, part, size, tokens, &found);
        memcpy(result.tokens + result.count, tokens, found * sizeof *tokens);
        take(&result, start, found);
        free(tokens);
        free(part);
        start += size;
        result.end = start;
    }
    if (!result.is_accepted) return result;
    result.is_accepted = functions.finish(functions.parser, result.tokens + result.count, &found);
    take(&result, count, found);
    // A scanner checks that nothing but whitespace follows, because yajl ignores an incomplete token there.
    size_t end = result.count > 0 ? result.tokens[result.count - 1].end : 0;
    while (end < count && is_whitespace(text[end])) end++;
    result.is_accepted = result.is_accepted && end == count;
    return result;
}

// Returns whether both parsers accept the text, after comparing their tokens.
static bool compare(const uint8_t *text, size_t count, const char *name) {
    json_parser *parser = json_parser_create();
    yajl_tokens *judge = yajl_tokens_create(false);
    uint64_t first = seed, second = seed + choose(2);
    result expected = parse((functions){judge, parse_yajl, finish_yajl}, text, count, first);
    result found = parse((functions){parser, parse_sections, finish_sections}, text, count, second);
    bool is_equal = expected.count == found.count && expected.is_accepted == found.is_accepted;
    // If the text is divided in the same way, an error is found in the same part.
    if (first == second) is_equal = is_equal && expected.end == found.end;
    for (size_t i = 0; is_equal && i < found.count; i++) {
        json_token token = expected.tokens[i], other = found.tokens[i];
        // A decoded size of 0 is unknown.
        bool is_equal_size = token.size == 0 || other.size == 0 || token.size == other.size;
        is_equal = token.kind == other.kind && token.end == other.end && is_equal_size;
    }
    if (!is_equal) {
        fprintf(stderr, "%s: yajl finds %zu tokens and %s %zu bytes, CJSONScan %zu and %s %zu:\n", name, expected.count,
            expected.is_accepted ? "accepts" : "rejects", expected.end, found.count,
            found.is_accepted ? "accepts" : "rejects", found.end);
        fwrite(text, 1, count < 1000 ? count : 1000, stderr);
        exit(1);
    }
    free(expected.tokens);
    free(found.tokens);
    json_parser_free(parser);
    yajl_tokens_free(judge);
    seed = second + 1;
    return found.is_accepted;
}

// MARK: Texts

static size_t put(uint8_t *text, const char *fragment) {
    size_t size = strlen(fragment);
    memcpy(text, fragment, size);
    return size;
}

static size_t put_string(uint8_t *text) {
    static const char *const fragments[] = {
        "\\n", "\\u00eF", "\\\\", "\\\"", "\\/", "\\ud83d\\ude00", "\xc3\xa9", "\xff", "{", "]", ":", ",", " ", "a",
        "word", "a longer text without escape sequences"};
    size_t size = put(text, "\"");
    for (size_t i = choose(choose(8) == 0 ? 300 : 8); i > 0; i--) size += put(text + size, fragments[choose(16)]);
    return size + put(text + size, "\"");
}

// The most bytes that a scalar and the whitespace around it can have.
enum { scalar_size = 16000 };

// Writes a value of at most `space` bytes, which is at least `scalar_size`.
static size_t put_value(uint8_t *text, size_t space, size_t depth) {
    static const char *const scalars[] = {
        "true", "false", "null", "0", "-0", "17", "-1.5", "1e9", "0.25E-3", "123456789012345678901234567890"};
    static const char *const gaps[] = {"", "", "", " ", "\n  ", "\t", "\r\n", "\f", "\v"};
    size_t size = put(text, gaps[choose(9)]);
    size_t kind = choose(depth < 2 ? 2 : 6);
    if (kind > 1 || space < 3 * scalar_size || depth > 40) {
        size += choose(2) ? put_string(text + size) : put(text + size, scalars[choose(10)]);
    } else {
        size += put(text + size, kind == 0 ? "{" : "[");
        for (size_t i = 0, count = choose(7); i < count && space - size > 3 * scalar_size; i++) {
            if (i > 0) size += put(text + size, ",");
            if (kind == 0) {
                size += put_string(text + size);
                size += put(text + size, choose(3) ? ":" : " : ");
            }
            size += put_value(text + size, (space - size) / 2, depth + 1);
        }
        size += put(text + size, kind == 0 ? "}" : "]");
    }
    return size + put(text + size, gaps[choose(9)]);
}

// Writes tokens, and parts of tokens, in any order.
static size_t put_fragments(uint8_t *text) {
    static const char *const fragments[] = {
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "{\"k\":", "[1,2,3]", "\\", "\\n", "\\\"", "\\u00e9", "\\u12", "u",
        "true", "tru", "false", "null", "nul", "1", "-", "0", "01", "1.5", ".", "e", "E+3", " ", "\n", "\f", "\x1f",
        "\x1a", "\x80\xff", "\xef\xbb\xbf", "/", "'", "/*", "NaN",
        "\"a string that is longer than a block of sixty-four bytes, so that it ends in the next one\""};
    size_t size = 0;
    for (size_t i = 1 + choose(30); i > 0; i--) size += put(text + size, fragments[choose(41)]);
    return size;
}

// Inserts, deletes, replaces or truncates.
static size_t change(uint8_t *text, size_t size) {
    static const char bytes[] = "{}[]\",:\\u01 \x1f\x80/eE-+.tn\n";
    size_t at = choose(size);
    switch (choose(4)) {
    case 0: text[at] = (uint8_t)bytes[choose(sizeof bytes)]; return size;
    case 1: return at + 1;
    case 2:
        memmove(text + at + 1, text + at, size - at);
        text[at] = (uint8_t)bytes[choose(sizeof bytes)];
        return size + 1;
    default:
        memmove(text + at, text + at + 1, size - at - 1);
        return size > 1 ? size - 1 : size;
    }
}

static void compare_generated(size_t cases) {
    size_t accepted = 0, total = 0;
    uint8_t *text = malloc(1 << 20);
    assert(text);
    for (size_t number = 1; number <= cases; number++) {
        char name[40];
        snprintf(name, sizeof name, "case %zu", number);
        seed = number * 0x9E3779B97F4A7C15u;
        size_t kind = choose(4);
        size_t size = kind == 0 ? put_fragments(text) : put_value(text, choose(20) ? 60000 : 400000, 0);
        if (kind > 1)
            for (size_t changes = 1 + choose(3); changes > 0; changes--) size = change(text, size);
        accepted += compare(text, size, name);
        total += size;
    }
    free(text);
    printf("%zu generated texts (%zu MB), %zu of them valid: no difference\n", cases, total / 1000000, accepted);
}

// MARK: Files

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *text = malloc(*size + 16);
    assert(text && fread(text, 1, *size, file) == *size);
    fclose(file);
    return text;
}

int main(int argument_count, char **arguments) {
    size_t files = 0, accepted = 0, changed = 0;
    int wanted = -1;
    for (int i = 2; i < argument_count; i++) {
        if (strcmp(arguments[i], "--accepts") == 0) wanted = 1;
        else if (strcmp(arguments[i], "--rejects") == 0) wanted = 0;
        else {
            size_t size;
            uint8_t *text = read_file(arguments[i], &size);
            bool is_accepted = compare(text, size, arguments[i]);
            if (wanted >= 0 && is_accepted != wanted) {
                fprintf(stderr, "%s: %s\n", arguments[i], is_accepted ? "accepted" : "rejected");
                return 1;
            }
            // The same file with errors, if it is short enough to repeat this.
            for (size_t j = size > 0 && size < 200000 ? 20 : 0; j > 0; j--, changed++) {
                size_t changed_size = change(text, size);
                if (changed_size > size) changed_size = size;
                compare(text, changed_size, arguments[i]);
            }
            files++;
            accepted += is_accepted;
            free(text);
        }
    }
    if (files > 0)
        printf("%zu files, %zu of them valid, and %zu changed ones: no difference\n", files, accepted, changed);
    size_t cases = argument_count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
    if (cases > 0) compare_generated(cases);
}
