"""A client of the shop in shop.py that records its requests as an archive."""
import base64
import http.client
import json
import time
from datetime import datetime, timezone


class Recorder:
    """Sends requests to a server, and records them as entries of an archive."""

    def __init__(self, port):
        self.port = port
        self.entries = []

    def send(self, method, path, headers=None, body=None):
        headers = {"Accept": "*/*", **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        start = datetime.now(timezone.utc)
        clock = time.monotonic()
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        duration = (time.monotonic() - clock) * 1000
        connection.close()
        self.entries.append(self.entry(method, path, headers, body, response, content, start, duration))
        return response, content

    def entry(self, method, path, headers, body, response, content, start, duration):
        kind = response.getheader("Content-Type", "")
        try:
            text = {"text": content.decode()}
        except UnicodeDecodeError:
            text = {"text": base64.b64encode(content).decode(), "encoding": "base64"}
        request = {
            "method": method, "url": f"http://127.0.0.1:{self.port}{path}", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": [{"name": name, "value": value} for name, value in headers.items()], "queryString": [],
            "headersSize": -1, "bodySize": len(body or ""),
        }
        if body:
            request["postData"] = {"mimeType": headers.get("Content-Type", ""), "text": body}
        return {
            "startedDateTime": start.isoformat(), "time": duration, "request": request,
            "response": {
                "status": response.status, "statusText": response.reason, "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [{"name": name, "value": value} for name, value in response.getheaders()],
                "content": {"size": len(content), "mimeType": kind, **text},
                "redirectURL": response.getheader("Location", ""), "headersSize": -1, "bodySize": len(content),
            },
            "cache": {}, "timings": {"send": 0, "wait": duration, "receive": 0},
        }

    def write(self, path):
        creator = {"name": "client.py", "version": "1"}
        archive = {"log": {"version": "1.2", "creator": creator, "entries": self.entries}}
        with open(path, "w") as file:
            json.dump(archive, file, ensure_ascii=False, indent=2)
            file.write("\n")


def record(port, path):
    """Visits the whole shop, and writes the archive."""
    client = Recorder(port)
    kind = {"Content-Type": "application/json"}
    response, content = client.send("POST", "/login", kind, json.dumps({"user": "ada", "password": "Xk29!vQ7mm"}))
    token = json.loads(content)["token"]
    cookie = response.getheader("Set-Cookie").split(";")[0]
    client.send("GET", "/profile", {"Authorization": f"Bearer {token}", "Cookie": cookie})
    page = json.loads(client.send("GET", "/items")[1])
    last = json.loads(client.send("GET", page["next"])[1])
    for item in page["items"][:4] + last["items"][:2]:
        client.send("GET", f"/items/{item['id']}")
        order = json.loads(client.send("POST", "/orders", kind, json.dumps({"item": item["id"], "count": 1}))[1])
        client.send("GET", f"/orders/{order['id']}")
    form = client.send("GET", "/form")[1].decode()
    csrf = form.split('value="')[1].split('"')[0]
    client.send("POST", "/form", {"Content-Type": "application/x-www-form-urlencoded"}, f"csrf_token={csrf}&text=hello")
    for path_of_request in ["/sales", "/logo", "/old", "/health", "/missing"]:
        client.send("GET", path_of_request)
    client.write(path)
