#ifndef CPLATFORM_XZ_H
#define CPLATFORM_XZ_H

#include <stddef.h>

/// The result of a step of decompression.
enum xz_status {
    /// The output is full, or the input is used up.
    xz_continues,
    xz_ends,
    xz_is_truncated,
    xz_is_damaged,
};

/// A decompressor of the format xz.
///
/// It uses liblzma, which libarchive loads, because libarchive discards the last text of a truncated file.
struct xz_decompressor;

/// Returns a decompressor, or NULL if liblzma is not loaded or memory is exhausted.
struct xz_decompressor *_Nullable xz_create(void);

/// Releases a decompressor.
void xz_free(struct xz_decompressor *_Nullable decompressor);

/// Decompresses text.
///
/// - input: The compressed bytes.
/// - input_count: The number of compressed bytes. Receives the number of bytes at their end that were not read.
/// - is_last: Whether no more input follows.
/// - output: Receives the text.
/// - output_count: The size of the output. Receives the number of bytes that were written.
/// - Returns the status, which concerns the text after the output.
enum xz_status xz_decompress(
    struct xz_decompressor *_Nonnull decompressor, const void *_Nullable input, size_t *_Nonnull input_count,
    int is_last, void *_Nonnull output, size_t *_Nonnull output_count);

#endif
