"""Makes requests to `har serve` with requests, httpx, Node's fetch and curl, and compares the responses with the archives.

    clients.py HAR-SERVE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import httpx
import requests

from serving import PROGRAM, ROOT, archive, entry, serving

SECRET = "Zx81kQ0vTn4mB7yW"


def check_https(folder):
    body = os.urandom(300_000)
    file = archive(folder / "shop.har", [
        entry("GET", "https://shop.example/", b"home"), entry("GET", "https://shop.example/large", body),
        entry("GET", "https://shop.example/old", b"", 302, [("Location", "https://shop.example/")]),
        entry("POST", "https://shop.example/items", b"created", 201, sent="ab")])
    authority = folder / "relay" / "certificate.pem"
    with serving(file) as (url, finish, _):
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


def check_selection(folder):
    """Runs the server with options that select entries, and runs the curl line that it prints."""
    file = archive(folder / "selection.har", [
        entry("GET", "http://localhost:3000/items?time=1", b"items"), entry("GET", "https://shop.example/", b"home")])
    with serving(file, "--map", "localhost", "--ignore-query", "time") as (url, _, _):
        assert requests.get(f"{url}/items?time=2").text == "items"
    with serving(file) as (url, _, _):
        text = requests.get(f"{url}/items?time=2").text
        assert "--ignore-query 'time'" in text and "matching:" not in text, text
    run = subprocess.run([PROGRAM, file, "--map", "shop.exampel"], capture_output=True, text=True)
    assert run.returncode == 1 and "http://localhost:3000, https://shop.example" in run.stderr, run

    # The body of the first entry was not captured.
    first = entry("GET", "https://shop.example/first", b"first")
    del first["response"]["content"]["text"]
    file = archive(folder / "example.har", [first, entry("GET", "https://shop.example/second", b"second")])
    process = subprocess.Popen([PROGRAM, file], stdout=subprocess.PIPE, text=True)
    try:
        command = next(line for line in process.stdout if line.startswith("Try: ")).removeprefix("Try: ")
        assert subprocess.run(command, shell=True, capture_output=True, text=True).stdout.endswith("second")
    finally:
        process.kill()
        process.wait()
    print("entries are selected as the options say, and the printed command works")


def check_page(folder):
    """Runs the curl commands of Docs/Serving.md."""
    page = (ROOT / "Docs" / "Serving.md").read_text(encoding="utf-8")
    commands = [line for line in page.splitlines() if line.startswith("curl ")]
    with serving(ROOT / "HARSamples" / "chromium-embed.har") as (url, _, _):
        for command in commands:
            command = command.replace("127.0.0.1:8080", url.removeprefix("http://"))
            command = command.replace("~/.local/share", str(folder)).replace("curl -i", "curl -q -s -i", 1)
            run = subprocess.run(command, shell=True, capture_output=True, text=True)
            expected = "404" if "api.example.com" in command else "200"
            lines = [line for line in run.stdout.splitlines() if line.startswith("HTTP/")]
            assert run.returncode == 0 and lines[-1].split()[1] == expected, (command, run)
    print(f"{len(commands)} commands in Docs/Serving.md work")


def check_rules(folder):
    """Serves the rules in Docs/Serving.md."""
    page = (ROOT / "Docs" / "Serving.md").read_text(encoding="utf-8")
    text = page.split("```yaml\n")[1].split("```")[0]
    # Without the failures at random.
    text = text.replace("share: 0.1", "share: 0")
    rules = folder / "rules.yaml"
    rules.write_text(text, encoding="utf-8")
    file = archive(folder / "api.har", [
        entry("GET", "https://api.example.com/items", b"[]"), entry("GET", "https://api.example.com/user", b'{"name": "Ada"}')])
    with serving(file, "--rules", rules) as (url, finish, _), requests.Session() as session:
        session.trust_env = False
        responses = [session.get(url + path) for path in ["/items", "/items", "/account/1", "/user", "/job", "/job", "/job"]]
        found = [(response.status_code, response.text) for response in responses]
        assert found == [(503, '{"error":"busy"}'), (200, "[]"), (401, ""), (200, '{"name": "Grace"}'), (200, "running"),
                         (200, "running"), (200, "done")], found
        assert responses[0].headers["Retry-After"] == "1"
        assert responses[3].elapsed.total_seconds() >= 0.5
        routed = session.get(url + "/items", headers={"Host": "staging.example.com"})
        assert routed.text == "[]", routed.text
        finish()
    rules.write_text("rules:\n  - stubb: {}\n", encoding="utf-8")
    run = subprocess.run([PROGRAM, "--rules", rules], capture_output=True, text=True)
    assert run.returncode == 1 and "rules.yaml:2:5: Unknown key 'stubb'" in run.stderr, run
    print("the rules in Docs/Serving.md work")


def check_usage(folder):
    run = subprocess.run([PROGRAM, "--ca"], capture_output=True, text=True, check=True)
    assert str(folder / "relay" / "certificate.pem") in run.stdout, run.stdout
    home = folder / "home"
    environment = {name: value for name, value in os.environ.items() if name != "XDG_DATA_HOME"} | {"HOME": str(home)}
    run = subprocess.run([PROGRAM, "--ca"], capture_output=True, text=True, check=True, env=environment)
    if sys.platform == "linux":
        assert str(home / ".local" / "share" / "relay" / "certificate.pem") in run.stdout, run.stdout
    for arguments, status in [([], 2), (["none.har"], 1), (["--port", "-1", "a.har"], 2), (["--speed", "0", "a.har"], 2)]:
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        assert run.returncode == status and run.stderr.startswith("har: error: "), (arguments, run)
    with serving(ROOT / "HARSamples" / "chromium-omit.har") as (url, _, _):
        run = subprocess.run(
            [PROGRAM, "--port", url.rsplit(":", 1)[1], ROOT / "HARSamples" / "chromium-omit.har"], capture_output=True,
            text=True)
        assert run.returncode == 1 and "Address already in use" in run.stderr, run
    print("har serve reports errors of usage")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["XDG_DATA_HOME"] = name
        check_https(folder)
        check_selection(folder)
        check_page(folder)
        check_rules(folder)
        check_usage(folder)


main()
