"""Tests and measures `har view` with an archive of 1 GB, which has 500,000 entries and an index, in Chromium.

    view-benchmark.py HAR-SERVE [ARCHIVE]

Compares rows, filters, orders, totals and a body with those of the archive, and the memory of the server and of the tab with
their goals. The memory of the server is read after every column was sorted and several filters were used.
Exits with status 1 if one of them is wrong. Times are only printed: of the API, the time to the first rows, the frames per
second while scrolling, and the time to filter by a text of the URL. Without an archive that an earlier call has created, one
is created in the folder for temporary files, and removed at the end.
"""

import collections
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from playwright.sync_api import sync_playwright

ENTRIES = 500_000

# The largest resident size of the server in MB, after the page was used, and after all lists were sorted and counted.
MEMORY = 100

# The largest private memory of the tab in MB.
TAB_MEMORY = 200


def facts():
    """Yields the values of each entry that differ."""
    random.seed(1)
    hosts = [f"{name}.shop{number}.example" for name in ("api", "www", "cdn", "img") for number in range(25)]
    types = ["application/json", "text/html; charset=utf-8", "image/png", "text/css", "text/javascript"]
    for index in range(ENTRIES):
        hours, rest = divmod(index * 37, 3_600_000)
        yield {
            "i": index, "host": random.choice(hosts), "type": random.choice(types), "time": random.randint(1, 900),
            "method": random.choice(["GET", "GET", "GET", "POST"]), "status": random.choice([200, 200, 200, 200, 304, 404, 500]),
            "date": f"2026-01-{1 + hours // 24:02}T{hours % 24:02}:{rest // 60_000:02}:{rest % 60_000 / 1000:06.3f}Z",
            "text": f"{index} ".ljust(1150, "x"),
        }


def url(fact):
    return f"https://{fact['host']}/v1/items/{fact['i']}/details?page={fact['i'] % 97}"


def create(path):
    """Writes an archive with 2 KB per entry."""
    with open(path, "w") as file:
        file.write('{"log":{"version":"1.2","creator":{"name":"test","version":"1"},"entries":[\n')
        for fact in facts():
            request = {
                "method": fact["method"], "httpVersion": "HTTP/1.1", "cookies": [], "url": url(fact), "queryString": [],
                "headers": [{"name": "Accept", "value": "*/*"}, {"name": "User-Agent", "value": "Mozilla/5.0 " * 8}],
                "headersSize": -1, "bodySize": 0,
            }
            response = {
                "status": fact["status"], "statusText": "", "cookies": [], "httpVersion": "HTTP/1.1",
                "headers": [{"name": "Content-Type", "value": fact["type"]}], "redirectURL": "",
                "content": {"size": 1150, "mimeType": fact["type"], "text": fact["text"]}, "headersSize": -1, "bodySize": 1150,
            }
            entry = {
                "startedDateTime": fact["date"], "time": fact["time"], "request": request, "response": response, "cache": {},
                "timings": {"blocked": 1, "dns": -1, "connect": -1, "send": 0, "wait": 20, "receive": 5},
            }
            file.write(json.dumps(entry) + (",\n" if fact["i"] < ENTRIES - 1 else "\n"))
        file.write("]}}\n")


class API:
    """Requests to the server, which print how long they take."""

    def __init__(self, address):
        self.address = address
        self.problems = []

    def get(self, name, **parameters):
        begin = time.monotonic()
        with urllib.request.urlopen(f"{self.address}api/1/{name}?{urllib.parse.urlencode(parameters)}") as response:
            body = response.read()
        print(f"  {time.monotonic() - begin:.2f} s  {name} {' '.join(f'{key}={value}' for key, value in parameters.items())}")
        return body

    def json(self, name, **parameters):
        return json.loads(self.get(name, **parameters))

    def expect(self, what, value, expected):
        if value != expected:
            self.problems.append(f"{what}: expected {expected}, found {value}")


def shown(fact):
    """Returns the members of a row that are compared."""
    started = 1_767_225_600_000 + fact["i"] * 37
    return {
        "i": fact["i"], "method": fact["method"], "url": url(fact), "status": fact["status"], "time": fact["time"], "size": 1150,
        "type": fact["type"].split(";")[0], "started": started, "failed": False,
    }


def check(api):
    """Compares responses of the API with the archive."""
    every = list(facts())
    orders = {
        "url": url, "time": lambda fact: fact["time"], "started": lambda fact: fact["date"],
        "host": lambda fact: fact["host"], "status": lambda fact: fact["status"],
    }
    api.expect("entries", api.json("sources")["sources"][0]["entries"], ENTRIES)
    for position in (0, ENTRIES // 2, ENTRIES - 1):
        row = api.json("rows", **{"from": position, "count": 1})["rows"][0]
        expected = shown(every[position])
        api.expect(f"row {position}", {name: row[name] for name in expected}, expected)
    filters = {
        "items/4237": lambda fact: "items/4237" in url(fact), "status:404": lambda fact: fact["status"] == 404,
        "host:api.shop7.example -method:POST": lambda fact: fact["host"] == "api.shop7.example" and fact["method"] != "POST",
        "slower-than:890ms type:css": lambda fact: fact["time"] > 890 and fact["type"] == "text/css",
    }
    for words, selects in filters.items():
        expected = [fact["i"] for fact in every if selects(fact)]
        found = api.json("rows", q=words, count=1000)
        api.expect(f"filter {words}", (found["count"], [row["i"] for row in found["rows"]]), (len(expected), expected[:1000]))
    for column, key in orders.items():
        for order in ("asc", "desc"):
            expected = [fact["i"] for fact in sorted(every, key=key, reverse=order == "desc")]
            # Python keeps the order of equal values, in descending order too.
            for position in (0, ENTRIES - 100):
                found = api.json("rows", sort=column, order=order, count=100, **{"from": position})["rows"]
                api.expect(f"{column} {order} {position}", [row["i"] for row in found], expected[position:position + 100])
    counts = api.json("counts")
    for name in ("host", "status", "method"):
        found = {str(value): count for value, count, *_ in counts[name]}
        api.expect(f"counts of {name}", found, {str(value): count for value, count in collections.Counter(fact[name] for fact in every).items()})
    overview = api.json("overview")
    api.expect("overview", (overview["entries"], overview["size"], overview["time"], overview["failures"]), (
        ENTRIES, 1150 * ENTRIES, sum(fact["time"] for fact in every), sum(fact["status"] >= 400 for fact in every)))
    for index in (0, 123_456, ENTRIES - 1):
        api.expect(f"body {index}", api.get("body", i=index, side="response", **{"as": "text"}).decode(), every[index]["text"])


def sort_and_filter(api):
    """Sorts by every column in both orders, without and with a filter, and uses other filters."""
    columns = ["index", "method", "url", "host", "status", "outcome", "type", "size", "time", "started", "page", "resource"]
    for words in ("", "items"):
        for column in columns:
            for order in ("asc", "desc"):
                api.get("rows", q=words, sort=column, order=order)
    for words in ("items/4", "-items/4", "status:200", "host:api.*", "faster", "-type:css"):
        api.get("rows", q=words, sort="url")
        api.get("counts", q=words)
        api.get("overview", q=words)


def memory(process, name):
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1000
    return 0


def start(program, archive):
    """Starts the program, which keeps the index next to the archive."""
    process = subprocess.Popen(
        [program, "view", "--json", "--no-open", archive], stdout=subprocess.PIPE, text=True,
        env=os.environ | {"XDG_CACHE_HOME": str(pathlib.Path(archive).parent)})
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


# Notes the time of the frame that shows the first rows.
FIRST = """new MutationObserver((_, observer) => {
    if (!document.querySelector("[role=row] [role=gridcell]")) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(now => globalThis.firstRows = now));
}).observe(document, {childList: true, subtree: true});"""


def first_rows(page, address):
    """Opens an address, and returns the time in seconds from the start of the navigation until rows are visible.

    The browser measures the time. A script that waits for the rows would have to be compiled meanwhile."""
    page.goto(address, wait_until="commit")
    time.sleep(1)
    return page.wait_for_function("globalThis.firstRows").json_value() / 1000


def measure(program, archive):
    """Measures the page in nine rounds.

    Returns the largest resident size of the server, and the largest private memory of a process with a tab, in MB."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--enable-precise-memory-info"])
        processes = browser.new_browser_cdp_session()
        opened, first, again, filtered, frames, resident, tabs = [], [], [], [], [], [], []
        for run in range(9):
            begin = time.monotonic()
            process, address = start(program, archive)
            opened.append(time.monotonic() - begin)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.add_init_script(FIRST)
            # The browser still opens the window.
            first.append(first_rows(page, address))
            frames.append(page.evaluate(SCROLL))
            page.wait_for_load_state("networkidle")
            filtered.append(page.evaluate(FILTER, f"items/4{run}37") / 1000)
            heap = page.evaluate("performance.memory.usedJSHeapSize") / 1e6
            resident.append(memory(process.pid, "VmRSS"))
            private = memory(process.pid, "RssAnon")
            found = processes.send("SystemInfo.getProcessInfo")["processInfo"]
            tabs.append(max(memory(one["id"], "RssAnon") for one in found if one["type"] == "renderer"))
            page.goto("about:blank")
            page.wait_for_timeout(1000)
            again.append(first_rows(page, address))
            page.close()
            process.terminate()
            process.wait()
        browser.close()
    durations = [duration for run in frames for duration in run]
    print(f"start of the program: {statistics.median(opened):.2f} s")
    print(f"first rows, from the start of the navigation: {statistics.median(first):.2f} s in a new window "
          f"({min(first):.2f} to {max(first):.2f}), {statistics.median(again):.2f} s in an open one")
    print(f"frames per second while scrolling: {1000 / statistics.median(durations):.0f} (median), "
          f"{1000 / sorted(durations)[int(len(durations) * 0.95)]:.0f} (95 % of frames)")
    print(f"filter by a text of the URL, until the rows are visible: {statistics.median(filtered):.2f} s")
    print(f"tab: {max(tabs):.0f} MB private, of which {heap:.0f} MB are the heap of JavaScript")
    print(f"server: {max(resident):.0f} MB, of which {private:.0f} MB private")
    return max(resident), max(tabs)


def run(program, archive):
    if not pathlib.Path(archive).exists():
        create(archive)
        time.sleep(2)  # An index is kept only for a file that was not changed recently.
    process, address = start(program, archive)
    api = API(address)
    check(api)
    sort_and_filter(api)
    most, peak = memory(process.pid, "VmRSS"), memory(process.pid, "VmHWM")
    process.terminate()
    process.wait()
    resident, tab = measure(program, archive)
    print(f"server after sorting by every column, filtering and counting: {most:.0f} MB, at most {peak:.0f} MB meanwhile")
    if resident >= MEMORY:
        api.problems.append(f"the server uses {resident:.0f} MB, which is not less than {MEMORY} MB")
    if most >= MEMORY:
        api.problems.append(f"the server uses {most:.0f} MB after sorting, which is not less than {MEMORY} MB")
    if tab >= TAB_MEMORY:
        api.problems.append(f"the tab uses {tab:.0f} MB, which is not less than {TAB_MEMORY} MB")
    print("\n".join(api.problems))
    sys.exit(1 if api.problems else 0)


def main():
    if len(sys.argv) > 2:
        run(sys.argv[1], sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        run(sys.argv[1], f"{folder}/large.har")


if __name__ == "__main__":
    main()
