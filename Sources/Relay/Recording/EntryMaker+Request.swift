import Foundation
import HTTPArchive

extension EntryMaker {
    /// What was asked.
    func request(of exchange: LiveExchange) throws(HARError) -> HAR.Request {
        let request = exchange.request
        let url = request.url.prefix { $0 != "#" }
        var recorded = HAR.Request(
            method: request.method, url: String(url), httpVersion: exchange.recordedVersion,
            cookies: request.headers.values(named: "cookie").flatMap(RecordedCookie.cookies(sentIn:)),
            headers: request.headers.recorded, queryString: RecordedForm.parameters(ofURL: url),
            headersSize: exchange.requestHeadersSize, bodySize: exchange.requestBodySize ?? request.body?.count ?? 0)
        if let body = request.body, !body.isEmpty { try add(body, to: &recorded) }
        return recorded
    }

    /// Adds the body: as text where it is read from there as the same bytes, else in Base64.
    private func add(_ body: Data, to request: inout HAR.Request) throws(HARError) {
        let declared = request.header("content-type")
        // What names no type is declared by the session, and compared, as a form.
        let label = declared ?? "application/x-www-form-urlencoded"
        let type = declared.flatMap(MediaType.init)
        guard body.count <= settings.largestEmbeddedBody else {
            request.postData = HAR.PostData(mimeType: label)
            request.postData?["_file"] = .string(JSONString(try attach(SpooledBody(body), type: label).file))
            return
        }
        let params = RecordedForm.fields(of: body, type: type)
        for text in RecordedText.candidates(for: body, type: type) {
            request.postData = HAR.PostData(mimeType: label, params: params, text: text)
            if request.body == .data(body) { return }
        }
        request.postData = HAR.PostData(mimeType: label, params: params, text: body.base64EncodedString())
        // HAR has no field for it in requests.
        request.postData?["_encoding"] = "base64"
    }
}
