"""Opens the page of `har view` in Chromium, and uses each of its functions with the mouse, the keyboard or by touch.

    view.py HAR-SERVE [NAME …]
    view.py HAR-SERVE --picture

With names, only the tests whose names contain one of them run. Exits with status 1 if a test fails. With `--picture`,
writes Docs/Images/view.png instead.
"""

import http.server
import itertools
import json
import pathlib
import sys
import tempfile
import threading
import traceback

from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from serving import ROOT, archive
from view_access import test_access, test_opened_bodies
from view_live import Site, test_live, test_live_keyboard
from view_programs import test_console_port, test_reported, test_served
from view_samples import SAMPLES, test_samples, test_waterfall
from viewed import BODIES, HOSTILE, NAMES, ROWS, SHOP, press_until, rows, show, viewing

sys.path.append(str(ROOT / "Tests" / "Interoperability"))

from open_with_chromium import CHROMIUM  # noqa: E402

SCROLLING = """async step => {
  const grid = document.querySelector(".entries .grid");
  const times = [];
  for (let frame = 0, last = performance.now(); frame < 120; frame += 1) {
    grid.scrollTop += step;
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - last);
    last = performance.now();
  }
  return times.reduce((sum, time) => sum + time) / times.length;
}"""


def choose(page: Page, name: str, tab: str, address: str) -> None:
    show(page, address, f"entry={NAMES.index(name)}&tab={tab}")


def test_list(page: Page, address: str) -> None:
    show(page, address)
    expect(page.locator(".count")).to_have_text("3,000 entries")
    assert rows(page).count() < 100
    expect(page.locator(".entries .grid")).to_have_attribute("aria-rowcount", "3001")
    page.locator(".entries .grid").evaluate("grid => grid.scrollTop = 1e9")
    expect(page.locator("[aria-rowindex='3001']")).to_contain_text("/rows/2999")
    expect(page.locator(".grid-body .bar").first).to_be_attached()


def test_filter(page: Page, address: str) -> None:
    show(page, address)
    page.keyboard.press("/")
    page.keyboard.type("sta")
    expect(page.get_by_role("option", name="status:")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="404")).to_contain_text("7")
    page.keyboard.type("404")
    page.keyboard.press("Enter")
    expect(page.locator(".count")).to_contain_text(" of 3,000 entries")
    expect(page.locator(".entries .status", has_text="404").first).to_be_visible()
    page.get_by_role("combobox", name="Filter").fill("status:abc")
    expect(page.locator("#filter-error")).to_contain_text("status")
    page.get_by_role("button", name="Clear the filter").click()
    expect(page.locator(".count")).to_have_text("3,000 entries")
    page.locator(".facets").get_by_role("button", name="text/css").click()
    expect(page.get_by_role("combobox", name="Filter")).to_have_value("type:text/css")
    expect(page.locator(".facets [aria-pressed=true]")).to_have_count(1)
    page.locator(".facets").get_by_role("button", name="404").click()
    expect(page.get_by_role("combobox", name="Filter")).to_have_value("type:text/css status:404")
    expect(page.locator(".count")).to_contain_text(" of 3,000 entries")


def test_sort_and_columns(page: Page, address: str) -> None:
    show(page, address)
    heading = page.get_by_role("columnheader", name="Time")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(page.locator("[aria-rowindex='2'] .time")).to_have_text("99 ms")
    for name, first in (("Method", "GET"), ("Status", "101"), ("URL", "/"), ("Type", "application/json"), ("#", "0")):
        other = page.get_by_role("columnheader", name=name, exact=True)
        other.get_by_role("button").click()
        expect(other).to_have_attribute("aria-sort", "ascending")
        column = other.get_attribute("data-column")
        expect(page.locator(f"[aria-rowindex='2'] .cell.{column}")).to_contain_text(first)
    heading.get_by_role("button").click()
    heading.get_by_role("button").click()
    page.get_by_role("button", name="Columns").click()
    page.get_by_label("Host", exact=True).check()
    expect(page.get_by_role("columnheader", name="Host")).to_be_visible()
    page.reload()
    expect(page.get_by_role("columnheader", name="Host")).to_be_visible()
    expect(heading).to_have_attribute("aria-sort", "descending")


def test_keyboard(page: Page, address: str) -> None:
    show(page, address)
    expect(rows(page).first).to_be_visible()
    grid = page.locator(".entries .grid")
    grid.focus()
    for key, index in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", 2999), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(".entries .grid-row.active:not(.loading)")).to_have_attribute("aria-rowindex", str(index + 2))
    page.keyboard.press("PageDown")
    page.keyboard.press("x")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator(".selection-bar strong")).to_have_text("2 entries selected")
    page.keyboard.press("Control+a")
    expect(page.locator(".selection-bar strong")).to_have_text("3,000 entries selected")
    page.keyboard.press("Escape")
    expect(page.locator(".selection-bar")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Headers")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Cookies & query")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".entry-panel")).to_be_hidden()
    expect(grid).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()


def test_keyboard_only(page: Page, address: str) -> None:
    """Filters, sorts, compares, exports and copies without a mouse."""
    show(page, address)
    expect(rows(page).first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("rows")
    page.keyboard.press("Enter")
    expect(page.locator(".count")).to_contain_text(" of 3,000 entries")
    grid = page.locator(".entries .grid")
    press_until(page, "Tab", grid)
    heading = page.get_by_role("columnheader", name="Time")
    press_until(page, "Tab", heading.get_by_role("button"))
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    press_until(page, "Shift+Tab", grid)
    page.keyboard.press("x")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("x")
    expect(page.locator(".selection-bar strong")).to_have_text("2 entries selected")
    press_until(page, "Shift+Tab", page.locator(".selection-bar").get_by_role("button", name="Export…"))
    page.keyboard.press("Enter")
    download = page.get_by_role("link", name="Download")
    press_until(page, "Tab", download)
    with page.expect_download():
        page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    press_until(page, "Shift+Tab", page.locator(".selection-bar").get_by_role("button", name="Compare"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Differences")).to_be_visible()
    press_until(page, "Shift+Tab", page.locator("#views").get_by_role("button", name="Overview"))
    page.keyboard.press("Enter")
    expect(page.locator(".totals")).to_be_visible()


def test_copy(page: Page, address: str) -> None:
    show(page, address)
    expect(rows(page).first).to_be_visible()
    page.locator("[aria-rowindex='4'] .select").click()
    for title, text in (("curl", "curl"), ("fetch", "fetch("), ("Swift stub", SHOP), ("HAR", '"log"')):
        page.locator(".tools").get_by_role("button", name="Copy", exact=True).click()
        page.get_by_role("button", name=f"Copy as {title}").click()
        expect(page.locator("#notice")).to_have_text(f"Copied entry 2 as {title}")
        assert text in page.evaluate("navigator.clipboard.readText()"), title
    page.locator(".entries .grid").focus()
    page.keyboard.press("c")
    expect(page.locator("#notice")).to_have_text("Copied entry 2 as curl")
    page.locator("[aria-rowindex='5'] .select").click()
    page.locator(".entries .grid").focus()
    page.keyboard.press("h")
    expect(page.locator("#notice")).to_have_text("Copied 2 entries as HAR")
    assert len(json.loads(page.evaluate("navigator.clipboard.readText()"))["log"]["entries"]) == 2


def test_history(page: Page, address: str) -> None:
    show(page, address, "filter=rows&sort=time&order=desc")
    expect(page.locator(".count")).to_contain_text(" of ")
    rows(page).nth(3).locator(".url").click()
    expect(page.locator(".entry-panel")).to_be_visible()
    page.get_by_role("button", name="Overview").click()
    expect(page.locator(".totals")).to_be_visible()
    page.reload()
    expect(page.locator(".totals")).to_be_visible()
    page.go_back()
    expect(page.locator(".entry-panel")).to_be_visible()
    page.reload()
    expect(page.locator(".entry-title")).to_contain_text("/rows/")
    expect(page.get_by_role("combobox", name="Filter")).to_have_value("rows")
    page.go_back()
    expect(page.locator(".entry-panel")).to_be_hidden()


def test_fields(page: Page, address: str) -> None:
    choose(page, "json", "headers", address)
    panel = page.locator(".entry-panel")
    expect(panel.locator("[data-pointer='/request/headers/0']")).to_contain_text(HOSTILE)
    expect(panel.locator("[data-pointer='/request/headers/1'] .mark.secret")).to_be_visible()
    panel.get_by_role("tab", name="Cookies & query").click()
    expect(panel.locator("[data-pointer='/request/cookies/0']")).to_contain_text(HOSTILE)
    panel.get_by_role("tab", name="Timings").click()
    expect(panel.locator(".phase").last).to_be_attached()
    panel.get_by_role("tab", name="Checks").click()
    panel.get_by_role("button", name="/request/headers/1").click()
    expect(panel.locator(".revealed")).to_contain_text("Authorization")
    panel.get_by_role("tab", name="HAR").click()
    expect(panel.get_by_role("treeitem").nth(1)).to_be_visible()


def test_bodies(page: Page, address: str) -> None:
    for name, side, selector in (
        ("html", "response", ".block"), ("image", "response", ".checkerboard"), ("svg", "response", ".checkerboard"),
        ("form", "request", ".fields"), ("multipart", "request", ".part"), ("graphql", "request", ".part .tree"),
        ("events", "response", ".rows .data"), ("binary", "response", ".hex-row"), ("messages", "messages", ".grid-row .text"),
        *([("font", "response", ".font-view span")] if "font" in NAMES else []),
    ):
        choose(page, name, side, address)
        expect(page.locator(f".tab-panel {selector}").first, name).to_be_visible()
    choose(page, "image", "response", address)
    expect(page.locator(".image-view .facts")).to_have_text("10 × 10 pixels")
    choose(page, "binary", "response", address)
    expect(page.locator(".hex-row", has_text="00000000")).to_be_visible()
    page.locator(".hex").evaluate("hex => hex.scrollTop = 1e9")
    expect(page.locator(".hex-row", has_text="00018ff0")).to_contain_text("fe ff")


def test_json_tree(page: Page, address: str) -> None:
    choose(page, "json", "response", address)
    tree = page.get_by_role("tree")
    expect(tree).to_contain_text("12345678901234567890")
    expect(tree).to_contain_text("1.10")
    tree.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    page.keyboard.press("c")
    expect(page.locator("#notice")).to_have_text("Copied /a~1b/2999")
    assert tree.get_by_role("treeitem").count() < 120


def test_text_search(page: Page, address: str) -> None:
    choose(page, "text", "response", address)
    search = page.get_by_role("searchbox", name="Search in the text")
    search.fill("needle")
    expect(page.locator(".search-bar output")).to_contain_text("1 of ")
    page.keyboard.press("Enter")
    expect(page.locator(".search-bar output")).to_contain_text("2 of ")
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".search-bar output")).to_contain_text("2 of 40")


def test_matching(page: Page, address: str) -> None:
    choose(page, "missing", "headers", address)
    page.get_by_role("button", name="Actions for this entry").click()
    page.get_by_role("button", name="Which entry answers?").click()
    expect(page.get_by_role("textbox", name="URL")).to_have_value(f"{SHOP}/missing")
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text(f"Entry {NAMES.index('missing')}")
    page.get_by_role("textbox", name="URL").fill(f"{SHOP}/missing?x=1")
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(page.locator(".verdict")).to_have_text("No entry answers")
    page.locator(".candidates .link").first.click()
    expect(page.locator(".entry-panel")).to_be_visible()


def test_compare(page: Page, address: str) -> None:
    show(page, address)
    for index in (3, 4):
        page.locator(f"[aria-rowindex='{index}'] .select").click()
    page.locator(".selection-bar").get_by_role("button", name="Compare").click()
    expect(page.get_by_role("table", name="Differences")).to_contain_text("url")
    page.get_by_role("button", name="Compare archives").click()
    changes = page.get_by_role("group", name="Changes")
    expect(changes.get_by_role("button", name="Removed")).to_contain_text("1")
    changes.get_by_role("button", name="Removed").click()
    page.locator(".compare .grid-body .url").first.click()
    expect(page.locator(".entry-panel")).to_be_visible()


def test_overview(page: Page, address: str) -> None:
    show(page, address, "view=overview")
    page.get_by_role("table", name="Statuses").get_by_role("button", name="4xx").click()
    expect(page.get_by_role("combobox", name="Filter")).to_have_value("status:4xx")
    expect(page.locator(".count")).to_contain_text(" of 3,000 entries")
    show(page, address, "view=overview")
    expect(page.locator(".totals")).to_contain_text("3,000")
    hosts = page.get_by_role("table", name="Hosts")
    expect(hosts.get_by_role("row").nth(1)).to_contain_text("shop.example")
    page.get_by_role("button", name="Size", exact=True).click()
    expect(hosts.get_by_role("columnheader").nth(2)).to_have_text("Size")
    for table in ("Types", "Slowest", "Failures"):
        expect(page.get_by_role("table", name=table).get_by_role("row").nth(1)).to_be_visible()
    page.get_by_role("table", name="Largest").get_by_role("button").first.click()
    expect(page.locator(".entry-panel")).to_be_visible()


def test_export(page: Page, address: str) -> None:
    show(page, address, "filter=items")
    expect(page.locator(".count")).to_contain_text("1 of ")
    page.locator(".tools").get_by_role("button", name="Export…").click()
    expect(page.get_by_role("table", name="Replaced values").locator("tbody tr").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    exported = pathlib.Path(download.value.path()).read_text()
    assert len(json.loads(exported)["log"]["entries"]) == 1
    assert "eyJhbGciOiJIUzI1NiJ9abcdef" not in exported
    show(page, address)
    for index in (2, 3, 5):
        page.locator(f"[aria-rowindex='{index}'] .select").click()
    page.locator(".selection-bar").get_by_role("button", name="Export…").click()
    expect(page.get_by_role("table", name="Replaced values")).to_be_visible()
    page.get_by_label("Redact secrets").uncheck()
    expect(page.locator(".export-result .warning")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    exported = pathlib.Path(download.value.path()).read_text()
    assert len(json.loads(exported)["log"]["entries"]) == 3
    assert "eyJhbGciOiJIUzI1NiJ9abcdef" in exported


def test_hostile(page: Page, address: str) -> None:
    """Shows every part of every entry. `run` reports whatever a hostile text causes."""
    for index in range(len(NAMES)):
        show(page, address, f"entry={index}")
        tabs = page.get_by_role("tab")
        expect(tabs.first).to_be_visible()
        for tab in tabs.all():
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true")
            for form in page.get_by_role("group", name="Form").get_by_role("button").all():
                form.click()
    show(page, address, f"view=compare&left=0:0&right=0:{NAMES.index('form')}")
    expect(page.get_by_role("table", name="Differences")).to_contain_text(HOSTILE)
    assert page.locator("img[src=x], script:not([src])").count() == 0


def test_tablet(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 820, "height": 1180})
    show(page, address)
    row = rows(page).first
    row.locator(".url").click()
    expect(page.locator(".entry-panel")).to_be_visible()
    assert row.bounding_box()["height"] >= 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 820
    page.get_by_role("button", name="Close the entry").click()
    page.get_by_role("button", name="Conditions").click()
    expect(page.locator(".facets")).to_be_visible()


def test_accessibility(page: Page, address: str) -> None:
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        print("  axe is not installed: skipped")
        return
    fragments = ("", "entry=0", "entry=0&tab=response", "entry=0&tab=checks", "view=overview", "view=compare", "view=matching")
    for fragment, scheme, width in itertools.product(fragments, ("light", "dark"), (1280, 820)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        show(page, address, fragment)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (fragment, width)
        found = [violation["id"] for violation in Axe().run(page).response["violations"] if violation["impact"] in ("serious", "critical")]
        assert not found, (fragment, scheme, width, found)


def test_frames(page: Page, address: str) -> None:
    show(page, address)
    expect(rows(page).first).to_be_visible()
    resting, scrolling = page.evaluate(SCROLLING, 0), page.evaluate(SCROLLING, 112)
    print(f"  a frame while scrolling takes {scrolling / resting:.2f} times as long as without")


def run(name, test, context: BrowserContext, address: str, *arguments, isAttack=False) -> list[str]:
    """Runs a test in a new page, and returns what went wrong, including everything a hostile archive could cause.

    An attack makes requests to other addresses, and the browser reports what it refused."""
    problems = []
    page = context.new_page()
    page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("console", lambda message: problems.append(f"console: {message.text}")
            if message.type == "error" and "status of 400" not in message.text and not isAttack else None)
    page.on("request", lambda request: problems.append(f"request: {request.url}")
            if not request.url.startswith((address, "data:", "blob:", "about:")) and not isAttack else None)
    try:
        test(page, address, *arguments)
    except Exception:
        problems.append(traceback.format_exc())
    page.close()
    print(f"{'failed' if problems else 'passed'}: {name}", flush=True)
    return problems


def write_picture() -> None:
    """Writes the picture of the page in the documentation."""
    with sync_playwright() as playwright, viewing("view", "--no-open", ROOT / "HARSamples" / "chromium-embed.har") as (address, _):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
        show(page, address)
        expect(rows(page).first).to_be_visible()
        # The list has the focus at the start.
        for key in ["ArrowDown"] * 17 + ["Enter"]:
            page.keyboard.press(key)
        page.get_by_role("tab", name="Response").click()
        page.wait_for_load_state("networkidle")
        page.screenshot(path=ROOT / "Docs" / "Images" / "view.png")
        browser.close()


def main() -> None:
    if "--picture" in sys.argv:
        return write_picture()
    tests = {name.removeprefix("test_"): test for name, test in globals().items() if name.startswith("test_")}
    wanted = [name for name in tests if any(word in name for word in sys.argv[2:] or [""])]
    failures = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder = pathlib.Path(folder)
        files = [archive(folder / "shop.har", [*BODIES.values(), *ROWS]), archive(folder / "other.har", [*BODIES.values(), *ROWS[1:]])]
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--host-resolver-rules=MAP evil.example 127.0.0.1"])
        expect.set_options(timeout=20_000)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        # The tests that need another program than `har view` with the two files, and the member with the address of the page.
        programs = {
            "live": ("page", "proxy", folder / "live.har", "--view"), "served": ("page", files[0], "--view"),
            "live_keyboard": ("page", "proxy", folder / "keyboard.har", "--view"),
            "reported": ("url", "view", "--no-open", "--live", "--console-port", "0"),
            "console_port": ("url", "view", "--no-open", "--live"),
            "samples": ("url", "view", "--no-open", *SAMPLES), "waterfall": ("url", "view", "--no-open", *SAMPLES),
        }
        options = {"viewport": {"width": 1280, "height": 800}, "permissions": ["clipboard-read", "clipboard-write"]}
        with browser.new_context(**options) as context, viewing("view", "--no-open", *files) as (address, _):
            for name in wanted:
                if name in ("access", "opened_bodies"):
                    failures += run(name, tests[name], context, address, site, isAttack=True)
                elif name not in programs:
                    failures += run(name, tests[name], context, address)
        for name in wanted:
            if name in programs:
                key, *program = programs[name]
                with browser.new_context(**options) as context, viewing(*program, key=key) as (address, line):
                    failures += run(name, tests[name], context, address, line, site)
        server.shutdown()
        browser.close()
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
