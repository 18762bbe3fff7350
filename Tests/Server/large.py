"""Lets `har serve` send bodies of a gigabyte to slow clients, and measures its memory.

    large.py HAR-SERVE
"""

import hashlib
import json
import pathlib
import socket
import sys
import tempfile
import time

from serving import PROGRAM, entry, memory, serving

SIZE = 1 << 30
LIMIT = 64 << 20
LINE = b"0123456789abcdef" * 4096


def write_archive(folder):
    """Writes an archive with a body of a gigabyte in the archive, and another one in a file."""
    with open(folder / "body.bin", "wb") as file:
        file.truncate(SIZE)
    attached = entry("GET", "http://large.example/file", b"")
    attached["response"]["content"] = {"size": SIZE, "mimeType": "a/b", "_file": "body.bin", "_fileEncoding": "identity"}
    whole = entry("GET", "http://large.example/entry", b"")
    whole["response"]["content"] = {"size": SIZE, "mimeType": "text/plain", "text": "PLACEHOLDER"}
    before, after = json.dumps(whole).split("PLACEHOLDER")
    with open(folder / "large.har", "wb") as file:
        file.write(b'{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[')
        file.write(json.dumps(attached).encode() + b"," + before.encode())
        for _ in range(SIZE // len(LINE)):
            file.write(LINE)
        file.write(after.encode() + b"]}}")
    return folder / "large.har"


def expected(path):
    digest = hashlib.sha256()
    part = bytes(len(LINE)) if path == "/file" else LINE
    for _ in range(SIZE // len(LINE)):
        digest.update(part)
    return digest.hexdigest()


def receive(url, path, process):
    """Receives a body, with a pause after the first part, and returns its hash and the largest memory of the server."""
    host, port = url.removeprefix("http://").split(":")
    largest = 0
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: large.example\r\nConnection: close\r\n\r\n".encode())
        stream = connection.makefile("rb")
        fields = []
        while line := stream.readline().strip():
            fields.append(line.lower())
        assert fields[0].split()[1] == b"200", fields
        assert f"content-length: {SIZE}".encode() in fields, fields
        digest = hashlib.sha256()
        count = 0
        while part := stream.read(1 << 20):
            if count == 0:
                # Long enough for the server to fill all buffers.
                time.sleep(0.5)
            if count % (1 << 26) == 0:
                largest = max(largest, memory(process))
            digest.update(part)
            count += len(part)
    assert count == SIZE, count
    return digest.hexdigest(), max(largest, memory(process))


def main():
    with tempfile.TemporaryDirectory() as name:
        archive = write_archive(pathlib.Path(name))
        with serving(archive) as (url, finish, process):
            for path in ("/file", "/entry"):
                digest, used = receive(url, path, process)
                assert digest == expected(path), path
                assert used < LIMIT, f"{path}: {used >> 20} MB"
                print(f"a body of 1 GB ({path}) reaches a slow client with {used >> 20} MB of memory")
            finish()


main()
