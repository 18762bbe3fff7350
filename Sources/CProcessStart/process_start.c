#include "process_start.h"

#include <stdlib.h>

// Swift has no code that runs before `main`, and a program may make its first request without ever naming an interceptor.
__attribute__((constructor)) static void enforce_network_policy(void) {
    const char *policy = getenv("RELAY_NETWORK");
    if (policy && *policy) relay_process_start();
}
