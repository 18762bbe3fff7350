"""Loads the pages of the samples in Chromium, with `har serve` as its proxy and the site gone, and repeats the requests of
their scripts. Status, length and SHA-256 of each body must equal those that the recorded client saw.

    browser.py HAR-SERVE

Exits with status 1 if a response differs.
"""

import pathlib
import sys
import tempfile
from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

from serving import ROOT, serving

sys.path.append(str(ROOT / "Tests" / "Interoperability"))

import seen  # noqa: E402
from compare import difference  # noqa: E402
from open_with_chromium import CHROMIUM, Loading, wanted  # noqa: E402

RULES = """
rules:
  # A page for the scripts of samples without pages.
  - request: http://127.0.0.1:8765/blank
    stub: { text: "", headers: { Content-Type: text/html } }
  # Archives by Chromium do not contain the requests that ask for permission.
  - request: OPTIONS http://localhost:8765/cors/**
    stub:
      status: 204
      headers: { Access-Control-Allow-Origin: "*", Access-Control-Allow-Methods: PUT, Access-Control-Allow-Headers: "*" }
"""
SCRIPT = ROOT / "Tests" / "Interoperability" / "fetch_in_page.js"


def plain(note: seen.Seen) -> seen.Seen:
    """Returns a note in which apostrophes are not encoded, because only some clients encode them."""
    return {**note, "finalURL": note["finalURL"].replace("%27", "'")} if "finalURL" in note else note


class Proxied(Loading):
    """Repeats the requests in a page whose proxy is the server."""

    def fetch(self, notes: list[seen.Seen]) -> Iterator[str]:
        """Makes all requests that have a response in the page, and compares the bytes."""
        asked = [note for note in notes if "error" not in note]
        if not any(note["kind"] == "document" for note in notes):
            self.page.goto("http://127.0.0.1:8765/blank")
        got = self.page.evaluate(SCRIPT.read_text(encoding="utf-8"), [wanted(note) for note in asked])
        for note, answer in zip(asked, got, strict=True):
            self.compared += 1
            if found := difference(plain(note), plain(answer)):
                yield f"{note['name']}: {note['method']} {note['url']}: {found}"


def load(
    browser: Browser, archive: pathlib.Path, notes: list[seen.Seen], rules: pathlib.Path
) -> tuple[int, list[str]]:
    """Returns the number of comparisons and the differences."""
    with serving(archive, "--rules", rules) as (url, finish, _):
        context = browser.new_context(locale="en-GB", proxy={"server": url})
        loading = Proxied(context.new_page(), notes, set())
        found = list(loading.differences())
        context.close()
        finish()
    return loading.compared, found


def main() -> None:
    different = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        rules = pathlib.Path(folder) / "rules.yaml"
        rules.write_text(RULES)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for file in sorted((ROOT / "HARSamples").rglob("*.seen.json")):
            archive = file.with_name(file.name.replace(".seen.json", ".har"))
            compared, found = load(browser, archive, seen.read(file), rules)
            different += len(found)
            print(f"{archive.name} in Chromium: {compared} compared, {len(found)} different")
            for line in found:
                print(f"  {line}")
        browser.close()
    sys.exit(1 if different else 0)


main()
