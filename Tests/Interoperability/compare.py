"""Compares the results of a client with a replay of its archive. Exits with status 1 if they differ."""

from __future__ import annotations

import argparse
import base64
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import seen

OTHER_PLACE = "URLSession on Linux resolves the redirect differently from RFC 3986, and a replay does not"

NOT_IN_ARCHIVE = {
    ("mitmproxy", "aborted-when-answered"): "a truncated body is written as a complete, empty one",
    ("firefox", "aborted-when-answered"): "a truncated body is written as a complete one",
    **{("relay", name): OTHER_PLACE for name in ("redirect-relative", "redirect-query-only", "redirect-non-ascii")},
    ("relay", "redirect-303-head"): "URLSession on Linux changes HEAD to GET, and a replay does not",
}
"""Requests that cannot be compared because the archive lacks data, by producer and name, with the reason."""

LEGAL = ":/?#@!$&'()*+,;=-._~%"


def normal(url: str | None) -> str | None:
    """Returns a URL without its fragment, with characters encoded that RFC 3986 does not allow in a path or a query."""
    if url is None:
        return None
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", url.partition("#")[0])
    return quote(text, safe=LEGAL)


def outcome(note: seen.Seen) -> dict[str, Any]:
    """Returns the part of a note that must be equal. The text of errors is omitted, because it differs by client."""
    if "error" in note:
        return {"error": True}
    return {name: note[name] for name in ("status", "length", "sha256")} | {"finalURL": normal(note["finalURL"])}


def replayed(answer: dict[str, Any]) -> seen.Seen:
    """Creates the response part of a note from the output of ReplayClient, which contains complete bodies."""
    if "error" in answer:
        return answer
    return seen.answered(answer["status"], base64.b64decode(answer["body"]), answer["finalURL"])


def difference(wanted: seen.Seen, got: seen.Seen) -> str:
    """Returns the difference, if any."""
    before, after = outcome(wanted), outcome(got)
    if before == after:
        return ""
    if "error" in before or "error" in after:
        return f"{told(wanted)}, replayed {told(got)}"
    different = (name for name in before if before[name] != after[name])
    return "; ".join(f"{name} {before[name]}, replayed {after[name]}" for name in different)


def told(note: seen.Seen) -> str:
    """Returns the outcome of a note as one line of text."""
    return f"error “{' '.join(note['error'].split())}”" if "error" in note else f"status {note['status']}"


def compare(seen_file: Path, replayed_file: Path) -> tuple[int, int]:
    """Prints the differences for a capture, and returns the numbers of compared and different requests."""
    producer = re.split("[-.]", seen_file.name)[0]
    wanted, got = seen.read(seen_file), seen.read(replayed_file)
    if len(wanted) != len(got):
        sys.exit(f"{seen_file.name}: {len(wanted)} requests, {len(got)} replayed")

    compared = different = 0
    for note, answer in zip(wanted, got, strict=True):
        place = f"{seen_file.name}: {note['name']}"
        if reason := NOT_IN_ARCHIVE.get((producer, note["name"])):
            print(f"{place}: not compared: {reason}")
            continue
        compared += 1
        if found := difference(note, replayed(answer)):
            different += 1
            print(f"{place}: {note['method']} {note['url']}: {found}")
    return compared, different


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="pairs of a seen-file and its output from ReplayClient")
    files = parser.parse_args().files
    if len(files) % 2:
        parser.error("odd number of files")
    counts = [compare(*pair) for pair in zip(files[::2], files[1::2], strict=True)]
    compared, different = (sum(column) for column in zip(*counts, strict=True))
    print(f"{compared} compared, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
