"""The measurements of all recorders: their goals and tables."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import programs
from figures import Figures, Goal, Part, Table, microseconds, server

RECORDERS = {
    "archive": "`Relay.recordAndReplay`, one archive",
    "files": "`Relay.recordAndReplay`, an archive for each request",
    "live": "the same, not recorded: `LiveRequestAndReplayRequestProcessor`",
    "recordingTo": "`Interceptor(recordingTo:)`",
    "mode": "`Interceptor.replaying(…, mode: .new)`",
    "vinyl": "a recording `Turntable`",
    "console": "requests reported to Innernet's console",
    "har": "`har record`",
}

#: A file system in memory, where the time to create a file does not depend on the number of files in the folder.
MEMORY = Path("/dev/shm")

#: The number of requests before the first measured request, and the number of measured requests.
WARM_UP, COUNT = 200, 2000

COLUMNS = {"first": "first hundred", "last": "last hundred"}


class Console(BaseHTTPRequestHandler):
    """A console that intercepts nothing."""

    def do_GET(self) -> None:
        self.respond(b"[]")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.respond(b"")

    def respond(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def console() -> Iterator[int]:
    """Runs a console and provides its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Console) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running.server_port
        running.shutdown()


def hundreds(key: str, address: str, port: int) -> list[float]:
    """Returns the seconds per hundred requests."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        if key != "har":
            command = [programs.path("recorders"), key, str(WARM_UP + COUNT), address, folder, str(port)]
            return json.loads(subprocess.check_output(command))
        urls = [f"{address}?number={number}" for number in range(WARM_UP + COUNT)]
        command = [programs.path("har"), "record", f"{folder}/recorded.har", "--", *urls]
        # A line is printed for each exchange.
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            times = [time.perf_counter() for _ in process.stderr]
        return [times[start + 100] - times[start] for start in range(0, WARM_UP + COUNT - 100, 100)]


def measure(rounds: int) -> Figures:
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with server() as address, console() as port:
        for number in range(rounds):
            for key in RECORDERS:
                print(f"{key}, round {number + 1}", file=sys.stderr)
                times = hundreds(key, address, port)
                values[key]["first"].append(times[WARM_UP // 100] / 100)
                values[key]["last"].append(times[-1] / 100)
    return Figures({subject: dict(columns) for subject, columns in values.items()})


PART = Part(
    "recorders", [],
    [Goal(f"the last hundred of 2,000 requests, relative to the first, {title}", 1.2,
          lambda figures, key=key: figures.growth(key, "last", "first")) for key, title in RECORDERS.items()],
    [Table("Time per request, in microseconds:", COLUMNS,
           [(title, microseconds(key)) for key, title in RECORDERS.items()])])
