"""Reads the flows of archives with mitmproxy's reader. Exits with status 1 on differences."""

from __future__ import annotations

import sys
from pathlib import Path

from mitmproxy.http import HTTPFlow
from mitmproxy.io import FlowReader

import opening
from opened import Opened

GUESSED = "mitmproxy assumes ISO 8859-1 because the type has no charset"
KNOWN = {
    "/pages/script.js": GUESSED,
    "get-events": GUESSED,
    "get-text-iso-8859-1-as-windows-1252": "mitmproxy implements ISO 8859-1 literally, unlike browsers",
}


def flows(archive: Path) -> list[Opened]:
    """Returns the flows, with decoded bodies."""
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
