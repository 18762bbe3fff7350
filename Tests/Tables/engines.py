#!/usr/bin/env python3
"""Runs the examples of Docs/Tables.md and compares what they read with the archives. Usage: engines.py ENGINE

Runs in a folder that contains the folder `archives`.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import expected

PAGE = (Path(__file__).parents[2] / "Docs" / "Tables.md").read_text(encoding="utf-8")
Query = Callable[[str], list[tuple]]


def block(mark: str, language: str) -> str:
    """Returns the code of the page after a mark."""
    match = re.search(rf"<!-- {mark} -->\n```{language}\n(.*?)```", PAGE, re.DOTALL)
    if not match:
        sys.exit(f"Docs/Tables.md has no example with the mark '{mark}'")
    return match.group(1)


def make_tables() -> None:
    """Runs the page's commands that make the tables."""
    for command in re.findall(r"^har table archives -o \S+(?: --split \d+)?$", PAGE, re.MULTILINE):
        if "100000" not in command:
            subprocess.run(command, shell=True, check=True)


def is_equal(found: Any, wanted: Any) -> bool:
    """Returns whether two facts are equal, except for the rounding of sums in another order."""
    if isinstance(wanted, float):
        return math.isclose(found, wanted, rel_tol=1e-9)
    return found == wanted


def compare(name: str, query: Query, function: str) -> int:
    """Compares a table with the archives, and returns the number of differences."""
    wanted = expected.facts(expected.rows(Path("archives")))
    differences = 0
    for fact, sql in expected.QUERIES.items():
        sql = sql.format(ms=function)
        if fact.startswith("rows by"):
            found = dict(query(f"SELECT {sql}, count(*) FROM entries GROUP BY 1"))
        else:
            found = query(f"SELECT {sql} FROM entries")[0][0]
        if not is_equal(found, wanted[fact]):
            differences += 1
            print(f"{name}: {fact}: expected {wanted[fact]}, found {found}")
    print(f"{name}: {wanted['rows']} rows from {wanted['files']} archives, {len(wanted)} facts, {differences} differ")
    return differences


def check_duckdb() -> int:
    import duckdb

    differences = 0
    relations = {}
    for format in ("csv", "ndjson"):
        space: dict[str, Any] = {}
        exec(block(f"run: duckdb {format}", "python"), space)
        relations[format] = entries = space["entries"]

        def query(sql: str) -> list[tuple]:
            return entries.query("entries", sql).fetchall()

        differences += compare(f"DuckDB {duckdb.__version__}, {format}", query, "epoch_ms")
        assert query(block("query: duckdb", "sql"))
        assert [column.lower() for column in entries.columns] == columns(), "the columns differ from the page's"
    # Everything, including every header field, is equal in both formats.
    first, second = relations["csv"], relations["ndjson"]
    unequal = len(first.except_(second).project("file")) + len(second.except_(first).project("file"))
    print(f"DuckDB {duckdb.__version__}: {unequal} rows differ between the formats")
    return differences + unequal + check_bodies(duckdb) + check_each_archive(duckdb)


def check_bodies(duckdb: Any) -> int:
    """Compares the bodies in both formats."""
    found = []
    for format in ("csv", "ndjson"):
        table = f"bodies.{format}"
        subprocess.run(["har", "table", "archives", "--bodies", "-o", table], check=True)
        code = block(f"run: duckdb {format}", "python").replace(f"entries.{format}", table)
        space: dict[str, Any] = {}
        exec(code.replace('"--schema"', '"--bodies", "--schema"'), space)
        sums = "count(*), count(request_body), count(response_body), count(response_body_encoding), " \
            "sum(hash(request_body, response_body, file, entry_index) % 1000000007)"
        found.append(space["entries"].query("entries", f"SELECT {sums} FROM entries").fetchall()[0])
    print(f"DuckDB {duckdb.__version__}, bodies: {found[0][2]} response bodies, {found[0][3]} in Base64")
    if found[0] == found[1]:
        return 0
    print(f"DuckDB {duckdb.__version__}: the bodies differ: {found}")
    return 1


def check_each_archive(duckdb: Any) -> int:
    """Runs the command that converts each archive separately, and returns 1 if the number of rows differs."""
    subprocess.run(block("run: each archive", "sh"), shell=True, check=True)
    tables = "read_json('archives/**/*.ndjson', columns = {'file': 'VARCHAR'}, format = 'newline_delimited')"
    found = duckdb.sql(f"SELECT count(*), count(DISTINCT file) FROM {tables}").fetchall()[0]
    rows = expected.rows(Path("archives"))
    wanted = (len(rows), len({row["file"] for row in rows}))
    print(f"DuckDB {duckdb.__version__}, archives converted separately: {found[0]} rows from {found[1]} archives")
    if found == wanted and not Path("failed").exists():
        return 0
    print(f"DuckDB {duckdb.__version__}: expected {wanted[0]} rows from {wanted[1]} archives")
    return 1


def columns() -> list[str]:
    """Returns the names of the columns on the page, without bodies."""
    table = re.search(r"<!-- columns: begin -->\n(.*?)<!-- columns: end -->", PAGE, re.DOTALL).group(1)
    return [line.split("`")[1] for line in table.splitlines()[2:] if "only with `--bodies`" not in line]


def check_spark() -> int:
    import pyspark
    from pyspark.sql import SparkSession

    # The examples use this Spark session, because getOrCreate() returns the active one.
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "512m")
        .config("spark.ui.enabled", False).config("spark.ui.showConsoleProgress", False)
        .config("spark.sql.shuffle.partitions", 2).config("spark.driver.host", "localhost").getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    differences = 0
    for format in ("ndjson", "csv"):
        space: dict[str, Any] = {}
        exec(block(f"run: spark {format}", "python"), space)
        entries = space["entries"].cache()
        entries.createOrReplaceTempView("entries")

        def query(sql: str) -> list[tuple]:
            return [tuple(row) for row in spark.sql(sql).collect()]

        differences += compare(f"Spark {pyspark.__version__}, {format}", query, "unix_millis")
        assert query(block("query: spark", "sql"))
        assert entries.columns == columns(), "the columns differ from the page's"
        print(f"Spark {pyspark.__version__}, {format}: {entries.rdd.getNumPartitions()} partitions")
        entries.unpersist()
    # The driver is listed, too.
    workers = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    print(f"Spark {pyspark.__version__}: {workers} worker processes")
    spark.stop()
    return differences + (workers != 2)


start = time.monotonic()
make_tables()
engine = sys.argv[1]
count = check_duckdb() if engine == "duckdb" else check_spark()
seconds = time.monotonic() - start
print(f"{engine}: {'all tables are equal to the archives' if count == 0 else f'{count} differences'} ({seconds:.0f} s)")
sys.exit(count > 0)
