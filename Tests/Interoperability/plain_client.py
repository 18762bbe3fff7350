"""A client that makes the requests in `fetches.py` through a proxy, without cookies and without a cache."""

from __future__ import annotations

import base64
import gzip
import socket
import zlib
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import seen

REDIRECTS = {301, 302, 303, 307, 308}
MOST_REDIRECTS = 20
BOUNDARY = "relay-boundary-7d1f"
KEPT = "!#$%&'()*+,/:;=?@[]~|{}^`\\"
"""The characters, besides letters and digits, that are not encoded, so that unusual characters reach the archive."""


class PlainClient:
    """Sends each request through the proxy over a separate connection."""

    def __init__(self, origin: str, proxy: tuple[str, int]) -> None:
        self.origin = origin
        self.proxy = proxy

    def perform(self, wanted: dict[str, Any]) -> seen.Seen:
        """Makes one request from the list and notes the response."""
        note = asked(self.origin, wanted)
        body = base64.b64decode(note["body"]) if note["body"] else None
        try:
            if "abort" in wanted:
                self.abandon(note["url"])
            return {**note, **self.follow(note["method"], note["url"], dict(note["headers"]), body)}
        except (OSError, HTTPException) as error:
            return {**note, "error": f"{type(error).__name__}: {error}"}

    def follow(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> seen.Seen:
        """Follows redirects as defined by RFC 9110, section 15.4."""
        for _ in range(MOST_REDIRECTS):
            response, data = self.ask(method, url, headers, body)
            location = response.getheader("Location")
            if response.status not in REDIRECTS or not location:
                return seen.answered(response.status, data, url)
            url = urljoin(url, location).partition("#")[0]
            becomes_get = response.status == 303 and method != "HEAD"
            if becomes_get or (response.status in (301, 302) and method == "POST"):
                method, body = "GET", None
                headers = {name: value for name, value in headers.items() if name.lower() != "content-type"}
        raise HTTPException("too many redirects")

    def ask(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> tuple[HTTPResponse, bytes]:
        """Makes one request, and returns the response with its content decoded."""
        connection = HTTPConnection(*self.proxy)
        try:
            accept = {"Host": urlsplit(url).netloc, "Accept-Encoding": "gzip, deflate"}
            connection.request(method, url, body, {**accept, **headers})
            response = connection.getresponse()
            if response.status == 502:
                raise ConnectionRefusedError("the proxy could not reach the server")
            return response, decoded(response.read(), response.getheader("Content-Encoding"))
        finally:
            connection.close()

    def abandon(self, url: str) -> None:
        """Sends a request, and disconnects after its arrival."""
        with socket.create_connection(self.proxy) as connection:
            connection.sendall(f"GET {url} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode())
            self.ask("GET", urljoin(self.origin, "/slow/arrived"), {}, None)
        raise ConnectionAbortedError("the client disconnected")


def asked(origin: str, wanted: dict[str, Any]) -> seen.Seen:
    """Returns the request part of a note: a request from the list in the form in which it is sent."""
    kind, body = encoded(wanted.get("body"))
    headers = {**({"Content-Type": kind} if kind else {}), **wanted.get("headers", {})}
    return {
        "name": wanted["name"],
        "kind": "fetch",
        "method": wanted["method"],
        "url": quote(urljoin(origin, wanted["url"]), safe=KEPT).partition("#")[0],
        "headers": list(headers.items()),
        "body": base64.b64encode(body).decode() if body else None,
    }


def encoded(body: dict[str, Any] | None) -> tuple[str | None, bytes | None]:
    """Returns the content type and the bytes of a body from the list."""
    if body is None:
        return None, None
    if "urlencoded" in body:
        return "application/x-www-form-urlencoded", urlencode([tuple(pair) for pair in body["urlencoded"]]).encode()
    if "multipart" in body:
        return f"multipart/form-data; boundary={BOUNDARY}", b"".join(map(part, body["multipart"])) + ending()
    return "text/plain; charset=utf-8", content(body)


def content(value: dict[str, Any]) -> bytes:
    return base64.b64decode(value["base64"]) if "base64" in value else value["text"].encode()


def part(value: dict[str, Any]) -> bytes:
    """Returns one part of a multipart body, with names escaped as in browsers."""
    lines = [f"--{BOUNDARY}", f'Content-Disposition: form-data; name="{value["name"].replace(chr(34), "%22")}"']
    if "filename" in value:
        lines[1] += f'; filename="{value["filename"]}"'
        lines.append(f"Content-Type: {value['type']}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content(value) + b"\r\n"


def ending() -> bytes:
    return f"--{BOUNDARY}--\r\n".encode()


def decoded(data: bytes, coding: str | None) -> bytes:
    """Decodes a body with a content coding."""
    if not data or coding in (None, "identity"):
        return data
    if coding == "gzip":
        return gzip.decompress(data)
    # Data in the content coding deflate can lack the zlib header.
    try:
        return zlib.decompress(data)
    except zlib.error:
        return zlib.decompress(data, wbits=-15)
