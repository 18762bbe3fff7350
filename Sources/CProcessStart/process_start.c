#include "process_start.h"

#include <stdlib.h>

// The policy applies from the start, because a program can send requests without ever using an interceptor. Swift
// cannot run code before `main`.
__attribute__((constructor)) static void enforce_network_policy(void) {
    const char *policy = getenv("RELAY_NETWORK");
    if (policy && *policy) relay_process_start();
}
