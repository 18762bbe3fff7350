"""Captures the site with Playwright and Chromium, and notes the responses that the pages received."""

from __future__ import annotations

import argparse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Page, Request, sync_playwright

import seen
from fetches import all_fetches
from site_process import Site, running_site

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
Content = Literal["embed", "attach", "omit"]
PAGES = ["/pages/", "/pages/latin1", "/pages/moved?page"]
FORMS = ["urlencoded", "multipart"]


class Browsing:
    """Visits the site in one page and collects the notes."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page = page
        self.site = site
        self.notes: list[seen.Seen] = []

    def visit_pages(self) -> None:
        """Navigates to the pages, which then load their resources."""
        for path in PAGES:
            self.note_requests_of(self.open, path)
        self.note_requests_of(self.listen_to_events)
        for form in FORMS:
            self.note_requests_of(self.open, f"/pages/forms?{form}")
            self.note_requests_of(self.submit, form)

    def open(self, path: str) -> None:
        self.page.goto(self.site.origin + path)

    def listen_to_events(self) -> None:
        self.open("/pages/events")
        self.page.wait_for_function("document.title === 'ended'")

    def submit(self, form: str) -> None:
        with self.page.expect_navigation(wait_until="load"):
            self.page.evaluate("id => document.getElementById(id).submit()", form)

    def note_requests_of(self, browse: Callable[..., None], *arguments: str) -> None:
        """Notes the document and then its resources. The resources arrive in any order, so they are sorted by URL."""
        finished: list[Request] = []

        def remember(request: Request) -> None:
            finished.append(request)

        self.page.on("requestfinished", remember)
        browse(*arguments)
        self.page.remove_listener("requestfinished", remember)
        ended = [request for request in finished if request.redirected_to is None]
        ended.sort(key=lambda request: (not request.is_navigation_request(), request.url))
        self.notes += [self.note(request) for request in ended]

    def note(self, request: Request) -> seen.Seen:
        """Creates a note. Its body is read from the site, because the browser returns decoded text.

        The body is also requested from the browser, so that the archive contains it. The browser discards bodies when
        the page loads the next document.
        """
        first = request
        while first.redirected_from:
            first = first.redirected_from
        response = request.response()
        assert response is not None
        response.body()
        kind = {"Content-Type": request.headers.get("content-type", "")}
        body = seen.ask(urllib.request.Request(request.url, headers=kind, method=request.method))
        return {
            "name": first.url.removeprefix(self.site.origin),
            "kind": "document" if request.is_navigation_request() else "resource",
            "method": first.method,
            "url": first.url,
            "headers": [],
            "body": None,
            **seen.answered(response.status, body, response.url),
        }

    def fetch(self) -> None:
        """Makes the requests that scripts make."""
        self.open("/pages/forms?fetches")
        script = (HERE / "fetch_in_page.js").read_text(encoding="utf-8")
        self.notes += self.page.evaluate(script, all_fetches(*self.site))


def capture(archive: Path, content: Content, port: int, only_pages: bool) -> None:
    """Writes the archive and its seen-file."""
    with running_site(port) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(
            record_har_path=archive, record_har_content=content, record_har_mode="full", locale="en-GB"
        )
        browsing = Browsing(context.new_page(), site)
        browsing.visit_pages()
        if not only_pages:
            browsing.fetch()
        context.close()
        browser.close()
    seen.write(archive.with_suffix(".seen.json"), browsing.notes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder for the archive")
    parser.add_argument("--content", choices=get_args(Content), default="embed", help="where to store bodies")
    parser.add_argument("--port", type=int, default=0, help="the port of the site; 0 for any free port")
    parser.add_argument("--only-pages", action="store_true", help="omit requests from scripts")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    archive = options.folder / f"chromium-{options.content}.har"
    capture(archive, options.content, options.port, options.only_pages)


if __name__ == "__main__":
    main()
