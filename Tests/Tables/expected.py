"""The counts and sums that a table must have, computed from the archives with Python's json module."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

#: Dates as HAR requires them, with an offset. Python accepts others, too.
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)", re.IGNORECASE)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def known(value: Any) -> Any:
    """Returns a size or a time, or None for a value that means unknown."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and value >= 0 else None


def milliseconds(text: Any) -> int | None:
    """Returns a time in milliseconds since 1970, rounded."""
    if not isinstance(text, str) or not DATE.fullmatch(text):
        return None
    # Before version 3.11, Python accepts only three or six digits of a second.
    whole, fraction, offset = re.fullmatch(r"(.{19})((?:\.\d+)?)(.*)", text.upper()).groups()
    time = datetime.fromisoformat(whole + offset.replace("Z", "+00:00"))
    return round((time - EPOCH).total_seconds() * 1000 + float("0" + fraction) * 1000)


def host(url: Any) -> str | None:
    """Returns the host of a URL without its port."""
    if not isinstance(url, str) or "://" not in url:
        return None
    return urlsplit(url).netloc.rpartition("@")[2].removesuffix(f":{urlsplit(url).port}").lower() or None


def field(headers: Any, name: str) -> str | None:
    """Returns the values of a header field, joined."""
    values = [header["value"] for header in headers or [] if header["name"].lower() == name]
    return ", ".join(values) if values else None


def rows(folder: Path) -> list[dict[str, Any]]:
    """Returns the compared values of each entry of all archives in a folder."""
    rows = []
    for path in sorted(folder.rglob("*.har")):
        for index, entry in enumerate(json.loads(path.read_bytes())["log"]["entries"]):
            request, response = entry["request"], entry["response"]
            rows.append({
                "file": str(path), "entry_index": index, "status": response.get("status"),
                "host": host(request.get("url")), "method": request.get("method"),
                "started": milliseconds(entry.get("startedDateTime")), "time_ms": known(entry.get("time")),
                "wait_ms": known(entry.get("timings", {}).get("wait")),
                "response_received_bytes": known(response.get("bodySize")),
                "request_headers_bytes": known(request.get("headersSize")),
                "type": field(response.get("headers"), "content-type"),
                "agent": field(request.get("headers"), "user-agent"),
                "status_text": response.get("statusText"),
            })
    return rows


def facts(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns counts and sums, by name."""
    def total(column: str) -> Any:
        return sum(row[column] for row in rows if row[column] is not None)

    def counts(column: str) -> dict[Any, int]:
        return dict(Counter(row[column] for row in rows))

    return {
        "rows": len(rows), "files": len({row["file"] for row in rows}),
        "rows by status": counts("status"), "rows by host": counts("host"), "rows by method": counts("method"),
        "rows by content-type": counts("type"), "sum of entry indices": total("entry_index"),
        "sum of received bytes": total("response_received_bytes"),
        "sum of header bytes": total("request_headers_bytes"),
        "sum of times": total("time_ms"), "sum of waiting times": total("wait_ms"),
        "sum of start times": total("started"),
        "length of user-agent": sum(len(row["agent"]) for row in rows if row["agent"] is not None),
        "empty reason phrases": sum(row["status_text"] == "" for row in rows),
        "null start times": sum(row["started"] is None for row in rows),
    }


#: The queries for the same facts in SQL. `{ms}` is the engine's function for milliseconds since 1970.
QUERIES = {
    "rows": "count(*)", "files": "count(DISTINCT file)",
    "rows by status": "status", "rows by host": "host", "rows by method": "method",
    "rows by content-type": "response_headers['content-type']", "sum of entry indices": "sum(entry_index)",
    "sum of received bytes": "sum(response_received_bytes)", "sum of header bytes": "sum(request_headers_bytes)",
    "sum of times": "sum(time_ms)", "sum of waiting times": "sum(wait_ms)",
    "sum of start times": "sum({ms}(started))",
    "length of user-agent": "sum(length(request_headers['user-agent']))",
    "empty reason phrases": "sum(CASE WHEN status_text = '' THEN 1 ELSE 0 END)",
    "null start times": "sum(CASE WHEN started IS NULL THEN 1 ELSE 0 END)",
}
