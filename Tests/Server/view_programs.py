"""Tests the page over programs that run: `har serve --view`, and `har view --live` with programs that report exchanges by
the API of the page or by the protocol of Innernet's console."""

import json
import subprocess
import threading
import urllib.error
import urllib.request

from playwright.sync_api import Page, expect

from serving import PROGRAM, entry
from viewed import rows, show, viewing


def post(address: str, value: object, headers: dict[str, str] | None = None) -> int:
    """Sends JSON, and returns the status of the response."""
    request = urllib.request.Request(address, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})
    try:
        return urllib.request.urlopen(request, timeout=60).status
    except urllib.error.HTTPError as error:
        return error.code


def add_rule(page: Page, effect: str, fields: dict[str, str], changes: dict[str, str] | None = None) -> None:
    """Fills in the form of a rule, and adds the rule."""
    form = page.get_by_role("form", name="Add a rule")
    form.get_by_label("Effect").select_option(effect)
    for name, value in fields.items():
        form.locator(f"[name={name}]").fill(value)
    for group, (name, value) in (changes or {}).items():
        fieldset = form.get_by_role("group", name=group)
        fieldset.get_by_role("button", name="Add a ").click()
        fieldset.get_by_role("textbox").first.fill(name)
        fieldset.get_by_role("textbox").last.fill(value)
    count = page.locator(".rule-list code").count()
    form.get_by_role("button", name="Add the rule").click()
    expect(page.locator(".rule-list code")).to_have_count(count + 1)


def test_served(page: Page, address: str, line: dict[str, str], *_: str) -> None:
    """A response from an archive is changed by a rule, and then waits and is edited."""
    fetch = lambda path: urllib.request.urlopen(line["url"] + path, timeout=60)  # noqa: E731
    show(page, address)
    expect(page.locator(".count")).to_have_text("3,000 entries")
    page.get_by_label("Archive").select_option(label="live")
    expect(page.locator(".entries .empty")).to_contain_text("No requests yet")
    assert json.loads(fetch("/rows/14").read()) == {"n": 14}
    expect(page.locator(".count")).to_have_text("1 entry")
    rows(page).first.locator(".url").click()
    page.get_by_role("tab", name="Response").click()
    expect(page.locator(".body-content .tree")).to_contain_text("14")
    page.get_by_role("button", name="Live").click()
    # The form is filled in from the open entry.
    expect(page.locator("[name=url]")).to_have_value("shop.example/rows/14")
    add_rule(page, "override", {"url": "**/rows/14", "status": "203"}, {
        "Changes of a JSON body": ("/n", "[1.10]"), "Header fields": ("X-Changed", "yes")})
    changed = fetch("/rows/14")
    assert (changed.status, changed.headers["X-Changed"], changed.read()) == (203, "yes", b'{"n":[1.10]}')
    page.get_by_label("Stop requests that match").fill("**/rows/17")
    page.get_by_role("button", name="Stop requests").click()
    expect(page.get_by_role("button", name="Stop holding")).to_be_visible()
    received = []
    thread = threading.Thread(target=lambda: received.append((lambda response: (response.status, response.read()))(fetch("/rows/17"))))
    thread.start()
    editor = page.locator(".held-editor")
    expect(editor.get_by_label("URL")).to_have_value("https://shop.example/rows/17")
    editor.get_by_role("button", name="Resume", exact=True).click()
    expect(editor.get_by_role("heading")).to_contain_text("Response to GET")
    editor.get_by_label("Status").fill("201")
    editor.get_by_label("Body").fill("edited")
    editor.get_by_role("button", name="Resume", exact=True).click()
    thread.join(60)
    assert received == [(201, b"edited")], received


def test_reported(page: Page, address: str, line: dict[str, str], *_: str) -> None:
    """Programs report exchanges, and one of them asks for the stubs of the page."""
    console = line["console"]
    show(page, address)
    reported = entry("GET", "https://app.example/reported", b"from a test")
    assert post(f"{address}api/1/exchanges", reported) == 200
    expect(page.locator(".count")).to_have_text("1 entry")
    report = {"url": "https://app.example/console", "method": "POST", "statusCode": 201, "reqHeaders": {"X-Sent": "1"},
              "reqBody": "c2VudA==", "resHeaders": {"Content-Type": "text/plain"}, "resBody": "cmVjZWl2ZWQ="}
    assert post(f"{console}/request", report) == 204
    assert post(f"{console}/request", report, {"Origin": "http://evil.example"}) == 403
    expect(page.locator(".count")).to_have_text("2 entries")
    rows(page).last.locator(".url").click()
    for tab, text in (("Headers", "X-Sent"), ("Request", "sent"), ("Response", "received")):
        page.get_by_role("tab", name=tab, exact=True).click()
        expect(page.locator(".tab-panel")).to_contain_text(text)
    page.get_by_role("button", name="Live").click()
    expect(page.locator("[name=url]")).to_have_value("app.example/console")
    add_rule(page, "stub", {"method": "GET", "url": "app.example/stubbed", "status": "202"})
    with urllib.request.urlopen(f"{console}/intercept", timeout=60) as response:
        intercepts = json.load(response)
    assert [(one["method"], one["matchURL"]) for one in intercepts] == [("GET", "app.example/stubbed")], intercepts
    with urllib.request.urlopen(f"{console}/intercept/{intercepts[0]['id']}/response", timeout=60) as response:
        assert response.status == 202


def test_console_port(page: Page, address: str, line: dict[str, str], *_: str) -> None:
    """The console has the port of Innernet by default. If it is taken, the error names the option for another port."""
    assert line["console"] == "http://127.0.0.1:5069", line
    show(page, address)
    assert post("http://127.0.0.1:5069/request", {"url": "https://app.example/default", "method": "GET", "statusCode": 200}) == 204
    expect(page.locator(".count")).to_have_text("1 entry")
    second = subprocess.run([PROGRAM, "view", "--no-open", "--live", "--json"], capture_output=True, text=True, timeout=60)
    assert second.returncode == 1 and not second.stdout, second
    assert "127.0.0.1:5069" in second.stderr and "--console-port" in second.stderr, second.stderr
    with viewing("view", "--no-open", "--live", "--console-port", "0") as (_, other):
        assert other["console"].startswith("http://127.0.0.1:") and other["console"] != line["console"], other
