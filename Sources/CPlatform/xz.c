#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "xz.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// The structure and the constants of liblzma 5, whose binary interface does not change (lzma/base.h).
typedef struct {
    const uint8_t *next_in;
    size_t avail_in;
    uint64_t total_in;
    uint8_t *next_out;
    size_t avail_out;
    uint64_t total_out;
    const void *allocator;
    void *internal;
    // The reserved members, which must be 0. They are smaller.
    uint64_t reserved[16];
} lzma_stream;

enum { LZMA_OK = 0, LZMA_STREAM_END = 1, LZMA_BUF_ERROR = 10 };
enum { LZMA_RUN = 0, LZMA_FINISH = 3 };
enum { LZMA_CONCATENATED = 8 };

struct xz_decompressor {
    lzma_stream stream;
    int (*code)(lzma_stream *, int);
    void (*end)(lzma_stream *);
};

struct xz_decompressor *xz_create(void) {
    int (*begin)(lzma_stream *, uint64_t, uint32_t) =
        (int (*)(lzma_stream *, uint64_t, uint32_t))dlsym(RTLD_DEFAULT, "lzma_stream_decoder");
    int (*code)(lzma_stream *, int) = (int (*)(lzma_stream *, int))dlsym(RTLD_DEFAULT, "lzma_code");
    void (*end)(lzma_stream *) = (void (*)(lzma_stream *))dlsym(RTLD_DEFAULT, "lzma_end");
    if (!begin || !code || !end) return NULL;
    struct xz_decompressor *decompressor = calloc(1, sizeof *decompressor);
    if (!decompressor) return NULL;
    decompressor->code = code;
    decompressor->end = end;
    if (begin(&decompressor->stream, UINT64_MAX, LZMA_CONCATENATED) == LZMA_OK) return decompressor;
    free(decompressor);
    return NULL;
}

void xz_free(struct xz_decompressor *decompressor) {
    if (!decompressor) return;
    decompressor->end(&decompressor->stream);
    free(decompressor);
}

enum xz_status xz_decompress(
    struct xz_decompressor *decompressor, const void *input, size_t *input_count, int is_last, void *output,
    size_t *output_count) {
    lzma_stream *stream = &decompressor->stream;
    stream->next_in = input;
    stream->avail_in = *input_count;
    stream->next_out = output;
    stream->avail_out = *output_count;
    int result = decompressor->code(stream, is_last ? LZMA_FINISH : LZMA_RUN);
    *input_count = stream->avail_in;
    *output_count -= stream->avail_out;
    switch (result) {
    case LZMA_OK: return xz_continues;
    case LZMA_STREAM_END: return xz_ends;
    // No progress is possible without input.
    case LZMA_BUF_ERROR: return is_last ? xz_is_truncated : xz_continues;
    default: return xz_is_damaged;
    }
}
