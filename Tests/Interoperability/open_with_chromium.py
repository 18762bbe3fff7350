"""Lets Chromium load pages from archives by Playwright's `routeFromHAR`, with no server there.

Exit status 1 when a page has other requests than it had, or a script in it gets something else than was seen.
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
"""Header fields that a browser lets no script set."""


NO_BINARY = "HAR has no field that says of a request's body that it is not text, and Playwright knows none"
OTHER_PLACE = "URLSession on Linux follows it to another place than a browser does"

NOT_GIVEN = {
    "query-refused": "Chromium writes an apostrophe in a query as %27",
    "send-binary": NO_BINARY,
    "send-multipart": NO_BINARY,
    "redirect-303-head": OTHER_PLACE,
    "redirect-relative": OTHER_PLACE,
    "redirect-query-only": OTHER_PLACE,
    "redirect-non-ascii": OTHER_PLACE,
    "job-2": "Playwright gives the first of several answers each time",
    "job-3": "Playwright gives the first of several answers each time",
    "redirect-fragment": "Playwright looks for an entry whose URL has the fragment",
}
"""What Playwright gives from no archive, with the reason."""

TRANSCODED = "Playwright gives a text in UTF-8, whatever its charset"


def transcoded(archive: Path) -> set[str]:
    """The SHA-256 of texts in other charsets as Playwright gives them."""
    contents = ((entry["response"]["content"], charset(entry)) for entry in log(archive)["entries"])
    texts = (content["text"] for content, name in contents if name not in (None, "utf-8") and "text" in content)
    return {hashlib.sha256(text.encode(errors="replace")).hexdigest() for text in texts}


class Loading:
    """Loads what was seen once more, in one page whose requests an archive answers."""

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
        """What the document there loads: the notes that follow it."""
        for note in self.notes[after + 1 :]:
            if note["kind"] != "resource":
                return
            yield note

    def open(self, document: seen.Seen, resources: list[seen.Seen]) -> Iterator[str]:
        """Navigates to a page, and compares what it loads."""
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
            yield f"{document['name']}: loads {wanted}, from the archive {got}"
        script = self.page.locator("#script")
        if script.count() and script.inner_text() != "Das Skript lief: ✓ ü":
            yield f"{document['name']}: the script did not run"
        widths = "Array.from(document.images, image => image.naturalWidth > 0 || image.src.includes('missing'))"
        if not all(self.page.evaluate(widths)):
            yield f"{document['name']}: an image is not shown"

    def fetch(self, notes: list[seen.Seen]) -> Iterator[str]:
        """Asks in the page for all that has an answer, bytes and all."""
        asked = [note for note in notes if "error" not in note and note["name"] not in NOT_GIVEN]
        for name, reason in NOT_GIVEN.items():
            print(f"  {name}: not compared: {reason}")
        script = (HERE / "fetch_in_page.js").read_text(encoding="utf-8")
        got = self.page.evaluate(script, [wanted(note) for note in asked])
        for note, answer in zip(asked, got, strict=True):
            # Playwright follows redirects in the archive, and the page sees the URL that it asked for.
            final = {} if "error" in answer else {"finalURL": note["finalURL"]}
            found = difference(note, {**answer, **final})
            if found and answer.get("sha256") in self.transcoded:
                print(f"  {note['name']}: not compared: {TRANSCODED}")
                continue
            self.compared += 1
            if found:
                yield f"{note['name']}: {note['method']} {note['url']}: {found}"


def wanted(note: seen.Seen) -> dict[str, object]:
    """A request as the script in the page takes it."""
    headers = {name: value for name, value in note["headers"] if name.lower() not in FORBIDDEN}
    body = {} if note["body"] is None else {"body": {"base64": note["body"]}}
    return {"name": note["name"], "method": note["method"], "url": note["url"], "headers": headers, **body}


def load(browser: Browser, archive: Path, notes: list[seen.Seen]) -> tuple[int, list[str]]:
    """How much was compared, and what is different."""
    context = browser.new_context(locale="en-GB")
    context.route_from_har(archive, not_found="abort")
    loading = Loading(context.new_page(), notes, transcoded(archive))
    found = list(loading.differences())
    context.close()
    return loading.compared, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="pairs: an archive, and the seen-file of it")
    files = parser.parse_args().files
    if len(files) % 2:
        parser.error("a file is left over")
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
