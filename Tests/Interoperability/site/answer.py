"""The requests, responses and routes of the site."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from urllib.parse import parse_qsl


class Hold(Enum):
    """The point at which a response pauses until the client disconnects."""

    BEFORE_HEADERS = "before the headers"
    IN_BODY = "in the body"


@dataclass(frozen=True)
class Request:
    """A request as received."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> list[tuple[str, str]]:
        return parse_qsl(self.target.partition("?")[2], keep_blank_values=True)

    def parameter(self, name: str, default: str = "") -> str:
        """The first value of a query parameter."""
        return next((value for key, value in self.query if key == name), default)

    def header(self, name: str, default: str = "") -> str:
        """The first value of a header field."""
        return next((value for key, value in self.headers if key.lower() == name), default)


@dataclass(frozen=True)
class Answer:
    """A response. With `chunks`, it is sent with chunked transfer coding. With `hold`, it never ends."""

    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    chunks: list[bytes] | None = None
    hold: Hold | None = None


Route = Callable[[Request], Answer]
routes: dict[str, Route] = {}


def route(*paths: str) -> Callable[[Route], Route]:
    """Serves `paths` with the decorated function. A path that ends in `/*` matches all paths below it."""

    def register(function: Route) -> Route:
        routes.update(dict.fromkeys(paths, function))
        return function

    return register


def find(path: str) -> Route | None:
    """Returns the route with the exact path, or the route with the longest matching `/*`."""
    if path in routes:
        return routes[path]
    parts = path.split("/")
    above = ("/".join(parts[:count]) + "/*" for count in range(len(parts) - 1, 0, -1))
    return next((routes[pattern] for pattern in above if pattern in routes), None)


def of_type(content_type: str, body: bytes, *more: tuple[str, str], status: int = 200) -> Answer:
    """Returns a response with a content type."""
    return Answer(status, [("Content-Type", content_type), *more], body)


def of_json(value: Any, *more: tuple[str, str], status: int = 200) -> Answer:
    """Returns a JSON response with a fixed format."""
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    return of_type("application/json", text.encode(), *more, status=status)
