"""Compares a tool's reading of an archive with the archive and with the responses that the client received."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple

import seen
from compare import normal

Key = tuple[str, int, int, str]
"""The normalized URL, the status, and the length and the SHA-256 of the body."""


class Opened(NamedTuple):
    """An entry, as read by a tool."""

    method: str
    url: str
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def key(self) -> Key:
        return address(self.url), self.status, len(self.body), hashlib.sha256(self.body).hexdigest()


def address(url: str) -> str:
    """Normalizes a URL for comparison. Some tools do not distinguish an empty query from a missing query."""
    return (normal(url) or "").removesuffix("?")


def log(archive: Path) -> dict[str, Any]:
    """Returns the log of an archive as plain JSON."""
    return json.loads(archive.read_text(encoding="utf-8"))["log"]


def has_body_files(archive: Path) -> bool:
    """Whether the archive stores bodies in files."""
    return any("_file" in entry["response"]["content"] for entry in log(archive)["entries"])


def differences(archive: Path, opened: list[Opened]) -> Iterator[str]:
    """Yields the differences between the entries in the archive and the entries that the tool read."""
    entries = log(archive)["entries"]
    if len(entries) != len(opened):
        yield f"{len(entries)} entries, the tool has {len(opened)}"
    for number, (entry, got) in enumerate(zip(entries, opened, strict=False)):
        request, response = entry["request"], entry["response"]
        headers = [(header["name"], header["value"]) for header in response["headers"]]
        wanted = [request["method"], address(request["url"]), response["status"], headers]
        found = [got.method, address(got.url), got.status, got.headers]
        for name, before, after in zip(("method", "URL", "status", "headers"), wanted, found, strict=True):
            if before != after:
                yield f"entry {number}: {name} {before}, the tool has {after}"


def missing_answers(notes: list[seen.Seen], opened: list[Opened], known: dict[str, str]) -> Iterator[str]:
    """Yields the responses that the client received but the tool did not read. Each response of the tool counts once.

    `known` maps the names of requests whose bodies the tool cannot read to reasons.
    """
    left = Counter(entry.key for entry in opened)
    for note in notes:
        if "error" in note:
            continue
        key = (address(note["finalURL"]), note["status"], note["length"], note["sha256"])
        if note["name"] in known:
            print(f"  {note['name']}: not compared: {known[note['name']]}")
        elif left[key] == 0:
            yield f"{note['name']}: {note['method']} {note['url']}: status {note['status']}, {note['length']} bytes"
        left[key] -= 1


def charset(entry: dict[str, Any]) -> str | None:
    """Returns the declared charset of a response, in lowercase."""
    kind = Message()
    fields = entry["response"]["headers"]
    kind["Content-Type"] = next((field["value"] for field in fields if field["name"].lower() == "content-type"), "")
    return kind.get_content_charset()


def encoded(text: str, name: str | None) -> bytes:
    """Encodes text in a charset, or in UTF-8 if the charset cannot encode it."""
    try:
        return text.encode(name or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return text.encode(errors="replace")
