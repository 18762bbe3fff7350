"""Short archives with a WebSocket, and checks of how Python's websockets sees their replay."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import websockets
from serving import archive, entry, serving
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

START = 1_767_225_600
"""The time of the entries of `serving.entry`, in seconds since 1970."""

Message = tuple[str, int, str | bytes]
"""The type, the opcode and the data of a message."""

UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
LARGE = "Größe" * 30_000
FIRST, SECOND = "0b6e4f0e-6d1b-4b0e-8a53-0b4c1d0f8a11", "5d2c8d5a-1f0b-4f4f-9a39-6a7f5c1a2b22"


def close(code: int, reason: str = "", kind: str = "receive") -> Message:
    return kind, CLOSE, struct.pack(">H", code) + reason.encode()


def received(*texts: str) -> list[Message]:
    return [("receive", TEXT, text) for text in texts]


def sent(*texts: str) -> list[Message]:
    return [("send", TEXT, text) for text in texts]


def socket_entry(path: str, messages: list[Message], *, pause: float = 0.001, unit: float = 1, **fields: str) -> dict:
    """Returns an entry of a WebSocket connection.

    The pause is the time between messages in seconds, and the unit is the number of units of their times in a second.
    """
    fields = {"Upgrade": "websocket", "Connection": "Upgrade"} | fields
    headers = [(name.replace("_", "-"), value) for name, value in fields.items()]
    result = entry("GET", f"http://harbor.example{path}", b"", 101, headers)
    result["_resourceType"] = "websocket"
    result["_webSocketMessages"] = [
        {"type": kind, "time": (START + pause * number) * unit, "opcode": opcode,
         "data": data if isinstance(data, str) else base64.b64encode(data).decode()}
        for number, (kind, opcode, data) in enumerate(messages, 1)]
    return result


async def listen(socket: ClientConnection) -> list[Any]:
    """Returns the messages until the server closes the connection, and its code and reason."""
    messages: list[Any] = []
    try:
        while True:
            messages.append(await asyncio.wait_for(socket.recv(), 30))
    except ConnectionClosed as closed:
        frame = closed.rcvd
        return [*messages, (frame.code, frame.reason) if frame else None]


ENTRIES = [
    socket_entry("/kinds", [
        *received("Moin"), *sent("eins"), ("receive", BINARY, b"\x00\xff"), ("send", BINARY, b"\x01\x02"),
        *received("", LARGE), *sent(LARGE, ""), *received("end"), close(4000, "Schluß"),
    ], Sec_WebSocket_Extensions="permessage-deflate"),
    socket_entry("/pings", [
        ("receive", PING, b"are you there?"), ("send", PONG, b"are you there?"), ("send", PING, b"and you?"),
        ("receive", PONG, b"and you?"), *sent("yes"), *received("yes"), close(1001)]),
    socket_entry("/protocol", [*received("v2"), close(1000)], Sec_WebSocket_Protocol="v2"),
    socket_entry("/json", [
        *sent(f'{{"id":"{FIRST}","ask":{{"city":"Kiel","days":[1,2]}},"at":"2026-01-01T00:00:00Z"}}'),
        *received(f'{{"id":"{FIRST}","weather":"windy"}}'), *sent(f'{{"id":"{SECOND}","ask":"more"}}'),
        *received(f'{{"re":"{SECOND}","also":"{FIRST}"}}'), close(1000)]),
    socket_entry("/open", received("Moin")),
    socket_entry("/closed", [*received("Moin"), close(1000, "Tschüß")]),
    entry("GET", "http://harbor.example/page", b"a page"),
]


async def check_kinds(url: str, **parameters: bool | int) -> None:
    """Sends and receives messages of all kinds, some in fragments, with the parameters of compression."""
    extensions = [ClientPerMessageDeflateFactory(**parameters)] if parameters else None
    async with connect(f"{url}/kinds", compression=None, extensions=extensions, max_size=None) as socket:
        accepted = socket.response.headers.get("Sec-WebSocket-Extensions", "")
        assert ("permessage-deflate" in accepted) == bool(parameters), accepted
        assert await socket.recv() == "Moin"
        await socket.send(["ei", "n", "s"])
        assert await socket.recv() == b"\x00\xff"
        await socket.send([b"\x01", b"", b"\x02"])
        assert [await socket.recv(), await socket.recv()] == ["", LARGE]
        await socket.send([LARGE[:10], LARGE[10:100_000], LARGE[100_000:]])
        await socket.send("")
        got = await listen(socket)
        assert got == ["end", (4000, "Schluß")], got


async def check_pings(url: str) -> None:
    """Sends a ping before a message, and another one between two fragments of it."""
    async with connect(f"{url}/pings", ping_interval=None) as socket:
        await asyncio.wait_for(await socket.ping(b"and you?"), 30)

        async def parts() -> AsyncIterator[str]:
            yield "y"
            await asyncio.wait_for(await socket.ping(b"in the middle"), 30)
            yield "es"

        await socket.send(parts())
        got = await listen(socket)
        assert got == ["yes", (1001, "")], got


async def check_recorded_ping(url: str) -> None:
    reader, writer = await upgraded(url, "/pings")
    assert await asyncio.wait_for(reader.readexactly(16), 30) == b"\x89\x0eare you there?"
    writer.close()


async def check_protocol(url: str) -> None:
    async with connect(f"{url}/protocol", subprotocols=["v1", "v2"]) as socket:
        assert socket.subprotocol == "v2", socket.subprotocol
        assert await listen(socket) == ["v2", (1000, "")]
    # A server must not select a protocol that the client does not offer.
    async with connect(f"{url}/protocol") as socket:
        assert socket.subprotocol is None, socket.subprotocol


async def check_json(url: str) -> None:
    """Sends the same JSON with other identifiers, spaces, and another order of members."""
    async with connect(f"{url}/json") as socket:
        first, second = (str(uuid.uuid4()) for _ in range(2))
        question = {"days": [1, 2], "city": "Kiel"}
        await socket.send(json.dumps({"at": "2027-02-03T04:05:06Z", "ask": question, "id": first}, indent=2))
        got = json.loads(await socket.recv())
        assert got == {"id": first, "weather": "windy"}, got
        await socket.send(json.dumps({"id": second, "ask": "more"}))
        got = json.loads(await socket.recv())
        assert got == {"re": second, "also": first}, got
        assert await listen(socket) == [(1000, "")]


async def check_misses(url: str) -> list[str]:
    """Sends messages that differ from the recorded ones, and returns the reasons with which the server closes."""
    reasons = []
    for path, messages in [
        ("/kinds", ["zwei"]), ("/kinds", [b"eins"]), ("/kinds", ["eins", b"\x01\x03"]), ("/kinds", ["x" * 100_000]),
        ("/json", [f'{{"id":"{SECOND}","ask":{{"city":"Köln","days":[1,2]}},"at":"2026-01-01T00:00:00Z"}}']),
        ("/json", [f'{{"id":"{SECOND}"}}']), ("/json", ["text"]), ("/open", ["more"]),
    ]:
        async with connect(url + path, max_size=None) as socket:
            for message in messages:
                await socket.send(message)
            frame = (await listen(socket))[-1]
            assert frame and frame[0] == 4404 and 0 < len(frame[1].encode()) <= 123, (path, messages[-1][:40], frame)
            reasons.append(frame[1])
    return reasons


def status(url: str, **fields: str) -> tuple[int, str]:
    """Returns the status and the header fields of the response to a request."""
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in fields.items()})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, str(response.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, str(error.headers)


async def check_requests(url: str) -> None:
    """Makes requests that are not upgrades, and upgrades without a recorded connection."""
    code, fields = await asyncio.to_thread(status, url.replace("ws:", "http:") + "/kinds")
    assert code == 426 and "websocket" in fields.lower(), (code, fields)
    for path in ("/none", "/page"):
        try:
            await connect(url + path)
            raise AssertionError(f"{path}: connected")
        except websockets.InvalidStatus as error:
            # A page that was recorded without an upgrade is returned as it was.
            expected = 404 if path == "/none" else 200
            assert error.response.status_code == expected, (path, error.response)


async def upgraded(url: str, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Opens a WebSocket without a library, and returns after the head of the response."""
    host, port = url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(UPGRADE.format(path=path, host=f"{host}:{port}").encode())
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
    assert head.startswith(b"HTTP/1.1 101 "), head
    return reader, writer


async def check_violations(url: str) -> None:
    """Sends frames that RFC 6455 forbids. The server must close the connection with the status for the error."""
    mask = b"\0\0\0\0"
    for name, frame, code in [
        ("no mask", b"\x81\x02hi", 1002), ("reserved bits", b"\xf1\x80" + mask, 1002),
        ("opcode 3", b"\x83\x80" + mask, 1002), ("fragmented ping", b"\x09\x80" + mask, 1002),
        ("long ping", b"\x89\xfe\x00\x7e" + mask + bytes(126), 1002),
        ("continuation of nothing", b"\x80\x80" + mask, 1002),
        ("invalid UTF-8", b"\x81\x82" + mask + b"\xc3\x28", 1007),
        ("close code 1005", b"\x88\x82" + mask + struct.pack(">H", 1005), 1002),
        ("2 to the power of 62 bytes", b"\x82\xff" + struct.pack(">Q", 1 << 62) + mask, 1009),
    ]:
        reader, writer = await upgraded(url, "/open")
        writer.write(frame)
        # The server closes the connection after its frame.
        frames = await asyncio.wait_for(reader.read(), 30)
        writer.close()
        at = frames.find(b"\x88")
        assert at >= 0, (name, frames)
        assert struct.unpack(">H", frames[at + 2:at + 4]) == (code,), (name, frames)


async def check_timed(folder: Path) -> list[str]:
    """Receives messages of four seconds in less time, without sending any.

    Chromium's network panel exports times in seconds, Playwright in milliseconds.
    """
    messages = [*received("0"), *sent("never"), *received("2", "3"), close(1000)]
    offsets = []
    for unit in (1, 1000):
        file = archive(folder / "timed.har", [socket_entry("/timed", messages, pause=1, unit=unit)])
        with serving(file, "--messages", "timed", "--speed", "5") as (url, _, _):
            start = time.monotonic()
            async with connect(url.replace("http:", "ws:") + "/timed") as socket:
                for expected in ("0", "2", "3"):
                    assert await asyncio.wait_for(socket.recv(), 30) == expected
                    offsets.append(time.monotonic() - start)
                assert await listen(socket) == [(1000, "")]
        # Only the lower limit is certain on a busy machine. Messages 2 and 3 were recorded 2 and 3 seconds after 0.
        assert offsets[-2] >= 0.35 and offsets[-1] >= 0.5, offsets
    return [f"{offset:.3f} s" for offset in offsets]
