#include "process_start.h"

#include <stdlib.h>

// Swift cannot run code before `main`, and a program can send requests without ever using an interceptor.
__attribute__((constructor)) static void enforce_network_policy(void) {
    const char *policy = getenv("RELAY_NETWORK");
    if (policy && *policy) relay_process_start();
}
