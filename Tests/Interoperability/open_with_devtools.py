"""Opens archives in the network panel of Chromium's developer tools. Exits with status 1 on differences.

The panel imports the archive as if a file had been dropped on it. The requests are then read from the panel's model.
"""

from __future__ import annotations

import base64
import contextlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import opening
from opened import Opened, charset, encoded, log

CHROMIUM = "/usr/bin/chromium"
TIMEOUT = 60

IMPORT = """async text => {
    const module = path => import(new URL(path, location.href).href);
    const [network, logs] = await Promise.all(['./panels/network/network.js', './models/logs/logs.js'].map(module));
    await network.NetworkPanel.NetworkPanel.instance().networkLogView.onLoadFromFile(new File([text], 'archive.har'));
    const requests = logs.NetworkLog.NetworkLog.instance().requests();
    return Promise.all(requests.map(async request => {
        const content = await request.requestContentData();
        const fields = request.responseHeaders.map(field => [field.name, field.value]);
        // Reading Base64 of content that was stored as text is an error.
        let body = {};
        try { body = {base64: content.base64}; } catch { body = {text: content.text}; }
        return {
            method: request.requestMethod, url: request.url(), status: request.statusCode, fields,
            text: body.text ?? null, base64: body.base64 ?? null,
            times: [request.issueTime(), request.responseReceivedTime, request.endTime],
        };
    }));
}"""
"""Opens the text of an archive in the panel, and returns the requests that the panel then contains."""

KNOWN = {"get-text-iso-8859-1-as-windows-1252": "Python implements ISO 8859-1 literally, unlike browsers"}


@contextlib.contextmanager
def browser() -> Iterator[str]:
    """Runs Chromium, and yields the address of its developer tools."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = ["--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--remote-allow-origins=*"]
        process = subprocess.Popen(
            [CHROMIUM, *options, f"--user-data-dir={folder}", "about:blank"], stderr=subprocess.PIPE, text=True)
        try:
            assert process.stderr
            found = next(filter(None, (re.search(r"ws://(127\.0\.0\.1:\d+)/", line) for line in process.stderr)), None)
            if not found:
                sys.exit("Chromium did not start.")
            yield f"http://{found[1]}"
        finally:
            process.terminate()
            process.communicate(timeout=TIMEOUT)


def entries(page: Page, archive: Path) -> list[Opened]:
    """Returns the requests that the panel imported from an archive, in the order of the archive.

    The panel sorts them by time. Exchanges that end at about the same time can be recorded in another order.
    """
    page.reload()
    requests = page.evaluate(IMPORT, archive.read_text(encoding="utf-8"))
    recorded = log(archive)["entries"]
    names = [charset(entry) for entry in recorded]
    if len(requests) != len(names):
        sys.exit(f"{archive.name}: {len(names)} entries, the panel has {len(requests)}")
    order = sorted(range(len(recorded)), key=lambda index: recorded[index]["startedDateTime"])
    requests = [request for _, request in sorted(zip(order, requests, strict=True), key=lambda pair: pair[0])]
    return [opened(request, name) for request, name in zip(requests, names, strict=True)]


def opened(request: dict, name: str | None) -> Opened:
    if any(time is None or time < 0 for time in request["times"]):
        sys.exit(f"{request['url']}: a time is missing: {request['times']}")
    text = request["text"]
    body = base64.b64decode(request["base64"] or "") if text is None else encoded(text, name)
    fields = [(field[0], field[1]) for field in request["fields"]]
    return Opened(request["method"], request["url"], request["status"], fields, body)


def main() -> int:
    with browser() as address, sync_playwright() as playwright:
        client = playwright.chromium.connect_over_cdp(address)
        page = client.contexts[0].new_page()
        page.goto(f"{address}/devtools/devtools_app.html")
        return opening.main(__doc__, lambda archive: entries(page, archive), KNOWN)


if __name__ == "__main__":
    sys.exit(main())
