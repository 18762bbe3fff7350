// An HTTP server on a free loopback port, which it prints. Every response is the same JSON object of 1,000 bytes. The
// server exits at the end of its standard input.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char answer[2000];

static void prepare(void) {
    char note[961] = {0};
    for (int i = 0; i < 960; i++) note[i] = '0' + i % 10;
    snprintf(answer, sizeof answer,
             "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
             "{\"id\":47110,\"token\":\"expired\",\"note\":\"%s\"}",
             note);
}

// Answers the requests on a connection in order. The requests have no bodies.
static void *serve(void *argument) {
    int connection = (int)(intptr_t)argument;
    char head[8192];
    size_t size = 0;
    ssize_t count;
    while (size < sizeof head - 1 && (count = recv(connection, head + size, sizeof head - 1 - size, 0)) > 0) {
        head[size += count] = 0;
        if (!strstr(head, "\r\n\r\n")) continue;
        size = 0;
        if (send(connection, answer, strlen(answer), 0) < 0) break;
    }
    close(connection);
    return NULL;
}

static void *watch(void *argument) {
    while (getchar() != EOF) {
    }
    exit(0);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    prepare();
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 128) ||
        getsockname(listener, (struct sockaddr *)&address, &length))
        return 1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    for (int connection; (connection = accept(listener, NULL, NULL)) >= 0;) {
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)connection) == 0) pthread_detach(thread);
    }
    return 1;
}
