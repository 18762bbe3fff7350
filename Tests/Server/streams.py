"""Replays recorded WebSocket conversations and event streams to the clients that were recorded, and to other ones.

    streams.py HAR-SERVE [CHECK ...]

No recorded server runs. Prints a line for each check, and exits with status 1 if one fails. The arguments select
checks by the beginning of their names.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import pathlib
import resource
import ssl
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import sync_playwright

from serving import ROOT, archive, serving

STREAMS = ROOT / "Tests" / "Server" / "Streams"
sys.path.append(str(STREAMS))

import crowds  # noqa: E402
import record  # noqa: E402
import scripts  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402

SAMPLE = ROOT / "HARSamples" / "chromium-streams.har"
SEEN = json.loads(SAMPLE.with_suffix(".events.json").read_text(encoding="utf-8"))
# Chromium does not export how a WebSocket is closed.
CHAT = [event for event in SEEN["chat"] if event[0] != "close"]
DEFLATE = [
    {"client_max_window_bits": True}, {"server_no_context_takeover": True, "client_no_context_takeover": True},
    {"server_max_window_bits": 9, "client_max_window_bits": 9}]
NODE_OPTIONS = ["--experimental-websocket", "--experimental-eventsource"]

NODE = """
const [address, page] = process.argv.slice(1);
const script = require("fs").readFileSync(page, "utf8").split("<script>")[1].split("</script>")[0];
globalThis.location = {host: new URL(address).host};
globalThis.document = {};
const Source = EventSource;
globalThis.EventSource = class extends Source { constructor(path) { super(address + path); } };
(0, eval)(script + "; globalThis.seen = seen;");
const isComplete = () => seen.chat.length >= Number(process.argv[3]) && seen.tides.length >= Number(process.argv[4]);
const timer = setInterval(() => {
    if (!isComplete()) return;
    console.log(JSON.stringify(seen));
    process.exit();
}, 20);
"""
"""Runs the script of the page in Node."""


def compare(expected: object, found: object) -> None:
    assert found == expected, f"\n  expected {expected}\n  found    {found}"


def failure(error: Exception) -> str:
    """Returns the reason of a failure: the last line of a client's output, or the error and its location."""
    if isinstance(error, subprocess.CalledProcessError):
        return (error.stderr.strip().splitlines() or ["no error"])[-1]
    if isinstance(error, ExceptionGroup):
        return f"{len(error.exceptions)} failures, for example {failure(error.exceptions[0])}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if str(ROOT / "Tests") in frame.filename]
    return f"{type(error).__name__}: {error} ({pathlib.Path(frames[-1].filename).name}:{frames[-1].lineno})"


def check_conversation(name: str, authority: pathlib.Path, *, is_proxy: bool) -> str:
    """Runs a recorded client, by address or with the server as its proxy and TLS."""
    file = STREAMS / "Recordings" / f"{name}.har"
    first = json.loads(file.read_text(encoding="utf-8"))["log"]["entries"][0]["request"]["url"]
    recorded = first.split("?")[0].replace("https:", "wss:")
    # Socket.IO adds the time to each URL.
    with serving(file, "--ignore-query", "t") as (address, finish, _):
        if is_proxy:
            output = record.talk(name, recorded, authority, "--proxy", address)
        else:
            path = recorded.split("/", 3)[3]
            output = record.talk(name, f"{address.replace('http:', 'ws:')}/{path}", authority)
        finish()
    found = [json.loads(line) for line in output.splitlines()]
    expected = [json.loads(line) for line in file.with_suffix(".seen.jsonl").read_text(encoding="utf-8").splitlines()]
    compare(expected, found)
    return f"{len(found)} lines"


def check_chromium(*, is_proxy: bool) -> str:
    """Loads the page in Chromium. What it sees must equal what the page saw when it was recorded."""
    with serving(SAMPLE) as (address, _, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(locale="en-GB", **({"proxy": {"server": address}} if is_proxy else {}))
        page = context.new_page()
        page.goto("http://127.0.0.1:8765/" if is_proxy else address)
        try:
            page.wait_for_function("([chat, tides]) => seen.chat.length >= chat && seen.tides.length >= tides",
                                   arg=[len(CHAT), len(SEEN["tides"])], timeout=15_000)
        finally:
            seen = page.evaluate("seen")
            compare({"chat": CHAT, "tides": SEEN["tides"]}, {"chat": seen["chat"][:len(CHAT)], "tides": seen["tides"]})
        browser.close()
    return f"{len(CHAT)} events of the WebSocket, {len(SEEN['tides'])} of the event stream"


def check_node() -> str:
    """Runs the script of the page in Node."""
    test = "process.exit(typeof WebSocket === 'function' && typeof EventSource === 'function' ? 0 : 1)"
    found = [options for options in ([], NODE_OPTIONS)
             if subprocess.run(["node", *options, "-e", test], capture_output=True, check=False).returncode == 0]
    if not found:
        return "skipped, because this version of Node has no WebSocket or no EventSource"
    with serving(SAMPLE) as (address, _, _):
        page = ROOT / "Tests" / "Interoperability" / "streams.html"
        run = subprocess.run(["node", *found[0], "-e", NODE, address, page, str(len(CHAT)), str(len(SEEN["tides"]))],
                             check=True, capture_output=True, text=True, timeout=30)
    seen = json.loads(run.stdout)
    compare({"chat": CHAT, "tides": SEEN["tides"]}, {"chat": seen["chat"][:len(CHAT)], "tides": seen["tides"]})
    return f"{len(CHAT)} events of the WebSocket, {len(SEEN['tides'])} of the event stream"


def check_curl(folder: pathlib.Path) -> str:
    """Requests the upgrade and the event stream with curl."""
    file = archive(folder / "curl.har", scripts.ENTRIES)
    curl = ["curl", "-q", "-sS", "-i", "-N", "--max-time", "30"]
    upgrade = ["-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13",
               "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    with serving(file) as (address, _, _):
        # curl does not answer the close frame.
        run = subprocess.run([*curl, *upgrade, f"{address}/closed"], capture_output=True, check=False)
    head, _, frames = run.stdout.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ") and b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head, run
    # Frames of a server are not masked.
    compare(b"\x81\x04Moin\x88\x0a\x03\xe8" + "Tschüß".encode(), frames)
    with serving(SAMPLE) as (address, _, _):
        run = subprocess.run([*curl, f"{address}/tides"], capture_output=True, check=True)
    head, _, body = run.stdout.partition(b"\r\n\r\n")
    assert b"content-type: text/event-stream" in head.lower(), head
    for event in 'data: {"meters": 3.25, "place": "Büsum"}\n\n', "data: without a name 🌊\n\n":
        assert event.encode() in body, body.decode()
    return f"{len(frames)} bytes of frames, {len(body)} of events"


def check_scripts(folder: pathlib.Path, check: Callable) -> str:
    """Runs a check with Python's websockets."""
    file = archive(folder / f"{id(check)}.har", scripts.ENTRIES)
    with serving(file) as (address, _, _):
        result = asyncio.run(check(address.replace("http:", "ws:")))
    return "; ".join(result or [])


async def over_tls(url: str, authority: pathlib.Path) -> None:
    """Connects to the port of the server with TLS."""
    context = ssl.create_default_context(cafile=authority)
    async with connect(url.replace("ws:", "wss:") + "/closed", ssl=context) as socket:
        compare(["Moin", (1000, "Tschüß")], await scripts.listen(socket))


async def follow_rules(address: str, authority: pathlib.Path) -> None:
    """Talks to the two hosts of the rules on the page."""
    host, port = address.removeprefix("http://").split(":")
    options = {"ssl": ssl.create_default_context(cafile=authority), "host": host, "port": int(port), "proxy": None}
    async with connect("wss://chat.example.com/room", **options) as socket:
        compare("welcome", await socket.recv())
        await socket.send("hello")
        compare("I do not understand.", await socket.recv())
        await socket.send("bye")
        compare([(1000, "See you")], await scripts.listen(socket))
    async with connect("wss://api.example.com/graphql", **options) as socket:
        subscription = {"type": "subscribe", "id": "17", "payload": {"operationName": "Prices", "query": "{ price }"}}
        await socket.send(json.dumps(subscription))
        compare({"type": "next", "id": "17", "payload": {"data": {"price": 12}}}, json.loads(await socket.recv()))
        compare({"type": "complete", "id": "17"}, json.loads(await socket.recv()))


def check_page(folder: pathlib.Path, authority: pathlib.Path) -> None:
    """Serves the rules of Docs/Streams.md, and runs the curl command of the page."""
    page = (ROOT / "Docs" / "Streams.md").read_text(encoding="utf-8")
    rules = folder / "streams.yaml"
    rules.write_text(page.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
    recorded = scripts.socket_entry("/graphql", [])
    recorded["request"]["url"] = "wss://api.example.com/graphql"
    file = archive(folder / "graphql.har", [recorded])
    with serving(file, "--rules", rules) as (address, _, _):
        asyncio.run(follow_rules(address, authority))
    command = "curl " + page.split("\ncurl ")[1].split("\n```")[0]
    recording = ROOT / "Tests" / "DocumentationTests" / "Examples" / "Recordings" / "assistant.har"
    with serving(recording, "--matching", "languageModel", "--speed", "1") as (address, _, _):
        command = command.replace("http://127.0.0.1:8080", address).replace("curl", "curl -q -sS", 1)
        run = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert run.stdout.rstrip().endswith("data: [DONE]"), run.stdout


def checks(folder: pathlib.Path, authority: pathlib.Path) -> Iterator[tuple[str, Callable[[], object]]]:
    for name in record.NAMES:
        yield f"{name} by address", functools.partial(check_conversation, name, authority, is_proxy=False)
        yield f"{name} by proxy with TLS", functools.partial(check_conversation, name, authority, is_proxy=True)
    with_scripts = functools.partial(functools.partial, check_scripts, folder)
    yield "kinds of messages", with_scripts(scripts.check_kinds)
    for parameters in DEFLATE:
        title = f"kinds of messages with permessage-deflate, {', '.join(parameters)}"
        yield title, with_scripts(functools.partial(scripts.check_kinds, **parameters))
    yield "pings", with_scripts(scripts.check_pings)
    yield "recorded pings", with_scripts(scripts.check_recorded_ping)
    yield "subprotocols", with_scripts(scripts.check_protocol)
    yield "JSON", with_scripts(scripts.check_json)
    yield "TLS by address", with_scripts(functools.partial(over_tls, authority=authority))
    yield "misses", with_scripts(scripts.check_misses)
    yield "requests", with_scripts(scripts.check_requests)
    yield "violations", with_scripts(scripts.check_violations)
    yield "timed messages", lambda: "; ".join(asyncio.run(scripts.check_timed(folder)))
    yield "Node", check_node
    yield "curl", functools.partial(check_curl, folder)
    yield "Docs/Streams.md", functools.partial(check_page, folder, authority)
    yield "Chromium by proxy", functools.partial(check_chromium, is_proxy=True)
    yield "Chromium by address", functools.partial(check_chromium, is_proxy=False)


def run(check: tuple[str, Callable[[], object]]) -> tuple[bool, object]:
    """Returns whether a check succeeds, and its result or the reason."""
    try:
        return True, check[1]()
    except Exception as error:
        return False, failure(error)


def main() -> None:
    wanted = sys.argv[2:]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["XDG_DATA_HOME"] = name
        os.environ["no_proxy"] = ""
        # The server inherits the limit.
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        # The first server creates the authority.
        with serving(SAMPLE):
            authority = folder / "relay" / "certificate.pem"
        crowd = [(title, functools.partial(check, folder)) for title, check in crowds.CHECKS.items()]
        # Checks of crowds run alone, because they measure.
        for group, count in (list(checks(folder, authority)), os.cpu_count()), (crowd, 1):
            selected = [pair for pair in group if not wanted or pair[0].startswith(tuple(wanted))]
            with ThreadPoolExecutor(count) as pool:
                for (title, _), (is_success, result) in zip(selected, pool.map(run, selected), strict=True):
                    failures += not is_success
                    print(f"{title}: {'' if is_success else 'FAILED: '}{result or 'as expected'}", flush=True)
    sys.exit(1 if failures else 0)


main()
