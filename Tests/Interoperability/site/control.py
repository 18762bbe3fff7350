"""Status codes, redirects, validators, ranges, responses that change, and responses that do not end."""

from __future__ import annotations

import threading
from collections import Counter

from answer import Answer, Hold, Request, of_json, of_type, route

LAST_MODIFIED = "Tue, 01 Jul 2025 12:00:00 GMT"
LONGEST_WAIT = 20.0

arrived = threading.Event()
"""An event that is set when a held request has arrived."""

asked: Counter[str] = Counter()
asked_lock = threading.Lock()


@route("/status/*")
def status(request: Request) -> Answer:
    """The status code given in the path, with a body."""
    code = int(request.path.rpartition("/")[2])
    return of_json({"status": code, "detail": f"Ein Körper für {code}"}, status=code)


@route("/redirect/*")
def redirect(request: Request) -> Answer:
    """`/redirect/CODE?to=LOCATION`, with a body that clients should not see."""
    code = int(request.path.rpartition("/")[2])
    body = b"<p>See the other page.</p>\n" if request.parameter("body", "yes") == "yes" else b""
    return of_type("text/html", body, ("Location", request.parameter("to")), status=code)


@route("/cache/etag")
def etag(request: Request) -> Answer:
    """A body with an entity tag that must be revalidated each time."""
    headers = [("ETag", '"v1, final"'), ("Cache-Control", "no-cache")]
    if request.header("if-none-match") == '"v1, final"':
        return Answer(304, headers)
    return of_json({"tag": "v1", "name": "Äpfel"}, *headers)


@route("/cache/modified")
def modified(request: Request) -> Answer:
    """A body with a modification date that must be revalidated each time."""
    headers = [("Last-Modified", LAST_MODIFIED), ("Cache-Control", "no-cache")]
    if request.header("if-modified-since") == LAST_MODIFIED:
        return Answer(304, headers)
    return of_json({"modified": LAST_MODIFIED}, *headers)


@route("/cache/fresh")
def fresh(request: Request) -> Answer:
    """A body that can be cached without revalidation."""
    return of_json({"fresh": True}, ("Cache-Control", "max-age=3600"))


@route("/range")
def part(request: Request) -> Answer:
    """Ten of a hundred bytes."""
    body = bytes(range(48, 58)) * 10
    if request.header("range") != "bytes=10-19":
        return of_type("text/plain", body, ("Accept-Ranges", "bytes"))
    return of_type("text/plain", body[10:20], ("Content-Range", "bytes 10-19/100"), status=206)


@route("/job")
def job(request: Request) -> Answer:
    """A response that differs each time."""
    with asked_lock:
        asked[request.target] += 1
        count = asked[request.target]
    states = ["queued", "running", "done"]
    state = states[min(count, len(states)) - 1]
    return of_json({"state": state, "asked": count}, status=200 if state == "done" else 202)


@route("/slow/headers")
def slow_headers(request: Request) -> Answer:
    """Never answers."""
    return Answer(hold=Hold.BEFORE_HEADERS)


@route("/slow/body")
def slow_body(request: Request) -> Answer:
    """Answers with a body that never ends."""
    return Answer(200, [("Content-Type", "text/plain")], chunks=[b"the beginning\n"], hold=Hold.IN_BODY)


@route("/slow/arrived")
def slow_arrived(request: Request) -> Answer:
    """Answers after a held request has arrived."""
    came = arrived.wait(LONGEST_WAIT)
    arrived.clear()
    return of_json({"arrived": came})
