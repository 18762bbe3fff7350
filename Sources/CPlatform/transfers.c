#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "transfers.h"

#include <string.h>

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// The option numbers of libcurl, which never change (https://curl.se/libcurl/c/libcurl-symbols.html). They are defined
// here because libcurl is often installed without its headers.
enum {
    opt_verbose = 41,
    opt_debug_data = 10095,
    opt_debug_function = 20094,
    opt_prerequest_data = 10313,
    opt_prerequest_function = 20312,
    info_primary_ip = 0x100020,
    info_num_connects = 0x20001a,
    info_local_port = 0x20002a,
    info_size_download = 0x600008,
    info_total_time = 0x600032,
    info_name_lookup_time = 0x600033,
    info_connect_time = 0x600034,
    info_before_request_time = 0x600035,
    info_app_connect_time = 0x600038,
};

typedef int (*set_option)(void *handle, int option, ...);
typedef int (*get_info)(void *handle, int info, ...);

static set_option set;
static get_info get;
static const char *version;
static int can_be_observed;
// Any thread can set it, to the same address.
static const void *_Atomic used_by;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void) {
    Dl_info info;
    if (!dladdr(used_by, &info) || !info.dli_fname) return;
    // A statically linked program has no separate library with these functions.
    void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return;
    char *(*own_version)(void) = (char *(*)(void))dlsym(library, "curl_version");
    if (own_version) version = own_version();
    void *own_set = dlsym(library, "curl_easy_setopt");
    void *own_get = dlsym(library, "curl_easy_getinfo");
    // The dynamic linker binds these names to their first definition in the process. That definition must be the
    // library's.
    if (!own_set || own_set != dlsym(RTLD_DEFAULT, "curl_easy_setopt")) return;
    if (!own_get || own_get != dlsym(RTLD_DEFAULT, "curl_easy_getinfo")) return;
    set = (set_option)own_set;
    get = (get_info)own_get;
    can_be_observed = 1;
}

int transfer_can_be_observed(const void *library) {
    used_by = library;
    pthread_once(&once, find);
    return can_be_observed;
}

const char *transfer_library_version(const void *library) {
    transfer_can_be_observed(library);
    return version;
}

struct transfer_observation {
    void *handle;
    transfer_observer observer;
    void *context;
};

static int on_traffic(void *handle, int kind, char *bytes, size_t count, void *data) {
    // In the order of libcurl's `curl_infotype`, without 0 (informational messages).
    static const transfer_event events[] = {
        transfer_header_in, transfer_header_out, transfer_data_in, transfer_data_out};
    transfer_observation *observation = data;
    if (kind < 1 || kind > 4) return 0;
    observation->observer(observation->context, events[kind - 1], (const uint8_t *)bytes, count);
    return 0;
}

static int before_request(void *data, char *remote_ip, char *local_ip, int remote_port, int local_port) {
    transfer_observation *observation = data;
    // These options are set here, because the session overwrites earlier settings when it configures the handle.
    set(observation->handle, opt_debug_data, (void *)observation);
    set(observation->handle, opt_debug_function, on_traffic);
    set(observation->handle, opt_verbose, 1L);
    observation->observer(observation->context, transfer_before_request, 0, 0);
    return 0;
}

transfer_observation *transfer_observe(void *handle, transfer_observer observer, void *context) {
    if (!can_be_observed) return 0;
    transfer_observation *observation = malloc(sizeof *observation);
    if (!observation) return 0;
    *observation = (transfer_observation){handle, observer, context};
    // These options require libcurl 7.80.
    if (set(handle, opt_prerequest_data, (void *)observation) != 0
        || set(handle, opt_prerequest_function, before_request) != 0) {
        free(observation);
        return 0;
    }
    return observation;
}

transfer_facts transfer_end(transfer_observation *observation) {
    void *handle = observation->handle;
    set(handle, opt_prerequest_function, (void *)0);
    set(handle, opt_prerequest_data, (void *)0);
    set(handle, opt_verbose, 0L);
    set(handle, opt_debug_function, (void *)0);
    set(handle, opt_debug_data, (void *)0);
    free(observation);

    transfer_facts facts = {0};
    const char *address = 0;
    get(handle, info_name_lookup_time, &facts.name_lookup);
    get(handle, info_connect_time, &facts.connect);
    get(handle, info_app_connect_time, &facts.app_connect);
    get(handle, info_before_request_time, &facts.before_request);
    get(handle, info_total_time, &facts.total);
    get(handle, info_num_connects, &facts.connections);
    get(handle, info_local_port, &facts.local_port);
    get(handle, info_size_download, &facts.body_size);
    if (get(handle, info_primary_ip, &address) == 0 && address) {
        strncpy(facts.address, address, sizeof facts.address - 1);
    }
    return facts;
}

#else

int transfer_can_be_observed(const void *library) {
    return 0;
}

const char *transfer_library_version(const void *library) {
    return 0;
}

transfer_observation *transfer_observe(void *handle, transfer_observer observer, void *context) {
    return 0;
}

transfer_facts transfer_end(transfer_observation *observation) {
    return (transfer_facts){0};
}

#endif
