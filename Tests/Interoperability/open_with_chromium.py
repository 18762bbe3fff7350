"""Loads pages from archives in Chromium with Playwright's `routeFromHAR`, without a server.

Exits with status 1 if the requests of a page or the results of its script differ.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, Response, sync_playwright

import seen
from compare import difference, normal
from opened import charset, log

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
FORBIDDEN = {"cookie", "host", "content-length"}
"""Header fields that scripts in a browser cannot set."""


NO_BINARY = "HAR has no field for the encoding of request bodies, and Playwright does not use a custom one"
OTHER_PLACE = "URLSession on Linux resolves the redirect differently from a browser"

NOT_GIVEN = {
    "query-refused": "Chromium writes an apostrophe in a query as %27",
    "send-binary": NO_BINARY,
    "send-multipart": NO_BINARY,
    "redirect-303-head": OTHER_PLACE,
    "redirect-relative": OTHER_PLACE,
    "redirect-query-only": OTHER_PLACE,
    "redirect-non-ascii": OTHER_PLACE,
    "job-2": "Playwright always uses the first of several responses",
    "job-3": "Playwright always uses the first of several responses",
    "redirect-fragment": "Playwright expects the fragment in the URL of the entry",
}
"""Responses that Playwright does not replay from any archive, with the reason."""

TRANSCODED = "Playwright encodes text in UTF-8, regardless of its charset"


def transcoded(archive: Path) -> set[str]:
    """Returns the SHA-256 digests of texts in charsets other than UTF-8, as Playwright encodes them."""
    contents = ((entry["response"]["content"], charset(entry)) for entry in log(archive)["entries"])
    texts = (content["text"] for content, name in contents if name not in (None, "utf-8") and "text" in content)
    return {hashlib.sha256(text.encode(errors="replace")).hexdigest() for text in texts}


class Loading:
    """Repeats the noted requests in a page whose responses come from an archive."""

    def __init__(self, page: Page, notes: list[seen.Seen], transcoded: set[str]) -> None:
        self.page = page
        self.notes = notes
        self.transcoded = transcoded
        self.compared = 0

    def differences(self) -> Iterator[str]:
        for place, note in enumerate(self.notes):
            if note["kind"] == "document" and note["method"] == "GET" and "error" not in note:
                yield from self.open(note, list(self.resources(after=place)))
        yield from self.fetch([note for note in self.notes if note["method"] == "GET" or note["kind"] == "fetch"])

    def resources(self, after: int) -> Iterator[seen.Seen]:
        """Returns the resources of a document, which are the notes after it."""
        for note in self.notes[after + 1 :]:
            if note["kind"] != "resource":
                return
            yield note

    def open(self, document: seen.Seen, resources: list[seen.Seen]) -> Iterator[str]:
        """Navigates to a page and compares its requests."""
        got: dict[str | None, int] = {}

        def remember(response: Response) -> None:
            if response.status not in (301, 302, 303, 307, 308):
                got[normal(response.url)] = response.status

        self.page.on("response", remember)
        self.page.goto(document["url"], wait_until="networkidle")
        self.page.remove_listener("response", remember)
        wanted = {normal(note["finalURL"]): note["status"] for note in [document, *resources]}
        self.compared += len(wanted)
        if got != wanted:
            yield f"{document['name']}: expected requests {wanted}, found {got}"
        script = self.page.locator("#script")
        if script.count() and script.inner_text() != "Das Skript lief: ✓ ü":
            yield f"{document['name']}: the script did not run"
        widths = "Array.from(document.images, image => image.naturalWidth > 0 || image.src.includes('missing'))"
        if not all(self.page.evaluate(widths)):
            yield f"{document['name']}: an image is not shown"

    def fetch(self, notes: list[seen.Seen]) -> Iterator[str]:
        """Makes all requests that have a response in the page, and compares the bytes."""
        asked = [note for note in notes if "error" not in note and note["name"] not in NOT_GIVEN]
        for name, reason in NOT_GIVEN.items():
            print(f"  {name}: not compared: {reason}")
        script = (HERE / "fetch_in_page.js").read_text(encoding="utf-8")
        got = self.page.evaluate(script, [wanted(note) for note in asked])
        for note, answer in zip(asked, got, strict=True):
            # Playwright follows redirects inside the archive, so the page receives the original URL.
            final = {} if "error" in answer else {"finalURL": note["finalURL"]}
            found = difference(note, {**answer, **final})
            if found and answer.get("sha256") in self.transcoded:
                print(f"  {note['name']}: not compared: {TRANSCODED}")
                continue
            self.compared += 1
            if found:
                yield f"{note['name']}: {note['method']} {note['url']}: {found}"


def wanted(note: seen.Seen) -> dict[str, object]:
    """Returns a request in the format of the script in the page."""
    headers = {name: value for name, value in note["headers"] if name.lower() not in FORBIDDEN}
    body = {} if note["body"] is None else {"body": {"base64": note["body"]}}
    return {"name": note["name"], "method": note["method"], "url": note["url"], "headers": headers, **body}


def load(browser: Browser, archive: Path, notes: list[seen.Seen]) -> tuple[int, list[str]]:
    """Returns the number of comparisons and the differences."""
    context = browser.new_context(locale="en-GB")
    context.route_from_har(archive, not_found="abort")
    loading = Loading(context.new_page(), notes, transcoded(archive))
    found = list(loading.differences())
    context.close()
    return loading.compared, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="pairs of an archive and its seen-file")
    files = parser.parse_args().files
    if len(files) % 2:
        parser.error("odd number of files")
    compared = different = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for archive, seen_file in zip(files[::2], files[1::2], strict=True):
            count, found = load(browser, archive, seen.read(seen_file))
            compared += count
            different += len(found)
            for line in found:
                print(f"{archive.name}: {line}")
        browser.close()
    print(f"{compared} compared, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
