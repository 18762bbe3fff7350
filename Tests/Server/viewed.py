"""Runs `har view`, and makes its archive: every kind of body, and hostile texts wherever an archive can have a text."""

import base64
import contextlib
import json
import pathlib
import signal
import subprocess
import threading

from playwright.sync_api import Locator, Page, expect

from serving import PROGRAM, entry

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC")
SHOP = "https://shop.example"


def typed(number, method, path, mime, body, status=200, headers=(), sent=None, sent_mime=None, **custom):
    """Returns an entry with a media type and a start time."""
    made = entry(method, SHOP + path, body if isinstance(body, bytes) else body.encode(), status, headers)
    made["startedDateTime"] = f"2026-01-01T00:00:{number % 60:02}.{number // 60 % 1000:03}Z"
    made["time"] = 10 + number % 90
    made["timings"] = {"send": 1, "wait": 4 + number % 90, "receive": 5}
    made["response"]["content"]["mimeType"] = mime
    if sent is not None:
        made["request"]["postData"] = {"mimeType": sent_mime, "text": sent}
    return made | custom


def bodies():
    """Returns entries with every kind of body, and hostile texts in all of them."""
    data = json.dumps({"name": HOSTILE, "a/b": [{"id": number} for number in range(3000)]})
    data = data.replace('{"name"', '{"id": 12345678901234567890, "price": 1.10, "name"', 1)
    lines = "\n".join(f"line {number}{' needle' if number % 1000 == 0 else ''}" for number in range(40_000))
    parts = (f'--x\r\nContent-Disposition: form-data; name="file"; filename="{HOSTILE}.txt"\r\n'
             f'Content-Type: text/plain\r\n\r\n{HOSTILE}\r\n--x--\r\n')
    query = json.dumps({"query": "query User($id: ID!) { user(id: $id) { name } }", "variables": {"id": HOSTILE}})
    events = "".join(f"id: {number}\nevent: update\ndata: {HOSTILE}\n\n" for number in range(5))
    messages = [{"type": "send" if number % 2 else "receive", "time": 1767225600 + number, "opcode": 1, "data": f"{HOSTILE} {number}"}
                for number in range(500)]
    font = next(pathlib.Path("/usr/share/fonts").rglob("*.ttf"), None)
    found = {
        "json": typed(0, "GET", f"/items?q={HOSTILE}", "application/json", data),
        "text": typed(1, "GET", "/large.txt", "text/plain", lines),
        "image": typed(2, "GET", "/logo.png", "image/png", PNG),
        "html": typed(3, "GET", "/", "text/html", f"<!doctype html><title>{HOSTILE}</title><script>alert(3)</script>"),
        "form": typed(4, "POST", "/login", "text/plain", "", 302, [("Location", "javascript:alert(4)")],
                      f"user={HOSTILE}&password=hunter2secret", "application/x-www-form-urlencoded"),
        "multipart": typed(5, "POST", "/upload", "text/plain", "done", 201, sent=parts, sent_mime="multipart/form-data; boundary=x"),
        "graphql": typed(6, "POST", "/graphql", "application/json", '{"data":{}}', sent=query, sent_mime="application/json"),
        "events": typed(7, "GET", "/stream", "text/event-stream", events),
        "binary": typed(8, "GET", "/blob", "application/octet-stream", bytes(range(256)) * 400),
        "messages": typed(9, "GET", "/socket", "x-unknown", "", 101, _webSocketMessages=messages, _resourceType="websocket"),
        "svg": typed(10, "GET", "/a.svg", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(5)"/>'),
        "missing": typed(11, "GET", "/missing", "text/plain", "no", 404),
    }
    if font:
        found["font"] = typed(12, "GET", "/a.ttf", "font/ttf", font.read_bytes())
    request = found["json"]["request"]
    request["headers"] = [{"name": "X-Hostile", "value": HOSTILE}, {"name": "Authorization", "value": "Bearer eyJhbGciOiJIUzI1NiJ9abcdef"}]
    request["cookies"] = [{"name": HOSTILE, "value": "1", "path": "/"}]
    request["queryString"] = [{"name": "q", "value": HOSTILE}]
    return found


BODIES = bodies()
NAMES = list(BODIES)
ROWS = [typed(number, "GET" if number % 3 else "POST", f"/rows/{number}", ("text/html", "text/css", "application/json")[number % 3],
              f"{{\"n\":{number}}}", (200, 200, 304, 404)[number % 4]) for number in range(len(NAMES), 3000)]


@contextlib.contextmanager
def viewing(*arguments, key="url"):
    """Runs the program, and yields the address of the page and the first line of the output."""
    process = subprocess.Popen([PROGRAM, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
    try:
        line = json.loads(process.stdout.readline())
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield line[key], line
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    finally:
        process.kill()
        process.wait()


def show(page: Page, address: str, fragment: str = "") -> None:
    """Loads the page with a state."""
    page.goto("about:blank")
    page.goto(f"{address}#{fragment}")
    expect(page.locator("#views button").first).to_be_visible()


def rows(page: Page) -> Locator:
    return page.locator(".entries .grid-body .grid-row:not(.loading):not([hidden])")


def press_until(page: Page, key: str, wanted: Locator) -> None:
    """Presses a key until an element has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(80):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {wanted}")
