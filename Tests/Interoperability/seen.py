"""The responses that a client received, in the format of all captures.

A seen-file is a list of objects with `name`, `kind` (`fetch`, `document`, `resource`), `method`, `url`, `headers` (the
pairs that the client set), `body` in Base64 or null, and either `error` or `status`, `length`, `sha256`, `finalURL`.
"""

from __future__ import annotations

import hashlib
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

Seen = dict[str, Any]


def answered(status: int, body: bytes, final_url: str) -> Seen:
    """Returns the response part of a note."""
    return {"status": status, "length": len(body), "sha256": hashlib.sha256(body).hexdigest(), "finalURL": final_url}


def ask(request: urllib.request.Request) -> bytes:
    """Sends a request and returns the body of the response, regardless of its status."""
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.read()


def write(path: Path, notes: list[Seen]) -> None:
    """Writes one object per line, so that people can compare two captures."""
    lines = ",\n".join(json.dumps(note, ensure_ascii=False) for note in notes)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def read(path: Path) -> list[Seen]:
    return json.loads(path.read_text(encoding="utf-8"))
