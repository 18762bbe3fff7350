"""The command line that the conversations in this folder share.

    NAME.py serve PORT CERTIFICATE KEY
    NAME.py talk URL [--proxy URL] [--trust FILE]

The client prints one JSON object per line. Its output is the same in each run, although its identifiers differ.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import ssl
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

PAUSE = 0.1
"""The time between two messages of a server that nothing triggers, in seconds."""


class Address(NamedTuple):
    """The address of a server, and the path to it."""

    url: str
    proxy: str | None
    trust: Path | None

    @property
    def tls(self) -> ssl.SSLContext | None:
        """Returns the settings for a URL with TLS."""
        if not self.url.startswith(("https:", "wss:")):
            return None
        return ssl.create_default_context(cafile=self.trust)


class Listener(NamedTuple):
    """The port of a server, and the files of its certificate and key."""

    port: int
    certificate: Path
    key: Path

    @property
    def tls(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context


def show(**values: Any) -> None:
    """Prints what the client saw."""
    print(json.dumps(values, ensure_ascii=False), flush=True)


def identifier() -> str:
    """Returns an identifier that differs in each run."""
    return str(uuid.uuid4())


def run(serve: Callable[[Listener], Awaitable[None] | None], talk: Callable[[Address], Awaitable[None] | None]) -> None:
    """Runs the server or the client of a conversation."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    server = commands.add_parser("serve")
    server.add_argument("port", type=int)
    server.add_argument("certificate", type=Path)
    server.add_argument("key", type=Path)
    client = commands.add_parser("talk")
    client.add_argument("url")
    client.add_argument("--proxy")
    client.add_argument("--trust", type=Path, help="the certificate of the authority to trust")
    options = parser.parse_args()
    if options.command == "serve":
        result = serve(Listener(options.port, options.certificate, options.key))
    else:
        result = talk(Address(options.url, options.proxy, options.trust))
    if result is not None:
        asyncio.run(result)


def uvicorn(app: Any, listener: Listener) -> None:
    """Runs an ASGI application."""
    import uvicorn

    uvicorn.run(
        app, host="127.0.0.1", port=listener.port, ssl_certfile=listener.certificate, ssl_keyfile=listener.key,
        log_level="warning")
