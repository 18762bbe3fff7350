// Calls the functions of the C targets with random and hostile input, and compares the instruction sets.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CCertificates.h"
#include "input.h"
#include "instructions.h"
#include "memory.h"
#include "passages.h"
#include "processors.h"
#include "queues.h"
#include "search.h"
#include "structure.h"
#include "transfers.h"

static uint64_t seed = 1;

static size_t choose(size_t count) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % count;
}

// Returns a copy in memory of exactly this size, so that the sanitizer notices every access outside.
static void *exact(const void *bytes, size_t count) {
    void *copy = malloc(count);
    assert(copy);
    if (count > 0) memcpy(copy, bytes, count);
    return copy;
}

// Writes text that consists mostly of delimiters, of parts of escape sequences, or of plain text.
static void fill(uint8_t *text, size_t count) {
    static const char *const kinds[] = {"\"\\", "\\u00e\"", "aaaaaaaaaaaaaaa\\nu0041", "{}[]\",:\\ ", "ab\x1f\x80\xff"};
    size_t kind = choose(6);
    for (size_t i = 0; i < count; i++) {
        if (i % 128 == 0 && choose(4) == 0) kind = choose(6);
        text[i] = kind == 5 ? (uint8_t)choose(256) : (uint8_t)kinds[kind][choose(strlen(kinds[kind]))];
    }
}

static void check_structure(const uint8_t *text, size_t count) {
    size_t blocks = count / 64, expected_count = 0;
    structure_block *expected = calloc(blocks + 1, sizeof *expected);
    int64_t shallow = (int64_t)choose(4) - 1;
    for (structure_instructions set = structure_portable; set <= structure_fastest(); set++) {
        structure_state state = {0, 0, 0};
        size_t written = 0;
        structure_block *found = malloc(blocks * sizeof *found);
        // The result does not depend on where the text is divided.
        for (size_t start = 0; start < blocks;) {
            size_t size = 1 + choose(blocks - start);
            uint8_t *part = exact(text + 64 * start, 64 * size);
            size_t first = written;
            written += structure_scan_with(set, part, 64 * size, shallow, &state, found + written);
            while (first < written) found[first++].offset += 64 * start;
            free(part);
            start += size;
        }
        if (set == structure_portable) {
            memcpy(expected, found, written * sizeof *found);
            expected_count = written;
        }
        assert(written == expected_count && memcmp(expected, found, written * sizeof *found) == 0);
        free(found);
    }
    free(expected);
}

static void check_passages(const uint8_t *text, size_t count) {
    size_t space = count / passages_least_length, expected_count = 0;
    passage *expected = calloc(space + 1, sizeof *expected);
    passages_state first = {choose(2) ? UINT64_MAX : 0, choose(2), choose(5)}, last = first;
    for (unsigned set = 0; set < 64; set++) {
        passages_state state = first;
        passage *found = malloc(space * sizeof *found);
        size_t written = passages_find_with(set & processor_features(), text, count, &state, found);
        if (set == 0) {
            memcpy(expected, found, written * sizeof *found);
            expected_count = written;
            last = state;
        }
        assert(written == expected_count && memcmp(expected, found, written * sizeof *found) == 0);
        assert(memcmp(&state, &last, sizeof state) == 0);
        free(found);
    }
    free(expected);
}

static void check_search(const uint8_t *text, size_t count) {
    size_t size = choose(choose(8) ? 8 : 100);
    uint8_t *wanted = exact(text + choose(count - (size > count ? count : size) + 1), size > count ? count : size);
    if (size > count) size = count;
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
    assert(processors_available() > 0 && processors_thread_time() > 0);
    assert(!queue_is_current("name") && !queue_attached(buffer) && !queue_attach("name", buffer, buffer, free));
    assert(!transfer_can_be_observed(buffer) && !transfer_library_version(buffer));
}

static void check_certificates(void) {
    ccertificates_pair authority = {NULL, NULL}, leaf = {NULL, NULL};
    unsigned char digest[32], address[16] = {0};
    assert(ccertificates_make_authority("Sanitizers", 10, &authority));
    assert(ccertificates_match(authority.certificate, authority.key));
    assert(ccertificates_days_left(authority.certificate) > 8);
    for (int kind = 0; kind < 3; kind++) {
        const char *name = kind == 0 ? "a.test" : NULL;
        assert(ccertificates_make_leaf(
            authority.certificate, authority.key, name, name ? NULL : address, kind == 1 ? 4 : 16, 1, &leaf));
        assert(ccertificates_digest_of_public_key(leaf.certificate, digest));
        assert(!ccertificates_match(authority.certificate, leaf.key));
        ccertificates_free(&leaf);
    }
    for (int run = 0; run < 300; run++) {
        // A damaged certificate and key.
        char *certificate = exact(authority.certificate, strlen(authority.certificate) + 1);
        char *key = exact(authority.key, strlen(authority.key) + 1);
        for (size_t count = 1 + choose(4); count > 0; count--) {
            certificate[choose(strlen(authority.certificate))] = (char)choose(128);
            key[choose(strlen(authority.key))] = (char)choose(128);
        }
        ccertificates_days_left(certificate);
        ccertificates_digest_of_public_key(certificate, digest);
        ccertificates_match(certificate, key);
        if (ccertificates_make_leaf(certificate, key, "", NULL, 0, 1, &leaf)) ccertificates_free(&leaf);
        free(certificate);
        free(key);
    }
    ccertificates_free(&authority);
}

void relay_process_start(void) {}

int main(void) {
    static uint8_t text[4096];
    for (int run = 0; run < 10000; run++) {
        size_t count = choose(8) ? choose(700) : choose(sizeof text);
        fill(text, count);
        uint8_t *copy = exact(text, count);
        check_structure(copy, count);
        check_passages(copy, count);
        check_search(copy, count);
        free(copy);
    }
    check_platform();
    check_certificates();
    printf("instruction sets up to %d, features %u\n", structure_fastest(), processor_features());
}
