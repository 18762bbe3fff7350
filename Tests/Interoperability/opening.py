"""The command that shows whether a tool opens archives: pairs of an archive and what was seen when it was made."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import seen
from opened import Opened, differences, has_body_files, missing_answers


def main(purpose: str | None, read: Callable[[Path], list[Opened]], known: dict[str, str]) -> int:
    """Prints what is different, and at the end how much was compared; the exit status."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("files", type=Path, nargs="+", help="pairs: an archive, and the seen-file of it")
    files = parser.parse_args().files
    if len(files) % 2:
        parser.error("a file is left over")
    different = count = 0
    for archive, seen_file in zip(files[::2], files[1::2], strict=True):
        opened = read(archive)
        count += len(opened)
        found = list(differences(archive, opened))
        if has_body_files(archive):
            print(f"  {archive.name}: no bodies compared: they are in files, which the tool does not know")
        else:
            found += missing_answers(seen.read(seen_file), opened, known)
        different += len(found)
        for line in found:
            print(f"{archive.name}: {line}")
    print(f"{count} entries, {different} different")
    return 1 if different else 0
