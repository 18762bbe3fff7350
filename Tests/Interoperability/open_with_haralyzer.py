"""Reads the pages, entries, header fields and bodies of archives with haralyzer. Exits with status 1 on differences."""

from __future__ import annotations

import base64
import sys
from datetime import datetime
from pathlib import Path

from haralyzer import HarEntry, HarParser

import opening
from opened import Opened, charset, encoded

KNOWN = {"get-text-iso-8859-1-as-windows-1252": "Python implements ISO 8859-1 literally, unlike browsers"}


def entries(archive: Path) -> list[Opened]:
    """Returns the entries of all pages, in the order of the archive."""
    parser = HarParser.from_file(str(archive))
    found = [entry for page in parser.pages for entry in page.entries]
    order = {id(entry): number for number, entry in enumerate(parser.har_data["entries"])}
    found.sort(key=lambda entry: order[id(entry.raw_entry)])
    return [opened(entry) for entry in found]


def opened(entry: HarEntry) -> Opened:
    if not isinstance(entry.startTime, datetime) or entry.startTime.tzinfo is None:
        sys.exit(f"{entry.url}: no time with a time zone")
    response = entry.response
    fields = [(header["name"], header["value"]) for header in response.headers]
    for name, _ in fields:
        if response.get_header_value(name) is None:
            sys.exit(f"{entry.url}: the field {name} cannot be found by name")
    content = response["content"]
    text = response.text if "text" in content else ""
    is_base64 = response.textEncoding == "base64"
    body = base64.b64decode(text) if is_base64 else encoded(text, charset(entry.raw_entry))
    return Opened(entry.request.method, entry.request.url, entry.status, fields, body)


if __name__ == "__main__":
    sys.exit(opening.main(__doc__, entries, KNOWN))
