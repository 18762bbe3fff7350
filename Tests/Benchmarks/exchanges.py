"""Exchanges like those that a browser records: documents, scripts, data, images, redirects, failures."""

from __future__ import annotations

import base64
import json
import math
import random
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

Fields = list[dict[str, str]]

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
START = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)

# About 3.4% of the bytes in the archives are backslashes, slightly more than in browsers' archives.
DOCUMENT = ['<div class="row shop-item">', "</div>\n", '<a href="/shop/category/lamps', '" title="', "Größe wählen",
            "naïve café in the old town", "&nbsp;", "<p>A lamp for the desk, with two bulbs", "</p>\n\t",
            "Price: 12,90 €", "delivery within two working days", "日本語の説明", "<!-- next item -->"]
SCRIPT = ["function(e,t){", "return Array.prototype.slice.call(arguments)", "var n=e.children,r=t.length;", "};",
          '"use strict";', "e.exports=", "Object.assign({},this.state,", "[0].length", "!==", "'\\u00e9'", "/\\d+/g",
          "for(;i<n.length;i++)", 'throw new Error("unexpected value")', "(e=>e.id)", "this.props?.onChange(t)", "\n"]
DATA = ['{"identifier":4711,', '"description":"A lamp for the desk, made of wood and brass",', '"tags":["a","b"],',
        "null,", "12.50,", "true,", '"größe"', '"see \\"terms\\" for delivery to islands and mountains"', "}],", "[{"]
STYLE = [".button--primary,.button--large", "{", "}\n", "margin:0 auto 1.5rem;", 'content:"\\201C";', "color:#1a2b3c;",
         "@media(max-width:600px)", "font:400 1rem/1.5 system-ui,sans-serif;"]


@dataclass(frozen=True)
class Kind:
    """A kind of resource: its frequency in an archive, and the size of its body in bytes."""

    share: int
    type: str
    mime: str
    words: list[str] | None
    least: int
    most: int
    status: int = 200


KINDS = [
    Kind(8, "document", "text/html; charset=utf-8", DOCUMENT, 4_000, 90_000),
    Kind(22, "script", "application/javascript", SCRIPT, 2_000, 200_000),
    Kind(8, "stylesheet", "text/css", STYLE, 2_000, 60_000),
    Kind(28, "fetch", "application/json", DATA, 200, 60_000),
    Kind(22, "image", "image/webp", None, 1_000, 60_000),
    Kind(3, "font", "font/woff2", None, 15_000, 60_000),
    Kind(4, "document", "", None, 0, 0, status=302),
    Kind(3, "script", "", None, 0, 0, status=304),
    Kind(2, "fetch", "x-unknown", None, 0, 0, status=0),
]

REASONS = {200: "OK", 302: "Found", 304: "Not Modified", 0: ""}
SMALL = Kind(1, "fetch", "application/json", DATA, 100, 400)


class Exchanges:
    """Creates entries from a seed. Text bodies are parts of a longer text that is created once for each kind."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = {
            kind.mime: "".join(self.random.choices(kind.words, k=40_000)) for kind in KINDS if kind.words
        }
        self.shares = [kind.share for kind in KINDS]

    def any(self, index: int) -> str:
        """Returns an entry of any kind, as text."""
        kind = self.random.choices(KINDS, self.shares)[0]
        return self.text(index, kind, self.request_fields(kind), self.response_fields(kind))

    def small(self, index: int) -> str:
        """Returns a small entry, as text."""
        request = fields(Accept="application/json", Host="api.shop.example", User_Agent="Shop/7.1")
        return self.text(index, SMALL, request, fields(Content_Type=SMALL.mime, Cache_Control="no-store"), True)

    def operation(self, index: int) -> str:
        """Returns a GraphQL query, as text. All queries have the same URL and differ in a variable."""
        body = {
            "operationName": "Item", "variables": {"id": index, "currency": "EUR"},
            "query": "query Item($id: ID!, $currency: Currency!) {\n  item(id: $id) { name price(in: $currency) }\n}",
        }
        answer = json.dumps({"data": {"item": {"name": f"Lamp {index}", "price": index % 100}}})
        return json.dumps({
            "startedDateTime": (START + timedelta(milliseconds=17 * index)).isoformat(timespec="milliseconds"), "time": 9,
            "request": {
                "method": "POST", "url": "https://api.shop.example/graphql", "httpVersion": "http/2.0",
                "headers": fields(Accept="application/json", Content_Type="application/json", User_Agent="Shop/7.1"),
                "queryString": [], "cookies": [], "headersSize": -1, "bodySize": -1,
                "postData": {"mimeType": "application/json", "text": json.dumps(body)},
            },
            "response": {
                "status": 200, "statusText": "OK", "httpVersion": "http/2.0",
                "headers": fields(Content_Type="application/json"), "cookies": [],
                "content": {"size": len(answer), "mimeType": "application/json", "text": answer},
                "redirectURL": "", "headersSize": -1, "bodySize": -1,
            },
            "cache": {}, "timings": {"send": 1, "wait": 7, "receive": 1},
        }, separators=(",", ":"))

    def text(self, index: int, kind: Kind, request: Fields, response: Fields, is_small: bool = False) -> str:
        host = "api" if is_small else self.random.choice(["www", "cdn", "static", "api"])
        sends = not is_small and kind.type == "fetch" and self.random.random() < 0.3
        url = f"https://{host}.shop.example/v2/{kind.type}/{index}?page={index % 50}"
        times = [round(self.random.uniform(0, 90), 3) for _ in range(4)]
        entry = {
            "_connectionId": str(1000 + index % 60),
            "_initiator": {"type": "parser", "url": "https://www.shop.example/", "lineNumber": index % 900},
            "_priority": "High",
            "_resourceType": kind.type,
            "cache": {},
            "connection": str(1000 + index % 60),
            "pageref": "page_1",
            "request": {
                "method": "POST" if sends else "GET", "url": url, "httpVersion": "http/2.0", "headers": request,
                "queryString": [{"name": "page", "value": str(index % 50)}], "cookies": self.cookies(is_small),
                "headersSize": -1, "bodySize": 0,
            },
            "response": {
                "status": kind.status, "statusText": REASONS[kind.status], "httpVersion": "http/2.0",
                "headers": response, "cookies": [], "content": self.content(kind),
                "redirectURL": url + "&moved=1" if kind.status == 302 else "", "headersSize": -1, "bodySize": -1,
                "_transferSize": self.random.randrange(200, 40_000),
                "_error": None if kind.status else "net::ERR_CONNECTION_RESET",
            },
            "serverIPAddress": f"203.0.113.{index % 250}",
            "startedDateTime": (START + timedelta(milliseconds=17 * index)).isoformat(timespec="milliseconds"),
            "time": sum(times),
            "timings": {
                "blocked": times[0], "dns": -1, "ssl": -1, "connect": -1, "send": times[1], "wait": times[2],
                "receive": times[3], "_blocked_queueing": 0.7,
            },
        }
        if sends:
            entry["request"]["postData"] = {
                "mimeType": "application/x-www-form-urlencoded", "text": f"item={index}&note=%C3%A4",
                "params": [{"name": "item", "value": str(index)}, {"name": "note", "value": "%C3%A4"}],
            }
        return json.dumps(entry, ensure_ascii=False, separators=(",", ":") if is_small else None)

    def content(self, kind: Kind) -> dict[str, object]:
        size = self.size(kind)
        if kind.words:
            words = self.words[kind.mime]
            start = self.random.randrange(len(words) - size)
            return {"size": size, "mimeType": kind.mime, "text": words[start:start + size]}
        content: dict[str, object] = {"size": size, "mimeType": kind.mime}
        if size:
            content |= {"text": base64.b64encode(self.random.randbytes(size)).decode(), "encoding": "base64"}
        return content

    def size(self, kind: Kind) -> int:
        """Returns the size of a body. On the web, the logarithms of sizes are roughly evenly distributed."""
        if not kind.most:
            return 0
        return round(math.exp(self.random.uniform(math.log(kind.least), math.log(kind.most))))

    def token(self, size: int) -> str:
        return self.random.randbytes(size).hex()

    def cookies(self, is_small: bool) -> Fields:
        return [] if is_small else fields(session=self.token(16), _ga=f"GA1.2.{self.token(4)}", theme="dark")

    def request_fields(self, kind: Kind) -> Fields:
        pseudo = [{"name": name, "value": value} for name, value in
                  [(":authority", "www.shop.example"), (":method", "GET"), (":path", "/v2"), (":scheme", "https")]]
        return pseudo + fields(
            Accept="*/*", Accept_Encoding="gzip, deflate, br, zstd", Accept_Language="en-GB,en;q=0.9",
            Cookie=f"session={self.token(16)}; _ga=GA1.2.{self.token(4)}; theme=dark",
            Referer="https://www.shop.example/", Sec_Ch_Ua='"Chromium";v="131", "Not_A Brand";v="24"',
            Sec_Ch_Ua_Platform='"Linux"', Sec_Fetch_Dest=kind.type, Sec_Fetch_Mode="cors",
            Sec_Fetch_Site="same-site", User_Agent=AGENT)

    def response_fields(self, kind: Kind) -> Fields:
        if not kind.status:
            return []
        common = fields(
            Date="Sun, 01 Mar 2026 09:00:00 GMT", Server="cloudfront", Etag=f'"{self.token(16)}"',
            Content_Type=kind.mime, Cache_Control="public, max-age=31536000", Vary="Accept-Encoding",
            Strict_Transport_Security="max-age=31536000; includeSubDomains", X_Request_Id=self.token(16))
        rest = fields(
            Age="1204", Via="1.1 cache", X_Cache="HIT", X_Frame_Options="SAMEORIGIN", Alt_Svc='h3=":443"; ma=86400',
            Access_Control_Allow_Origin="*", X_Content_Type_Options="nosniff")
        return common + rest[:self.random.randint(0, len(rest))]


def fields(**named: str) -> Fields:
    """Returns header fields. Underscores in the names become hyphens."""
    return [{"name": name[0] + name[1:].replace("_", "-").lower(), "value": value} for name, value in named.items()]
