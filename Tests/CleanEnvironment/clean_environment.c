#include "clean_environment.h"

#include <stdlib.h>

// Removes the settings of the user's shell that would change what tests observe: proxies, and the variables that Relay
// and its tool read. The loader, Foundation and libcurl read the environment early, so this runs before `main`.
__attribute__((constructor(101))) static void clean_environment(void) {
    static const char *const names[] = {
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        "RELAY_MODE", "RELAY_NETWORK",
    };
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) unsetenv(names[index]);
}
