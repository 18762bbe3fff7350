"""Captures the site with Firefox's network panel, and notes the responses that the page received."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import seen
from fetches import all_fetches
from marionette import Marionette, running_firefox
from site_process import running_site

HERE = Path(__file__).parent
PAGES = {
    "/pages/": "/pages/blue.png",
    "/pages/latin1": "/pages/latin1",
    "/pages/moved?page": "/pages/moved?page",
    "/pages/events": "/events?by=source",
    "/pages/forms?fetches": "/pages/forms?fetches",
}
"""Each page and its last request."""

PREFERENCES = {
    "devtools.netmonitor.persistlog": True,
    "devtools.netmonitor.har.includeResponseBodies": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.auto": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}

PANEL = """
    const { require } = ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs");
    const { gDevTools } = require("devtools/client/framework/devtools");
    const window = Services.wm.getMostRecentWindow("navigator:browser");
    const toolbox = await gDevTools.showToolboxForTab(window.gBrowser.selectedTab, { toolId: "netmonitor" });
    const panel = await toolbox.getNetMonitorAPI();
"""

# The panel receives requests slightly later than the page. When the browser leaves the page, it discards pending
# requests.
SETTLE = """
    const known = () => panel.store.getState().requests.requests;
    const complete = (request) =>
        request.totalTime !== undefined && (request.isRedirect || request.responseContentAvailable);
    const settled = () => known().some((request) => request.url.endsWith(given[0])) && known().every(complete);
    await new Promise((resolve) => {
        const check = () => settled() && resolve();
        panel.store.subscribe(check);
        check();
    });
"""

EXPORT = "return JSON.stringify({ log: await toolbox.getHARFromNetMonitor() });"

# The script runs in the page's context, so that it receives the same responses as any page.
FETCH = """
    const [script, fetches] = given;
    const ended = new Promise((resolve) => document.addEventListener("fetched", resolve, { once: true }));
    const element = document.createElement("script");
    element.textContent = `(${script.slice(script.indexOf("(async"))})(${JSON.stringify(fetches)}).then((seen) => {
        document.body.dataset.seen = JSON.stringify(seen);
        document.dispatchEvent(new Event("fetched"));
    })`;
    document.body.append(element);
    await ended;
    return document.body.dataset.seen;
"""


def browse(firefox: Marionette, origin: str, refusing: str) -> list[seen.Seen]:
    """Opens the pages and performs the fetches in the last page."""
    for path, last in PAGES.items():
        firefox.navigate(origin + path)
        firefox.run(PANEL + SETTLE, last, context="chrome")
    script = (HERE / "fetch_in_page.js").read_text(encoding="utf-8")
    notes = json.loads(firefox.run(FETCH, script, all_fetches(origin, refusing)))
    firefox.run(PANEL + SETTLE, notes[-1]["url"], context="chrome")
    return notes


def capture(archive: Path, port: int, program: str) -> None:
    """Writes the archive and its seen-file."""
    with running_site(port) as site, running_firefox(program, PREFERENCES) as firefox:
        firefox.navigate("about:blank")
        firefox.run(PANEL, context="chrome")
        notes = browse(firefox, *site)
        archive.write_text(firefox.run(PANEL + EXPORT, context="chrome") + "\n", encoding="utf-8")
    seen.write(archive.with_suffix(".seen.json"), notes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder for the archive")
    parser.add_argument("--port", type=int, default=0, help="the port of the site; 0 for any free port")
    parser.add_argument("--program", default="firefox-esr", help="the Firefox executable")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    capture(options.folder / "firefox.har", options.port, options.program)


if __name__ == "__main__":
    main()
