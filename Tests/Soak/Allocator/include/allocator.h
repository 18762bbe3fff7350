// A wrapper for a C library function that Swift cannot call directly.

/// Returns the allocator's free memory to the system.
void allocator_trim(void);
