#include <lzma.h>

/// The flag for reading concatenated streams, which is a macro that Swift cannot import.
static const uint32_t clzma_concatenated = LZMA_CONCATENATED;
