"""Lets a client reset 100,000 requests to `har serve` at once, and another one miss large entries, and measures how long
the responses to other clients take meanwhile.

    resets.py HAR-SERVE
"""

import contextlib
import http.client
import json
import pathlib
import socket
import struct
import sys
import tempfile
import threading
import time

import hpack
from serving import archive, entry, serving

COUNT = 100_000
LIMIT = 5


def get(port, path):
    """Returns the status of a response, and the time until it has arrived."""
    start = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={"Host": "shop.example"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, time.monotonic() - start


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def reset_requests(port):
    """Resets requests until the server closes the connection, and returns the error codes of its frames GOAWAY."""
    encoder = hpack.Encoder()
    received = bytearray()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b""))
        with contextlib.suppress(OSError):
            for start in range(0, COUNT, 1000):
                frames = bytearray()
                for number in range(start, start + 1000):
                    fields = [(":method", "GET"), (":scheme", "http"), (":authority", "shop.example"),
                              (":path", f"/items/{number}")]
                    frames += frame(1, 5, 2 * number + 1, encoder.encode(fields))
                    frames += frame(3, 0, 2 * number + 1, struct.pack(">I", 8))
                connection.sendall(frames)
        with contextlib.suppress(OSError):
            while part := connection.recv(1 << 16):
                received += part
    codes = []
    while len(received) >= 9:
        size = int.from_bytes(received[:3], "big")
        if received[3] == 7:
            codes.append(int.from_bytes(received[13:17], "big"))
        del received[:9 + size]
    return codes


def longest_wait(port, attack):
    """Runs a function on another thread, and returns its result and the longest wait for a response meanwhile."""
    results = []
    thread = threading.Thread(target=lambda: results.append(attack(port)))
    longest = 0
    thread.start()
    while thread.is_alive():
        status, wait = get(port, "/")
        assert status == 200, status
        longest = max(longest, wait)
    assert longest < LIMIT, longest
    return results[0], longest


def main():
    large = b"0123456789abcdef" * (1 << 20)
    entries = [entry("GET", "http://shop.example/", b"home")]
    entries += [entry("GET", f"http://shop.example/files/{number}", large) for number in range(12)]
    with tempfile.TemporaryDirectory() as name:
        with serving(archive(pathlib.Path(name) / "large.har", entries)) as (url, finish, _):
            port = int(url.rsplit(":", 1)[1])
            codes, wait = longest_wait(port, reset_requests)
            assert 11 in codes, codes
            print(f"{COUNT:,} requests are reset: other clients wait at most {wait * 1000:.0f} ms")
            (status, duration), wait = longest_wait(port, lambda port: get(port, "/files/x"))
            assert status == 404, status
            print(f"a miss takes {duration * 1000:.0f} ms: other clients wait at most {wait * 1000:.0f} ms")
            lines = [json.loads(line) for line in finish().splitlines()]
    decided = sum("/items/" in line.get("url", "") for line in lines)
    assert decided < 1000, decided
    assert sum("resets" in line.get("problem", "") for line in lines) == 1
    print(f"{decided} of the requests were decided")


main()
