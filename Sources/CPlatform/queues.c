#include "queues.h"

#include <string.h>

#ifndef __APPLE__

// Declared here because not every build finds the headers of Dispatch. The functions are weak symbols, so programs link
// even without Dispatch, or without the first function, which is deprecated.
typedef void (*destructor)(void *);
__attribute__((weak)) void *dispatch_get_current_queue(void);
__attribute__((weak)) const char *dispatch_queue_get_label(void *queue);
__attribute__((weak)) void dispatch_queue_set_specific(void *queue, const void *key, void *context, destructor);
__attribute__((weak)) void *dispatch_get_specific(const void *key);

int queue_can_attach(void) {
    return dispatch_get_current_queue && dispatch_queue_get_label && dispatch_queue_set_specific
        && dispatch_get_specific;
}

int queue_is_current(const char *name) {
    if (!queue_can_attach()) return 0;
    void *queue = dispatch_get_current_queue();
    const char *label = queue ? dispatch_queue_get_label(queue) : 0;
    return label && strcmp(label, name) == 0;
}

int queue_attach(const char *name, const void *key, void *value, void (*release)(void *)) {
    if (!queue_is_current(name)) return 0;
    dispatch_queue_set_specific(dispatch_get_current_queue(), key, value, release);
    return 1;
}

void *queue_attached(const void *key) {
    return queue_can_attach() ? dispatch_get_specific(key) : 0;
}

#else

int queue_can_attach(void) {
    return 0;
}

int queue_is_current(const char *name) {
    return 0;
}

int queue_attach(const char *name, const void *key, void *value, void (*release)(void *)) {
    return 0;
}

void *queue_attached(const void *key) {
    return 0;
}

#endif
