"""Runs programs alternately, and collects their measurements."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import programs
from archives import later

if TYPE_CHECKING:
    from readers import Reader

#: The result of one run: `seconds`, `memory` in bytes, and other values that the program printed.
Run = dict[str, float]


class Missing(Exception):
    """A measurement is missing."""


class Results:
    """The runs of each reader with each archive, one for each round."""

    def __init__(self) -> None:
        self.runs: dict[tuple[str, str], list[Run | None]] = defaultdict(list)

    def values(self, key: str, size: str, name: str) -> list[float | None]:
        return [run and run.get(name) for run in self.runs[key, size]]

    def value(self, key: str, size: str, name: str) -> float:
        """The median of a value."""
        values = [value for value in self.values(key, size, name) if value is not None]
        if not values:
            raise Missing
        return statistics.median(values)

    def memory(self, key: str, size: str) -> float:
        return self.value(key, size, "memory")

    def ratio(self, key: str, size: str, other: str) -> float:
        """The median, over all rounds, of the ratio of two readers' times."""
        return median_ratio(self.values(key, size, "seconds"), self.values(other, size, "seconds"))

    def ratio_within(self, key: str, size: str, name: str, other: str) -> float:
        """The median, over all rounds, of the ratio of one value of a reader to another."""
        return median_ratio(self.values(key, size, name), self.values(key, size, other))

    def has_failed(self, key: str, size: str) -> bool:
        """Whether the reader was run and always failed."""
        return bool(self.runs[key, size]) and not any(self.runs[key, size])


def median_ratio(values: Sequence[float | None], others: Sequence[float | None]) -> float:
    ratios = [value / other for value, other in zip(values, others) if value and other]
    if not ratios:
        raise Missing
    return statistics.median(ratios)


def run(reader: Reader, archive: Path, output: Path) -> Run | None:
    """Runs a reader once, and returns `None` if it fails."""
    words = shlex.split(reader.command)
    names = {"file": archive, "output": output, "programs": programs.HERE / "Programs"}
    if "{later}" in reader.command:
        names["later"] = later(archive)
    if "{repeated}" in reader.command:
        names["repeated"] = later(archive, has_changes=False)
    for file in {archive, *(names[name] for name in ("later", "repeated") if name in names)}:
        warm(file)
    command = [programs.path(words[0]), *(word.format(**names) for word in words[1:])]
    if reader.core is not None and shutil.which("taskset"):
        command = ["taskset", "--cpu-list", str(reader.core), *command]
    receiving, sending = os.pipe()
    # A shell opens descriptor 3, which `measure` writes to.
    script = [f'exec "$@" 3>&{sending}', programs.path("measure"), *command]
    process = subprocess.Popen(
        ["bash", "-c", script[0], "bash", *script[1:]], pass_fds=[sending], stderr=subprocess.DEVNULL,
        stdout=subprocess.PIPE if reader.has_clock else subprocess.DEVNULL)
    os.close(sending)
    written, _ = process.communicate()
    with os.fdopen(receiving) as measured:
        result: Run = json.loads(measured.read() or "{}")
    output.unlink(missing_ok=True)
    if process.returncode != reader.status:
        return None
    result["seconds"] = result["process"]
    return result | json.loads(written or "{}")


def forget(archive: Path) -> None:
    """Evicts a file from the page cache. A file that was just written is cached in smaller parts than a file that was
    read, which would affect the time."""
    with archive.open("rb") as file:
        os.fsync(file.fileno())
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def warm(file: Path) -> None:
    """Reads a file into the page cache. Some systems evict files that were not used for a minute."""
    with file.open("rb", buffering=0) as opened:
        while opened.read(1 << 20):
            pass


def measure(readers: list[Reader], archives: dict[str, Path], rounds: int, output: Path) -> Results:
    """Runs all readers alternately with each archive, so that a disturbance affects several readers."""
    results = Results()
    for size, archive in archives.items():
        here = [reader for reader in readers if size in reader.sizes]
        # Read the file once, so that it is in the active part of the page cache for all readers.
        forget(archive)
        run(here[0], archive, output)
        for turn in range(max(1, rounds // 2) if archive.stat().st_size >= 1_000_000_000 else rounds):
            for reader in here:
                print(f"{size}, round {turn + 1}: {reader.key}", file=sys.stderr)
                results.runs[reader.key, size].append(run(reader, archive, output))
        check_counts(results, size, here)
    return results


def check_counts(results: Results, size: str, readers: list[Reader]) -> None:
    """Exits if readers found different numbers of entries."""
    counts = {reader.key: set(results.values(reader.key, size, "entries")) - {None} for reader in readers}
    if len(set().union(*counts.values())) > 1:
        sys.exit(f"{size}: the readers found different numbers of entries: {counts}")
