"""Tests live traffic in the page of `har proxy --view`: rules, held requests, and the list that grows."""

import http.server
import pathlib
import threading
import urllib.request

from playwright.sync_api import Page, expect

from view_programs import add_rule
from viewed import press_until, rows, show


class Site(http.server.BaseHTTPRequestHandler):
    """Responds with the path."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = f"site {self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_live(page: Page, address: str, line: dict[str, str], site: str) -> None:
    client = urllib.request.build_opener(urllib.request.ProxyHandler({"http": line["url"]}))
    fetch = lambda path: client.open(site + path, timeout=60).read().decode()  # noqa: E731
    show(page, address)
    assert fetch("/first") == "site /first"
    expect(page.locator(".count")).to_have_text("1 entry")
    rows(page).first.locator(".url").click()
    page.get_by_role("button", name="Actions for this entry").click()
    page.get_by_role("button", name="Add a rule for this request").click()
    form = page.get_by_role("form", name="Add a rule")
    expect(form.locator("[name=url]")).to_have_value(site.removeprefix("http://") + "/first")
    form.get_by_label("Body").fill("from a stub")
    form.get_by_role("button", name="Add the rule").click()
    expect(page.locator(".rule-list code")).to_contain_text("/first")
    assert fetch("/first") == "from a stub"
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as YAML").click()
    assert "from a stub" in pathlib.Path(download.value.path()).read_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as Swift").click()
    assert "interceptor.add(Rule.stub(.method(\"GET\")" in pathlib.Path(download.value.path()).read_text()
    page.locator(".rule-list").get_by_role("button").click()
    expect(page.locator(".rule-list")).to_contain_text("No rules")
    assert fetch("/first") == "site /first"
    add_rule(page, "route", {"from": "routed.example", "to": site})
    assert client.open("http://routed.example/second", timeout=60).read() == b"site /second"
    page.get_by_label("Stop requests that match").fill(site.removeprefix("http://") + "/held/**")
    page.get_by_role("button", name="Stop requests").click()
    expect(page.get_by_role("button", name="Stop holding")).to_be_visible()
    received = []
    for path in ("/held/a", "/held/b"):
        thread = threading.Thread(target=lambda path=path: received.append(fetch(path)))
        thread.start()
        editor = page.locator(".held-editor")
        expect(editor.get_by_label("URL")).to_have_value(site + path)
        if path == "/held/a":
            editor.get_by_label("URL").fill(f"{site}/changed")
            editor.get_by_role("button", name="Resume", exact=True).click()
        else:
            editor.get_by_role("button", name="Answer with a response…").click()
            editor.get_by_label("Body").last.fill("from the page")
            editor.get_by_role("button", name="Send the response").click()
        expect(page.locator(".held-list li")).to_have_count(0)
        thread.join(60)
    assert received == ["site /changed", "from the page"], received
    page.get_by_role("button", name="Stop holding").click()
    expect(page.get_by_role("button", name="Stop requests")).to_be_visible()
    page.get_by_role("button", name="Clear the list").click()
    page.get_by_role("button", name="Entries").click()
    expect(page.locator(".entries .empty")).to_contain_text("No requests yet")


def test_live_keyboard(page: Page, address: str, line: dict[str, str], site: str) -> None:
    """Stops a request, edits and resumes it, and adds and removes a stub without a mouse."""
    client = urllib.request.build_opener(urllib.request.ProxyHandler({"http": line["url"]}))
    fetch = lambda path: client.open(site + path, timeout=60).read().decode()  # noqa: E731
    press = page.keyboard.press
    show(page, address)
    press_until(page, "Shift+Tab", page.locator("#views").get_by_role("button", name="Live"))
    press("Enter")
    pattern = page.get_by_label("Stop requests that match")
    press_until(page, "Tab", pattern)
    page.keyboard.type(site.removeprefix("http://") + "/held/**")
    press("Enter")
    holding = page.get_by_role("button", name="Stop holding")
    expect(holding).to_be_visible()
    received = []
    thread = threading.Thread(target=lambda: received.append(fetch("/held/a")))
    thread.start()
    editor = page.locator(".held-editor")
    press_until(page, "Tab", editor.get_by_label("URL"))
    press("Control+a")
    page.keyboard.type(f"{site}/changed")
    press_until(page, "Tab", editor.get_by_role("button", name="Resume", exact=True))
    press("Enter")
    expect(page.locator(".held-list li")).to_have_count(0)
    thread.join(60)
    assert received == ["site /changed"], received
    form = page.get_by_role("form", name="Add a rule")
    press_until(page, "Tab", form.get_by_label("URL pattern"))
    page.keyboard.type(site.removeprefix("http://") + "/stubbed")
    press_until(page, "Tab", form.get_by_label("Body"))
    page.keyboard.type("typed")
    press_until(page, "Tab", form.get_by_role("button", name="Add the rule"))
    press("Enter")
    expect(page.locator(".rule-list code")).to_contain_text("/stubbed")
    assert fetch("/stubbed") == "typed"
    press_until(page, "Shift+Tab", page.locator(".rule-list").get_by_role("button"))
    press("Enter")
    expect(page.locator(".rule-list")).to_contain_text("No rules")
    assert fetch("/stubbed") == "site /stubbed"
    press_until(page, "Shift+Tab", holding)
    press("Enter")
    expect(page.get_by_role("button", name="Stop requests")).to_be_visible()
