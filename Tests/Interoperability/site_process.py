"""Runs the site in a separate process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Site(NamedTuple):
    """The address of the site, and an address that refuses connections."""

    origin: str
    refusing: str


@contextmanager
def running_site(port: int = 0) -> Iterator[Site]:
    """Runs a new instance of the site, which exits at the end of the block."""
    command = [sys.executable, str(HERE / "site" / "serve.py"), "--port", str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()
        if len(address) != 2:
            raise RuntimeError("the site did not start")
        yield Site(*address)
        # Popen closes the site's standard input at the end of its block, and the site then exits.
