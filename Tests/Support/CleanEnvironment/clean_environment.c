#include "clean_environment.h"

#include <signal.h>
#include <stdlib.h>

// Removes the settings of the user's shell that would change what tests observe: proxies, the variables that Relay and
// its tool read, and ignored signals. The loader, Foundation and libcurl read the environment early, so this runs
// before `main`.
__attribute__((constructor(101))) static void clean_environment(void) {
    static const char *const names[] = {
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        "RELAY_MODE", "RELAY_NETWORK",
    };
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) unsetenv(names[index]);
    // A background job inherits ignored signals, as with `nohup`, and passes them on to the programs that tests run.
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) signal(signals[index], SIG_DFL);
}
