"""Pages with a style sheet, a script and images, and pages with forms."""

from __future__ import annotations

import struct
import zlib

from answer import Answer, Request, of_type, route

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Relay: a page with everything · ✓</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/style.css?v=1&amp;v=2">
<script src="/pages/script.js" defer></script>
<h1>Grüße, 世界</h1>
<img src="/pages/red.png" alt="red" width="16" height="16">
<img src="/pages/drawing.svg" alt="drawing" width="16" height="16">
<img src="/pages/missing.png" alt="missing">
<p id="script">The script did not run.</p>
</html>
"""

FORMS = """<!doctype html>
<meta charset="utf-8">
<title>Forms</title>
<link rel="icon" href="data:,">
<form id="urlencoded" method="post" action="/pages/submitted?form=urlencoded">
<input name="name" value="Zoë &amp; Co. = 100%"><input name="name" value="second"><textarea name="text">
a b+c
d</textarea></form>
<form id="multipart" method="post" action="/pages/submitted?form=multipart" enctype="multipart/form-data">
<input name="name" value="Zoë"><input name="quoted &quot;name&quot;" value="x"></form>
"""

LATIN1 = """<!doctype html>
<title>Café</title>
<link rel="icon" href="data:,">
<p>Déjà vu à Besançon – “10 €”</p>
"""

EVENTS = """<!doctype html>
<meta charset="utf-8">
<title>waiting</title>
<link rel="icon" href="data:,">
<script>
const source = new EventSource("/events?by=source");
source.addEventListener("error", () => { source.close(); document.title = "ended" });
</script>
"""

STYLE = """@charset "utf-8";
body { font-family: sans-serif; background: url("/pages/blue.png") }
h1::after { content: " ✓" }
"""

SCRIPT = """document.getElementById("script").textContent = "Das Skript lief: \\u2713 ü";
"""

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<circle cx="8" cy="8" r="7" fill="green"/></svg>
"""


def png(colour: tuple[int, int, int], size: int = 16) -> bytes:
    """Returns a PNG image of a square in one color."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(colour) * size) * size
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


FILES = {
    "/pages/": ("text/html; charset=utf-8", PAGE.encode()),
    "/pages/forms": ("text/html; charset=utf-8", FORMS.encode()),
    "/pages/latin1": ("text/html; charset=iso-8859-1", LATIN1.encode("cp1252")),
    "/pages/events": ("text/html; charset=utf-8", EVENTS.encode()),
    "/pages/style.css": ("text/css", STYLE.encode()),
    "/pages/script.js": ("text/javascript", SCRIPT.encode()),
    "/pages/drawing.svg": ("image/svg+xml", DRAWING.encode()),
    "/pages/red.png": ("image/png", png((255, 0, 0))),
    "/pages/blue.png": ("image/png", png((0, 0, 255))),
}


@route(*FILES)
def file(request: Request) -> Answer:
    """A static file."""
    return of_type(*FILES[request.path])


@route("/pages/moved")
def moved(request: Request) -> Answer:
    """A redirect to a page."""
    return of_type("text/html", b"<p>Moved.</p>\n", ("Location", "latin1"), status=301)


@route("/pages/submitted")
def submitted(request: Request) -> Answer:
    """The submitted form data, without the random boundary of a browser."""
    kind = request.header("content-type").partition(";")[0]
    page = f'<!doctype html>\n<title>Submitted</title>\n<link rel="icon" href="data:,">\n<p>{kind}</p>\n'
    return of_type("text/html; charset=utf-8", page.encode())
