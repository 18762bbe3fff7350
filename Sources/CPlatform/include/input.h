#ifndef CPLATFORM_INPUT_H
#define CPLATFORM_INPUT_H

#include <stddef.h>

/// Waits for input, and copies its first bytes without removing them from the input.
///
/// - descriptor: A file, from its current offset, or a pipe.
/// - buffer: Receives the bytes.
/// - count: The maximum number of bytes.
/// - Returns the number of bytes copied, or 0 at the end of the input, or if this kind of input does not support it.
size_t input_peek(int descriptor, void *_Nonnull buffer, size_t count);

#endif
