"""The readers and the goals, one per line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from measuring import Results

COLUMNS = ("10MB", "200MB", "1GB", "100k", "1M")
SMALLER = ("10MB", "200MB", "100k")


@dataclass(frozen=True)
class Reader:
    """A program that reads an archive."""

    key: str
    title: str
    #: The first word is a name for `programs.path`. `{file}` is the archive, `{programs}` is the folder `Programs`,
    #: and `{output}` is an output file.
    command: str
    #: Whether the program prints its time and number of entries. Otherwise, the time of the process is measured.
    has_clock: bool = True
    #: The only core that the program can use, or `None` for all cores.
    core: int | None = 0
    sizes: tuple[str, ...] = COLUMNS
    #: The exit status of success.
    status: int = 0
    #: Whether the reader has a row in the tables, in addition to its use in goals.
    is_listed: bool = True


FLOOR = Reader("yajl", "yajl with empty callbacks: the floor", "yajl {file}", sizes=(*COLUMNS, "100MB"))

READERS = [
    FLOOR,
    Reader("decode", "**Relay**: every value of every entry", "reading decode {file}"),
    Reader("decode-all", "**Relay**: the same on all cores", "reading decode {file}", core=None),
    Reader("pass", "**Relay**: method, URL and status of every entry", "reading pass {file}", sizes=(*COLUMNS, "100MB")),
    Reader("own-decode", "**Relay without yajl**: every value of every entry", "reading-without-yajl decode {file}"),
    Reader("own-pass", "**Relay without yajl**: method, URL and status of every entry",
           "reading-without-yajl pass {file}"),
    Reader("open", "**Relay**: opening `HARArchive`", "reading open {file}", sizes=(*COLUMNS, "1k")),
    Reader("open-all", "**Relay**: the same on all cores", "reading open {file}", core=None),
    Reader("kept", "", "reading kept {file}", sizes=("200MB", "1GB", "1M"), is_listed=False),
    Reader("random", "**Relay**: 1,000 entries of an open archive", "reading random {file}", sizes=COLUMNS[1:]),
    Reader("entries", "`har entries`", "har entries {file}", has_clock=False, core=None),
    Reader("filter", "`har filter`, keeping half of the entries",
           "har filter --host api.shop.example,www.shop.example {file} {output}", has_clock=False, core=None),
    Reader("inspect", "`har inspect`", "har inspect {file}", has_clock=False, core=None),
    Reader("stats", "`har stats`", "har stats {file}", has_clock=False, core=None),
    Reader("search", "`har search` for an absent text", "har search {file} abzztext", has_clock=False, core=None,
           status=1),
    Reader("ndjson", "`har entries --ndjson`", "har entries --ndjson {file}", has_clock=False, core=None, sizes=SMALLER),
    Reader("check", "`har check`", "har check {file}", has_clock=False, core=None),
    Reader("own-check", "`har check` without yajl", "har-without-yajl check {file}", has_clock=False, core=None),
    Reader("copy", "`har copy`", "har copy {file} {output}", has_clock=False, core=None),
    Reader("export-ndjson", "`har export --to ndjson`", "har export --to ndjson {file} -o {output}", has_clock=False,
           core=None, sizes=SMALLER),
    Reader("diff-repeated", "`har diff` with a later capture of the same content", "har diff {file} {repeated}",
           has_clock=False, core=None, sizes=("10MB", "200MB")),
    Reader("diff", "`har diff` with a capture after all documents changed", "har diff {file} {later}", has_clock=False,
           core=None, sizes=("10MB", "200MB"), status=1),
    Reader("replay", "`har replay`", "har replay {file}", has_clock=False, core=None, sizes=("10MB", "200MB")),
    Reader("table", "`har table`", "har table --format csv {file} -o {output}", has_clock=False, core=None),
    Reader("decodable", "Foundation: `JSONDecoder`, `Codable` structs", "decodable {file}"),
    Reader("simdjson-dom", "simdjson: whole document", "simdjson dom {file}"),
    Reader("simdjson", "simdjson: on demand, method and URL", "simdjson on-demand {file}"),
    Reader("simdjson-memory", "simdjson: the same, with the file already in memory", "simdjson in-memory {file}"),
    Reader("node", "Node: `JSON.parse`", "node {programs}/node.js {file}"),
    Reader("orjson", "Python: orjson", "python {programs}/python.py orjson {file}"),
    Reader("json", "Python: json", "python {programs}/python.py json {file}"),
    Reader("ijson", "Python: ijson, entry by entry", "python {programs}/python.py ijson {file}", sizes=SMALLER),
    Reader("jq", "jq: number of entries", "jq .log.entries|length {file}", has_clock=False, sizes=SMALLER),
    Reader("jq-ndjson", "jq: the entries as NDJSON", "jq -c .log.entries[] {file}", has_clock=False, sizes=SMALLER),
    Reader("ripgrep", "ripgrep: an absent text", "rg --count --ignore-case abzztext {file}", has_clock=False, core=None,
           status=1),
    Reader("python-stats", "Python: figures by host with json", "python {programs}/statistics_by_host.py json {file}",
           has_clock=False, sizes=SMALLER),
    Reader("duckdb-stats", "DuckDB: figures by host", "python {programs}/statistics_by_host.py duckdb {file}",
           has_clock=False, core=None, sizes=SMALLER),
    Reader("answer", "", "answering answer {file}", sizes=("1k", "100k", "1M"), core=None, is_listed=False),
    Reader("kilobyte", "", "answering kilobyte {file}", sizes=("1k",), core=None, is_listed=False),
]


@dataclass(frozen=True)
class Goal:
    """A measured value with a bound."""

    title: str
    bound: str
    #: A function that returns the value as text. It raises an exception if a measurement is missing.
    figure: Callable[[Results], str]


def floors(key: str, size: str, digits: int = 2) -> Callable[[Results], str]:
    """The ratio of a reader's time to the floor's time."""
    return ratio(lambda results: results.ratio(key, size, FLOOR.key), digits)


def kept_by_an_entry(results: Results) -> str:
    """The memory per entry of an open archive."""
    return f"{(results.value('open', '1M', 'kept') - results.value('open', '1k', 'kept')) / 999_000:.0f} bytes"


def ratio(figure: Callable[[Results], float], digits: int = 2) -> Callable[[Results], str]:
    return lambda results: f"{figure(results):.{digits}f}"


def answering(size: str, results: Results) -> float:
    """The ratio of the time of a response to the time with a bare `URLProtocol` in the same process."""
    return results.ratio_within("answer", size, "seconds", "bareSeconds")


GOALS = [
    Goal("full typed decoding on one core, 200 MB, relative to the floor", "1.3", floors("decode", "200MB")),
    Goal("the same on two cores", "0.75", floors("decode-all", "200MB")),
    Goal("opening an archive on one core, 200 MB, relative to the floor", "0.12", floors("open", "200MB")),
    Goal("the same on two cores", "0.07", floors("open-all", "200MB")),
    Goal("opening an archive with a saved index, 1 GB, relative to the floor", "0.01", floors("kept", "1GB", digits=4)),
    Goal("`har entries` of 200 MB, as a process, relative to the floor", "0.2", floors("entries", "200MB")),
    Goal("`har filter` of 200 MB, keeping half of the entries, as a process, relative to the floor", "0.3",
         floors("filter", "200MB")),
    Goal("`har inspect` of 200 MB, as a process, relative to the floor", "0.5", floors("inspect", "200MB")),
    Goal("`har stats`, the same", "0.25", floors("stats", "200MB")),
    Goal("`har search` for an absent text, the same", "0.5", floors("search", "200MB")),
    Goal("`har check`, the same", "1.5", floors("check", "200MB")),
    Goal("`har entries --ndjson`, the same", "1.0", floors("ndjson", "200MB")),
    Goal("`har export --to ndjson`, the same", "1.0", floors("export-ndjson", "200MB")),
    Goal("`har diff` with a later capture of the same content, the same", "1.5", floors("diff-repeated", "200MB")),
    Goal("`har diff` with a capture after all documents changed, the same", "1.5", floors("diff", "200MB")),
    Goal("`har replay`, the same", "6", floors("replay", "200MB")),
    Goal("`har table`, the same", "0.6", floors("table", "200MB")),
    Goal("peak memory of `har table` for 1 GB, as a process", "64 MB",
         lambda results: f"{results.memory('table', '1GB') / 1e6:.1f} MB"),
    Goal("full typed decoding on one core, 200 MB, relative to `JSONDecoder`", "0.29",
         ratio(lambda results: results.ratio("decode", "200MB", "decodable"))),
    Goal("the same on two cores", "0.17", ratio(lambda results: results.ratio("decode-all", "200MB", "decodable"))),
    Goal("peak memory of one pass over 1 GB, as a process", "32 MB",
         lambda results: f"{results.memory('pass', '1GB') / 1e6:.1f} MB"),
    Goal("the same, relative to one pass over 100 MB", "1.05",
         ratio(lambda results: results.memory("pass", "1GB") / results.memory("pass", "100MB"))),
    Goal("memory per entry of an open archive with 1,000,000 entries", "100 bytes plus the URL", kept_by_an_entry),
    Goal("a response among 1,000,000 entries, relative to 1,000 entries, through `URLSession`", "1.2",
         ratio(lambda results: answering("1M", results) / answering("1k", results))),
    Goal("a response of 1 kB through `URLSession`, relative to a bare `URLProtocol`", "1.25",
         ratio(lambda results: results.ratio_within("kilobyte", "1k", "seconds", "bareSeconds"))),
]
