"""Sends random bodies and WebSocket messages through `har proxy` to a site that echoes them, under load. They must arrive
and be recorded unchanged.

    integrity.py HAR-SERVE [SECONDS]

By default, the load lasts 10 seconds.
"""

import asyncio
import base64
import hashlib
import json
import os
import pathlib
import random
import ssl
import subprocess
import sys
import tempfile
import time

import httpx
import websockets.asyncio.client
import websockets.asyncio.server

from serving import make_certificate, recording

SITE = """
const fs = require("node:fs");
const http = require("node:http");
const http2 = require("node:http2");
const [cert, key] = process.argv.slice(1).map((path) => fs.readFileSync(path));
const echo = (request, response) => {
    const parts = [];
    request.on("data", (data) => parts.push(data));
    request.on("end", () => {
        response.writeHead(200, { "content-type": "application/octet-stream" });
        for (const part of parts) response.write(part);
        response.end();
    });
};
const servers = [http2.createSecureServer({ cert, key, allowHTTP1: true }, echo), http.createServer(echo)];
for (const server of servers) server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"""
SIZES = [0, 1, 125, 126, 700, 1460, 5000, 16384, 70_000]


async def chunks(body):
    for start in range(0, len(body), 3000):
        yield body[start:start + 3000]


async def post(client, base, numbers, counts):
    """Sends a body, and compares it with the response."""
    body = numbers.randbytes(numbers.choice(SIZES))
    digest = hashlib.sha256(body).hexdigest()[:16]
    got = await client.post(f"{base}/?digest={digest}", content=chunks(body) if numbers.random() < 0.3 else body)
    assert got.status_code == 200 and got.content == body, (base, got.http_version, got.status_code, len(body), len(got.content))
    counts["requests"] += 1


async def request(proxy, context, base, http2, end, numbers, counts):
    """Makes requests on new connections until the end."""
    while time.monotonic() < end:
        async with httpx.AsyncClient(proxy=proxy, verify=context, http2=http2, trust_env=False, timeout=60) as client:
            for _ in range(numbers.randrange(1, 5)):
                await asyncio.gather(*(post(client, base, numbers, counts) for _ in range(5 if http2 else 1)))


async def converse(proxy, context, url, end, numbers, counts):
    """Sends messages on new connections until the end."""
    while time.monotonic() < end:
        compression = numbers.choice([None, "deflate"])
        async with websockets.asyncio.client.connect(url, proxy=proxy, ssl=context, compression=compression) as connection:
            for _ in range(5):
                messages = [numbers.randbytes(numbers.choice(SIZES)) for _ in range(5)]
                for message in messages:
                    await connection.send(message)
                for message in messages:
                    got = await connection.recv()
                    assert got == message, (url, len(message), len(got))
                counts["messages"] += 5


async def load(proxy, folder, ports, certificate, seconds):
    """Runs all clients at the same time, and returns the numbers of their requests and messages."""
    async def echo(connection):
        async for message in connection:
            await connection.send(message)

    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(*certificate)
    # httpx changes its contexts.
    contexts = [ssl.create_default_context(cafile=str(folder / "relay" / "certificate.pem")) for _ in range(3)]
    bases = [f"https://localhost:{ports[0]}", f"http://localhost:{ports[1]}"]
    numbers, counts, end = random.Random(1), {"requests": 0, "messages": 0}, time.monotonic() + seconds
    async with websockets.asyncio.server.serve(echo, "127.0.0.1", 0) as plain, \
            websockets.asyncio.server.serve(echo, "127.0.0.1", 0, ssl=server) as secure:
        urls = [f"{scheme}://localhost:{site.sockets[0].getsockname()[1]}" for scheme, site in [("ws", plain), ("wss", secure)]]
        await asyncio.gather(
            *(request(proxy, contexts[http2], base, http2, end, random.Random(numbers.random()), counts)
              for base in bases for http2 in (False, True) for _ in range(12)),
            *(converse(proxy, contexts[2] if url.startswith("wss") else None, url, end, random.Random(numbers.random()), counts)
              for url in urls for _ in range(4)))
    return counts


def check_recording(file, counts):
    """Compares what was recorded with the digests in the URLs, and the messages of both directions."""
    requests = messages = 0
    for entry in json.loads(file.read_text(encoding="utf-8"))["log"]["entries"]:
        recorded = entry.get("_webSocketMessages")
        if recorded is None:
            content = entry["response"]["content"]
            text = content.get("text", "")
            body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode()
            assert hashlib.sha256(body).hexdigest()[:16] == entry["request"]["queryString"][0]["value"], entry["request"]["url"]
            requests += 1
        else:
            sent, received = ([message["data"] for message in recorded if message["type"] == type] for type in ("send", "receive"))
            assert sent == received, entry["request"]["url"]
            # The last message of each connection closes it.
            messages += len(received) - 1
    assert {"requests": requests, "messages": messages} == counts, (requests, messages, counts)


def main():
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        os.environ["XDG_DATA_HOME"] = str(folder)
        certificate = make_certificate(folder)
        site = subprocess.Popen(["node", "-e", SITE, *certificate], stdout=subprocess.PIPE, text=True)
        try:
            ports = [site.stdout.readline().strip() for _ in range(2)]
            file = folder / "recording.har"
            with recording(file, "--trust", certificate[0]) as (proxy, _):
                counts = asyncio.run(load(proxy, folder, ports, certificate, seconds))
        finally:
            site.kill()
            site.wait()
        check_recording(file, counts)
    print(f"{counts['requests']:,} bodies and {counts['messages']:,} messages arrived and were recorded unchanged")


if __name__ == "__main__":
    main()
