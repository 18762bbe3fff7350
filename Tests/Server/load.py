"""Sends requests through `har proxy` for a time or up to a number, and prints its memory, which must not grow.

    load.py HAR-SERVE SECONDS [REQUESTS]

Needs Node, in which the site and its 32 clients run. Some of the requests fail, are large, or are canceled.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

from serving import PROGRAM, memory, recording

SITE = """
const http = require("node:http");
const text = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id, name: "item " + id, price: id / 4 })));
const server = http.createServer((request, response) => {
    request.resume();
    request.on("end", () => {
        if (request.url.startsWith("/lost")) return request.socket.destroy();
        if (request.url.startsWith("/large")) return response.end(Buffer.alloc(1 << 20, 7));
        response.setHeader("content-type", "application/json");
        response.end(text);
    });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"""
CLIENT = """
const http = require("node:http");
const [proxy, site, seconds, count] = process.argv.slice(1);
const { hostname, port } = new URL(proxy);
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
const end = Date.now() + seconds * 1000;
let number = 0, answered = 0, failed = 0;
const next = () => {
    if (Date.now() > end || number >= count) return;
    const index = ++number;
    const path = index % 5000 === 0 ? "/large" : index % 997 === 0 ? "/lost" : "/items?page=" + index % 50;
    const method = index % 10 === 3 ? "POST" : "GET";
    const request = http.request({ hostname, port, agent, method, path: site + path, headers: { host: new URL(site).host } });
    let isOver = false;
    const finish = () => { if (!isOver) { isOver = true; setImmediate(next); } };
    request.on("response", (response) => {
        if (index % 4999 === 0) { response.destroy(); failed++; return finish(); }
        response.resume();
        response.on("end", () => { answered++; finish(); });
        response.on("error", finish);
    });
    request.on("error", () => { failed++; finish(); });
    request.end(method === "POST" ? "a=" + index : undefined);
};
for (let worker = 0; worker < 32; worker++) next();
process.on("exit", () => console.log(JSON.stringify({ answered, failed })));
"""


def main():
    seconds = int(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1 << 60
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "load.har"
        site = subprocess.Popen(["node", "-e", SITE], stdout=subprocess.PIPE, text=True)
        address = f"http://127.0.0.1:{int(site.stdout.readline())}"
        with recording(out) as (proxy, process):
            client = subprocess.Popen(["node", "-e", CLIENT, proxy, address, str(seconds), str(count)], stdout=subprocess.PIPE, text=True)
            sizes = []
            while client.poll() is None:
                time.sleep(max(1, seconds / 600))
                sizes.append(memory(process) >> 20)
        site.kill()
        result = json.loads(client.stdout.read())
        half = sizes[:max(1, len(sizes) // 2)]
        print(f"{result['answered']:,} responses, {result['failed']:,} failures; {max(half)} MB of memory in the first half, {max(sizes)} MB at most")
        assert result["answered"] > 0 and max(sizes) <= max(half) * 1.1 + 8, sizes
        recorded = int(subprocess.run(["grep", "-c", '"startedDateTime"', out], capture_output=True, text=True).stdout)
        assert recorded >= result["answered"], (recorded, result)
        assert process.returncode == 0


main()
