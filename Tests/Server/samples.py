"""Repeats the requests that the clients of the samples made, and compares the responses of `har serve` with those that the
clients saw: status, length and SHA-256 of the body, and the final URL.

    samples.py HAR-SERVE
"""

import base64
import hashlib
import http.client
import json
from urllib.parse import urljoin

from serving import ROOT, serving

def samples():
    """Yields the archives and the notes of their clients."""
    for file in sorted((ROOT / "HARSamples").rglob("*.seen.json")):
        yield file.with_name(file.name.replace(".seen.json", ".har")), json.loads(file.read_text(encoding="utf-8"))


def send(connection, method, url, headers, body):
    """Sends a request to a proxy, with its URL unchanged, and returns the response and its body."""
    connection.putrequest(method, url.split("#")[0], skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", url.split("/")[2])
    for name, value in headers:
        if name.lower() not in ("host", "content-length"):
            connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", len(body))
    connection.endheaders(body)
    response = connection.getresponse()
    return response, response.read()


def perform(connection, note):
    """Performs the request of a note, follows redirects as browsers do, and returns the comparable parts."""
    method, url, headers = note["method"], note["url"], note["headers"]
    body = None if note["body"] is None else base64.b64decode(note["body"])
    for _ in range(20):
        response, data = send(connection, method, url, headers, body)
        location = response.getheader("location")
        if response.status not in (301, 302, 303, 307, 308) or location is None:
            break
        url = urljoin(url, location.encode("latin-1").decode("utf-8"))
        if response.status == 303 and method != "HEAD" or response.status in (301, 302) and method == "POST":
            method, body, headers = "GET", None, [field for field in headers if field[0].lower() != "content-type"]
    return {"status": response.status, "length": len(data), "sha256": hashlib.sha256(data).hexdigest(),
            "finalURL": url.split("#")[0]}


def check(archive, notes):
    compared, wrong = 0, []
    with serving(archive) as (address, finish, _):
        connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=30)
        for note in notes:
            # The body of a form that was submitted is not in the notes.
            if "error" in note or note["kind"] != "fetch" and note["method"] != "GET":
                continue
            got = perform(connection, note)
            # Some clients note the fragment.
            expected = {name: note[name] for name in got} | {"finalURL": note["finalURL"].split("#")[0]}
            compared += 1
            if got != expected:
                wrong.append(f"{archive.name}: {note['name']}: expected {expected}, found {got}")
        finish()
    return compared, wrong


def main():
    failures = []
    for archive, notes in samples():
        compared, wrong = check(archive, notes)
        failures += wrong
        print(f"{archive.name}: {compared} responses compared, {len(wrong)} different")
    assert not failures, "\n".join(failures)


main()
