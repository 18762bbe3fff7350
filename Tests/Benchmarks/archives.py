#!/usr/bin/env python3
"""Makes archives that look like a browser's, the same ones every time. Usage: archives.py NAME FILE"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from exchanges import Exchanges


@dataclass(frozen=True)
class Size:
    """How large an archive is: its bytes, or the number of its entries, which are small then."""

    title: str
    bytes: int = 0
    entries: int = 0


SIZES = {
    "10MB": Size("10 MB", bytes=10_000_000),
    "100MB": Size("100 MB", bytes=100_000_000),
    "200MB": Size("200 MB", bytes=200_000_000),
    "1GB": Size("1 GB", bytes=1_000_000_000),
    "1k": Size("1,000 entries", entries=1_000),
    "100k": Size("100,000 entries", entries=100_000),
    "1M": Size("1,000,000 entries", entries=1_000_000),
}

HEAD = (
    '{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":['
    '{"startedDateTime":"2026-03-01T09:00:00.000Z","id":"page_1","title":"https://shop.example/",'
    '"pageTimings":{"onContentLoad":412.1,"onLoad":980.5}}],"entries":[\n'
)


def texts(size: Size) -> Iterator[str]:
    """The entries of an archive, as text."""
    exchanges = Exchanges(seed=4)
    make: Callable[[int], str] = exchanges.small if size.entries else exchanges.any
    written = index = 0
    while index < size.entries or written < size.bytes:
        text = make(index)
        yield text
        written += len(text)
        index += 1


def write(name: str, path: Path) -> None:
    """Writes an archive, which appears when it is whole."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        file.write(HEAD)
        for index, text in enumerate(texts(SIZES[name])):
            file.write(f",\n{text}" if index else text)
        file.write("\n]}}\n")
    part.replace(path)


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]))
