"""The Python readers: json, orjson, and ijson entry by entry. Usage: python.py READER FILE"""

import json
import sys
import time
from importlib import import_module


def count(reader: str, path: str) -> int:
    with open(path, "rb") as file:
        if reader == "ijson":
            return sum(1 for _ in import_module("ijson").items(file, "log.entries.item"))
        return len(import_module(reader).loads(file.read())["log"]["entries"])


start = time.monotonic()
entries = count(*sys.argv[1:])
print(json.dumps({"seconds": time.monotonic() - start, "entries": entries}))
