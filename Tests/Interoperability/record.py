"""Records a client's visit to the site with Relay, and notes the responses that the client received.

The client first visits another instance of the site without Relay. Both visits must have the same results.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import seen
from compare import replayed
from fetches import all_fetches, fetch
from plain_client import asked
from site_process import Site, running_site

PATIENCE = 120.0
"""The time limit for the client, in seconds."""

PAGE = ["/pages/", "/pages/style.css?v=1&v=2", "/pages/script.js", "/pages/red.png", "/pages/drawing.svg",
        "/pages/missing.png", "/pages/blue.png"]  # fmt: skip
"""A document and its resources."""


def requests(site: Site) -> list[seen.Seen]:
    """Returns the client's requests: a page with its resources, and the requests that all clients make."""
    page = [{**asked(site.origin, fetch(path, path)), "kind": "resource"} for path in PAGE]
    page[0]["kind"] = "document"
    rest = [{**asked(site.origin, wanted), "abort": wanted.get("abort")} for wanted in all_fetches(*site)]
    return [*page, *rest]


NOT_COMPARED = {
    name: "URLSession on Linux omits the body when it follows a redirect"
    for name in ("redirect-307-post", "redirect-308-post", "redirect-302-put")
}


def go_through(client: list[str], notes: Path) -> None:
    """Runs the client with a new instance of the site, and writes the requests and their results."""
    with running_site() as site:
        wanted = requests(site)
        notes.write_text(json.dumps(wanted), encoding="utf-8")
        command = [*client, str(notes)]
        answers = json.loads(subprocess.run(command, check=True, timeout=PATIENCE, stdout=subprocess.PIPE).stdout)
    pairs = zip(wanted, answers, strict=True)
    seen.write(notes, [{**note, **replayed(answer), "url": answer["url"]} for note, answer in pairs])


def outcomes(notes: Path) -> list[seen.Seen]:
    """Returns the notes without the address of the site."""
    kept = ("name", "status", "length", "sha256")
    return [
        {"name": note["name"], "error": True} if "error" in note else {name: note[name] for name in kept}
        for note in seen.read(notes)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("client", help="the built ReplayClient")
    parser.add_argument("archive", type=Path, help="the archive to write, next to its seen-file")
    parser.add_argument("--bodies", choices=["embed", "attach"], default="embed", help="where to store bodies")
    options = parser.parse_args()
    options.archive.parent.mkdir(parents=True, exist_ok=True)

    without, recorded = options.archive.with_suffix(".live.json"), options.archive.with_suffix(".seen.json")
    go_through([options.client, "live"], without)
    go_through([options.client, "record", options.bodies, str(options.archive)], recorded)
    pairs = zip(outcomes(without), outcomes(recorded), strict=True)
    different = [(before, after) for before, after in pairs if before != after and before["name"] not in NOT_COMPARED]
    for name, reason in NOT_COMPARED.items():
        print(f"{options.archive.name}: {name}: not compared: {reason}")
    for before, after in different:
        print(f"{options.archive.name}: seen {before}, while recording {after}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
