"""Bodies: content and transfer codings, character sets, binary data, empty bodies, and server-sent events."""

from __future__ import annotations

import gzip
import json
import zlib

from answer import Answer, Request, of_type, route

TEXT = "Füße, naïve café, 10 € – “quoted” ✓ 世界 🦊\n"
LATIN1 = "Füße, naïve café ¼ ÿ\n"
WINDOWS = "10 € – “quoted” … ™ Š\n"
BINARY = bytes(range(256))
LARGE = json.dumps([{"index": index, "text": "Grüße " * 3} for index in range(12)], ensure_ascii=False).encode()
EVENTS = [
    b"retry: 60000\n\n",
    b"id: 1\nevent: greeting\ndata: Gr\xc3\xbc\xc3\x9fe\n\n",
    b": a comment\n\nid: 2\ndata: two\ndata: lines\n\n",
    b"id: 3\nevent: end\ndata: {}\n\n",
]

PLAIN = {
    "/text/utf-8": ("text/plain; charset=utf-8", TEXT.encode()),
    "/text/utf-8-bom": ("text/plain; charset=utf-8", b"\xef\xbb\xbf" + TEXT.encode()),
    "/text/utf-8-broken": ("text/plain; charset=utf-8", b"before \xff\xfe \xc3 after\n"),
    "/text/utf-8-control": ("text/plain; charset=utf-8", b"a\0b\x01c\x7fd\r\ne\rf\tg\n"),
    "/text/utf-16le": ("text/plain; charset=utf-16le", TEXT.encode("utf-16-le")),
    "/text/iso-8859-1": ("text/plain; charset=iso-8859-1", LATIN1.encode("iso-8859-1")),
    "/text/iso-8859-1-as-windows-1252": ("text/plain; charset=ISO-8859-1", WINDOWS.encode("cp1252")),
    "/text/windows-1252": ('text/plain; charset="windows-1252"', WINDOWS.encode("cp1252")),
    "/text/shift-jis": ("text/plain; charset=Shift_JIS", "日本語テスト\n".encode("shift_jis")),
    "/text/unknown-charset": ("text/plain; charset=x-nonsense", TEXT.encode()),
    "/text/no-charset": ("text/plain", TEXT.encode()),
    "/text/no-charset-latin1": ("text/plain", LATIN1.encode("iso-8859-1")),
    "/text/surrogate.json": ("application/json", b'{"lone": "\\ud800", "pair": "\\ud83e\\udd8a"}\n'),
    "/text/latin1.json": ("application/json; charset=iso-8859-1", '{"name": "Zoë"}\n'.encode("iso-8859-1")),
    "/text/latin1.xml": ("application/xml", '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>\n'.encode("latin-1")),
    "/binary/bytes": ("application/octet-stream", BINARY),
    "/binary/bytes-called-text": ("text/plain; charset=utf-8", BINARY),
    "/binary/text-called-bytes": ("application/octet-stream", TEXT.encode()),
    "/binary/unknown-type": ("application/x-relay", BINARY),
    "/empty/200": ("text/plain", b""),
    "/empty/json": ("application/json", b""),
}


@route(*PLAIN)
def plain(request: Request) -> Answer:
    """A plain body."""
    return of_type(*PLAIN[request.path])


@route("/binary/no-type")
def no_type(request: Request) -> Answer:
    """A body without a content type."""
    return Answer(200, [], BINARY)


@route("/empty/204")
def no_content(request: Request) -> Answer:
    """An empty body without a content type."""
    return Answer(204)


def raw_deflate(data: bytes) -> bytes:
    """Compresses data with DEFLATE but without a zlib header, as some servers do."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


CODED = {
    "/coded/gzip": ("gzip", gzip.compress(LARGE, mtime=0)),
    "/coded/deflate": ("deflate", zlib.compress(LARGE)),
    "/coded/raw-deflate": ("deflate", raw_deflate(LARGE)),
    "/coded/identity": ("identity", LARGE),
}


@route(*CODED)
def coded(request: Request) -> Answer:
    """A body with a content coding."""
    coding, body = CODED[request.path]
    return of_type("application/json", body, ("Content-Encoding", coding))


@route("/coded/gzip-latin1")
def coded_latin1(request: Request) -> Answer:
    """Text in another character set, with a content coding."""
    body = gzip.compress(LATIN1.encode("iso-8859-1"), mtime=0)
    return of_type("text/plain; charset=iso-8859-1", body, ("Content-Encoding", "gzip"))


@route("/coded/gzip-empty")
def coded_empty(request: Request) -> Answer:
    """An empty body with a content coding."""
    return of_type("text/plain", gzip.compress(b"", mtime=0), ("Content-Encoding", "gzip"))


@route("/coded/chunked")
def chunked(request: Request) -> Answer:
    """A body whose chunks split characters."""
    data = TEXT.encode()
    chunks = [data[start : start + 7] for start in range(0, len(data), 7)]
    return Answer(200, [("Content-Type", "text/plain; charset=utf-8")], chunks=chunks)


@route("/coded/chunked-gzip")
def chunked_gzip(request: Request) -> Answer:
    """A body with a content coding, in chunked transfer coding."""
    data = gzip.compress(LARGE, mtime=0)
    chunks = [data[start : start + 100] for start in range(0, len(data), 100)]
    return Answer(200, [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], chunks=chunks)


@route("/events")
def events(request: Request) -> Answer:
    """A stream of server-sent events that ends."""
    return Answer(200, [("Content-Type", "text/event-stream")], chunks=EVENTS)
