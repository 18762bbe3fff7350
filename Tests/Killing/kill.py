"""Kills processes at random moments while they append to archives, and limits the size of their files. Acknowledged
entries must not be lost.

SEED in the environment makes a run repeatable.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

#: The initial contents of archives: empty, or with fields after the entries. These fields must not be lost.
BEGINNINGS = [
    "",
    '{"log":{"version":"1.2","entries":[],"pages":[{"id":"first"}],"_custom":"' + "x" * 5000 + '"},"_end":1}',
]


def fail(reason: str) -> None:
    sys.exit(f"FAILED: {reason}")


class Recorder:
    """The recorder program and its archive."""

    def __init__(self, program: str, archive: Path) -> None:
        self.program = program
        self.archive = archive

    def command(self, action: str, *arguments: object) -> list[str]:
        return [self.program, action, str(self.archive), *map(str, arguments)]

    def run(self, action: str, *arguments: object, limit: int | None = None) -> subprocess.CompletedProcess[str]:
        def restrict() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

        return subprocess.run(
            self.command(action, *arguments), capture_output=True, text=True, check=False,
            preexec_fn=None if limit is None else restrict)

    def expect_whole(self, recorded: list[str], when: str, maybe: int = 1) -> list[str]:
        """Reads the archive, repairs it, and reads it with Python.

        The archive must contain all recorded entries, and no more than `maybe` others.
        """
        if self.archive.stat().st_size > 0:
            reading = self.run("read")
            if reading.returncode != 0:
                fail(f"{when}, reading: {reading.stdout}{reading.stderr}")
            for line in reading.stdout.split("\n")[:2]:
                numbers = line.split()
                if numbers[: len(recorded)] != recorded or len(numbers) > len(recorded) + maybe:
                    fail(f"{when}: {len(recorded)} entries were recorded, but the last entries read are {numbers[-5:]}")
        repairing = self.run("repair")
        if repairing.returncode != 0:
            fail(f"{when}, repair: {repairing.stdout}{repairing.stderr}")
        document = json.loads(self.archive.read_bytes())
        numbers = [entry["request"]["url"].rpartition("/")[2] for entry in document["log"]["entries"]]
        if numbers[: len(recorded)] != recorded or len(numbers) > len(recorded) + maybe:
            fail(f"{when}: {len(recorded)} entries were recorded, but the repaired archive has {len(numbers)}")
        if "_end" in document or self.expects_tail:
            if document.get("_end") != 1 or document["log"].get("pages") != [{"id": "first"}]:
                fail(f"{when}: the fields after the entries were lost")
        return numbers

    expects_tail = False


def kill(recorder: Recorder, count: int) -> None:
    """Kills recorders repeatedly. Ten consecutive recorders append to the same archive."""
    recorded: list[str] = []
    torn = refused = 0
    for number in range(count):
        if number % 10 == 0:
            beginning = BEGINNINGS[number // 10 % 2]
            recorder.archive.write_text(beginning, encoding="utf-8")
            recorder.expects_tail = beginning != ""
            recorded = []
        first = int(recorded[-1]) + 1 if recorded else 0
        with subprocess.Popen(
                recorder.command("record", first, random.getrandbits(60)), stdout=subprocess.PIPE, text=True) as process:
            if number % 20 == 5:
                process.stdout.readline()
                recorded.append(str(first))
                second = recorder.run("record", 0, 0, 1)
                if second.returncode != 1 or not second.stdout.startswith("fileInUse"):
                    fail(f"a second recorder is not rejected: {second.stdout}{second.stderr}")
                refused += 1
            time.sleep(random.uniform(0.005, 0.06))
            process.send_signal(signal.SIGKILL)
            lines = process.stdout.read().split("\n")
        recorded += [line.removeprefix("recorded ") for line in lines[:-1]]
        try:
            json.loads(recorder.archive.read_bytes() or b"{}")
        except ValueError:
            torn += 1
        recorded = recorder.expect_whole(recorded, f"kill {number}")
    print(f"{count} kills, {torn} within a write: no recorded entry was lost; {refused} second recorders rejected")


def limit(recorder: Recorder) -> None:
    """Limits the file size so that one of three appends fails, even while it moves the fields after the entries.

    The package's tests do this for every size in bytes, within one process.
    """
    total = 0
    for beginning in BEGINNINGS:
        recorder.expects_tail = beginning != ""
        recorder.archive.write_text(beginning, encoding="utf-8")
        recorder.run("repair")
        start = recorder.archive.stat().st_size
        text = recorder.archive.read_bytes()
        recorder.run("record", 0, 12, 3)
        end = recorder.archive.stat().st_size
        step = 23 if not beginning else 2999
        for size in range(start, end + 100_000 * (beginning != ""), step):
            recorder.archive.write_bytes(text)
            outcome = recorder.run("record", 0, 12, 3, limit=size)
            lines = outcome.stdout.split("\n")
            recorded = [line.removeprefix("recorded ") for line in lines if line.startswith("recorded ")]
            numbers = recorder.expect_whole(recorded, f"limit {size}", maybe=0)
            after = recorder.run("record", 9, 1, 1)
            if after.stdout.strip() != "recorded 9":
                fail(f"limit {size}: the archive cannot be extended: {after.stdout}{after.stderr}")
            recorder.expect_whole([*numbers, "9"], f"limit {size}, continued", maybe=0)
            total += 1
    print(f"{total} file size limits: no recorded entry was lost, and the archive can be extended")


class Answers(http.server.BaseHTTPRequestHandler):
    """Sends responses of various sizes over persistent connections."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = b"x" * random.choice([0, 10, 1000, 20_000])
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def kill_recording(program: str, recorder: Recorder, count: int) -> None:
    """Repeatedly kills a process that records its requests to a server. All processes append to the same archive."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # Ignore lost connections to killed processes.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    recorder.archive.unlink()
    recorded: set[str] = set()
    for number in range(count):
        command = [program, str(recorder.archive), address, str(number * 1_000_000)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            first = process.stdout.readline()
            time.sleep(random.uniform(0, 0.3))
            process.send_signal(signal.SIGKILL)
            lines = [first, *process.stdout.read().split("\n")[:-1]]
            if not first:
                fail(f"recording {number}: {process.stderr.read()}")
        recorded |= {line.strip().removeprefix("recorded ") for line in lines}
        reading = recorder.run("read")
        for line in reading.stdout.split("\n")[:2]:
            if reading.returncode != 0 or not recorded <= set(line.split()):
                fail(f"recording {number}: {recorded - set(line.split())} were lost; {reading.stdout[-200:]}")
    server.shutdown()
    print(f"{count} kills of recording processes: none of {len(recorded)} recorded exchanges was lost")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path, help="the folder that contains Recorder and Recording")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--recordings", type=int, default=25)
    options = parser.parse_args()
    seed = int(os.environ.get("SEED") or random.getrandbits(32))
    print(f"SEED={seed}", flush=True)
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(str(options.programs / "Recorder"), Path(folder) / "recorded.har")
        kill(recorder, options.kills)
        limit(recorder)
        kill_recording(str(options.programs / "Recording"), recorder, options.recordings)


if __name__ == "__main__":
    main()
