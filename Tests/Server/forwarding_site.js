// A site with HTTP/2 and HTTP/1.1 over TLS for Tests/Server/forwarding.py, which answers with what it has received.
//
//     node forwarding_site.js CERTIFICATE KEY
const crypto = require("node:crypto");
const fs = require("node:fs");
const http2 = require("node:http2");

const [certificate, key] = process.argv.slice(2).map((path) => fs.readFileSync(path));
const answers = {
    "/trailers": (request, response) => {
        response.writeHead(200, { "content-type": "application/grpc", trailer: "grpc-status" });
        response.write("abc");
        response.addTrailers({ "grpc-status": "0" });
        response.end();
    },
    "/refused": (request, response) => response.stream.close(http2.constants.NGHTTP2_REFUSED_STREAM),
    "/reset": (request, response) => response.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR),
    "/events": (request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        let count = 0;
        const next = () => {
            if (count === 5) return response.end();
            response.write(`data: ${count++}\n\n`);
            setTimeout(next, 30);
        };
        next();
    },
    "/large": (request, response) => response.end(Buffer.alloc(2 << 20, 7)),
    "/page": (request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end("<title>page</title><script src=/script.js></script>");
    },
    "/script.js": (request, response) => {
        response.writeHead(200, { "content-type": "text/javascript" });
        response.end(`
            const ask = async (method, body) => {
                const response = await fetch("/echo", { method, body, headers: { "content-type": "text/plain" } });
                return (await response.json()).digest;
            };
            Promise.all([ask("GET"), ask("POST", "a".repeat(200_000)), ask("PUT", "b")])
                .then((digests) => { document.title = digests.join(" "); });`);
    },
};
const server = http2.createSecureServer({ cert: certificate, key, allowHTTP1: true }, (request, response) => {
    if (request.url === "/early") {
        response.writeHead(413);
        return response.end("early");
    }
    const digest = crypto.createHash("sha256");
    let size = 0;
    request.on("data", (data) => { digest.update(data); size += data.length; });
    request.on("end", () => {
        const answer = answers[request.url];
        if (answer) return answer(request, response);
        response.writeHead(200, { "content-type": "application/json" });
        const { httpVersion: version, method, url, headers } = request;
        response.end(JSON.stringify({ version, method, url, headers, size, digest: digest.digest("hex") }));
    });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
