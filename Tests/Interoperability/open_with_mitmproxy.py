"""Reads archives with mitmproxy's own reader, flow by flow; exit status 1 when it has something else than was seen."""

from __future__ import annotations

import sys
from pathlib import Path

from mitmproxy.http import HTTPFlow
from mitmproxy.io import FlowReader

import opening
from opened import Opened

GUESSED = "mitmproxy takes the text for ISO 8859-1, since its type has no charset"
KNOWN = {
    "/pages/script.js": GUESSED,
    "get-events": GUESSED,
    "get-text-iso-8859-1-as-windows-1252": "mitmproxy takes ISO 8859-1 by the letter, and not as the web does",
}


def flows(archive: Path) -> list[Opened]:
    """The flows, with bodies whose content coding is undone."""
    with archive.open("rb") as file:
        return [opened(flow) for flow in FlowReader(file).stream() if isinstance(flow, HTTPFlow)]


def opened(flow: HTTPFlow) -> Opened:
    assert flow.response is not None
    request, response = flow.request, flow.response
    fields = [(name.decode(), value.decode()) for name, value in response.headers.fields]
    body = response.get_content(strict=False) or b""
    return Opened(request.method, request.url, response.status_code, fields, body)


if __name__ == "__main__":
    sys.exit(opening.main(__doc__, flows, KNOWN))
