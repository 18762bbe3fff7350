"""Tests that other pages have no access to the page of `har view`, and that bodies are not documents of its origin."""

import urllib.parse

from playwright.sync_api import Error, Page, expect

from viewed import BODIES, NAMES, show

# Sends requests as a hostile page would, and returns what it learns.
ATTACK = """async address => {
    const status = (options, name = "sources") =>
        fetch(address + "api/1/" + name, options).then(response => response.type + " " + response.status, error => error.name);
    const form = Object.assign(document.createElement("form"), {action: address + "api/1/export", method: "post", target: "frame"});
    const frame = Object.assign(document.createElement("iframe"), {name: "frame"});
    document.body.append(frame, form);
    form.submit();
    await new Promise(done => frame.onload = done);
    const json = {method: "POST", body: "{}", headers: {"Content-Type": "application/json"}};
    const results = [await status({}), await status({mode: "no-cors"}), await status(json, "explain")];
    const script = document.createElement("script");
    script.src = address + "page/state.js";
    document.body.append(script);
    results.push(await new Promise(done => [script.onload, script.onerror] = [() => done("loaded"), () => done("refused")]));
    return results;
}"""


def test_access(page: Page, address: str, site: str) -> None:
    # The name of another site, which resolves to this machine only after its page was loaded (DNS rebinding).
    parts = urllib.parse.urlsplit(address)
    for path in (parts.path, f"{parts.path}api/1/sources", f"{parts.path}page/main.js"):
        assert page.goto(f"http://evil.example:{parts.port}{path}").status in (403, 404), path
        assert parts.path.strip("/") not in page.content() and "har view" not in page.content(), path
    assert page.goto(f"http://127.0.0.1:{parts.port}/").status == 403
    # A page of another origin on this machine.
    page.goto(site)
    assert page.evaluate(ATTACK, address) == ["TypeError", "TypeError", "TypeError", "refused"]
    # The page itself, whose policy names no other source.
    policy = page.goto(address).headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';") and "frame-ancestors 'none'" in policy, policy
    show(page, address)
    ran = page.evaluate("""() => new Promise(done => {
        const script = Object.assign(document.createElement("script"), {textContent: "globalThis.ran = true"});
        document.addEventListener("securitypolicyviolation", () => done(globalThis.ran === true));
        document.body.append(script);
    })""")
    assert not ran


def test_opened_bodies(page: Page, address: str, _: str) -> None:
    """Opens each body outside the page, as by its link. Scripts would open dialogs, which `run` reports."""
    for index, name in enumerate(NAMES):
        side = "request" if "postData" in BODIES[name]["request"] else "response"
        for form in ("text", "image", "font"):
            try:
                response = page.goto(f"{address}api/1/body?i={index}&side={side}&as={form}")
            except Error as error:
                assert "Download is starting" in error.message, error
                continue
            if response.status == 200:
                assert "sandbox; default-src 'none'" in response.headers["content-security-policy"], name
            assert page.evaluate("self.origin") == "null" or response.status != 200, name
    show(page, address, f"entry={NAMES.index('svg')}&tab=response")
    expect(page.locator(".checkerboard")).to_be_visible()
