"""Cookies, and responses that repeat the request, so that responses to the wrong request are detected."""

from __future__ import annotations

import base64
import hashlib

from answer import Answer, Request, of_json, of_type, route


def described(request: Request) -> dict[str, object]:
    """Returns a request as JSON. For a multipart body, only the type is included, because the boundary is random."""
    kind = request.header("content-type")
    body = None if kind.startswith("multipart/") else base64.b64encode(request.body).decode()
    return {
        "method": request.method,
        "target": request.target,
        "query": request.query,
        "contentType": kind.partition(";")[0] if body is None else kind,
        "custom": [value for name, value in request.headers if name.lower() == "x-relay"],
        "body": body,
    }


@route("/echo", "/echo/*", "/form", "/items/*")
def echo(request: Request) -> Answer:
    """Repeats the request."""
    digest = hashlib.sha256(request.method.encode() + request.target.encode()).hexdigest()[:16]
    return of_json(described(request), ("X-Request", digest), ("Vary", "Accept"), ("Vary", "X-Relay"))


@route("/items")
def items(request: Request) -> Answer:
    """A collection. GET lists its items, and POST creates an item."""
    if request.method == "POST":
        return of_json(described(request), ("Location", "/items/3"), status=201)
    return of_json([{"id": 1, "name": "Äpfel"}, {"id": 2, "name": "梨"}])


@route("/cookies/set")
def set_cookies(request: Request) -> Answer:
    """Several cookies at once, with commas in their dates."""
    cookies = [
        "plain=1",
        "dated=two; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/",
        'quoted="a b"; Path=/cookies; HttpOnly',
        "equals=a=b==; Max-Age=3600; SameSite=Lax",
        "gone=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ]
    return of_type("text/plain", b"set\n", *(("Set-Cookie", cookie) for cookie in cookies))


@route("/cookies/login")
def login(request: Request) -> Answer:
    """A redirect that sets cookies."""
    cookies = ["login=yes; Path=/", "dated=three; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/"]
    headers = [("Location", "/cookies/show"), *(("Set-Cookie", cookie) for cookie in cookies)]
    return of_type("text/plain", b"", *headers, status=302)


@route("/cookies/show")
def show_cookies(request: Request) -> Answer:
    """The received cookies, sorted by name."""
    pairs = sorted(pair.strip() for pair in request.header("cookie").split(";"))
    return of_json([pair for pair in pairs if pair])


@route("/cors/echo")
def cross_origin(request: Request) -> Answer:
    """Cross-origin requests that need a preflight."""
    allow = [
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Methods", "GET, PUT"),
        ("Access-Control-Allow-Headers", "content-type, x-relay"),
    ]
    if request.method == "OPTIONS":
        return Answer(204, allow)
    return of_json(described(request), *allow)
