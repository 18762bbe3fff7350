"""Sends requests through `har proxy` to a site with HTTP/2, and checks the ways in which it records, replays, and passes on
bytes. Then loads a page in Chromium through the proxy, and again from the archive with Playwright, with the site gone.

    forwarding.py HAR-SERVE
"""

import contextlib
import hashlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import httpx
from playwright.sync_api import sync_playwright

from serving import PROGRAM, ROOT, make_certificate, memory, recording, serving

TOKEN = "Zx81kQ0vTn4mB7yW"


@contextlib.contextmanager
def site(certificate):
    script = pathlib.Path(__file__).with_name("forwarding_site.js")
    process = subprocess.Popen(["node", script, *certificate], stdout=subprocess.PIPE, text=True)
    try:
        yield f"https://localhost:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def client(proxy, authority, **options):
    trust = httpx.create_ssl_context(verify=str(authority), trust_env=False)
    return httpx.Client(proxy=proxy, verify=trust, trust_env=False, timeout=60, **options)


def entries(path):
    return json.loads(path.read_text())["log"]["entries"]


def named(path):
    return {entry["request"]["url"].rsplit("/", 1)[-1]: entry for entry in entries(path)}


def check_versions(folder, base, certificate, authority):
    """Makes the same requests over both versions of HTTP."""
    body = os.urandom(4 << 20)
    digest = hashlib.sha256(body).hexdigest()
    for http2 in (True, False):
        out = folder / f"version-{http2}.har"
        with recording(out, "--trust", certificate[0], "--attach") as (proxy, process), client(proxy, authority, http2=http2) as user:
            echoed = user.get(base + "/echo?a=%20b", headers={"x-a": "1"}).json()
            assert echoed["version"] == ("2.0" if http2 else "1.1") and echoed["url"] == "/echo?a=%20b" and echoed["headers"]["x-a"] == "1", echoed
            large = user.get(base + "/large").content
            assert large == b"\7" * (2 << 20)
            before = memory(process)

            def parts():
                for start in range(0, len(body), 1 << 16):
                    yield body[start:start + (1 << 16)]

            for content in (body, parts()):
                echoed = user.put(base + "/up", content=content, headers={"content-type": "application/octet-stream"}).json()
                assert (echoed["size"], echoed["digest"]) == (len(body), digest), echoed
            assert memory(process) < before + 24 * len(body), (before, memory(process))
            assert user.get(base + "/trailers").content == b"abc"
            assert user.get(base + "/events").text.count("data:") == 5
            # curl stops sending when the response arrives before the end of the request.
            version = "--http2" if http2 else "--http1.1"
            early = subprocess.run(["curl", "-sS", version, "--cacert", authority, "-x", proxy, "-w", "%{http_code}", "-T", "-", base + "/early"],
                                   input=body, capture_output=True, timeout=60)
            assert early.stdout == b"early413", early
            if http2:
                for path in ("/refused", "/reset"):
                    assert user.get(base + path).status_code == 502
        found = named(out)
        version = "HTTP/2" if http2 else "HTTP/1.1"
        assert {entry["request"]["httpVersion"] for entry in found.values()} == {version}, found.keys()
        assert found["trailers"]["_trailers"] == [{"name": "grpc-status", "value": "0"}], found["trailers"]
        chunks = found["events"]["_chunks"]
        times = [chunk["time"] for chunk in chunks]
        assert len(chunks) == 5 and sum(chunk["size"] for chunk in chunks) == 45 and times == sorted(times) and times[-1] - times[0] > 60, chunks
        assert found["up"]["request"]["bodySize"] > len(body) * 0.9 and found["up"]["request"]["postData"]["_file"], found["up"]["request"]
        assert all(entry["_tls"]["protocol"] == ("h2" if http2 else "http/1.1") for entry in found.values()), found["large"]["_tls"]
        connections = {entry["connection"] for entry in found.values()}
        assert not http2 or len(connections) <= 2, connections


def check_parallel(folder, base, certificate, authority):
    """Sends many requests at the same time, which share one connection."""
    out = folder / "parallel.har"
    with recording(out, "--trust", certificate[0]) as (proxy, _):
        run = subprocess.run(["curl", "-sS", "--http2", "-Z", "--parallel-max", "50", "--cacert", authority, "-x", proxy,
                              "-o", folder / "parallel-#1.json", f"{base}/echo?[1-200]"], capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr[-300:]
    for number in range(1, 201):
        assert json.loads((folder / f"parallel-{number}.json").read_text())["url"] == f"/echo?{number}"
    assert len({entry["request"]["url"] for entry in entries(out)}) == 200
    assert len({entry["connection"] for entry in entries(out)}) <= 2


def check_modes(folder, base, certificate):
    """Runs commands in each mode."""
    def run(out, mode, *paths, options=()):
        command = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}\n", *[base + path for path in paths]]
        process = subprocess.run([PROGRAM, "proxy", out, "-q", "--mode", mode, "--trust", certificate[0], *options, "--", *command],
                                 capture_output=True, text=True, timeout=60)
        count = len(entries(out)) if out.exists() else None
        return process.stdout.count("200"), count, process

    out = folder / "modes.har"
    assert "nothing to replay" in run(out, "never", "/a")[2].stderr and not out.exists()
    assert run(out, "once", "/a")[:2] == (1, 1)
    assert run(out, "once", "/a", "/b")[:2] == (1, 1)
    assert run(out, "new", "/a", "/b")[:2] == (2, 2)
    assert run(out, "never", "/a", "/b", "/c")[:2] == (2, 2)
    assert run(out, "all", "/c")[:2] == (1, 1) and "/c" in out.read_text()
    content = out.read_text()
    with contextlib.suppress(AssertionError):
        run(out, "all")
    assert out.read_text() == content, "an archive was replaced by an empty one"
    other = folder / "other.har"
    assert run(other, "new", "/c", "/d", options=("--from", out))[:2] == (2, 1) and "/d" in other.read_text()
    filtered = folder / "filtered.har"
    conditions = ("--filter", "url=**/e*", "--filter", "type=json", "--filter", "status=2xx")
    assert run(filtered, "new", "/echo", "/page", "/x", options=conditions)[:2] == (3, 1) and "/echo" in filtered.read_text()
    invalid = subprocess.run([PROGRAM, "proxy", out, "--filter", "stats=200"], capture_output=True, text=True, timeout=60)
    assert invalid.returncode != 0 and "--status" in invalid.stderr, invalid.stderr


class Other(threading.Thread):
    """A server with a protocol other than HTTP, which greets or waits for its client."""

    def __init__(self, greeting):
        super().__init__(daemon=True)
        self.greeting = greeting
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            connection = self.listener.accept()[0]
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection:
            connection.sendall(self.greeting)
            while data := connection.recv(1 << 16):
                connection.sendall(data.upper())


def tunnel(proxy, port, head=""):
    connection = socket.create_connection(("127.0.0.1", int(proxy.rsplit(":", 1)[1])), timeout=20)
    connection.sendall(f"CONNECT localhost:{port} HTTP/1.1\r\nHost: localhost:{port}\r\n{head}\r\n".encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += connection.recv(1)
    return answer, connection


def check_tunnels(folder, base, certificate, authority):
    """Passes on bytes that are neither HTTP nor TLS, and connections to a host that is named."""
    out = folder / "tunnels.har"
    with recording(out, "--trust", certificate[0]) as (proxy, _):
        large = bytes(range(256)) * 4000
        for greeting, sent in ((b"", b"\0\1x"), (b"", b"EHLO\r\n"), (b"220 ready\r\n", b""), (b"SSH-2.0-a\r\n", b"SSH-2.0-b\r\n"), (b"", large)):
            answer, connection = tunnel(proxy, Other(greeting).port)
            assert answer.startswith(b"HTTP/1.1 200 "), answer
            with connection:
                threading.Thread(target=connection.sendall, args=(sent,)).start()
                expected = greeting + sent.upper()
                received = b""
                while len(received) < len(expected):
                    part = connection.recv(1 << 16)
                    assert part, (greeting, sent[:20], received[:40])
                    received += part
                assert received == expected, (greeting, sent[:20], received[:40])
                connection.shutdown(socket.SHUT_WR)
                assert connection.recv(1) == b""
        with client(proxy, authority) as user:
            assert user.get(base + "/after").status_code == 200
    assert len(entries(out)) == 1
    passed = folder / "passed.har"
    with recording(passed, "--pass-through", "localhost") as (proxy, _), client(proxy, certificate[0], http2=True) as user:
        assert user.get(base + "/untouched").json()["version"] == "2.0"
    assert entries(passed) == []


def check_lengths(folder):
    """Declares the length of a large body in forms that servers understand differently."""
    received = []
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]

    def serve():
        while True:
            connection = listener.accept()[0]
            with connection, contextlib.suppress(OSError):
                connection.settimeout(5)
                data = b""
                while (b"\r\n\r\n" not in data or len(data) < 70_000) and (part := connection.recv(1 << 16)):
                    data += part
                received.append(data.partition(b"\r\n\r\n")[0].decode("latin-1").lower())
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    threading.Thread(target=serve, daemon=True).start()
    body = b"a" * 70_000
    with recording(folder / "lengths.har", "--reverse", f"http://127.0.0.1:{port}") as (address, _):
        target = ("127.0.0.1", int(address.rsplit(":", 1)[1]))
        for length in ("70000", "+70000", "070000", "0070000"):
            settings = h2.config.H2Configuration(validate_outbound_headers=False, normalize_outbound_headers=False)
            h2_client = h2.connection.H2Connection(settings)
            h2_client.initiate_connection()
            fields = [(":method", "PUT"), (":scheme", "http"), (":authority", f"localhost:{target[1]}"), (":path", "/"), ("content-length", length)]
            h2_client.send_headers(1, fields)
            with socket.create_connection(target, timeout=10) as connection, contextlib.suppress(OSError, h2.exceptions.H2Error):
                sent, over = 0, False
                while not over:
                    while sent < len(body) and (size := min(h2_client.local_flow_control_window(1), 1 << 14, len(body) - sent)) > 0:
                        sent += size
                        h2_client.send_data(1, body[:size], end_stream=sent == len(body))
                    connection.sendall(h2_client.data_to_send())
                    data = connection.recv(1 << 16)
                    events = h2_client.receive_data(data) if data else [h2.events.StreamEnded()]
                    over = any(isinstance(event, h2.events.StreamEnded | h2.events.StreamReset | h2.events.ConnectionTerminated) for event in events)
        for extra in ("Transfer-Encoding: chunked\r\nContent-Length: 70000", "Content-Length: 70000\r\nContent-Length: 80000", "Content-Length: +70000"):
            with socket.create_connection(target, timeout=10) as connection, contextlib.suppress(OSError):
                connection.sendall(f"POST / HTTP/1.1\r\nHost: localhost:{target[1]}\r\n{extra}\r\nConnection: close\r\n\r\n".encode() + body)
                assert connection.recv(1 << 16).startswith(b"HTTP/1.1 400 "), extra
    assert received and "content-length: 70000" in received[0].split("\r\n"), received
    for head in received:
        lengths = [line for line in head.split("\r\n") if line.startswith(("content-length", "transfer-encoding"))]
        assert lengths == ["content-length: 70000"], lengths


def check_responses(folder):
    """Sends requests without a body to a server that sends other responses after each one."""
    received = []
    listener = socket.create_server(("127.0.0.1", 0))

    def answer(connection):
        with connection, contextlib.suppress(OSError):
            data = b""
            while b"\r\n\r\n" not in data and (part := connection.recv(1 << 16)):
                data += part
            received.append(data.decode())
            text = data.split(b" ")[1]
            connection.sendall(b"".join(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body) for body in (text, *[b"/unasked"] * 300)))
            connection.recv(1)

    def serve():
        while True:
            threading.Thread(target=answer, args=listener.accept()[:1], daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    for options in ((), ("--pass-through", "127.0.0.1")):
        with recording(folder / "responses.har", "--reverse", base, *options) as (address, _):
            with socket.create_connection(("127.0.0.1", int(address.rsplit(":", 1)[1])), timeout=10) as connection:
                connection.sendall(b"".join(b"POST /%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % number for number in range(20)))
                data = b""
                while data.count(b"HTTP/1.1 200 OK") < 20 or not data.endswith(b"/19"):
                    part = connection.recv(1 << 16)
                    assert part, data
                    data += part
        bodies = [text.partition("\r\n\r\n")[2] for text in data.decode().split("HTTP/1.1 200 OK")[1:]]
        assert bodies == [f"/{number}" for number in range(20)], bodies
    assert len(received) == 40 and all("\r\nContent-Length: 0\r\n" in head for head in received), received


def check_token(folder):
    """Listens on all addresses, with a token."""
    other = Other(b"")
    environment = {**os.environ, "RELAY_PROXY_TOKEN": TOKEN}
    with recording(folder / "token.har", "--host", "0.0.0.0", environment=environment) as (proxy, _):
        assert proxy.startswith(f"http://relay:{TOKEN}@127.0.0.1:"), proxy
        address = "http://" + proxy.split("@")[1]
        for head in ("", "Proxy-Authorization: Basic eDp5\r\n", "Proxy-Authorization: Bearer x\r\n", "Authorization: Bearer " + TOKEN + "\r\n"):
            answer, connection = tunnel(address, other.port, head)
            connection.close()
            assert answer.startswith(b"HTTP/1.1 407 ") and b"Proxy-Authenticate: Basic" in answer, answer
        assert httpx.get("http://localhost:1/", proxy=address, trust_env=False).status_code == 407
        assert httpx.get("http://localhost:1/", proxy=proxy, trust_env=False).status_code == 502
        answer, connection = tunnel(address, other.port, f"Proxy-Authorization: Bearer {TOKEN}\r\n")
        connection.close()
        assert answer.startswith(b"HTTP/1.1 200 "), answer
    refused = subprocess.run([PROGRAM, "proxy", folder / "short.har", "--host", "0.0.0.0"], capture_output=True, text=True,
                             env={**os.environ, "RELAY_PROXY_TOKEN": "short"}, timeout=60)
    assert refused.returncode != 0 and "at least 16 characters" in refused.stderr, refused


def check_chain(folder, base, certificate):
    """Sends requests through another proxy that the environment names."""
    with recording(folder / "outer.har", "--trust", certificate[0]) as (proxy, _):
        # The hosts of this machine are reached without a proxy.
        out = folder / "inner.har"
        direct = {**os.environ, "https_proxy": "http://127.0.0.1:1", "http_proxy": "http://127.0.0.1:1"}
        run = subprocess.run([PROGRAM, "proxy", out, "-q", "--trust", certificate[0], "--", "curl", "-sSf", base + "/a"],
                             capture_output=True, text=True, env=direct, timeout=60)
        assert '"/a"' in run.stdout, run
        for url in ("http://nowhere.invalid/", "https://nowhere.invalid/"):
            chained = {**os.environ, "https_proxy": proxy, "http_proxy": proxy}
            run = subprocess.run([PROGRAM, "proxy", out, "-q", "--insecure", "nowhere.invalid", "--", "curl", "-sS", url],
                                 capture_output=True, text=True, env=chained, timeout=60)
            assert "was not found" in run.stdout, run
    found = [entry["request"]["url"] for entry in entries(folder / "outer.har")]
    assert found == ["http://nowhere.invalid/", "https://nowhere.invalid/"], found


def check_node(folder, base, certificate, authority):
    """Lets Node make requests through a tunnel, and fetch them from an address that stands for the site."""
    script = """
        import http from "node:http"; import https from "node:https"; import fs from "node:fs";
        const [proxy, base, authority] = process.argv.slice(1); const target = new URL(base);
        http.request(proxy, { method: "CONNECT", path: target.host }).on("connect", (_, socket) => {
            https.get({ host: target.hostname, path: "/node", socket, agent: false, ca: fs.readFileSync(authority) }, (response) => {
                response.on("data", (data) => process.stdout.write(data)); response.on("end", () => socket.end());
            });
        }).end();"""
    out = folder / "node.har"
    with recording(out, "--trust", certificate[0]) as (proxy, _):
        run = subprocess.run(["node", "--input-type=module", "-e", script, proxy, base, authority], capture_output=True, text=True, timeout=60)
        assert '"url":"/node"' in run.stdout, run
    with recording(out, "--trust", certificate[0], "--reverse", base) as (address, _):
        fetch = f"console.log(await (await fetch('{address}/fetched', {{ method: 'POST', body: 'x'.repeat(100000) }})).text())"
        run = subprocess.run(["node", "--input-type=module", "-e", fetch], capture_output=True, text=True, timeout=60)
        assert '"size":100000' in run.stdout, run
    assert list(named(out)) == ["node", "fetched"], named(out).keys()


def check_browser(folder, base, certificate):
    """Loads a page in Chromium through the proxy, and then from the archive in two ways."""
    out = folder / "browser.har"
    titles = []

    def load(browser, url=None, **options):
        context = browser.new_context(ignore_https_errors=True, **options)
        if url is None:
            context.route_from_har(out, not_found="abort")
        page = context.new_page()
        page.goto(base + "/page")
        page.wait_for_function("document.title.length > 100")
        titles.append(page.title())
        context.close()

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--proxy-bypass-list=<-loopback>"])
        load(browser, "direct")
        with recording(out, "--trust", certificate[0]) as (proxy, _):
            load(browser, proxy, proxy={"server": proxy, "bypass": "<-loopback>"})
        yield
        # The site is gone.
        load(browser)
        with serving(out) as (url, _, _):
            load(browser, url, proxy={"server": url, "bypass": "<-loopback>"})
        browser.close()
    assert len(titles) == 4 and len(set(titles)) == 1, titles
    assert {entry["request"]["httpVersion"] for entry in entries(out)} == {"HTTP/2"}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["XDG_DATA_HOME"] = name
        certificate = make_certificate(folder)
        authority = folder / "relay" / "certificate.pem"
        with site(certificate) as base:
            subprocess.run([PROGRAM, "--ca"], capture_output=True, check=True, timeout=60)
            for check in (check_versions, check_parallel, check_tunnels, check_node):
                start = time.monotonic()
                check(folder, base, certificate, authority)
                print(f"{check.__name__[6:]}: passed in {time.monotonic() - start:.0f} s", flush=True)
            check_modes(folder, base, certificate)
            check_chain(folder, base, certificate)
            check_token(folder)
            check_lengths(folder)
            check_responses(folder)
            print("modes, chain, token, lengths, responses: passed", flush=True)
            browser = check_browser(folder, base, certificate)
            next(browser)
        for _ in browser:
            pass
        print("Chromium saw the same four times: from the site, through the proxy, from the archive, and with Playwright")
        har = ROOT / ".build" / "debug" / "har"
        if har.exists():
            for out in sorted(folder.glob("*.har")):
                run = subprocess.run([har, "check", out], capture_output=True, text=True)
                assert "0 errors" in run.stdout + run.stderr, (out.name, run.stdout[-800:])
            for out in ("browser", "parallel", "node", "modes"):
                run = subprocess.run([har, "replay", folder / f"{out}.har"], capture_output=True, text=True)
                assert run.returncode == 0, (out, run.stdout[-800:], run.stderr)


main()
