"""Attacks `har serve` and `har proxy` in many ways, one after another, and prints the longest wait of another client.

    attacks.py HAR-SERVE [ATTACK ...]

The other client makes small requests for an entry, with a small JSON body, and sometimes for a missing entry. It must never
get other statuses than expected. The environment variable ATTACK_LIMIT sets the longest wait in seconds, 0.05 for a release;
without it, only other statuses are failures.
"""

import asyncio
import base64
import contextlib
import gzip
import http.client
import json
import multiprocessing
import os
import pathlib
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib

import hpack
from serving import PROGRAM, archive, entry, memory, serving

LIMIT = float(os.environ.get("ATTACK_LIMIT", "inf"))
HOST = "shop.example"
ATTACKS = {}
PROCESSES = multiprocessing.get_context("fork")


def attack(title):
    """Adds a function that attacks a server at a port to the list."""
    def add(function):
        ATTACKS[title] = function
        return function
    return add


# Clients

def connect(port):
    return http.client.HTTPConnection("127.0.0.1", port, timeout=120)


def exchange(connection, method, path, body=None, headers=None, host=HOST):
    """Returns the status and the body of a response."""
    connection.request(method, path, body, {"Host": host, **(headers or {})})
    response = connection.getresponse()
    return response.status, response.read()


def request(port, *arguments, **options):
    """Returns the status and the body of a response on a new connection."""
    with contextlib.closing(connect(port)) as connection:
        return exchange(connection, *arguments, **options)


def unverified():
    """Returns settings of TLS for any certificate. They take tens of milliseconds."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def in_parallel(count, function):
    """Calls a function on several threads at the same time, waits for them, and raises what one of them asserted."""
    failures = []

    def call():
        try:
            with contextlib.suppress(OSError, http.client.HTTPException):
                function()
        except AssertionError as error:
            failures.append(error)
    threads = [threading.Thread(target=call) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def http2(port, window=None):
    """Opens a connection with prior knowledge, and sets the initial window of its streams."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    settings = b"" if window is None else struct.pack(">HI", 4, window)
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, settings))
    return connection


def head(encoder, stream, path, method="GET", flags=5):
    fields = [(":method", method), (":scheme", "http"), (":authority", HOST), (":path", path)]
    return frame(1, flags, stream, encoder.encode(fields))


# Attacks on time

@attack("no attack")
def nothing(port):  # pylint: disable=unused-argument
    time.sleep(1)


@attack("two busy processes")
def busy(port):  # pylint: disable=unused-argument
    """Only takes processor time, to compare the waits with those during attacks."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    time.sleep(2)
    for process in processes:
        process.kill()
        process.wait()


@attack("100,000 resets")
def resets(port):
    """Resets requests until the server closes the connection with an error."""
    encoder = hpack.Encoder()
    received = bytearray()
    with http2(port) as connection:
        with contextlib.suppress(OSError):
            for start in range(0, 100_000, 1000):
                frames = bytearray()
                for number in range(start, start + 1000):
                    frames += head(encoder, 2 * number + 1, f"/resets/{number}")
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
    assert 11 in codes, codes


def misses(paths, method="GET", body=None, headers=None):
    def run(port):
        for path in paths:
            status, _ = request(port, method, path, body, headers)
            assert status == 404, status
    return run


ATTACKS["misses with a query of 60 kB"] = misses(
    ["/search?" + "&".join(f"k{n}={n * 7}" for n in range(4500))] * 3, headers={"Cookie": "a=b"})
ATTACKS["misses with one long item"] = misses(["/search?k=" + "a" * 60_000] * 3)
ATTACKS["misses with 20,000 equal items"] = misses(["/search?" + "&".join(["k1=z"] * 12_000)] * 3)
ATTACKS["misses with a long path"] = misses(["/" + "a/" * 30_000, "/" + "%41" * 20_000, "/" + "a" * 60_000])
ATTACKS["misses among large entries"] = misses(["/files/x"] * 3)
ATTACKS["misses with a body of 20 MB"] = misses(
    ["/missing"] * 2, "POST", json.dumps(["token=secret"] * 1_300_000), {"Content-Type": "application/json"})


def bodies(body, kind, coding=None, count=4, path="/items"):
    """Returns a function that sends a body several times at once."""
    headers = {"Content-Type": kind} | ({"Content-Encoding": coding} if coding else {})
    return lambda port: in_parallel(count, lambda: request(port, "POST", path, body, headers))


def multipart(count):
    part = "--b\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\nx\r\n"
    return part * count + "--b--\r\n"


ATTACKS["JSON bodies of 4 MB"] = bodies("[" + "1," * 2_000_000 + "1]", "application/json")
ATTACKS["JSON bodies of 50 kB"] = bodies(
    json.dumps({f"k{n}": n for n in range(4000)}), "application/json", count=50)
ATTACKS["forms of 2 MB"] = bodies("a=b&" * 500_000, "application/x-www-form-urlencoded")
ATTACKS["multipart bodies of 2 MB"] = bodies(multipart(35_000), "multipart/form-data; boundary=b")
ATTACKS["GraphQL batches of 2 MB"] = bodies(
    json.dumps([{"query": "query Q { a }", "operationName": "Q", "variables": {"a": 1}}] * 25_000),
    "application/json", path="/graphql")
ATTACKS["Base64 bodies of 16 MB"] = bodies("QUJD" * 4_000_000, "text/plain")
ATTACKS["gzip bombs"] = bodies(gzip.compress(bytes(90_000_000)), "application/json", "gzip")
ATTACKS["gzip bombs above the limit"] = bodies(gzip.compress(bytes(300_000_000)), "application/json", "gzip")
ATTACKS["deflate bombs in a chain"] = bodies(
    zlib.compress(zlib.compress(bytes(90_000_000))), "application/json", ", ".join(["deflate"] * 5000))
# 90 MB of zeros, compressed by brotli 1.0 and zstd 1.5 with their largest windows.
for tool, coding in ((("brotli", "-c"), "br"), (("zstd", "-c", "-q"), "zstd")):
    with contextlib.suppress(FileNotFoundError):
        bomb = subprocess.run(tool, input=bytes(90_000_000), capture_output=True, check=True).stdout
        ATTACKS[f"{tool[0]} bombs"] = bodies(bomb, "application/json", coding)


@attack("recorded bombs")
def recorded_bombs(port):
    in_parallel(8, lambda: request(port, "GET", "/bomb"))


@attack("many names in the field Connection")
def connection_names(port):
    names = ",".join(f"{n:x}" for n in range(7000))
    fields = "".join(f"{n:x}:\r\n" for n in range(5000))
    text = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: {names}\r\n{fields}\r\n".encode()
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(text)
            connection.recv(100)


@attack("pipelined requests")
def pipelined(port):
    text = f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode() * 20_000

    def send():
        with socket.create_connection(("127.0.0.1", port)) as connection:
            threading.Thread(target=lambda: contextlib.suppress(OSError) and connection.sendall(text), daemon=True).start()
            received = 0
            while received < 20_000 and (part := connection.recv(1 << 20)):
                received += part.count(b"home")
    in_parallel(4, send)


@attack("bodies of one-byte chunks")
def chunks(port):
    text = f"POST /items HTTP/1.1\r\nHost: {HOST}\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + b"1\r\na\r\n" * 300_000

    def send():
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(text + b"0\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 201 ")
    in_parallel(4, send)


@attack("small HTTP/2 requests")
def small_requests(port):
    """Sends as many requests at a time as streams are allowed, in few packets."""
    def send():
        encoder = hpack.Encoder()
        with http2(port) as connection:
            for start in range(0, 10_000, 100):
                connection.sendall(b"".join(head(encoder, 2 * number + 1, "/") for number in range(start, start + 100)))
                received = 0
                while received < 100:
                    part = connection.recv(1 << 20)
                    assert part, "closed"
                    received += part.count(b"home")
    in_parallel(4, send)


def abandoned(data, count=900, resets=False):
    """Returns an attack that sends the same data on many connections, and closes all of them at once."""
    def run(port):
        connections = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(count)]
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.sendall(data)
        for connection in connections:
            if resets:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        # The server closes its ends.
        time.sleep(0.5)
    return run


def streams(path="/", method="GET", flags=5):
    """Returns the data of an HTTP/2 connection with as many requests as streams are allowed."""
    encoder = hpack.Encoder()
    heads = (head(encoder, 2 * number + 1, path, method, flags) for number in range(100))
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + b"".join(heads)


ATTACKS["900 abandoned HTTP/2 connections with 100 requests"] = abandoned(streams())
ATTACKS["900 abandoned HTTP/2 connections with 100 incomplete requests"] = abandoned(streams("/items", "POST", 4))
ATTACKS["900 reset HTTP/2 connections with 100 requests"] = abandoned(streams(), resets=True)


@attack("fast downloads of a large body")
def downloads(port):
    in_parallel(4, lambda: request(port, "GET", "/files/1"))


@attack("TLS handshakes with 600 names")
def names(port):
    context = unverified()

    def handshakes(start):
        for number in range(start, start + 100):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                with contextlib.suppress(OSError), context.wrap_socket(connection, server_hostname=f"n{number}.example"):
                    pass
    starts = iter(range(0, 600, 100))
    in_parallel(6, lambda: handshakes(next(starts)))


# Attacks with WebSocket messages

def deflated(text):
    compressor = zlib.compressobj(wbits=-15)
    return (compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH))[:-4]


def message(payload, first=0x81, key=b"\0\0\0\0"):
    """Returns a frame of a client, or of a server if it has no key."""
    masked = 0x80 if key else 0
    size = len(payload)
    length = bytes((masked | size,)) if size < 126 else struct.pack(">BH", masked | 126, size) if size < 65_536 \
        else struct.pack(">BQ", masked | 127, size)
    return bytes((first,)) + length + key + payload


def open_socket(port, target):
    """Opens a WebSocket connection, with compression if the server supports it."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=120)
    connection.sendall(
        f"GET {target} HTTP/1.1\r\nHost: {HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n".encode())
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(1 << 16)
        assert part, received
        received += part
    assert received.startswith(b"HTTP/1.1 101 "), received
    return connection


def sockets(data, count, target="/socket"):
    """Returns a function that sends messages on several connections at once, and reads until the end or a pause."""
    def run(port):
        def send():
            with open_socket(port, target) as connection:
                connection.settimeout(2)
                connection.sendall(data)
                # The code of the server's close frame is 4404.
                while (part := connection.recv(1 << 16)) and part[2:4] != struct.pack(">H", 4404):
                    pass
        in_parallel(count, send)
    return run


ATTACKS["WebSocket messages of 1 MB in 1 kB"] = sockets(message(deflated(b"[" + b"1," * 500_000 + b"1]"), 0xC1), 20)
ATTACKS["WebSocket messages of 6,000 members"] = sockets(
    message(json.dumps({f"k{n}": n for n in range(6000)}).encode()), 4)
ATTACKS["WebSocket messages of 1,000 members"] = sockets(
    message(json.dumps({f"k{n}": n for n in range(1000)}).encode()), 4)


# Attacks on shares

def hold(connections, duration=2):
    time.sleep(duration)
    for connection in connections:
        connection.close()


@attack("20 HTTP/2 connections with closed windows")
def closed_windows(port):
    connections = []
    for _ in range(20):
        encoder = hpack.Encoder()
        connection = http2(port, window=0)
        connection.sendall(b"".join(head(encoder, 2 * n + 1, "/files/1" if n % 2 else "/") for n in range(100)))
        connections.append(connection)
    hold(connections)


@attack("1100 connections that do not read")
def unread(port):
    connections = []
    for _ in range(1100):
        with contextlib.suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.sendall(f"GET /files/1 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            connections.append(connection)
    hold(connections)


def at_once(count, data, answer=b"HTTP/1.1 200 ", times=1, rounds=1):
    """Returns an attack that opens connections, sends the same data on all of them, and expects all answers.

    In a single round, every other client closes its sending end after the data.
    """
    def run(port):
        # A server that was built for debugging records few JSON bodies in a second.
        connections = [socket.create_connection(("127.0.0.1", port), timeout=240) for _ in range(count)]
        time.sleep(0.1)
        for _ in range(rounds):
            for number, connection in enumerate(connections):
                connection.sendall(data)
                if number % 2 and rounds == 1 and answer.startswith(b"HTTP"):
                    connection.shutdown(socket.SHUT_WR)
            for connection in connections:
                received = b""
                while received.count(answer) < times:
                    part = connection.recv(1 << 16)
                    assert part, (received, "is incomplete")
                    received += part
        hold(connections, 0)
    return run


def client_hello():
    """Returns the first record of a TLS handshake."""
    context = ssl.create_default_context()
    client = context.wrap_bio(ssl.MemoryBIO(), output := ssl.MemoryBIO(), server_hostname=HOST)
    with contextlib.suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return output.read()


def end_without_notice(port):
    """Ends many TLS connections after a response without a notice, and expects that the server soon closes most of them."""
    context = ssl._create_unverified_context()
    connections = []

    def run():
        for _ in range(60):
            connection = socket.create_connection(("127.0.0.1", port), timeout=240)
            client = context.wrap_bio(incoming := ssl.MemoryBIO(), outgoing := ssl.MemoryBIO(), server_hostname=HOST)
            finished = False
            while not finished:
                with contextlib.suppress(ssl.SSLWantReadError):
                    client.do_handshake()
                    finished = True
                connection.sendall(outgoing.read())
                if not finished:
                    incoming.write(connection.recv(1 << 16))
            client.write(f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            connection.sendall(outgoing.read())
            connection.recv(1 << 16)
            connection.shutdown(socket.SHUT_WR)
            connections.append(connection)
    in_parallel(6, run)
    time.sleep(2)
    open_count = 0
    for connection in connections:
        connection.setblocking(False)
        try:
            while connection.recv(1 << 16):
                pass
        except BlockingIOError:
            open_count += 1
        connection.close()
    assert len(connections) == 360 and open_count < 180, (open_count, "connections are still open")


ATTACKS["360 TLS connections that end without notice"] = end_without_notice
LONG_QUERY = "&".join(f"a{n}={n}" for n in range(700))
FIELDS = "".join(f"X-{n}: {'a' * 550}\r\n" for n in range(90))
NESTED = base64.b64encode(gzip.compress(base64.b64encode(gzip.compress(b"[" + b"1," * 2_000_000 + b"1]")))).decode()
ATTACKS["misses with 4 MB of compressed text"] = lambda port: in_parallel(
    4, lambda: request(port, "GET", f"/x?{urllib.parse.urlencode({'q': NESTED})}"))
ATTACKS["900 small requests at once"] = at_once(900, f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
ATTACKS["900 heads of 50 kB at once"] = at_once(900, f"GET / HTTP/1.1\r\nHost: {HOST}\r\n{FIELDS}\r\n".encode())
ATTACKS["900 misses at once"] = at_once(900, f"GET /x HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode(), b"HTTP/1.1 404 ")
ATTACKS["900 misses with 700 items at once"] = at_once(
    900, f"GET /x?{LONG_QUERY} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode(), b"HTTP/1.1 404 ")
ATTACKS["10,000 HEAD requests for a large body"] = at_once(
    500, f"HEAD /files/1 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode() * 20, times=20)
ATTACKS["900 TLS handshakes at once"] = at_once(900, client_hello(), b"\x16\x03\x03")


@attack("bodies that fill the total size")
def large_bodies(port):
    connections = []
    for _ in range(24):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(f"POST /items HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 33000000\r\n\r\n".encode())
        with contextlib.suppress(OSError):
            connection.sendall(bytes(32_000_000))
        connections.append(connection)
    hold(connections, 1)


@attack("a body of one byte at a time")
def slow_body(port):
    """Sends a byte a second after the allowed burst until the server rejects the request."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"POST /items HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 1000000\r\n\r\n".encode() + bytes(99_000))
        connection.settimeout(1)
        for _ in range(60):
            with contextlib.suppress(TimeoutError):
                assert connection.recv(100).startswith(b"HTTP/1.1 408 "), "expected 408"
                return
            connection.sendall(b"a")
        raise AssertionError("the server accepts a byte a second")


# The other client

def connect_with_tls(port, context):
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=120, context=context)
    connection.sock = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname=HOST)
    # The head and the body of a request arrive without delay.
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def probe(port, site_url, ended, results):
    """Makes requests until an event, and sends the longest wait for each kind of response, or an error.

    The requests are made on new connections, on one that stays open, and to a server also on new connections with TLS.
    """
    kinds = [("GET", "/", None, 200), ("POST", "/items", '{"a": 1}', 201), ("GET", "/other?a=1", None, 404)]
    context = unverified()
    kept = connect(port)
    ways = {"": lambda: contextlib.closing(connect(port)), " on an open connection": lambda: contextlib.nullcontext(kept)}
    if not site_url:
        ways[" with TLS"] = lambda: contextlib.closing(connect_with_tls(port, context))
    probes = [(*kind, way) for way in ways for kind in kinds]
    longest = {}
    number = 0
    try:
        while not ended.is_set() or number < len(probes):
            method, path, body, expected, way = probes[number % len(probes)]
            number += 1
            # The server has time for others.
            time.sleep(0.002)
            start = time.monotonic()
            headers = {"Content-Type": "application/json"} if body else None
            with ways[way]() as connection:
                status, _ = exchange(connection, method, site_url + path, body, headers)
            title = f"{method} {path}{way}"
            longest[title] = max(longest.get(title, 0), time.monotonic() - start)
            assert status == expected, (method, path, status)
        results.send(longest)
    except Exception as error:  # pylint: disable=broad-except
        results.send(error)


def longest_wait(port, run, site_url=""):
    """Attacks a server, and returns the longest wait for each kind of response meanwhile.

    For a proxy, the other client makes requests to a site of its own, because the attack also delays the attacked site.
    The other client is a process, because threads of the attack would delay a thread.
    """
    results, sender = PROCESSES.Pipe(duplex=False)
    ended = PROCESSES.Event()
    process = PROCESSES.Process(target=probe, args=(port, site_url, ended, sender), daemon=True)
    process.start()
    try:
        run(port)
    finally:
        ended.set()
        longest = results.recv()
        process.join()
    if isinstance(longest, Exception):
        raise longest
    return longest


def write_archive(folder):
    large = b"0123456789abcdef" * (1 << 20)
    items = "&".join(f"k{n}={n}" for n in range(200))
    entries = [entry("GET", f"http://{HOST}/", b"home"), entry("POST", f"http://{HOST}/items", b"created", 201, sent='{"a": 1}'),
               entry("POST", f"http://{HOST}/items", b"other", 201, sent="a=b"),
               entry("POST", f"http://{HOST}/graphql", b"{}", sent='{"query": "query Q { a }"}')]
    entries += [entry("GET", f"http://{HOST}/search?{items}&n={n}", b"result") for n in range(2000)]
    entries += [entry("GET", f"http://{HOST}/files/{number}", large) for number in range(12)]
    # Messages of the client that are compared with each message.
    entries.append(entry(
        "GET", f"ws://{HOST}/socket", b"", 101, headers=[("Sec-WebSocket-Extensions", "permessage-deflate")]))
    entries[-1]["_webSocketMessages"] = [
        {"type": "send", "time": 1_767_225_600, "opcode": 1, "data": json.dumps({"type": "x", "n": {"a": n}})} for n in range(2000)]
    entries.append(entry(
        "GET", f"http://{HOST}/bomb", gzip.compress(bytes(90_000_000)), headers=[("Content-Encoding", "gzip")]))
    return archive(folder / "shop.har", entries)


def blocked_output(path, ends_blocked):
    """Blocks the output of a server, and returns the memory that 40,000 lines take.

    The server must end within seconds, even if its output remains blocked.
    """
    process = subprocess.Popen([PROGRAM, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        for line in process.stdout:
            if line.startswith(b"Listening on"):
                port = int(line.split()[2].rsplit(b":", 1)[1])
                break
        text = f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode() * 1000
        request(port, "GET", "/")
        before = memory(process)
        for _ in range(40):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(text)
                received = b""
                while received.count(b"HTTP/1.1 200") < 1000:
                    received += connection.recv(1 << 16)
        used = memory(process) - before
        process.terminate()
        if ends_blocked:
            process.wait(timeout=15)
            return used
        dropped = [line for line in process.stdout.read().splitlines() if b"dropped" in line]
        assert dropped, "no line says what was dropped"
        return used
    finally:
        process.kill()
        process.wait()


# Attacks on a proxy that records, in front of a site

#: The number of clients that make their requests at the same time.
CLIENTS = 900

#: A JSON object of 1 kB with 50 secrets.
SECRETS = json.dumps({f"token{n}": f"v{n}" for n in range(50)}).encode()

#: A query item of 7 kB with 5 MB of compressed text.
SMALL_BOMB = urllib.parse.quote(base64.b64encode(gzip.compress(b"a" * 5_000_000)).decode())


class Site(asyncio.Protocol):
    """A connection of a site whose responses are large for some paths."""

    TYPE = b"Content-Type: application/json\r\n"
    ROWS = json.dumps([{"id": n, "token": f"{n * 7919:032x}", "password": f"p{n}"} for n in range(150_000)]).encode()
    BODIES = {b"/": (b"200 OK", b"", b"home"), b"/items": (b"201 Created", b"", b"created"), b"/json": (b"200 OK", TYPE, ROWS),
              b"/chunks": (b"200 OK", b"Transfer-Encoding: chunked\r\n", b"1\r\na\r\n" * 300_000 + b"0\r\n\r\n"),
              b"/bomb": (b"200 OK", TYPE + b"Content-Encoding: gzip\r\n", gzip.compress(b"[" + b"0," * 20_000_000 + b"0]"))}

    #: The messages of WebSocket connections: tiny ones, empty fragments, and 15 MB in each of 30 compressed ones.
    MESSAGES = {b"/tiny": message(b"m", key=b"") * 400_000,
                b"/fragments": message(b"", 0x01, b"") + message(b"", 0x00, b"") * 800_000,
                b"/inflated": message(deflated(b"a" * (15 << 20)), 0xC1, b"") * 30}

    #: A hundred interim responses with 60 kB of header fields each.
    INTERIM = (b"HTTP/1.1 103 Early Hints\r\n" + b"".join(b"x%d: %s\r\n" % (n, b"a" * 1000) for n in range(60)) + b"\r\n") * 100

    #: The connections whose responses are sent when all requests have arrived.
    together = []

    def connection_made(self, transport):
        self.transport, self.received, self.missing = transport, b"", 0

    def data_received(self, data):
        if self.missing:
            self.missing, data = max(0, self.missing - len(data)), data[self.missing:]
        self.received += data
        while not self.missing and (end := self.received.find(b"\r\n\r\n")) >= 0:
            lines, self.received = self.received[:end].lower(), self.received[end + 4:]
            size = int((re.search(rb"\r\ncontent-length: (\d+)", lines) or [0, 0])[1])
            self.missing, self.received = max(0, size - len(self.received)), self.received[size:]
            path = lines.split(b" ")[1]
            if path in self.MESSAGES:
                self.transport.write(
                    b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
                    b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n" + self.MESSAGES[path])
                # The messages of the client are ignored.
                self.missing = 1 << 60
                return
            if path == b"/silent":
                continue
            if path == b"/interim":
                self.transport.write(self.INTERIM)
            self.together.append((self.transport, path))
            if path != b"/together" or len(self.together) == CLIENTS:
                for transport, path in self.together:
                    status, fields, body = self.BODIES.get(path, (b"404 Not Found", b"", b"none"))
                    if path.startswith(b"/unique/"):
                        fields = b"".join(b"x%s-%d: v\r\n" % (path[8:], n) for n in range(200))
                    length = b"" if path == b"/chunks" else b"Content-Length: %d\r\n" % len(body)
                    transport.write(b"HTTP/1.1 %s\r\n%s%s\r\n%s" % (status, length, fields, body))
                    if path == b"/together":
                        transport.close()
                self.together.clear()


@contextlib.contextmanager
def site():
    """Runs a site in another process, and yields its address."""
    ports, sender = PROCESSES.Pipe(duplex=False)

    async def run():
        server = await asyncio.get_running_loop().create_server(Site, "127.0.0.1", 0, backlog=2000)
        sender.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()
    process = PROCESSES.Process(target=lambda: asyncio.run(run()), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ports.recv()}"
    finally:
        process.kill()
        process.join()


def recorded(method, path, head="", body=b""):
    """Returns the text of a request for a proxy, which `%s` in its first line completes with the address of a site."""
    return f"{method} %s{path} HTTP/1.1\r\nHost: {HOST}\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def recorded_body(kind, body):
    return lambda url: lambda port: in_parallel(8, lambda: request(port, "POST", url + "/items", body, {"Content-Type": kind}))


def recorded_download(path):
    return lambda url: lambda port: in_parallel(4, lambda: request(port, "GET", url + path))


def recorded_sockets(path):
    return lambda url: sockets(message(b"m") * 100_000, 2, url + path)


def recorded_at_once(data, answer=b"HTTP/1.1 200 ", rounds=1):
    return lambda url: at_once(CLIENTS, data.replace(b"%s", url.encode(), 1), answer, rounds=rounds)


def recorded_connects(port):
    """Opens tunnels to a port at which nothing listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{closed.getsockname()[1]}"
        at_once(CLIENTS, f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode() + bytes(3))(port)


def recorded_interim(url):
    """Receives a hundred interim responses before each response."""
    def run(port):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(recorded("GET", "/interim").replace(b"%s", url.encode(), 1))
            end = b""
            while b"none" not in end:
                end = end[-3:] + (connection.recv(1 << 20) or b"none")
    return lambda port: in_parallel(8, lambda: run(port))


def recorded_table(url):
    """Lets the proxy send header fields with new names on an HTTP/2 connection that allows a table of 16 MB for them."""
    def run(port):
        encoder = hpack.Encoder()
        with http2(port) as connection:
            connection.sendall(frame(4, 0, 0, struct.pack(">HIHI", 1, 1 << 24, 4, 1 << 24)) + frame(8, 0, 0, b"\0\xff\0\0"))
            for number in range(200):
                fields = [(":method", "GET"), (":scheme", "http"), (":authority", url[7:]), (":path", f"/unique/{number}")]
                connection.sendall(frame(1, 5, 2 * number + 1, encoder.encode(fields)))
                while b"none" not in connection.recv(1 << 20):
                    pass
    return lambda port: in_parallel(4, lambda: run(port))


def recorded_bombs_of_clients(url):
    return sockets(message(deflated(b"a" * (15 << 20)), 0xC1) * 30, 2, url + "/tiny")


RECORDED_ATTACKS = {
    "900 recorded requests at once": recorded_at_once(recorded("GET", "/")),
    "900 recorded requests to a name at once":
        lambda url: recorded_at_once(recorded("GET", "/"))(url.replace("127.0.0.1", "localhost")),
    "900 recorded responses at once": recorded_at_once(recorded("GET", "/together"), b"HTTP/1.1 404 "),
    "900 recorded queries of 700 items at once": recorded_at_once(
        recorded("GET", f"/other?{LONG_QUERY}"), b"HTTP/1.1 404 "),
    "900 recorded JSON bodies of 30 kB at once": recorded_at_once(
        recorded("POST", "/items", "Content-Type: application/json\r\n", Site.ROWS[:29_999] + b"]"), b"HTTP/1.1 201 "),
    "900 recorded JSON bodies with 50 secrets at once, three times": recorded_at_once(
        recorded("POST", "/items", "Content-Type: application/json\r\n", SECRETS), b"HTTP/1.1 201 ", 3),
    "recorded JSON bodies of 10 MB": recorded_body("application/json", Site.ROWS),
    "recorded forms of 10 MB": recorded_body(
        "application/x-www-form-urlencoded", b"&".join(b"password%d=%d" % (n, n) for n in range(450_000))),
    "recorded downloads of 10 MB": recorded_download("/json"),
    "recorded responses of one-byte chunks": recorded_download("/chunks"),
    "recorded gzip bombs": recorded_download("/bomb"),
    "recorded tiny WebSocket messages": recorded_sockets("/tiny"),
    "recorded empty fragments": recorded_sockets("/fragments"),
    "recorded compressed WebSocket messages": recorded_sockets("/inflated"),
    "recorded compressed WebSocket messages of clients": recorded_bombs_of_clients,
    "900 abandoned recorded requests": lambda url: abandoned(recorded("GET", "/").replace(b"%s", url.encode(), 1)),
    "900 abandoned requests to a silent path": lambda url: abandoned(
        recorded("GET", "/silent").replace(b"%s", url.encode(), 1), resets=True),
    "900 abandoned recorded uploads of 60 kB": lambda url: abandoned(
        recorded("POST", "/items", "Content-Type: application/json\r\n", Site.ROWS[:60_000])
        .replace(b"%s", url.encode(), 1)[:-100], resets=True),
    "900 tunnels to a closed port": lambda url: recorded_connects,
    "60 recorded queries with 5 MB of compressed text": lambda url: lambda port: in_parallel(
        60, lambda: request(port, "GET", f"{url}/?q={SMALL_BOMB}")),
    "recorded interim responses of 6 MB": recorded_interim,
    "recorded responses with a large table of header fields": recorded_table,
}


# Attacks on a server with rules that need a long time for some requests

RULES = r"""
rules:
  - request: { regularExpression: "(a+)+b" }
    stub: { text: "a match" }
  - request: { regularExpression: "c*c*d" }
    stub: { text: "a match" }
  - request: { url: "ws://shop.example/socket", body: { jsonAt: { /a: 1 } } }
    webSocket: { policy: free }
"""
UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


def slow_rule(path, headers=None, body=None, answer=502, host=HOST):
    """Returns an attack with requests for which a rule needs much time."""
    def run(port):
        status, _ = request(port, "GET", path, body, headers, host)
        assert status == answer, status
    return lambda port: in_parallel(4, lambda: run(port))


RULE_ATTACKS = {
    "regular expressions in exponential time": slow_rule("/" + "a" * 40),
    "regular expressions and long paths": slow_rule("/" + "c" * 7500),
    "regular expressions and unknown hosts": slow_rule("/" + "a" * 40, host="unknown.example"),
    "regular expressions and WebSocket connections": slow_rule("/" + "c" * 60_000, UPGRADE),
    "WebSocket connections with bodies of 20 MB": slow_rule(
        "/socket", UPGRADE | {"Content-Type": "application/json"}, "[" + "1," * 10_000_000 + "1]", 101),
}


def stolen_time():
    """Returns the time in which the host of a virtual machine has used its processors, in milliseconds."""
    with open("/proc/stat", encoding="ascii") as file:
        return int(file.readline().split()[8]) * 1000 // os.sysconf("SC_CLK_TCK")


def measure(attacks, port, site_url=""):
    """Attacks a server, prints the longest waits, and returns the titles of the attacks with too long ones."""
    failures = []
    for title, run in attacks.items():
        before = stolen_time()
        waits = longest_wait(port, run, site_url)
        text = ", ".join(f"{wait * 1000:.0f} ms for {name}" for name, wait in waits.items())
        stolen = stolen_time() - before
        note = f" (a virtual machine without processors for {stolen} ms)" if stolen else ""
        print(f"{title}: another client waits at most {text}{note}", flush=True)
        if max(waits.values()) > LIMIT:
            failures.append(title)
    return failures


def main():
    selected = sys.argv[2:] or list(ATTACKS) + list(RULE_ATTACKS) + list(RECORDED_ATTACKS) + ["blocked output"]
    failures = []
    # Without countermeasures, this state of the memory is reached after some attacks.
    os.environ["GLIBC_TUNABLES"] = "glibc.malloc.mmap_threshold=33554432"
    with tempfile.TemporaryDirectory() as name:
        path = write_archive(pathlib.Path(name))
        with serving(path, "--matching", "standard") as (url, finish, process):
            # Nothing reads the lines meanwhile, so they must not fill the pipe.
            reader = threading.Thread(target=lambda: finish.lines.extend(process.stdout), daemon=True)
            finish.lines = []
            reader.start()
            port = int(url.rsplit(":", 1)[1])
            failures += measure({title: ATTACKS[title] for title in selected if title in ATTACKS}, port)
            print(f"memory after all attacks: {memory(process) >> 20} MB")
            process.terminate()
            reader.join()
            lines = [json.loads(line) for line in finish.lines]
        if "100,000 resets" in selected:
            decided = sum("/resets/" in line.get("url", "") for line in lines)
            assert decided < 1000, decided
            assert sum("resets" in line.get("problem", "") for line in lines) == 1
        chosen = [title for title in selected if title in RULE_ATTACKS]
        if chosen:
            rules = pathlib.Path(name) / "rules.yaml"
            rules.write_text(RULES, encoding="utf-8")
            with serving(path, "--matching", "standard", "--rules", rules) as (url, finish, process):
                threading.Thread(target=lambda: list(process.stdout), daemon=True).start()
                port = int(url.rsplit(":", 1)[1])
                failures += measure({title: RULE_ATTACKS[title] for title in chosen}, port)
        chosen = [title for title in selected if title in RECORDED_ATTACKS]
        if chosen:
            output = pathlib.Path(name) / "recorded.har"
            with site() as attacked, site() as other, serving("proxy", output) as (url, finish, process):
                threading.Thread(target=lambda: list(process.stdout), daemon=True).start()
                attacks = {title: RECORDED_ATTACKS[title](attacked) for title in chosen}
                failures += measure(attacks, int(url.rsplit(":", 1)[1]), other)
                print(f"memory after the attacks on a proxy: {memory(process) >> 20} MB")
        if "blocked output" in selected:
            for ends_blocked in (False, True):
                print(f"blocked output: 40,000 lines take {blocked_output(path, ends_blocked) >> 20} MB")
    if failures:
        sys.exit(f"longer than {LIMIT * 1000:.0f} ms: {', '.join(failures)}")


if __name__ == "__main__":
    main()
