#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "threads.h"

#ifdef __linux__

#include <sched.h>

void thread_give_way(void) {
    // Other threads preempt this one immediately; a thread with a nice value keeps its time slice (sched(7),
    // SCHED_IDLE).
    struct sched_param none = {0};
    sched_setscheduler(0, SCHED_IDLE, &none);
}

#else

void thread_give_way(void) {}

#endif
