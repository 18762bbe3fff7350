#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "memory.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdint.h>
#include <unistd.h>

// Memory is accessed with system calls, which return an error for an invalid address. Direct access would crash.

enum { largest_count = 65536 };

static int copy(const void *from, void *to, size_t count) {
    int ends[2];
    if (count > largest_count || pipe(ends) != 0) return 0;
    // Nothing reads from the pipe during the write, so a write that exceeds the pipe's capacity must not block.
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    ssize_t written = write(ends[1], from, count);
    int is_done = written == (ssize_t)count && (!to || read(ends[0], to, count) == (ssize_t)count);
    close(ends[0]);
    close(ends[1]);
    return is_done;
}

int memory_is_readable(const void *start, size_t count) {
    return start && copy(start, 0, count);
}

int memory_is_writable(void *word) {
    return word && copy(word, word, sizeof(uintptr_t));
}

void memory_limit_pools(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

void memory_separate_large_blocks(void) {
#if defined(M_MMAP_THRESHOLD) && defined(M_TRIM_THRESHOLD)
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    // Setting either of them disables adaptation of both, and the default returns every freed megabyte to the system.
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}
