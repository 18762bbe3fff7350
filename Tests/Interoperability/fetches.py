"""The requests that all clients make, in order.

Each request is a dictionary in the format of the script in the page: `name`, `method`, `url` as a programmer would
write it, `headers`, `body` (one of `text`, `base64`, `urlencoded`, `multipart`), and `abort`, the time at which to cancel the
request: after sending it (`sent`) or after receiving the response's header section (`answered`).
"""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

Fetch = dict[str, Any]

JSON = {"Content-Type": "application/json"}
REDIRECTS = [301, 302, 303, 307, 308]
HARD_QUERIES = {
    "repeated": "a=1&a=2&b=&c&a=%31",
    "encoded": "q=%20%2B+%26%3D%23%c3%a9&lower=%2f&upper=%2F",
    "percent": "rate=100%&bad=%zz&cut=%e",
    "brackets": "ids[]=1&ids[]=2&filter[name]=x",
    "refused": "bar=a|b&brace={c}&quote=\"d\"&space=e f&angle=<g>&tick=`h`&caret=^&back=\\i&apostrophe='j'",
    "non-ascii": "name=Zoë&city=東京&fox=🦊",
    "separators": "&&a=1&;b=2&=only&a==b",
    "nested-url": "to=https://example.org/a?b=c&d=e",
    "bare": "",
}
HARD_PATHS = {
    "space": "/echo/with space/and%20space",
    "refused": '/echo/{brace}/bar|/"quote"/<angle>/^caret',
    "non-ascii": "/echo/Zoë/東京/🦊",
    "encoded-slash": "/echo/a%2Fb/c%2fd/%7Etilde/~tilde",
    "punctuation": "/echo/a;v=1,2/b:c@d/!$&'()*+,=",
    "dots": "/echo/a/../b/./c//d",
}
BODIES: dict[str, dict[str, Any]] = {
    "json": {"text": '{"name": "Zoë", "list": [1, 2.50, null]}'},
    "text": {"text": "Grüße\nan 世界 🦊"},
    "empty": {"text": ""},
    "binary": {"base64": base64.b64encode(bytes(range(256))).decode()},
    "urlencoded": {"urlencoded": [["name", "Zoë & Co. = 100%"], ["name", "second"], ["text", "a b+c\r\nd"], ["", ""]]},
    "multipart": {
        "multipart": [
            {"name": "name", "text": "Zoë"},
            {"name": 'quoted "name"', "text": "a\r\nb"},
            {"name": "note", "text": "file’s text ü", "filename": "nöte.txt", "type": "text/plain"},
            {
                "name": "bytes",
                "base64": base64.b64encode(bytes(range(128, 256))).decode(),
                "filename": "b.bin",
                "type": "application/octet-stream",
            },
        ]
    },
}
BODY_TYPES = {"json": "application/json", "binary": "application/octet-stream"}
PATHS = [
    "/text/utf-8", "/text/utf-8-bom", "/text/utf-8-broken", "/text/utf-8-control", "/text/utf-16le",
    "/text/iso-8859-1", "/text/iso-8859-1-as-windows-1252", "/text/windows-1252", "/text/shift-jis",
    "/text/unknown-charset", "/text/no-charset", "/text/no-charset-latin1", "/text/surrogate.json",
    "/text/latin1.json", "/text/latin1.xml", "/binary/bytes", "/binary/bytes-called-text",
    "/binary/text-called-bytes", "/binary/unknown-type", "/binary/no-type", "/empty/200", "/empty/json", "/empty/204",
    "/coded/gzip", "/coded/deflate", "/coded/raw-deflate", "/coded/identity", "/coded/gzip-latin1",
    "/coded/gzip-empty", "/coded/chunked", "/coded/chunked-gzip", "/events", "/status/404", "/status/500",
    "/status/401", "/status/203", "/nowhere",
]  # fmt: skip


def fetch(name: str, url: str, method: str = "GET", **more: Any) -> Fetch:
    return {"name": name, "method": method, "url": url, **more}


def methods() -> list[Fetch]:
    """Returns requests that create, read, change and delete JSON resources."""
    body = BODIES["json"]
    return [
        fetch("list", "/items", headers={"Accept": "application/json", "X-Relay": "1, 2"}),
        fetch("list-head", "/items", "HEAD"),
        fetch("create", "/items", "POST", headers=JSON, body=body),
        fetch("read", "/items/3"),
        fetch("head", "/items/3", "HEAD"),
        fetch("replace", "/items/3", "PUT", headers=JSON, body=body),
        fetch("change", "/items/3", "PATCH", headers={"Content-Type": "application/merge-patch+json"}, body=body),
        fetch("options", "/items/3", "OPTIONS"),
        fetch("delete", "/items/3", "DELETE"),
        fetch("delete-with-body", "/items/4", "DELETE", headers=JSON, body=body),
        fetch("post-nothing", "/items/5", "POST"),
        fetch("head-not-found", "/nowhere", "HEAD"),
        fetch("head-gzip", "/coded/gzip", "HEAD"),
    ]


def addresses() -> list[Fetch]:
    """Returns requests for URLs that are difficult to encode and compare."""
    queries = [fetch(f"query-{name}", f"/echo?{query}") for name, query in HARD_QUERIES.items()]
    paths = [fetch(f"path-{name}", path) for name, path in HARD_PATHS.items()]
    return [*queries, *paths, fetch("fragment", "/echo?with=fragment#section two")]


def bodies() -> list[Fetch]:
    """Returns requests with every kind of request body and response body."""
    sent = []
    for name, body in BODIES.items():
        headers = {"Content-Type": BODY_TYPES[name]} if name in BODY_TYPES else {}
        sent.append(fetch(f"send-{name}", f"/form?kind={name}", "POST", headers=headers, body=body))
    return [*sent, *(fetch("get" + path.replace("/", "-"), path) for path in PATHS)]


def redirects() -> list[Fetch]:
    """Returns requests for redirects: every status with every kind of method, relative URLs, chains, failing targets."""

    def through(code: int, location: str) -> str:
        return f"/redirect/{code}?to={quote(location, safe='')}"

    made = []
    for code in REDIRECTS:
        made.append(fetch(f"redirect-{code}-get", through(code, f"/echo?after={code}-get")))
        made.append(
            fetch(f"redirect-{code}-post", through(code, f"/echo?after={code}-post"), "POST", headers=JSON,
                  body=BODIES["json"])
        )  # fmt: skip
    chain = through(301, through(302, through(307, "/echo?after=chain")))
    return [
        *made,
        fetch("redirect-302-put", through(302, "/echo?after=302-put"), "PUT", body=BODIES["text"]),
        fetch("redirect-303-put", through(303, "/echo?after=303-put"), "PUT", body=BODIES["text"]),
        fetch("redirect-301-delete", through(301, "/echo?after=301-delete"), "DELETE"),
        fetch("redirect-303-head", through(303, "/echo?after=303-head"), "HEAD"),
        fetch("redirect-relative", through(302, "../echo/relative?after=relative")),
        fetch("redirect-query-only", through(302, "?to=%2Fecho%3Fafter%3Dquery-only")),
        fetch("redirect-fragment", through(302, "/echo?after=fragment#part")),
        fetch("redirect-non-ascii", through(302, "/echo?after=%C3%A9|{x}")),
        fetch("redirect-chain", chain),
        fetch("redirect-to-404", through(302, "/status/404?after=redirect")),
        fetch("redirect-empty", through(302, "/echo?after=empty") + "&body=no"),
    ]


def state() -> list[Fetch]:
    """Returns requests for cookies, cacheable responses, and responses that change."""
    return [
        fetch("cookies-set", "/cookies/set"),
        fetch("cookies-login", "/cookies/login"),
        fetch("cookies-show", "/cookies/show?last"),
        fetch("etag-first", "/cache/etag?a"),
        fetch("etag-again", "/cache/etag?a"),
        fetch("etag-asked", "/cache/etag?b", headers={"If-None-Match": '"v1, final"'}),
        fetch("modified-first", "/cache/modified?a"),
        fetch("modified-again", "/cache/modified?a"),
        fetch("fresh-first", "/cache/fresh"),
        fetch("fresh-again", "/cache/fresh"),
        fetch("range", "/range", headers={"Range": "bytes=10-19"}),
        *(fetch(f"job-{number}", "/job?id=7") for number in (1, 2, 3)),
    ]


def failures(refusing: str) -> list[Fetch]:
    """Returns requests with no response or a truncated response."""
    return [
        fetch("aborted-when-sent", "/slow/headers", abort="sent"),
        fetch("aborted-when-answered", "/slow/body", abort="answered"),
        fetch("refused", f"{refusing}/refused"),
    ]


def all_fetches(origin: str, refusing: str) -> list[Fetch]:
    """Returns the complete list. `localhost` is another origin than `127.0.0.1`, so it needs a preflight."""
    other = origin.replace("127.0.0.1", "localhost")
    preflighted = fetch("cors", f"{other}/cors/echo", "PUT", headers={**JSON, "X-Relay": "cors"}, body=BODIES["json"])
    return [*methods(), *addresses(), *bodies(), *redirects(), *state(), preflighted, *failures(refusing)]
