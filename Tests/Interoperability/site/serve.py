"""Serves the site on loopback until standard input ends, and prints its address and an address that refuses
connections."""

from __future__ import annotations

import argparse
import select
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import bodies  # noqa: F401 - registers its routes
import control
import echo  # noqa: F401 - registers its routes
import pages  # noqa: F401 - registers its routes
from answer import Answer, Hold, Request, find, of_type

LONGEST_HOLD = 20.0
"""The time in seconds after which a held response ends even if the client is still connected."""


class Handler(BaseHTTPRequestHandler):
    """Converts between HTTP/1.1 messages, `Request` and `Answer`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def respond(self) -> None:
        request = Request(self.command, self.path, list(self.headers.items()), self.read_body())
        found = find(request.path)
        answer = found(request) if found else of_type("text/plain", b"No such page.\n", status=404)
        if answer.hold:
            self.hold(answer)
        else:
            self.send(answer)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = respond

    def read_body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def send(self, answer: Answer) -> None:
        self.send_head(answer)
        if self.command == "HEAD":
            return
        if answer.chunks is None:
            self.wfile.write(answer.body)
            return
        for chunk in answer.chunks:
            self.send_chunk(chunk)
        self.send_chunk(b"")

    def send_head(self, answer: Answer) -> None:
        """Sends the same fields each time, without dates and versions."""
        self.send_response_only(answer.status)
        self.send_header("Server", "relay-interoperability")
        names = {name.lower() for name, _ in answer.headers}
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        for name, value in answer.headers:
            self.send_header(name, value)
        if answer.chunks is not None:
            self.send_header("Transfer-Encoding", "chunked")
        elif answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()

    def send_chunk(self, chunk: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))

    def hold(self, answer: Answer) -> None:
        """Sends the start of a response, and returns when the client disconnects."""
        self.close_connection = True
        if answer.hold is Hold.IN_BODY:
            self.send_head(answer)
            for chunk in answer.chunks or []:
                self.send_chunk(chunk)
        control.arrived.set()
        select.select([self.connection], [], [], LONGEST_HOLD)

    def log_message(self, format: str, *args: object) -> None:
        """Suppresses the request log."""


class Server(ThreadingHTTPServer):
    """A server that ignores lost connections."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the port, or 0 for any; the next one refuses connections")
    port = parser.parse_args().port

    # A bound socket that does not listen refuses connections, and no other process can listen on its port.
    with socket.socket() as refusing, Server(("127.0.0.1", port), Handler) as server:
        refusing.bind(("127.0.0.1", port and port + 1))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"http://127.0.0.1:{server.server_port}", f"http://127.0.0.1:{refusing.getsockname()[1]}", flush=True)
        sys.stdin.read()
        server.shutdown()


if __name__ == "__main__":
    main()
