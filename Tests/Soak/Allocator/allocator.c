#include "allocator.h"

#include <malloc.h>

void allocator_trim(void) { malloc_trim(0); }
