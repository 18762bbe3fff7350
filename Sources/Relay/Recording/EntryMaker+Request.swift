import Foundation
import HTTPArchive

extension EntryMaker {
    /// What was asked.
    func request(of exchange: LiveExchange) throws(HARError) -> HAR.Request {
        let request = exchange.request
        let url = request.url.prefix { $0 != "#" }
        var recorded = HAR.Request(
            method: request.method, url: String(url), httpVersion: exchange.recordedVersion,
            cookies: request.headers.values(named: "cookie").flatMap(CookieHeader.cookies(sentIn:)),
            headers: request.headers.recorded, queryString: FormParser.parameters(ofURL: url),
            headersSize: exchange.wire.requestHeadersSize,
            bodySize: exchange.wire.requestBodySize ?? request.body?.count ?? 0)
        if let body = request.body, !body.isEmpty { try add(body, to: &recorded) }
        return recorded
    }

    /// Adds the body, a large one in a file beside the archive.
    private func add(_ body: Data, to request: inout HAR.Request) throws(HARError) {
        let label = request.header("content-type") ?? FormParser.undeclaredType
        guard body.count <= settings.largestEmbeddedBody else {
            request.postData = HAR.PostData(mimeType: label)
            let (file, change) = try attach(SpooledBody(body), type: label)
            request.postData?["_file"] = .string(JSONString(file))
            return change.update(&request.fields)
        }
        request.embed(body)
    }
}
