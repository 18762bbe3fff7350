"""Captures a page with a WebSocket and an EventSource in the network panel of Chromium, and notes the page's events.

The archives of Playwright contain no events of event streams.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

from aiohttp import WSMsgType, web
from playwright.sync_api import Browser, Page, sync_playwright

from open_with_devtools import browser

HERE = Path(__file__).parent
PAUSE = 0.1
"""The time between two messages that nothing triggers, in seconds."""

EVENTS = [
    "retry: 500\n: a comment\n\n",
    "data: The tide comes in.\n\n",
    "event: high\nid: 7\ndata: {\"meters\": 3.25, \"place\": \"Büsum\"}\n\n",
    "event: low\nid: 8\ndata: two lines\ndata: of text\n\n",
    "data: without a name 🌊\n\n",
    "event: end\nid: 9\ndata:\n\n",
]

READY = """async () => {
    const [sdk, logs] = await Promise.all(
        ['./core/sdk/sdk.js', './models/logs/logs.js'].map(path => import(new URL(path, location.href).href)));
    logs.NetworkLog.NetworkLog.instance();
    let target = null;
    while (!(target = sdk.TargetManager.TargetManager.instance().primaryPageTarget()))
        await new Promise(resolve => setTimeout(resolve, 50));
    // Commands are executed in order, and the panel has already sent its command to observe requests.
    await target.networkAgent().invoke_setCacheDisabled({cacheDisabled: false});
}"""
"""Returns when the panel observes requests."""

EXPORT = """async () => {
    const [har, logs] = await Promise.all(
        ['./models/har/har.js', './models/logs/logs.js'].map(path => import(new URL(path, location.href).href)));
    const progress = {canceled: false, createSubProgress: () => progress};
    const requests = logs.NetworkLog.NetworkLog.instance().requests();
    return har.Writer.Writer.harStringForRequests(requests, {sanitize: false}, progress);
}"""
"""Returns the text that the panel exports."""


async def page(_: web.Request) -> web.FileResponse:
    return web.FileResponse(HERE / "streams.html")


async def tides(request: web.Request) -> web.StreamResponse:
    """Sends the events, and then nothing until the page closes the connection."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    await response.prepare(request)
    for event in EVENTS:
        await asyncio.sleep(PAUSE)
        await response.write(event.encode())
    return response


async def chat(request: web.Request) -> web.WebSocketResponse:
    """Replies to each message, and ends the conversation at `bye`."""
    socket = web.WebSocketResponse(protocols=["harbor.v2"])
    await socket.prepare(request)
    await socket.send_str("welcome")
    async for message in socket:
        if message.type == WSMsgType.BINARY:
            await socket.send_bytes(message.data[::-1])
        elif message.data == "bye":
            await socket.send_str("Tschüß")
            await socket.close(code=4001, message="Gute Nacht 🌙".encode())
        else:
            asked = json.loads(message.data)
            for number in (1, 2):
                values = {"id": asked["id"], "text": asked["text"], "number": number, "isLast": number == 2}
                await socket.send_json(values, dumps=lambda value: json.dumps(value, ensure_ascii=False))
                await asyncio.sleep(PAUSE)
    return socket


@contextlib.contextmanager
def running_site(port: int) -> Iterator[str]:
    """Runs the site in a thread, and yields its address."""
    loop = asyncio.new_event_loop()

    async def start() -> web.AppRunner:
        application = web.Application()
        application.add_routes([web.get("/", page), web.get("/chat", chat), web.get("/tides", tides)])
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        return runner

    runner = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    host, bound = runner.addresses[0]
    yield f"http://{host}:{bound}"
    asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def panel(client: Browser, address: str, visited: Page) -> Page:
    """Opens the network panel for a page."""
    target = visited.context.new_cdp_session(visited).send("Target.getTargetInfo")["targetInfo"]["targetId"]
    tools = client.contexts[0].new_page()
    host = address.removeprefix("http://")
    tools.goto(f"{address}/devtools/devtools_app.html?ws={host}/devtools/page/{target}&panel=network")
    return tools


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path, help="the archive to write, next to its notes")
    parser.add_argument("--port", type=int, default=0, help="the port of the site; 0 for any free port")
    options = parser.parse_args()
    with running_site(options.port) as site, browser() as address, sync_playwright() as playwright:
        client = playwright.chromium.connect_over_cdp(address)
        visited = client.contexts[0].new_page()
        tools = panel(client, address, visited)
        tools.evaluate(READY)
        visited.goto(site)
        visited.wait_for_function("document.title === 'ended'")
        seen = visited.evaluate("seen")
        text = tools.evaluate(EXPORT)
    options.archive.write_text(text, encoding="utf-8")
    notes = options.archive.with_suffix(".events.json")
    notes.write_text(json.dumps(seen, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
