#!/usr/bin/env python3
"""Copies the archives that Python's json module can read, and body files. Usage: archives.py TARGET FOLDER ..."""

import json
import shutil
import sys
from pathlib import Path


def is_archive(path: Path) -> bool:
    """Returns whether Python reads the file as an archive whose entries and their parts are objects."""
    try:
        entries = json.loads(path.read_bytes())["log"]["entries"]
        return all(isinstance(entry[part], dict) for entry in entries for part in ("request", "response"))
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def main() -> None:
    target = Path(sys.argv[1])
    copied = skipped = 0
    for folder in map(Path, sys.argv[2:]):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            if path.suffix == ".har":
                if not is_archive(path):
                    skipped += 1
                    continue
                copied += 1
            copy = target / folder.name / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    print(f"{copied} archives, {skipped} files skipped that are not valid archives")


main()
