"""Captures the requests of a plain client with mitmproxy."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import seen
from fetches import all_fetches
from plain_client import PlainClient
from site_process import running_site

LISTENING = "proxy listening at"


@contextmanager
def running_proxy(archive: Path) -> Iterator[tuple[str, int]]:
    """Runs mitmproxy on a free loopback port. mitmproxy writes the archive at the end of the block."""
    mitmdump = Path(sys.executable).with_name("mitmdump")
    settings = ["hardump=" + str(archive), "flow_detail=0", "termlog_verbosity=info"]
    command = [str(mitmdump), "--listen-host", "127.0.0.1", "--listen-port", "0"]
    command += [argument for setting in settings for argument in ("--set", setting)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        line = next((line for line in process.stdout if LISTENING in line), "")
        if not line:
            raise RuntimeError("mitmdump did not start")
        try:
            yield "127.0.0.1", int(line.strip().rstrip(".").rpartition(":")[2])
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()


def capture(archive: Path, port: int) -> None:
    """Writes the archive and its seen-file."""
    with running_site(port) as site, running_proxy(archive) as proxy:
        client = PlainClient(site.origin, proxy)
        notes = [client.perform(wanted) for wanted in all_fetches(*site)]
    seen.write(archive.with_suffix(".seen.json"), notes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder for the archive")
    parser.add_argument("--port", type=int, default=0, help="the port of the site; 0 for any free port")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    capture(options.folder / "mitmproxy.har", options.port)


if __name__ == "__main__":
    main()
