"""What is measured of answers through `URLSession`: its parts, their goals and tables."""

from __future__ import annotations

from archives import SEARCHED
from figures import Goal, Part, Table, a_second, floors, megabytes, microseconds, milliseconds

#: The column of an archive has the number of its entries.
ENTRIES = {"10": "10 entries", "1000": "1,000 entries", "10000": "10,000 entries", "1000000": "1,000,000 entries"}

WAYS = {"sequential": "one after the other", "concurrent": "100 at a time"}

KINDS = {
    "bare": "a bare `URLProtocol`: the floor",
    "archive": "**Relay**: an answer of an archive",
    "stub": "**Relay**: a stub, `Rule.stub` with a reply",
    "closure": "**Relay**: a stub by a closure",
    "override": "**Relay**: an answer of an archive with other members of JSON",
    "changing": "**Relay**: an answer of an archive that a closure changes",
    "passThrough": "**Relay**: an answer of a server, `Rule.passThrough`",
    "recorded": "**Relay**: the same, recorded by `Interceptor(recordingTo:)`",
    "recordedAsItIs": "**Relay**: the same, recorded with its secrets",
    "server": "an answer of the server, without Relay",
}

SCOPES = {"1": "1 scope", "1000": "1,000 scopes"}

SESSIONS = {
    "own": "**Relay**: a session of the interceptor's own",
    "scope": "**Relay**: a plain session in `interceptEverySession`",
    "begun": "**Relay**: a plain session after `beginInterceptingEverySession`",
}


def growths(title: str, subject: str) -> list[Goal]:
    """Answers among all numbers of entries to those among 1,000."""
    return [
        Goal(f"{title} among {ENTRIES[column]}, to one among 1,000", 1.2,
             lambda figures, column=column: figures.growth(subject, column, "1000"))
        for column in ENTRIES if column != "1000"
    ]


PARTS = [
    Part(
        "urls", [name for name, size in SEARCHED.items() if not size.has_one_url],
        [*growths("an answer by method and URL", "standard later"), *growths("the first of its key", "standard first"),
         *growths("an answer by `.strict`", "strict later")],
        [
            Table("Time of an answer among entries with URLs of their own, in microseconds:", ENTRIES, [
                ("a bare `URLProtocol`", microseconds("standard bare")),
                ("default matching: the first request to a key", microseconds("standard first")),
                ("the same: later ones", microseconds("standard later")),
                ("the same: one that no entry answers", microseconds("standard miss")),
                ("`.strict`: the first request to a key", microseconds("strict first")),
                ("the same: later ones", microseconds("strict later")),
                ("the same: one that no entry answers", microseconds("strict miss")),
            ]),
            Table("The same as a multiple of a bare `URLProtocol`'s:", ENTRIES, [
                ("default matching: the first request to a key", floors("standard first", "standard bare")),
                ("the same: later ones", floors("standard later", "standard bare")),
                ("`.strict`: the first request to a key", floors("strict first", "strict bare")),
                ("the same: later ones", floors("strict later", "strict bare")),
            ]),
        ]),
    Part(
        "posts", [name for name, size in SEARCHED.items() if size.has_one_url],
        [*growths("an answer by `.graphQL` to a POST of a URL that all share", "graphQL later"),
         *growths("the same by default matching", "standard later")],
        [
            Table("The first of all requests, for which the entries of its key are read:", ENTRIES, [
                ("`.graphQL`, in ms", milliseconds("graphQL key")),
                ("default matching, in ms", milliseconds("standard key")),
                ("resident memory that it adds, `.graphQL`, in MB", megabytes("graphQL memory")),
                ("the same, default matching", megabytes("standard memory")),
            ]),
            Table("Time of an answer afterwards, in microseconds:", ENTRIES, [
                ("a bare `URLProtocol`", microseconds("graphQL bare")),
                ("`.graphQL`: a body that was not asked for", microseconds("graphQL first")),
                ("the same: later ones", microseconds("graphQL later")),
                ("default matching: a body that was not asked for", microseconds("standard first")),
                ("the same: later ones", microseconds("standard later")),
            ]),
            Table("The same as a multiple of a bare `URLProtocol`'s:", ENTRIES, [
                ("`.graphQL`: a body that was not asked for", floors("graphQL first", "graphQL bare")),
                ("the same: later ones", floors("graphQL later", "graphQL bare")),
                ("default matching: a body that was not asked for", floors("standard first", "standard bare")),
                ("the same: later ones", floors("standard later", "standard bare")),
            ]),
        ]),
    Part(
        "exchanges", [],
        [
            Goal("an answer of 1 kB of an archive, to a bare `URLProtocol`'s", 1.25,
                 lambda figures: figures.ratio("archive", "bare", "sequential")),
            Goal("the same, 100 at a time", 1.25, lambda figures: figures.ratio("archive", "bare", "concurrent")),
            Goal("a request that is recorded, to one that passes through", 1.2,
                 lambda figures: figures.ratio("recorded", "passThrough", "sequential")),
            Goal("the same, to one of a session without Relay", 1.2,
                 lambda figures: figures.ratio("recorded", "server", "sequential")),
            Goal("the same, 100 at a time", 1.2, lambda figures: figures.ratio("recorded", "server", "concurrent")),
        ],
        [
            Table("Answers a second, of 1 kB each:", WAYS, [(title, a_second(key)) for key, title in KINDS.items()]),
            Table("Their time as a multiple of a bare `URLProtocol`'s:", WAYS,
                  [(title, floors(key, "bare")) for key, title in KINDS.items() if key != "bare"]),
            Table("Time as a multiple of the same request's by a session without Relay:", WAYS,
                  [(KINDS[key], floors(key, "server")) for key in ("passThrough", "recorded", "recordedAsItIs")]),
        ], asks_server=True),
    Part(
        "scopes", [],
        [
            Goal("an answer beside 1,000 active scopes, to one beside none", 1.2,
                 lambda figures: figures.growth("scope", "1000", "1")),
        ],
        [
            Table("Time of an answer of 1 kB, in microseconds:", SCOPES, [
                ("a bare `URLProtocol`", microseconds("bare")),
                *((title, microseconds(key)) for key, title in SESSIONS.items()),
            ]),
            Table("The same as a multiple of a bare `URLProtocol`'s:", SCOPES,
                  [(title, floors(key, "bare")) for key, title in SESSIONS.items()]),
        ]),
]
