"""Runs the site in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Site(NamedTuple):
    """Where the site answers, and where nothing does."""

    origin: str
    refusing: str


@contextmanager
def running_site(port: int = 0) -> Iterator[Site]:
    """A fresh site, which knows of no request yet; it ends with the block."""
    command = [sys.executable, str(HERE / "site" / "serve.py"), "--port", str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()
        if len(address) != 2:
            raise RuntimeError("the site did not start")
        yield Site(*address)
        # Leaving Popen's block closes its standard input, at which it ends.
