"""Measures the page of `har view` in Chromium: an archive of 1 GB with 500,000 entries and an index.

    view-benchmark.py HAR-SERVE [ARCHIVE]

Prints the time to the first rows, the frames per second while scrolling, the time to filter by a text of the URL, and the
memory of the tab and of the server. Without an archive, one is created in the folder for temporary files.
"""

import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

ENTRIES = 500_000


def create(path):
    """Writes an archive with 2 KB per entry."""
    random.seed(1)
    hosts = [f"{name}.shop{number}.example" for name in ("api", "www", "cdn", "img") for number in range(25)]
    types = ["application/json", "text/html; charset=utf-8", "image/png", "text/css", "text/javascript"]
    with open(path, "w") as file:
        file.write('{"log":{"version":"1.2","creator":{"name":"test","version":"1"},"entries":[\n')
        for index in range(ENTRIES):
            host, type_ = random.choice(hosts), random.choice(types)
            hours, rest = divmod(index * 37, 3_600_000)
            date = f"2026-01-{1 + hours // 24:02}T{hours % 24:02}:{rest // 60_000:02}:{rest % 60_000 / 1000:06.3f}Z"
            request = {
                "method": random.choice(["GET", "GET", "GET", "POST"]), "httpVersion": "HTTP/1.1", "cookies": [],
                "url": f"https://{host}/v1/items/{index}/details?page={index % 97}", "queryString": [],
                "headers": [{"name": "Accept", "value": "*/*"}, {"name": "User-Agent", "value": "Mozilla/5.0 " * 8}],
                "headersSize": -1, "bodySize": 0,
            }
            response = {
                "status": random.choice([200, 200, 200, 200, 304, 404, 500]), "statusText": "", "cookies": [],
                "httpVersion": "HTTP/1.1", "headers": [{"name": "Content-Type", "value": type_}], "redirectURL": "",
                "content": {"size": 1150, "mimeType": type_, "text": "x" * 1150}, "headersSize": -1, "bodySize": 1150,
            }
            entry = {
                "startedDateTime": date, "time": random.randint(1, 900), "request": request, "response": response,
                "cache": {}, "timings": {"blocked": 1, "dns": -1, "connect": -1, "send": 0, "wait": 20, "receive": 5},
            }
            file.write(json.dumps(entry) + (",\n" if index < ENTRIES - 1 else "\n"))
        file.write("]}}\n")


def memory(process, name):
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1000
    return 0


def start(program, archive):
    process = subprocess.Popen([program, "view", "--json", "--no-open", archive], stdout=subprocess.PIPE, text=True)
    return process, json.loads(process.stdout.readline())["url"]


# Scrolls for two seconds as a wheel does, and returns the durations between frames.
SCROLL = """async () => {
    const scroller = [...document.querySelectorAll('*')].filter(element =>
        element.scrollHeight > element.clientHeight + 10000).pop();
    const times = [];
    const end = performance.now() + 2000;
    await new Promise(done => {
        const step = now => {
            times.push(now);
            scroller.scrollTop += 150;
            now < end ? requestAnimationFrame(step) : done();
        };
        requestAnimationFrame(step);
    });
    return times.slice(1).map((time, index) => time - times[index]);
}"""


# Types a filter, and returns the time until the list shows only matching rows, in milliseconds.
FILTER = """text => new Promise(done => {
    const box = document.querySelector('[role=combobox]');
    const start = performance.now();
    new MutationObserver((_, observer) => {
        const rows = document.querySelector('[role=grid]')?.textContent ?? '';
        if (!rows.includes(text)) return;
        observer.disconnect();
        done(performance.now() - start);
    }).observe(document.body, {childList: true, subtree: true, characterData: true});
    box.value = text;
    box.dispatchEvent(new InputEvent('input', {bubbles: true}));
    box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
})"""


def main():
    program = sys.argv[1]
    archive = sys.argv[2] if len(sys.argv) > 2 else str(pathlib.Path(tempfile.gettempdir()) / "relay-view.har")
    if not pathlib.Path(archive).exists():
        create(archive)
        time.sleep(2)  # An index is kept only for a file that was not changed recently.
    process, _ = start(program, archive)
    process.terminate()
    process.wait()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--enable-precise-memory-info"])
        first, filtered, frames = [], [], []
        for run in range(5):
            begin = time.monotonic()
            process, url = start(program, archive)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(url, wait_until="commit")
            page.wait_for_selector("[role=row] [role=gridcell]")
            first.append(time.monotonic() - begin)
            frames.append(page.evaluate(SCROLL))
            page.wait_for_load_state("networkidle")
            text = f"items/4{run}37"
            filtered.append(page.evaluate(FILTER, text) / 1000)
            heap = page.evaluate("performance.memory.usedJSHeapSize") / 1e6
            server, private = memory(process.pid, "VmRSS"), memory(process.pid, "RssAnon")
            page.close()
            process.terminate()
            process.wait()
        browser.close()
    durations = [duration for run in frames for duration in run]
    print(f"first rows, with the start of the program: {statistics.median(first):.2f} s")
    print(f"frames per second while scrolling: {1000 / statistics.median(durations):.0f} (median), "
          f"{1000 / sorted(durations)[int(len(durations) * 0.95)]:.0f} (95 % of frames)")
    print(f"filter by a text of the URL, until the rows are visible: {statistics.median(filtered):.2f} s")
    print(f"heap of the page: {heap:.0f} MB; server: {server:.0f} MB, of which {private:.0f} MB private")


if __name__ == "__main__":
    main()
