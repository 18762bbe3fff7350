"""Counts the entries and bytes of an archive by host, with time percentiles. Usage: statistics_by_host.py READER FILE

Prints the same figures as `har stats --by host` with Python's json and with DuckDB.
"""

import json
import statistics
import sys
import time
from collections import defaultdict
from importlib import import_module
from urllib.parse import urlsplit

QUERY = """
SELECT regexp_extract(entry.request.url, '^[a-z]+://([^/:?#]*)', 1) AS host, count(*), sum(entry.response.bodySize),
    quantile_cont(entry.time, [0.5, 0.95])
FROM (SELECT unnest(log.entries) AS entry FROM read_json(?, columns = {
    log: 'STRUCT(entries STRUCT(request STRUCT(url VARCHAR), response STRUCT(bodySize BIGINT), time DOUBLE)[])'
}, maximum_object_size = 2000000000))
GROUP BY host"""


def with_json(path: str) -> int:
    with open(path, "rb") as file:
        entries = json.load(file)["log"]["entries"]
    hosts = defaultdict(list)
    for entry in entries:
        hosts[urlsplit(entry["request"]["url"]).hostname].append((entry["response"]["bodySize"], entry["time"]))
    for figures in hosts.values():
        sum(size for size, _ in figures)
        times = [time for _, time in figures]
        statistics.quantiles(times * 2, n=20)
    return len(entries)


def with_duckdb(path: str) -> int:
    return sum(row[1] for row in import_module("duckdb").execute(QUERY, [path]).fetchall())


start = time.monotonic()
entries = {"json": with_json, "duckdb": with_duckdb}[sys.argv[1]](sys.argv[2])
print(json.dumps({"seconds": time.monotonic() - start, "entries": entries}))
