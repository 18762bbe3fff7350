"""Makes requests to `har serve` with requests, httpx, Node's fetch and curl, and compares the responses with the archives.

    clients.py HAR-SERVE
"""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import httpx
import requests

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SECRET = "Zx81kQ0vTn4mB7yW"


def entry(method, url, body, status=200, headers=(), sent=None):
    request = {"method": method, "url": url, "httpVersion": "HTTP/1.1", "cookies": [], "headers": [], "queryString": [],
               "headersSize": -1, "bodySize": -1}
    if sent is not None:
        request["postData"] = {"mimeType": "text/plain", "text": sent}
    content = {"size": len(body), "mimeType": "text/plain", "text": base64.b64encode(body).decode(), "encoding": "base64"}
    return {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 0, "request": request, "cache": {},
            "timings": {"send": 0, "wait": 0, "receive": 0},
            "response": {"status": status, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "content": content,
                         "headers": [{"name": name, "value": value} for name, value in headers], "redirectURL": "",
                         "headersSize": -1, "bodySize": -1}}


def archive(path, entries):
    path.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": entries}}))
    return path


@contextlib.contextmanager
def serving(*arguments):
    """Runs the server, and yields its address and a function that stops it and returns its lines."""
    process = subprocess.Popen([PROGRAM, *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        first = process.stdout.readline()
        assert first.startswith('{"url"'), first

        def finish():
            process.send_signal(signal.SIGTERM)
            text = process.communicate(timeout=20)[0]
            assert process.returncode == 0, process.returncode
            return text

        yield json.loads(first)["url"], finish
    finally:
        process.kill()
        process.wait()


def digest(data):
    return hashlib.sha256(data).hexdigest()


def is_exact(content):
    """Returns whether the archive contains the bytes of a body; text could have had another charset or a byte order mark."""
    return content.get("encoding") == "base64" and content["text"].isascii()


def bytes_of(content):
    return base64.b64decode(content["text"])


def check_samples():
    """Requests each recorded URL of the samples, in order, through the proxy."""
    for sample in sorted((ROOT / "HARSamples").glob("*.har")):
        entries = json.loads(sample.read_text(encoding="utf-8-sig"))["log"]["entries"]
        compared = 0
        with serving(sample) as (url, finish), requests.Session() as session:
            session.trust_env = False
            session.proxies = {"http": url}
            seen = set()
            for item in entries:
                request, response = item["request"], item["response"]
                content = response["content"]
                key = (request["method"], request["url"].split("#")[0])
                # Later entries for a URL can be conditional, or responses to other bodies.
                if key in seen or request["method"] != "GET" or response["status"] != 200 or "text" not in content:
                    continue
                seen.add(key)
                if not request["url"].startswith("http") or response.get("_error") or not is_exact(content):
                    continue
                got = session.get(request["url"], allow_redirects=False)
                assert got.status_code == 200, (sample.name, got.status_code, got.text[:300])
                assert digest(got.content) == digest(bytes_of(content)), (sample.name, request["url"])
                compared += 1
            finish()
        print(f"{sample.name}: {compared} bodies are equal")


def check_https(folder):
    body = os.urandom(300_000)
    file = archive(folder / "shop.har", [
        entry("GET", "https://shop.example/", b"home"), entry("GET", "https://shop.example/large", body),
        entry("GET", "https://shop.example/old", b"", 302, [("Location", "https://shop.example/")]),
        entry("POST", "https://shop.example/items", b"created", 201, sent="ab")])
    authority = folder / "relay" / "certificate.pem"
    with serving(file) as (url, finish):
        proxies = {"https": url, "http": url}
        for session in [requests.Session()]:
            session.trust_env, session.proxies, session.verify = False, proxies, str(authority)
            assert session.get("https://shop.example/old").text == "home"
            assert session.get("https://shop.example/large").content == body
            assert session.post("https://shop.example/items", data="ab").status_code == 201
            assert session.get(f"https://shop.example/none?token={SECRET}").headers["x-relay-miss"]
        for http2 in (False, True):
            context = httpx.create_ssl_context(verify=str(authority), trust_env=False)
            with httpx.Client(proxy=url, verify=context, http2=http2, trust_env=False) as client:
                got = client.get("https://shop.example/large")
                assert got.content == body and got.http_version == ("HTTP/2" if http2 else "HTTP/1.1")
                assert client.post("https://shop.example/items", content="ab").status_code == 201
                # A generator is sent in chunks.
                assert client.post("https://shop.example/items", content=iter([b"a", b"b"])).status_code == 201
        script = """
            const [plain, secure] = process.argv.slice(1);
            for (const base of [plain, secure]) {
                const page = await fetch(base + "/old");
                if (await page.text() !== "home" || page.url !== base + "/") throw page.url;
                const large = Buffer.from(await (await fetch(base + "/large")).arrayBuffer());
                if (large.length !== 300000) throw large.length;
                const post = await fetch(base + "/items", { method: "POST", body: "ab" });
                if (post.status !== 201) throw post.status;
                if ((await fetch(base + "/none")).status !== 404) throw "miss";
            }
        """
        subprocess.run(
            ["node", "--input-type=module", "-e", script, url, url.replace("http:", "https:")], check=True,
            env=dict(os.environ, NODE_EXTRA_CA_CERTS=str(authority)))
        for options in (["--http1.1"], ["--http2"]):
            got = subprocess.run(
                ["curl", "-q", "-sS", "-L", *options, "--cacert", authority, "-x", url, "https://shop.example/old"],
                check=True, capture_output=True, text=True)
            assert got.stdout == "home"
        text = finish()
        assert SECRET not in text
    print("requests, httpx, Node and curl get the recorded responses by HTTPS")


def check_page(folder):
    """Runs the curl commands of Docs/Serving.md."""
    page = (ROOT / "Docs" / "Serving.md").read_text(encoding="utf-8")
    commands = [line for line in page.splitlines() if line.startswith("curl ")]
    with serving(ROOT / "HARSamples" / "chromium-embed.har") as (url, _):
        for command in commands:
            command = command.replace("127.0.0.1:8080", url.removeprefix("http://"))
            command = command.replace("~/.local/share", str(folder)).replace("curl -i", "curl -q -s -i", 1)
            run = subprocess.run(command, shell=True, capture_output=True, text=True)
            expected = "404" if "api.example.com" in command else "200"
            lines = [line for line in run.stdout.splitlines() if line.startswith("HTTP/")]
            assert run.returncode == 0 and lines[-1].split()[1] == expected, (command, run)
    print(f"{len(commands)} commands in Docs/Serving.md work")


def check_usage(folder):
    run = subprocess.run([PROGRAM, "--ca"], capture_output=True, text=True, check=True)
    assert str(folder / "relay" / "certificate.pem") in run.stdout, run.stdout
    for arguments, status in [([], 2), (["none.har"], 1), (["--port", "-1", "a.har"], 2), (["--speed", "0", "a.har"], 2)]:
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        assert run.returncode == status and run.stderr.startswith("har: error: "), (arguments, run)
    with serving(ROOT / "HARSamples" / "chromium-omit.har") as (url, _):
        run = subprocess.run(
            [PROGRAM, "--port", url.rsplit(":", 1)[1], ROOT / "HARSamples" / "chromium-omit.har"], capture_output=True,
            text=True)
        assert run.returncode == 1 and "Address already in use" in run.stderr, run
    print("har serve reports errors of usage")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["XDG_DATA_HOME"] = name
        check_samples()
        check_https(folder)
        check_page(folder)
        check_usage(folder)


main()
