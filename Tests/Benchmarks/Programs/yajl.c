// The floor: yajl parses a file in chunks of one mebibyte, with empty callbacks.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

static int null(void *context) { return 1; }
static int boolean(void *context, int value) { return 1; }
static int number(void *context, const char *text, size_t size) { return 1; }
static int string(void *context, const unsigned char *text, size_t size) { return 1; }
static int bracket(void *context) { return 1; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    const size_t size = 1 << 20;
    const yajl_callbacks callbacks = {null,    boolean, NULL,   NULL,    number, string,
                                      bracket, string,  bracket, bracket, bracket};
    double start = now();
    int file = open(arguments[1], O_RDONLY);
    unsigned char *chunk = malloc(size);
    yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
    // Relay validates text only on access, and the floor must not do more work than Relay.
    yajl_config(parser, yajl_dont_validate_strings, 1);
    ssize_t read_size;
    while ((read_size = read(file, chunk, size)) > 0) {
        if (yajl_parse(parser, chunk, (size_t)read_size) != yajl_status_ok) return 1;
    }
    if (read_size < 0 || yajl_complete_parse(parser) != yajl_status_ok) return 1;
    printf("{\"seconds\": %f}\n", now() - start);
    return 0;
}
