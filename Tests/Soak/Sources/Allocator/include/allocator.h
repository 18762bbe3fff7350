// A function of the C library that Swift cannot call directly.

/// Returns the allocator's free memory to the system.
void allocator_trim(void);
