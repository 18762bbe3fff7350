#!/usr/bin/env python3
"""Creates reproducible archives similar to a browser's. Usage: archives.py NAME FILE"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from exchanges import Exchanges


@dataclass(frozen=True)
class Size:
    """The size of an archive in bytes, or its number of small entries."""

    title: str
    bytes: int = 0
    entries: int = 0
    #: Whether all entries are POST requests to one URL.
    has_one_url: bool = False


SIZES = {
    "10MB": Size("10 MB", bytes=10_000_000),
    "100MB": Size("100 MB", bytes=100_000_000),
    "200MB": Size("200 MB", bytes=200_000_000),
    "1GB": Size("1 GB", bytes=1_000_000_000),
    "1k": Size("1,000 entries", entries=1_000),
    "100k": Size("100,000 entries", entries=100_000),
    "1M": Size("1,000,000 entries", entries=1_000_000),
}

#: The archives to search for matching entries.
SEARCHED = {
    "10": Size("10 entries", entries=10),
    "1k": SIZES["1k"],
    "10k": Size("10,000 entries", entries=10_000),
    "1M": SIZES["1M"],
    "10-posts": Size("10 entries", entries=10, has_one_url=True),
    "1k-posts": Size("1,000 entries", entries=1_000, has_one_url=True),
    "10k-posts": Size("10,000 entries", entries=10_000, has_one_url=True),
    "1M-posts": Size("1,000,000 entries", entries=1_000_000, has_one_url=True),
}

HEAD = (
    '{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":['
    '{"startedDateTime":"2026-03-01T09:00:00.000Z","id":"page_1","title":"https://shop.example/",'
    '"pageTimings":{"onContentLoad":412.1,"onLoad":980.5}}],"entries":[\n'
)


def texts(size: Size) -> Iterator[str]:
    """Generates the entries of an archive, as text."""
    exchanges = Exchanges(seed=4)
    make: Callable[[int], str] = exchanges.small if size.entries else exchanges.any
    if size.has_one_url:
        make = exchanges.operation
    written = index = 0
    while index < size.entries or written < size.bytes:
        text = make(index)
        yield text
        written += len(text)
        index += 1


def write(name: str, path: Path) -> None:
    """Writes an archive atomically."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        file.write(HEAD)
        for index, text in enumerate(texts((SIZES | SEARCHED)[name])):
            file.write(f",\n{text}" if index else text)
        file.write("\n]}}\n")
    part.replace(path)


def provide(name: str, folder: Path) -> Path:
    """Returns the archive with a name, and creates it if it is missing from the folder or outdated."""
    here = Path(__file__)
    sources = [here, here.with_name("exchanges.py")]
    version = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:8]
    path = folder / f"{name}-{version}.har"
    if not path.exists():
        # Create the archive in a separate process, so that this process stays small.
        subprocess.run([sys.executable, here, name, path], check=True)
    return path


def later(archive: Path, has_changes: bool = True) -> Path:
    """Returns a capture of the same site a day later, and creates it if it is missing: all times differ, and unless
    `has_changes` is false, the prices in the documents."""
    path = archive.with_suffix(".later.har" if has_changes else ".repeated.har")
    if not path.exists():
        part = path.with_suffix(".part")
        with archive.open("rb") as source, part.open("wb") as target:
            for line in source:
                line = line.replace(b"2026-03-01T", b"2026-03-02T")
                target.write(line.replace("12,90 €".encode(), "13,90 €".encode()) if has_changes else line)
        part.replace(path)
    return path


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]))
