"""The measurements of responses through `URLSession`: their parts, goals and tables."""

from __future__ import annotations

from archives import SEARCHED
from figures import Goal, Part, Table, a_second, floors, megabytes, microseconds, milliseconds

#: The column of an archive is its number of entries.
ENTRIES = {"10": "10 entries", "1000": "1,000 entries", "10000": "10,000 entries", "1000000": "1,000,000 entries"}

WAYS = {"sequential": "in sequence", "concurrent": "100 concurrently"}

KINDS = {
    "bare": "a bare `URLProtocol`: the floor",
    "archive": "**Relay**: a response from an archive",
    "stub": "**Relay**: a stub, `Rule.stub` with a fixed response",
    "closure": "**Relay**: a stub with a closure",
    "override": "**Relay**: a response from an archive with JSON members overridden",
    "changing": "**Relay**: a response from an archive changed by a closure",
    "passThrough": "**Relay**: a response from a server, `Rule.passThrough`",
    "recorded": "**Relay**: the same, recorded by `Interceptor(recordingTo:)`",
    "recordedAsItIs": "**Relay**: the same, recorded without redaction",
    "server": "a response from the server, without Relay",
}

SCOPES = {"1": "1 scope", "1000": "1,000 scopes"}

SESSIONS = {
    "own": "**Relay**: the interceptor's own session",
    "scope": "**Relay**: a plain session in `interceptEverySession`",
    "begun": "**Relay**: a plain session after `beginInterceptingEverySession`",
}


def growths(title: str, subject: str) -> list[Goal]:
    """Returns goals for responses from archives of each size, relative to an archive with 1,000 entries."""
    return [
        Goal(f"{title} among {ENTRIES[column]}, relative to 1,000 entries", 1.2,
             lambda figures, column=column: figures.growth(subject, column, "1000"))
        for column in ENTRIES if column != "1000"
    ]


PARTS = [
    Part(
        "urls", [name for name, size in SEARCHED.items() if not size.has_one_url],
        [*growths("a response matched by method and URL", "standard later"),
         *growths("the first response for a key", "standard first"),
         *growths("a response matched by `.strict`", "strict later")],
        [
            Table("Time of a response among entries with different URLs, in microseconds:", ENTRIES, [
                ("a bare `URLProtocol`", microseconds("standard bare")),
                ("default matching: the first request to a key", microseconds("standard first")),
                ("the same: later requests", microseconds("standard later")),
                ("the same: a request without a matching entry", microseconds("standard miss")),
                ("`.strict`: the first request to a key", microseconds("strict first")),
                ("the same: later requests", microseconds("strict later")),
                ("the same: a request without a matching entry", microseconds("strict miss")),
            ]),
            Table("The same, as a multiple of a bare `URLProtocol`:", ENTRIES, [
                ("default matching: the first request to a key", floors("standard first", "standard bare")),
                ("the same: later requests", floors("standard later", "standard bare")),
                ("`.strict`: the first request to a key", floors("strict first", "strict bare")),
                ("the same: later requests", floors("strict later", "strict bare")),
            ]),
        ]),
    Part(
        "posts", [name for name, size in SEARCHED.items() if size.has_one_url],
        [*growths("a response matched by `.graphQL`", "graphQL later"),
         *growths("a response with default matching", "standard later")],
        [
            Table("The first request, which reads all entries of its key:", ENTRIES, [
                ("`.graphQL`, in ms", milliseconds("graphQL key")),
                ("default matching, in ms", milliseconds("standard key")),
                ("additional resident memory, `.graphQL`, in MB", megabytes("graphQL memory")),
                ("the same, default matching", megabytes("standard memory")),
            ]),
            Table("Time of later responses, in microseconds:", ENTRIES, [
                ("a bare `URLProtocol`", microseconds("graphQL bare")),
                ("`.graphQL`: a new body", microseconds("graphQL first")),
                ("the same: later requests", microseconds("graphQL later")),
                ("default matching: a new body", microseconds("standard first")),
                ("the same: later requests", microseconds("standard later")),
            ]),
            Table("The same, as a multiple of a bare `URLProtocol`:", ENTRIES, [
                ("`.graphQL`: a new body", floors("graphQL first", "graphQL bare")),
                ("the same: later requests", floors("graphQL later", "graphQL bare")),
                ("default matching: a new body", floors("standard first", "standard bare")),
                ("the same: later requests", floors("standard later", "standard bare")),
            ]),
        ]),
    Part(
        "exchanges", [],
        [
            Goal("a response of 1 kB from an archive, relative to a bare `URLProtocol`", 1.25,
                 lambda figures: figures.ratio("archive", "bare", "sequential")),
            Goal("the same, 100 concurrently", 1.25, lambda figures: figures.ratio("archive", "bare", "concurrent")),
            Goal("a recorded request, relative to one that is passed through", 1.5,
                 lambda figures: figures.ratio("recorded", "passThrough", "sequential")),
            Goal("the same, relative to a session without Relay", 1.5,
                 lambda figures: figures.ratio("recorded", "server", "sequential")),
            Goal("the same, 100 concurrently", 1.5, lambda figures: figures.ratio("recorded", "server", "concurrent")),
        ],
        [
            Table("Responses per second, of 1 kB each:", WAYS, [(title, a_second(key)) for key, title in KINDS.items()]),
            Table("Time, as a multiple of a bare `URLProtocol`:", WAYS,
                  [(title, floors(key, "bare")) for key, title in KINDS.items() if key != "bare"]),
            Table("Time, as a multiple of the same request in a session without Relay:", WAYS,
                  [(KINDS[key], floors(key, "server")) for key in ("passThrough", "recorded", "recordedAsItIs")]),
        ], asks_server=True),
    Part(
        "scopes", [],
        [
            Goal("a response with 1,000 active scopes, relative to one scope", 1.2,
                 lambda figures: figures.growth("scope", "1000", "1")),
        ],
        [
            Table("Time of a response of 1 kB, in microseconds:", SCOPES, [
                ("a bare `URLProtocol`", microseconds("bare")),
                *((title, microseconds(key)) for key, title in SESSIONS.items()),
            ]),
            Table("The same, as a multiple of a bare `URLProtocol`:", SCOPES,
                  [(title, floors(key, "bare")) for key, title in SESSIONS.items()]),
            Table("The first access to `Interceptor.coverage`, which tests the platform, in a process with a session:",
                  {"1": "milliseconds"}, [("once for a process", milliseconds("probes"))]),
        ]),
]
