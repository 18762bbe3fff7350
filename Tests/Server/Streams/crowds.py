"""Checks with many WebSocket clients at the same time, which can stop reading or vanish, and another client."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import http.client
import json
import multiprocessing
import os
import socket
import struct
import time
import uuid
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path
from subprocess import Popen
from typing import Self

from scripts import BINARY, UPGRADE, close, received, sent, socket_entry
from serving import archive, entry, memory, serving
from websockets.asyncio.client import connect

PROCESSES = multiprocessing.get_context("fork")
ENTRIES = [
    socket_entry("/crowd", [
        *received('{"welcome":true}'),
        *sent(f'{{"id":"{uuid.UUID(int=1)}","n":1}}'), *received(f'{{"id":"{uuid.UUID(int=1)}","result":"first"}}'),
        *sent(f'{{"id":"{uuid.UUID(int=2)}","n":2}}'), *received(f'{{"id":"{uuid.UUID(int=2)}","result":"second"}}'),
        close(1000)]),
    # 16 MB for each client.
    socket_entry("/large", [("receive", BINARY, bytes([number]) * (1 << 20)) for number in range(16)]),
    socket_entry("/waiting", [*received("Moin"), *sent("never")]),
    entry("GET", "http://harbor.example/page", b"a page"),
]


def probe(host: str, stopping: Event, longest: object) -> None:
    """Makes requests until the end, and notes the longest wait, or -1 after a failure."""
    try:
        while not stopping.wait(0.01):
            start = time.monotonic()
            connection = http.client.HTTPConnection(host, timeout=60)
            connection.request("GET", "/page")
            body = connection.getresponse().read()
            connection.close()
            longest.value = max(longest.value, time.monotonic() - start)
            assert body == b"a page", body
    except BaseException:
        longest.value = -1
        raise


class Waits:
    """Another client in its own process, which makes requests while others have sockets."""

    def __init__(self, host: str) -> None:
        self.stopping, self.longest = PROCESSES.Event(), PROCESSES.Value("d", 0)
        self.process = PROCESSES.Process(target=probe, args=(host, self.stopping, self.longest))

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.process.join()
        assert self.longest.value > 0, "another client got no response"

    def __str__(self) -> str:
        return f"another client waits at most {self.longest.value:.3f} s"


def upgraded(host: str, path: str) -> socket.socket:
    """Opens a WebSocket, and returns after the head of the response."""
    name, port = host.split(":")
    connection = socket.create_connection((name, int(port)), timeout=60)
    connection.sendall(UPGRADE.format(path=path, host=host).encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        part = connection.recv(1)
        assert part, head
        head += part
    assert head.startswith(b"HTTP/1.1 101 "), head
    return connection


def read_all(connection: socket.socket, size: int, pause: float) -> None:
    """Reads the large messages in parts, with a pause after each."""
    left = 16 * (10 + (1 << 20))
    while left:
        part = connection.recv(min(left, size))
        assert part, f"{left >> 20} MB are missing"
        left -= len(part)
        time.sleep(pause)


async def talk(url: str, barrier: asyncio.Barrier, opening: asyncio.Semaphore) -> None:
    """Opens a WebSocket, waits until all are open, and then talks with its own identifiers."""
    async with opening:
        client = await connect(url, compression=None, ping_interval=None, open_timeout=60)
    async with client:
        assert json.loads(await client.recv()) == {"welcome": True}
        await asyncio.wait_for(barrier.wait(), 120)
        for step, result in (1, "first"), (2, "second"):
            name = str(uuid.uuid4())
            await client.send(json.dumps({"id": name, "n": step}))
            reply = json.loads(await client.recv())
            assert reply == {"id": name, "result": result}, reply
        await client.wait_closed()
        assert client.close_code == 1000, client.close_code


async def talk_at_once(url: str, count: int) -> None:
    """Opens sockets that are all open at the same time."""
    barrier, opening = asyncio.Barrier(count), asyncio.Semaphore(100)
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(talk(url, barrier, opening))


@contextlib.contextmanager
def crowd(folder: Path, *options: str) -> Iterator[tuple[str, Popen, Waits]]:
    """Runs a server and another client."""
    file = archive(folder / "crowds.har", ENTRIES)
    with serving(file, "--max-connections", "2000", *options) as (address, _, process):
        host = address.removeprefix("http://")
        with Waits(host) as waits:
            yield host, process, waits


def check_many(folder: Path) -> str:
    with crowd(folder) as (host, process, waits):
        start, before = time.monotonic(), memory(process)
        asyncio.run(talk_at_once(f"ws://{host}/crowd", 1000))
        seconds, used = time.monotonic() - start, (memory(process) - before) >> 20
    return f"{seconds:.1f} s, {used} MB; {waits}"


def check_slow(folder: Path) -> str:
    """Opens sockets and reads nothing."""
    with crowd(folder) as (host, process, waits):
        before = memory(process)
        clients = [upgraded(host, "/large") for _ in range(100)]
        # When this client has received everything, the server has had the time to send to the others.
        with upgraded(host, "/large") as reader:
            read_all(reader, 1 << 20, 0)
        used = (memory(process) - before) >> 20
        assert used < 200, f"{used} MB for clients that do not read"
        for client in clients:
            client.close()
    return f"{used} MB; {waits}"


def check_steady(folder: Path) -> None:
    """Reads all the time, but more slowly than within the idle time."""
    with crowd(folder, "--idle", "1") as (host, _, _), upgraded(host, "/large") as reader:
        read_all(reader, 1 << 16, 0.025)


def descriptors(process: Popen) -> int:
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def wait_until_closed(process: Popen, count: int) -> None:
    """Returns when the server has about as many descriptors as before. The other client has one at times."""
    end = time.monotonic() + 30
    while (found := descriptors(process)) > count + 1:
        assert time.monotonic() < end, f"{found} descriptors, {count} before"
        time.sleep(0.05)


def check_vanished(folder: Path, *, is_reset: bool) -> str:
    """Closes connections without a close frame."""
    with crowd(folder) as (host, process, waits):
        before = descriptors(process)
        for client in [upgraded(host, path) for path in ["/waiting"] * 190 + ["/large"] * 10]:
            if is_reset:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        wait_until_closed(process, before)
    return str(waits)


def check_half_open(folder: Path) -> str:
    """Opens connections on which nothing happens any more. The server must close them after the idle time."""
    with crowd(folder, "--idle", "1") as (host, process, waits):
        before = descriptors(process)
        clients = [upgraded(host, path) for path in ["/waiting"] * 90 + ["/large"] * 10]
        wait_until_closed(process, before)
        for client in clients:
            client.close()
    return str(waits)


CHECKS = {
    "1,000 sockets at the same time": check_many,
    "100 clients that do not read 16 MB": check_slow,
    "a client that reads slowly": check_steady,
    "200 clients that reset the connection": functools.partial(check_vanished, is_reset=True),
    "200 clients that close the connection without a frame": functools.partial(check_vanished, is_reset=False),
    "100 half-open connections": check_half_open,
}
