"""The measurements of appending to an archive: their goals and tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import programs
from figures import Figures, Goal, Part, Table, megabytes, microseconds

WAYS = {
    "eachEntry": "`.eachEntry`, the default", "eachEntryOnDisk": "`.eachEntryOnDisk`",
    "interval": "`.interval(.seconds(1))`", "atEnd": "`.atEnd`", "rewriting": "rewriting the whole file for each entry",
}

#: Two numbers of entries for each way of appending. Memory is measured for both numbers.
COUNTS = {way: (1000, 2000) if way == "rewriting" else (1000, 10_000) for way in WAYS}

THOUSANDS = {"1": "first thousand", "2": "second", "5": "fifth", "10": "tenth"}

MEMORY = {"1000": "1,000 entries", "2000": "2,000", "10000": "10,000"}


def run(way: str, count: int) -> tuple[list[float], int]:
    """Returns the seconds per thousand entries, and the peak memory in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [programs.path("recording"), way, str(count), str(Path(folder) / "a.har")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        output = process.stdout.read()
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, command)
        return json.loads(output), usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def measure(rounds: int) -> Figures:
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number in range(rounds):
        print(f"appending, round {number + 1}", file=sys.stderr)
        for way, counts in COUNTS.items():
            for count in counts:
                if way == "rewriting" and number > 0:
                    continue
                times, memory = run(way, count)
                values[f"{way} memory"][str(count)].append(memory)
                if count != counts[-1]:
                    continue
                for thousand in THOUSANDS:
                    if int(thousand) <= len(times):
                        values[way][thousand].append(times[int(thousand) - 1] / 1000)
    return Figures({subject: dict(columns) for subject, columns in values.items()})


PART = Part(
    "appending", [],
    [
        *(Goal(f"the tenth thousand entries, relative to the first, {title}", 1.2,
               lambda figures, way=way: figures.growth(way, "10", "1"))
          for way, title in WAYS.items() if way not in ("eachEntryOnDisk", "rewriting")),
        Goal("peak memory of 10,000 entries, relative to 1,000, `.eachEntry`", 1.05,
             lambda figures: figures.growth("eachEntry memory", "10000", "1000")),
    ],
    [
        Table("Time per entry, in microseconds:", THOUSANDS,
              [(title, microseconds(way)) for way, title in WAYS.items()]),
        Table("Peak memory, in MB:", MEMORY, [(title, megabytes(f"{way} memory")) for way, title in WAYS.items()]),
    ])
