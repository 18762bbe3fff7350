#!/usr/bin/env python3
"""A small shop on 127.0.0.1, for Tests/Verify/run and for trying har verify.

    shop.py [--port PORT] [--seed SEED] [--change NAME ...]

Identifiers, tokens, cookies and dates depend on the seed, so they differ between two servers, as those of a real shop differ
between days. Each change makes the server differ from its recordings; --list prints their names.
"""
import argparse
import json
import random
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

CHANGES = {
    "added": "items have a new member",
    "removed": "items lack a member",
    "removed-optional": "no item has a discount",
    "renamed": "a member of items has another name",
    "retyped": "the price is text",
    "null": "a member of the profile is null",
    "format": "the date of items is a number of days",
    "date-format": "the date of items is a date without time",
    "enumeration": "orders have a new state",
    "object": "the tags of items are an object",
    "nested": "a nested member is missing in some elements",
    "map": "the values of a map have another type",
    "status": "orders are created with status 200",
    "server-error": "the profile fails with status 500",
    "header": "a header field is missing",
    "content-type": "the charset of a page is missing",
    "cache": "the list may not be cached",
    "cookie": "the session cookie has another name",
    "redirect": "a redirect has another target",
    "no-redirect": "a redirect is a page",
    "pagination": "the first page has no link to the next page",
    "html": "a page is JSON",
    "image": "the image has another format",
    "empty": "a text has no content",
    "field": "a new header field",
    "unauthorized": "every token is refused",
}
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32
GIF = b"GIF89a" + b"\0" * 32


class Shop:
    def __init__(self, seed, changes):
        self.random = random.Random(seed)
        self.changes = set(changes)
        self.lock = threading.Lock()
        self.identifier = lambda: str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        self.token = f"tok{self.random.getrandbits(96):024x}"
        self.session = f"{self.random.getrandbits(128):032x}"
        self.csrf = f"{self.random.getrandbits(128):032x}"
        self.cursor = f"c{self.random.getrandbits(64):016x}"
        self.items = [self.item(index) for index in range(12)]
        self.orders = {}

    def item(self, index):
        day = self.random.randrange(1, 28)
        item = {
            "id": self.identifier(),
            "number": self.random.randrange(10_000, 99_999),
            "name": self.random.choice(["Äpfel", "Pears", "Plums", "Figs"]),
            "price": self.random.randrange(100, 900) / 100 + 0.001,
            "stock": self.random.randrange(0, 50),
            "status": ["available", "sold_out", "announced"][index % 3],
            "created": f"2026-03-{day:02}T10:{self.random.randrange(10, 59)}:00Z",
            "tags": ["fruit"] if index % 2 else ["fruit", "new"],
            "maker": {"name": "Orchard", "address": {"city": "Leipzig", "zip": "04109"}},
            "note": None if index % 4 else "ripe",
        }
        if index % 3 == 0:
            item["discount"] = 5
        return self.changed(item, index)

    def changed(self, item, index):
        changes = self.changes
        if "added" in changes: item["weight"] = 150
        if "removed" in changes: del item["stock"]
        if "removed-optional" in changes: item.pop("discount", None)
        if "renamed" in changes: item["cost"] = item.pop("price")
        if "retyped" in changes: item["price"] = f"{item['price']:.2f}"
        if "format" in changes: item["created"] = "20 days"
        if "date-format" in changes: item["created"] = item["created"][:10]
        if "object" in changes: item["tags"] = {tag: True for tag in item["tags"]}
        if "nested" in changes and index == 4: del item["maker"]["address"]["zip"]
        return item

    def respond(self, request, method, url, body):
        path, query = url.path, parse_qs(url.query)
        changes = self.changes
        authorized = request.headers.get("Authorization") == f"Bearer {self.token}" and "unauthorized" not in changes
        if path == "/login" and method == "POST":
            name = "sid" if "cookie" in changes else "session"
            return 200, {"token": self.token, "user": {"id": 7, "name": "Ada"}}, {
                "Set-Cookie": f"{name}={self.session}; Path=/; HttpOnly"}
        if path == "/profile":
            if not authorized:
                return 401, {"error": "unauthorized"}, {"WWW-Authenticate": "Bearer"}
            if "server-error" in changes:
                return 500, {"error": "internal"}, {}
            email = None if "null" in changes else "ada@example.com"
            return 200, {"id": 7, "name": "Ada", "email": email, "cookie": f"session={self.session}" in request.headers.get("Cookie", "")}, {}
        if path == "/items":
            if query.get("cursor", [self.cursor])[0] != self.cursor:
                return 400, {"error": "unknown cursor"}, {}
            first = "cursor" not in query
            items = self.items[:6] if first else self.items[6:]
            following = f"/items?cursor={self.cursor}" if first and "pagination" not in changes else None
            headers = {"X-Total-Count": "12", "Cache-Control": "no-store" if "cache" in changes else "max-age=60"}
            if "header" in changes: del headers["X-Total-Count"]
            if "field" in changes: headers["Sunset"] = "Sat, 31 Dec 2027 23:59:59 GMT"
            if following: headers["Link"] = f'<{following}>; rel="next"'
            return 200, {"items": items, "next": following}, headers
        if path.startswith("/items/"):
            for item in self.items:
                if item["id"] == path[7:]:
                    return 200, item, {}
            return 404, {"error": "no such item"}, {}
        if path == "/orders" and method == "POST":
            item = json.loads(body)["item"]
            if item not in [other["id"] for other in self.items]:
                return 422, {"error": "no such item"}, {}
            with self.lock:
                number = 1000 + len(self.orders) + self.random.randrange(1000) * 10
                states = ["open", "open", "paid", "open", "paid", "open"]
                state = "refunded" if "enumeration" in changes else states[len(self.orders) % 6]
                self.orders[number] = {"id": number, "item": item, "state": state}
            return 200 if "status" in changes else 201, self.orders[number], {"Location": f"/orders/{number}"}
        if path.startswith("/orders/"):
            order = self.orders.get(int(path[8:]) if path[8:].isdigit() else 0)
            return (200, order, {}) if order else (404, {"error": "no such order"}, {})
        if path == "/sales":
            value = "many" if "map" in changes else 1
            return 200, {f"2026-03-{self.random.randrange(1, 28):02}": {"count": value, "total": 2.5} for _ in range(5)}, {}
        if path == "/form":
            if method == "POST":
                valid = parse_qs(body.decode()).get("csrf_token") == [self.csrf]
                return (200 if valid else 403), "sent" if valid else "forged", {"Content-Type": "text/plain; charset=utf-8"}
            if "html" in changes:
                return 200, {"page": "form"}, {}
            kind = "text/html" if "content-type" in changes else "text/html; charset=utf-8"
            return 200, f'<!doctype html><form method="post"><input type="hidden" name="csrf_token" value="{self.csrf}"></form>', {
                "Content-Type": kind}
        if path == "/logo":
            return 200, GIF if "image" in changes else PNG, {"Content-Type": "image/png"}
        if path == "/old":
            if "no-redirect" in changes:
                return 200, "moved", {"Content-Type": "text/plain; charset=utf-8"}
            return 301, "", {"Location": "/new-items" if "redirect" in changes else "/items", "Content-Type": "text/plain; charset=utf-8"}
        if path == "/health":
            text = "" if "empty" in changes else f"up since {self.random.random()}"
            return 200, text, {"Content-Type": "text/plain; charset=utf-8"}
        return 404, {"error": "not found"}, {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_one(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            status, content, headers = self.server.shop.respond(self, self.command, urlsplit(self.path), body)
        except (KeyError, TypeError, ValueError):
            status, content, headers = 400, {"error": "invalid request"}, {}
        if isinstance(content, (dict, list)):
            headers = {"Content-Type": "application/json", **headers}
            content = json.dumps(content, ensure_ascii=False).encode()
        elif isinstance(content, str):
            content = content.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("X-Request-Id", str(uuid.uuid4()))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_HEAD = handle_one

    def do_PUT(self):
        self.close_connection = True
        self.send_response(405)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_QUERY = do_PUT

    def log_message(self, *arguments):
        pass


def serve(seed, changes=(), port=0):
    """Starts a server in a thread, and returns it."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.shop = Shop(seed, changes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main():
    parser = argparse.ArgumentParser(description="A small shop on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=8799)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--change", action="append", choices=CHANGES, default=[])
    parser.add_argument("--list", action="store_true", help="print the changes")
    options = parser.parse_args()
    if options.list:
        for name, text in CHANGES.items():
            print(f"{name:18}{text}")
        return
    server = serve(options.seed, options.change, options.port)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
