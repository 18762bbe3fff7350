#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

size_t input_peek(int descriptor, void *buffer, size_t count) {
    off_t offset = lseek(descriptor, 0, SEEK_CUR);
    if (offset >= 0) {
        ssize_t read_count = pread(descriptor, buffer, count, offset);
        return read_count > 0 ? (size_t)read_count : 0;
    }
#ifdef __linux__
    int ends[2];
    if (pipe(ends) != 0) return 0;
    ssize_t copied;
    do copied = tee(descriptor, ends[1], count, 0); while (copied < 0 && errno == EINTR);
    ssize_t read_count = copied > 0 ? read(ends[0], buffer, (size_t)copied) : 0;
    close(ends[0]);
    close(ends[1]);
    return read_count > 0 ? (size_t)read_count : 0;
#else
    return 0;
#endif
}
