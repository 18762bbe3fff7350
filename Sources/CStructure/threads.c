#include "threads.h"

#ifdef __linux__

#include <sys/resource.h>

// As nice as can be: the thread has less than a fiftieth of what another one has where both want the processor.
enum { niceness = 19 };

void thread_give_way(void) {
    // On Linux 0 is the thread, against POSIX (setpriority(2), "C library/kernel differences").
    setpriority(PRIO_PROCESS, 0, niceness);
}

#else

void thread_give_way(void) {}

#endif
