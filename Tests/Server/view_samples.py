"""Tests the page with the samples of other tools, and, if RELAY_HAR_CORPUS names a folder, with its archives."""

import json
import os
import pathlib
import re
import urllib.request

from playwright.sync_api import Page, expect

from serving import ROOT
from viewed import rows, show

CORPUS = os.environ.get("RELAY_HAR_CORPUS")


def is_archive(path: pathlib.Path) -> bool:
    """Whether a file contains JSON with entries. The corpus also has files with JSONP, which `har view` refuses."""
    try:
        return "entries" in json.loads(path.read_text("utf-8-sig"))["log"]
    except (ValueError, LookupError):
        return False


SAMPLES = [*sorted((ROOT / "HARSamples").rglob("*.har")), *filter(is_archive, sorted(pathlib.Path(CORPUS).glob("*.har")) if CORPUS else [])]


def test_samples(page: Page, address: str, *_: object) -> None:
    """Opens the first, middle and last entry of each archive, and all tabs of the first."""
    with urllib.request.urlopen(f"{address}api/1/sources") as response:
        sources = json.load(response)["sources"]
    assert [source["name"] for source in sources] == [path.name for path in SAMPLES]
    for source in sources:
        a, count = source["a"], source["entries"]
        show(page, address, f"source={a}")
        expect(page.locator(".count")).to_have_text(f"{count:,} {'entry' if count == 1 else 'entries'}")
        for index in sorted({0, count // 2, count - 1} if count else []):
            page.goto(f"{address}#source={a}&entry={index}")
            expect(page.get_by_role("tab").first).to_be_visible()
            expect(rows(page).first).to_be_visible()
            for tab in page.get_by_role("tab").all() if index == 0 else []:
                tab.click()
                expect(tab).to_have_attribute("aria-selected", "true")
        page.goto(f"{address}#source={a}&view=overview")
        expect(page.locator(".totals")).to_contain_text(f"{count:,}")


def test_waterfall(page: Page, address: str, *_: object) -> None:
    """The bars of an archive by Chromium have phases, and lines at the events of their page."""
    path = ROOT / "HARSamples" / "chromium-embed.har"
    log = json.loads(path.read_text())["log"]
    show(page, address, f"source={SAMPLES.index(path)}")
    bar = page.locator(".grid-body .bar").first
    expect(bar).to_have_attribute("style", re.compile("--phase-5"))
    grid = page.locator(".entries .grid")
    position = lambda name: grid.evaluate(f"grid => parseFloat(grid.style.getPropertyValue('{name}'))")  # noqa: E731
    assert 0 < position("--content-load") <= position("--load") <= 100
    # The events of a page are relative to its start when it is selected.
    show(page, address, f"source={SAMPLES.index(path)}&filter=page:{log['pages'][0]['id']}")
    expect(page.locator(".facets").get_by_role("button", name=log["pages"][0]["title"])).to_be_visible()
    expect(bar).to_be_visible()
    assert 0 < position("--content-load") <= position("--load") <= 100
