// Runs a program, and writes its resource usage to descriptor 3: the time in seconds and the peak memory in bytes.
//
// It is a separate, small process, because the kernel includes the parent's memory in the program's peak memory.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        close(3);
        execvp(arguments[1], arguments + 1);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 126;
#ifdef __APPLE__
    const long unit = 1;
#else
    const long unit = 1024;
#endif
    dprintf(3, "{\"process\": %f, \"memory\": %ld}\n", now() - start, usage.ru_maxrss * unit);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
