// A function of the C library that Swift cannot call directly.

/// Returns free memory of the allocator to the system.
void allocator_trim(void);
