"""Makes requests to a local site with curl, requests, httpx and Node, with and without `har proxy`, and compares what
the clients receive. Then serves the archive, and compares again.

    proxy.py HAR-SERVE
"""

import asyncio
import base64
import contextlib
import gzip
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

import httpx
import requests
import websockets

from serving import PROGRAM, make_certificate, memory, recording, serving

SECRET = "Zx81kQ0vTn4mB7yW"
LARGE = os.urandom(1 << 18)
TEXT = ("<p>Größe</p>\n" * 500).encode()
# The fields that differ because of the proxy or the server of the archive.
HOP = {"connection", "keep-alive", "transfer-encoding", "date"}


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    has_answered = threading.Event()

    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.split("?")[0]
        if path == "/gzip":
            return self.reply(200, gzip.compress(TEXT), [("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "gzip")])
        if path == "/large":
            return self.reply(200, LARGE, [("Content-Type", "application/octet-stream")])
        if path == "/chunked":
            return self.chunks([b"a" * 10, b"b" * 70_000, b"c"])
        if path == "/until-close":
            self.wfile.write(b"HTTP/1.1 200 Fine\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nthe end")
            self.close_connection = True
            return None
        if path == "/odd":
            self.wfile.write("HTTP/1.1 299 Fine Größe\r\nX-Case: A\r\nx-case: é\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 3\r\n\r\nodd".encode("latin-1"))
            return None
        if path == "/invalid":
            self.wfile.write(b"not a response\r\n\r\n")
            self.close_connection = True
            # The site does not notice the end of the connection.
            Site.has_answered.wait(30)
            return None
        if path in ("/hints", "/many-hints"):
            self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n" * (150 if "many" in path else 1))
            return self.reply(200, b"hinted", [])
        if path == "/truncated":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")
            self.close_connection = True
            return None
        if path == "/reset":
            self.close_connection = True
            return None
        if path == "/redirect":
            return self.reply(302, b"", [("Location", "/json")])
        if path == "/none":
            return self.reply(204, None, [("X-None", "1")])
        if path == "/unchanged":
            return self.reply(304, None, [("ETag", '"1"')])
        if path == "/echo":
            fields = [[name, value] for name, value in self.headers.items()]
            return self.reply(201, json.dumps({"method": self.command, "path": self.path, "fields": fields, "size": len(body), "digest": hashlib.sha256(body).hexdigest()}).encode(), [("Content-Type", "application/json")])
        return self.reply(200, json.dumps({"token": SECRET, "size": 3}).encode(), [("Content-Type", "application/json")])

    def reply(self, status, body, fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body is not None and self.command != "HEAD":
            self.wfile.write(body)

    def chunks(self, parts):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in parts if self.command != "HEAD" else []:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        if self.command != "HEAD":
            self.wfile.write(b"0\r\n\r\n")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = answer


@contextlib.contextmanager
def site(certificate=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    server.handle_error = lambda *_: None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate[0], certificate[1])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"{'https' if certificate else 'http'}://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


REQUESTS = [
    ("GET", "/json?b=2&a=%20%C3%BC", None), ("GET", "/gzip", None), ("GET", "/large", None), ("GET", "/chunked", None), ("GET", "/until-close", None),
    ("GET", "/hints", None), ("GET", "/redirect", None), ("GET", "/none", None), ("GET", "/unchanged", None), ("HEAD", "/json", None),
    ("HEAD", "/chunked", None), ("POST", "/echo?a=1", b"a=1&b=2"), ("PUT", "/echo", os.urandom(100_000)), ("DELETE", "/echo", None), ("PATCH", "/echo", b""),
    ("OPTIONS", "/echo", None), ("GET", "/odd", None),
]


def seen(response):
    """Returns what a client sees of a response."""
    fields = [(name.lower(), value) for name, value in response.headers.items() if name.lower() not in HOP]
    return response.status_code, sorted(fields), hashlib.sha256(response.content).hexdigest()


def comparable(response, http2):
    """Returns what must be equal with and without a proxy, apart from connection fields that the site echoes.

    HTTP/2 has only lowercase names.
    """
    status, fields, digest = seen(response)
    if response.request.url.path.startswith("/echo") and response.request.method != "HEAD":
        echoed = json.loads(response.content)
        if http2:
            # The decoder of HTTP/2 adds the length 0 to some requests without a body.
            echoed["fields"] = [[name.lower(), value] for name, value in echoed["fields"]
                                if (name.lower(), value) != ("content-length", "0")]
        echoed["fields"] = [field for field in echoed["fields"] if field[0].lower() not in HOP]
        return status, [field for field in fields if field[0] != "content-length"], echoed
    return status, fields, digest


def check_equal(base, proxy, authority, site_certificate):
    """Compares the responses to httpx, over HTTP/1.1 and HTTP/2."""
    direct = httpx.create_ssl_context(verify=str(site_certificate), trust_env=False)
    proxied = httpx.create_ssl_context(verify=str(authority), trust_env=False)
    count = 0
    for http2 in (False, True):
        # Each client has its own cookies.
        with httpx.Client(verify=direct, trust_env=False) as plain, \
                httpx.Client(proxy=proxy, verify=proxied, http2=http2, trust_env=False, timeout=60) as client:
            for method, path, body in REQUESTS:
                options = {"content": body} if body is not None else {}
                expected = comparable(plain.request(method, base + path, **options), http2)
                got = comparable(client.request(method, base + path, **options), http2)
                assert got == expected, (method, path, http2, str(got)[:600], str(expected)[:600])
                count += 1
            for path in ("/truncated", "/reset"):
                try:
                    response = client.get(base + path)
                    assert path == "/reset" and response.status_code == 502, (path, response)
                except httpx.HTTPError:
                    assert path == "/truncated", path
    return count


def raw(address, text):
    """Sends a request over a plain connection, and returns everything that arrives."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(text)
        received = b""
        while part := connection.recv(1 << 16):
            received += part
    return received


def lines(text):
    """Returns the lines of a response without those that differ because of the time or the connection."""
    return [line for line in text.split("\r\n") if not line.lower().startswith(("date", "connection"))]


def check_bytes(base, proxy):
    """Compares the heads of responses byte by byte."""
    for path in ("/odd", "/hints", "/many-hints"):
        request = f"GET {{}}{path} HTTP/1.1\r\nHost: {base.removeprefix('http://')}\r\nConnection: close\r\n\r\n"
        direct = raw(base, request.format("").encode())
        through = raw(proxy, request.format(base).encode())
        assert sorted(lines(direct.decode("latin-1"))) == sorted(lines(through.decode("latin-1"))), (direct, through)
    loop = raw(proxy, f"GET / HTTP/1.1\r\nHost: {proxy.removeprefix('http://')}\r\nConnection: close\r\n\r\n".encode())
    assert loop.startswith(b"HTTP/1.1 502 ") and b"address of this proxy" in loop, loop
    missing = raw(proxy, b"GET http://no-such-host.invalid/ HTTP/1.1\r\nHost: no-such-host.invalid\r\nConnection: close\r\n\r\n")
    assert missing.startswith(b"HTTP/1.1 502 ") and b"was not found" in missing, missing
    refused = raw(proxy, b"GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: close\r\n\r\n")
    assert refused.startswith(b"HTTP/1.1 502 ") and b"cannot be reached: Connection refused" in refused, refused


def check_archive(path):
    """Checks what was recorded."""
    text = path.read_text()
    assert SECRET not in text, "a secret was recorded"
    entries = json.loads(text)["log"]["entries"]
    for recorded in entries:
        for part in ("request", "response"):
            assert isinstance(recorded[part]["headersSize"], int) and isinstance(recorded[part]["bodySize"], int)
        parts = [recorded["timings"].get(name, -1) for name in ("blocked", "dns", "connect", "send", "wait", "receive")]
        assert abs(sum(max(0, part) for part in parts) - recorded["time"]) < 0.01, recorded["timings"]
    names = {recorded["request"]["url"].split("?")[0].rsplit("/", 1)[-1]: recorded for recorded in entries}
    page = names["gzip"]["response"]
    assert page["content"]["text"].startswith("<p>Größe") and page["content"]["compression"] > 0, page["content"].keys()
    odd = names["odd"]["response"]
    assert odd["statusText"] == "Fine Größe" and [f["name"] for f in odd["headers"]] == ["X-Case", "x-case", "Set-Cookie", "Set-Cookie", "Content-Length"], odd
    assert names["hints"]["_interimResponses"][0]["status"] == 103
    assert len(names["many-hints"]["_interimResponses"]) == 100
    assert names["truncated"]["response"]["_error"] and names["reset"]["response"]["_error"]
    reused = [recorded for recorded in entries if recorded["timings"].get("connect", -1) < 0]
    assert reused, "no connection was used again"
    return entries


def check_commands(folder, base, certificate):
    """Runs clients as commands of the proxy."""
    script = "const r = await fetch(process.argv[1] + '/json'); if (r.status !== 200) throw r.status; console.log('seen');"
    commands = [
        ["curl", "-sSf", "-o", "/dev/null", "-w", "seen", base + "/json"],
        [sys.executable, "-c", f"import requests; requests.get('{base}/json').raise_for_status(); print('seen')"],
        [sys.executable, "-c", f"import httpx; httpx.get('{base}/json').raise_for_status(); print('seen')"],
    ]
    version = int(subprocess.run(["node", "--version"], capture_output=True, text=True).stdout[1:].split(".")[0])
    if version >= 24:  # fetch of older versions reads no variable.
        commands.append(["node", "--input-type=module", "-e", script, base])
    for number, command in enumerate(commands):
        out = folder / f"command{number}.har"
        run = subprocess.run([PROGRAM, "proxy", out, "--trust", certificate, "--", *command], capture_output=True, text=True, timeout=60)
        assert run.returncode == 0 and "seen" in run.stdout, (command, run)
        assert len(json.loads(out.read_text())["log"]["entries"]) == 1, out.read_text()
    failed = subprocess.run([PROGRAM, "proxy", folder / "x.har", "-q", "--", "sh", "-c", "exit 7"], capture_output=True, timeout=60)
    assert failed.returncode == 7, failed
    # The proxy does not accept the certificate of the site without --trust or --insecure.
    refused = subprocess.run([PROGRAM, "proxy", folder / "y.har", "--", "curl", "-sS", base + "/json"], capture_output=True, text=True, timeout=60)
    assert "--insecure" in refused.stdout, refused
    accepted = subprocess.run([PROGRAM, "proxy", folder / "z.har", "--insecure", "localhost", "--", "curl", "-sSf", base + "/json"], capture_output=True, text=True, timeout=60)
    assert '"size": 3' in accepted.stdout, accepted


def check_sockets(folder, certificate, authority):
    """Compares the messages of WebSocket connections with the recorded ones."""
    async def answer(socket):
        async for message in socket:
            await socket.send(message)
            if message == "bye":
                await socket.send(b"\x00\xff")
                await socket.close(1001, "done")

    messages = ["hello", "Grüße" * 1000, "x" * 70_000, b"\x01" * 300, "", "bye"]

    async def talk(out, compression):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        async with websockets.serve(answer, "localhost", 0, compression=compression) as plain, \
                websockets.serve(answer, "localhost", 0, compression=compression, ssl=context) as secure:
            with recording(out, "--trust", certificate[0]) as (proxy, _):
                for server, scheme in (plain, "ws"), (secure, "wss"):
                    port = server.sockets[0].getsockname()[1]
                    trust = ssl.create_default_context(cafile=authority) if scheme == "wss" else None
                    async with websockets.connect(f"{scheme}://localhost:{port}/chat", proxy=proxy, ssl=trust, compression=compression) as client:
                        for message in messages:
                            await client.send(message)
                            assert await client.recv() == message
                        assert await client.recv() == b"\x00\xff"
                        await client.wait_closed()
                        assert client.close_code == 1001, client.close_code

    for compression in (None, "deflate"):
        out = folder / f"socket-{compression}.har"
        asyncio.run(talk(out, compression))
        entries = json.loads(out.read_text())["log"]["entries"]
        assert [entry["response"]["status"] for entry in entries] == [101, 101], entries
        for entry in entries:
            recorded = [message for message in entry["_webSocketMessages"] if message["opcode"] in (1, 2)]
            values = {kind: [message["data"] if message["opcode"] == 1 else base64.b64decode(message["data"])
                             for message in recorded if message["type"] == kind] for kind in ("send", "receive")}
            assert values["send"] == messages and values["receive"] == [*messages, b"\x00\xff"], values
    return 2 * len(entries)


def check_rules(folder, base):
    """Changes a compressed response, whose recording has the original."""
    rules = folder / "rules.yaml"
    rules.write_text('rules: [{request: {url: "**/gzip"}, override: {headers: {X-Changed: "1"}}}]')
    out = folder / "rules.har"
    with recording(out, "--rules", rules) as (proxy, _):
        with httpx.Client(proxy=proxy, trust_env=False, timeout=60) as client:
            response = client.get(base + "/gzip")
            assert response.headers["x-changed"] == "1" and response.content == TEXT, response.headers
    entry = json.loads(out.read_text())["log"]["entries"][0]
    assert "X-Changed" not in str(entry) and entry["response"]["content"]["text"].encode() == TEXT, entry


def check_invalid(folder, bases, certificate, authority):
    """Requests an invalid response of a site that keeps its connection open.

    The client does not wait until the proxy has closed its TLS connection, which can take five seconds.
    """
    with recording(folder / "invalid.har", "--trust", certificate) as (proxy, _):
        trust = httpx.create_ssl_context(verify=str(authority), trust_env=False)
        with httpx.Client(proxy=proxy, verify=trust, trust_env=False, timeout=4) as client:
            for base in bases:
                Site.has_answered.clear()
                assert client.get(base + "/invalid").status_code == 502
                Site.has_answered.set()


def check_truncated(folder, base):
    """Appends to an archive whose last entry is incomplete."""
    out = folder / "truncated.har"
    for _ in range(2):
        run = subprocess.run([PROGRAM, "proxy", out, "-q", "--", "curl", "-sS", base + "/json"], capture_output=True, text=True, timeout=60)
    assert run.stderr == "", run.stderr
    out.write_text(out.read_text()[:-300])
    run = subprocess.run([PROGRAM, "proxy", out, "-q", "--", "curl", "-sS", base + "/json"], capture_output=True, text=True, timeout=60)
    assert run.stderr.endswith("truncated.har: removed an incomplete entry or field at the end\n"), run.stderr
    assert len(json.loads(out.read_text())["log"]["entries"]) == 2
    # The complete entry is replayed.
    out.write_text(out.read_text()[:-300])
    run = subprocess.run([PROGRAM, "proxy", out, "-q", "--mode", "new", "--", "curl", "-sSf", base + "/json", base + "/none"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and "removed an incomplete entry" in run.stderr, run
    urls = [entry["request"]["url"] for entry in json.loads(out.read_text())["log"]["entries"]]
    assert urls == [base + "/json", base + "/none"], urls


def check_killed(folder, base):
    """Kills the proxy while it records, and compares the archive with what a client has received."""
    for number in range(8):
        out = folder / f"killed{number}.har"
        received = []

        def request(worker, address, process):
            connection = http.client.HTTPConnection(*address.removeprefix("http://").split(":"), timeout=10)
            with contextlib.suppress(OSError, http.client.HTTPException):
                for index in range(1000):
                    path = f"/json?worker={worker}&index={index}"
                    connection.request("GET", base + path)
                    connection.getresponse().read()
                    received.append(path)
                    if len(received) == 20 + 30 * number:
                        process.send_signal(signal.SIGKILL)

        with recording(out) as (address, process):
            workers = [threading.Thread(target=request, args=(worker, address, process)) for worker in range(4)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        text = out.read_text()
        try:
            json.loads(text)
        except json.JSONDecodeError:
            pass  # The last entry can be incomplete.
        lost = [path for path in received if base + path + '"' not in text]
        assert not lost, (number, len(received), lost[:3])


def check_memory(folder, base):
    """Requests large bodies, which must not stay in memory."""
    session = requests.Session()
    sizes = []
    with recording(folder / "large.har", "--attach") as (address, process):
        session.trust_env, session.proxies = False, {"http": address}
        for _ in range(12):
            assert session.get(base + "/large").content == LARGE
            sizes.append(memory(process))
    assert max(sizes[6:]) < max(sizes[:3]) + (64 << 20), [size >> 20 for size in sizes]
    return max(sizes) >> 20


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["XDG_DATA_HOME"] = name
        os.environ["no_proxy"] = ""
        certificate = make_certificate(folder)
        authority = folder / "relay" / "certificate.pem"
        with site() as plain, site(certificate) as secure:
            out = folder / "site.har"
            with recording(out, "--trust", certificate[0]) as (proxy, process):
                count = sum(check_equal(base, proxy, authority, certificate[0]) for base in (plain, secure))
                check_bytes(plain, proxy)
            assert process.returncode == 0
            entries = check_archive(out)
            print(f"{count} responses equal with and without the proxy; {len(entries)} entries")
            check_commands(folder, secure, certificate[0])
            print(f"{check_sockets(folder, certificate, authority)} WebSocket connections recorded")
            check_rules(folder, plain)
            check_invalid(folder, (plain, secure), certificate[0], authority)
            check_truncated(folder, plain)
            check_killed(folder, plain)
            print(f"12 bodies of {len(LARGE) >> 20} MB: {check_memory(folder, plain)} MB of memory")
        # The site is gone.
        with serving(out) as (address, _, _):
            trust = httpx.create_ssl_context(verify=str(authority), trust_env=False)
            with httpx.Client(proxy=address, verify=trust, trust_env=False, timeout=30) as client:
                for base in (plain, secure):
                    assert client.get(base + "/large").content == LARGE
                    assert client.get(base + "/gzip").content == TEXT
                    assert client.get(base + "/chunked").content == b"a" * 10 + b"b" * 70_000 + b"c"
                    assert client.get(base + "/redirect").headers["location"] == "/json"
                    assert client.post(base + "/echo?a=1", content=b"a=1&b=2").status_code == 201


main()
