// Calls the functions of the C targets with random and hostile input, and compares the instruction sets:
//
//     driver [CASES]
//
// Prints a checksum of the results, which is the same on all processors.
#define _GNU_SOURCE
#include "driver.h"

#include <assert.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input.h"
#include "instructions.h"
#include "memory.h"
#include "parser.h"
#include "passages.h"
#include "processors.h"
#include "queues.h"
#include "search.h"
#include "structure.h"
#include "transfers.h"

enum { longest = 100000 };

static uint64_t seed = 1, checksum, comparisons;

size_t choose(size_t count) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % count;
}

static void add_to_checksum(const void *values, size_t count) {
    const uint64_t *words = values;
    for (size_t i = 0; i < count / sizeof *words; i++) checksum = (checksum ^ words[i]) * 1099511628211u;
}

// Returns a copy that begins after an inaccessible page, ends before one, or begins at any address. The next call
// overwrites it.
static uint8_t *guarded(const uint8_t *bytes, size_t count) {
    static uint8_t *memory;
    static size_t size;
    if (!memory) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        size = (longest + 2 * page - 1) / page * page;
        memory = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert(memory != MAP_FAILED);
        memory += page;
        assert(mprotect(memory, size, PROT_READ | PROT_WRITE) == 0);
    }
    size_t rest = size - count, kind = choose(4);
    uint8_t *copy = memory + (kind == 0 ? 0 : kind == 1 ? choose(rest) : rest);
    memcpy(copy, bytes, count);
    return copy;
}

// Returns space of exactly this size, so that the sanitizer notices every access outside.
static void *exact(size_t count) {
    void *space = malloc(count);
    assert(space || count == 0);
    return space;
}

// Writes text that consists mostly of delimiters, of parts of escape sequences, or of plain text.
static void fill(uint8_t *text, size_t count) {
    static const char *const kinds[] = {
        "\"\\", "\\u00e\"", "aaaaaaaaaaaaaaa\\nu0041", "{}[]\",:\\ ", "ab\x1f\x80\xff", "\"/bfnrt\\", "aaaaaaaa"};
    size_t kind = choose(8);
    for (size_t i = 0; i < count; i++) {
        if (i % 128 == 0 && choose(4) == 0) kind = choose(8);
        text[i] = kind == 7 ? (uint8_t)choose(256) : (uint8_t)kinds[kind][choose(strlen(kinds[kind]))];
    }
}

// Compares the results of an instruction set with the results of the portable code, which comes first.
static void compare(instruction_set set, void **expected, size_t *expected_count, void *found, size_t count) {
    if (set == instructions_portable) {
        *expected = found;
        *expected_count = count;
        add_to_checksum(found, count);
        return;
    }
    comparisons++;
    assert(count == *expected_count && (count == 0 || memcmp(*expected, found, count) == 0));
    free(found);
}

static void check_structure(const uint8_t *text, size_t count) {
    size_t blocks = count / 64, expected_count = 0;
    void *expected = NULL;
    int64_t shallow = (int64_t)choose(4) - 1;
    for (instruction_set set = instructions_portable; set <= instructions_fastest(); set++) {
        structure_state state = {0, 0, 0};
        size_t written = 0;
        structure_block *found = exact((blocks + 1) * sizeof *found);
        // The result does not depend on where the text is divided.
        for (size_t start = 0; start < blocks;) {
            size_t size = 1 + choose(blocks - start), first = written;
            const uint8_t *part = guarded(text + 64 * start, 64 * size);
            written += structure_scan_with(set, part, 64 * size, shallow, &state, found + written);
            while (first < written) found[first++].offset += 64 * start;
            start += size;
        }
        found[written] = (structure_block){0, state.depth, 0, state.in_string, state.escaped, 0, 0, 0};
        compare(set, &expected, &expected_count, found, (written + 1) * sizeof *found);
    }
    free(expected);
}

static void check_passages(const uint8_t *text, size_t count) {
    size_t expected_count = 0;
    void *expected = NULL;
    passages_state first = {choose(2) ? UINT64_MAX : 0, choose(2), choose(5)};
    size_t parts = 1 + choose(4);
    uint64_t division = seed;
    for (instruction_set set = instructions_portable; set <= instructions_fastest(); set++) {
        passages_state state = first;
        size_t written = 0, start = 0;
        passage *found = exact(count / passages_least_length * sizeof *found + sizeof state);
        // The result depends on where the text is divided.
        seed = division;
        for (size_t part = parts; part > 0; part--) {
            size_t size = part == 1 ? count - start : choose(count - start + 1);
            written += passages_find_with(set, guarded(text + start, size), size, &state, found + written);
            start += size;
        }
        memcpy(found + written, &state, sizeof state);
        compare(set, &expected, &expected_count, found, written * sizeof *found + sizeof state);
    }
    free(expected);
}

// Checks which bytes a passage contains, alone and after a backslash.
static void check_parser(const uint8_t *text, size_t count) {
    size_t expected_count = 0;
    void *expected = NULL;
    size_t parts = 1 + choose(4);
    uint64_t division = seed;
    // Without an opening bracket, most texts would be invalid at once.
    static const char *const starts[] = {"[\"", "{\"a\":[\"", "[1,", "{\"", ""};
    const char *opening = starts[choose(5)];
    for (instruction_set set = instructions_portable; set <= instructions_fastest(); set++) {
        json_parser *parser = json_parser_create_with(set);
        json_token *found = exact((count + 20) * sizeof *found);
        size_t written = 0, added = 0, start = 0;
        json_parser_parse(parser, (const uint8_t *)opening, strlen(opening), found, &written);
        seed = division;
        for (size_t part = parts; part > 0; part--) {
            size_t size = part == 1 ? count - start : choose(count - start + 1);
            bool is_valid = json_parser_parse(parser, guarded(text + start, size), size, found + written, &added);
            written += added;
            start += size;
            if (!is_valid) break;
        }
        for (size_t i = 0; i < written; i++) memset((uint8_t *)&found[i] + offsetof(json_token, kind) + 1, 0, 3);
        compare(set, &expected, &expected_count, found, written * sizeof *found);
        json_parser_free(parser);
    }
    free(expected);
}

static void check_characters(void) {
    uint8_t text[1024];
    for (size_t offset = 448; offset < 448 + 64; offset++)
        for (int byte = 0; byte < 256; byte++)
            for (int is_escaped = 0; is_escaped < 2; is_escaped++) {
                memset(text, 'a', sizeof text);
                text[offset] = (uint8_t)byte;
                if (is_escaped) text[offset - 1] = '\\';
                int is_valid = is_escaped ? byte && strchr("\"\\/bfnrtu", byte)
                                          : byte >= 0x20 && byte != '"' && byte != '\\';
                for (instruction_set set = instructions_portable; set <= instructions_fastest(); set++) {
                    passages_state state = {UINT64_MAX, 0, 0};
                    passage found[sizeof text / passages_least_length];
                    size_t count = passages_find_with(set, text, sizeof text, &state, found);
                    assert((count == 1 && found[0].start == 0 && found[0].end == sizeof text) == is_valid);
                    comparisons++;
                }
            }
}

static void check_search(const uint8_t *original, size_t count) {
    const uint8_t *text = guarded(original, count);
    size_t size = choose(choose(8) ? 8 : 100);
    if (size > count) size = count;
    uint8_t *wanted = exact(size);
    if (size > 0) {
        memcpy(wanted, text + choose(count - size + 1), size);
        if (choose(4) == 0) wanted[choose(size)] ^= (uint8_t)(1 << choose(8));
    }
    for (int ignores_case = 0; ignores_case < 2; ignores_case++) {
        const uint8_t *expected = NULL;
        if (ignores_case)
            for (size_t i = 0; i < size; i++) wanted[i] |= wanted[i] >= 'A' && wanted[i] <= 'Z' ? 0x20 : 0;
        for (size_t start = 0; size > 0 && start + size <= count && !expected; start++) {
            size_t equal = 0;
            while (equal < size) {
                uint8_t byte = text[start + equal];
                if (ignores_case && byte >= 'A' && byte <= 'Z') byte |= 0x20;
                if (byte != wanted[equal]) break;
                equal++;
            }
            if (equal == size) expected = text + start;
        }
        assert((ignores_case ? search_find_ignoring_case : search_find)(text, count, wanted, size) == expected);
        comparisons++;
    }
    free(wanted);
}

static void check_platform(void) {
    char buffer[32], *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int ends[2];
    assert(pipe(ends) == 0 && write(ends[1], "text", 4) == 4);
    assert(input_peek(ends[0], buffer, sizeof buffer) == 4 && input_peek(ends[0], buffer, 2) == 2);
    close(ends[1]);
    assert(read(ends[0], buffer, sizeof buffer) == 4 && input_peek(ends[0], buffer, sizeof buffer) == 0);
    close(ends[0]);
    assert(input_peek(-1, buffer, sizeof buffer) == 0);
    void *word = buffer;
    assert(memory_is_readable(buffer, sizeof buffer) && memory_is_writable(&word) && !memory_is_readable(page, 1));
    assert(!memory_is_writable(page) && !memory_is_readable(buffer, 1 << 20));
    memory_limit_pools(2);
    // The number that Swift code uses for a macro. Some processors have other numbers for the flags of `open`.
    assert(O_TMPFILE == (020000000 | O_DIRECTORY));
    assert(processors_available() > 0 && processors_thread_time() > 0);
    assert(!queue_is_current("name") && !queue_attached(buffer) && !queue_attach("name", buffer, buffer, free));
    assert(!transfer_can_be_observed(buffer) && !transfer_library_version(buffer));
}

void relay_process_start(void) {}

int main(int count, char **arguments) {
    static uint8_t text[longest];
    size_t cases = count > 1 ? strtoul(arguments[1], NULL, 10) : 10000;
    for (size_t number = 0; number < cases; number++) {
        size_t size = number % 1000 == 999 ? choose(longest) : number % 8 == 7 ? choose(4096) : number % 301;
        fill(text, size);
        // The number of random numbers that a check uses depends on the instruction sets.
        void (*const checks[])(const uint8_t *, size_t) = {check_structure, check_passages, check_parser, check_search};
        uint64_t next = seed;
        for (size_t i = 0; i < sizeof checks / sizeof *checks; i++, seed = next) checks[i](text, size);
    }
    check_characters();
    check_platform();
    if (check_certificates) check_certificates();
    printf(
        "%zu comparisons up to instruction set %d, features %u, results %016zx\n", (size_t)comparisons,
        instructions_fastest(), processor_features(), (size_t)checksum);
}
