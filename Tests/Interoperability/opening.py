"""The command line of scripts that open archives with a tool. It lists pairs of an archive and its seen-file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import seen
from opened import Opened, differences, has_body_files, missing_answers


def main(purpose: str | None, read: Callable[[Path], list[Opened]], known: dict[str, str]) -> int:
    """Prints the differences and the number of comparisons, and returns the exit status."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("files", type=Path, nargs="+", help="pairs of an archive and its seen-file")
    files = parser.parse_args().files
    if len(files) % 2:
        parser.error("odd number of files")
    different = count = 0
    for archive, seen_file in zip(files[::2], files[1::2], strict=True):
        opened = read(archive)
        count += len(opened)
        found = list(differences(archive, opened))
        if has_body_files(archive):
            print(f"  {archive.name}: bodies are not compared: the tool does not read bodies in files")
        else:
            found += missing_answers(seen.read(seen_file), opened, known)
        different += len(found)
        for line in found:
            print(f"{archive.name}: {line}")
    print(f"{count} entries, {different} different")
    return 1 if different else 0
