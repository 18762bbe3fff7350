"""Runs `har serve` and `har proxy`, whose path is the first argument of the script that imports this module."""

import base64
import collections
import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[1]).resolve()


def entry(method, url, body, status=200, headers=(), sent=None):
    request = {"method": method, "url": url, "httpVersion": "HTTP/1.1", "cookies": [], "headers": [], "queryString": [],
               "headersSize": -1, "bodySize": -1}
    if sent is not None:
        request["postData"] = {"mimeType": "text/plain", "text": sent}
    content = {"size": len(body), "mimeType": "text/plain", "text": base64.b64encode(body).decode(), "encoding": "base64"}
    return {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 0, "request": request, "cache": {},
            "timings": {"send": 0, "wait": 0, "receive": 0},
            "response": {"status": status, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "content": content,
                         "headers": [{"name": name, "value": value} for name, value in headers], "redirectURL": "",
                         "headersSize": -1, "bodySize": -1}}


def archive(path, entries):
    path.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": entries}}))
    return path


@contextlib.contextmanager
def serving(*arguments):
    """Runs the server, and yields its address, a function that stops it and returns its lines, and the process."""
    process = subprocess.Popen([PROGRAM, *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        first = process.stdout.readline()
        assert first.startswith('{"url"'), first

        def finish():
            process.send_signal(signal.SIGTERM)
            text = process.communicate(timeout=20)[0]
            assert process.returncode == 0, process.returncode
            return text

        yield json.loads(first)["url"], finish, process
    finally:
        process.kill()
        process.wait()


def memory(process):
    """Returns the resident memory of a process, in bytes."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1]) << 10


@contextlib.contextmanager
def recording(*arguments, environment=None):
    """Runs the proxy, and yields its address and the process."""
    process = subprocess.Popen([PROGRAM, "proxy", *arguments, "--json"], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        address = json.loads(process.stdout.readline())["url"]
        # An hour of lines would fill the memory.
        threading.Thread(target=lambda: collections.deque(process.stdout, maxlen=0), daemon=True).start()
        yield address, process
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    finally:
        process.kill()
        process.wait()


def make_certificate(folder):
    """Returns the files of a certificate for localhost, and of its key."""
    files = folder / "site.pem", folder / "site.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", files[1], "-out", files[0]],
                   check=True, capture_output=True)
    return files
