import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// A request, or its response, that waits until the user of the page continues it.
struct HeldExchange: Sendable {
    let id: Int
    let since = Date()
    let request: InterceptedRequest

    /// The response, or nil if the request was not answered yet.
    let response: InterceptedResponse?

    /// The decision of the user.
    let decision = FirstResult<LiveTraffic.Verdict>()

    /// The value of the API.
    var json: JSONValue {
        var request = Self.message(request.headers, request.body)
        request["method"] = .text(self.request.method)
        request["url"] = .text(self.request.url)
        var answer = response.map { Self.message($0.headers, $0.body) }
        answer?["status"] = .integer(response?.status)
        return [
            "id": .integer(id), "since": .time(since),
            "stage": response == nil ? "request" : "response", "request": .object(request),
            "response": answer.map(JSONValue.object) ?? .null,
        ]
    }

    private static func message(_ headers: [HeaderField], _ body: Data?) -> JSONObject {
        let text = body.flatMap { String(validating: $0, as: UTF8.self) }
        return [
            "headers": .pairs(headers.map { ($0.name, $0.value) }), "body": .text(text),
            "base64": .text(text == nil ? body?.base64EncodedString() : nil),
        ]
    }

    /// Returns the request as edited.
    func request(edited value: JSONValue) -> InterceptedRequest {
        var edited = request
        edited.method = value["method"]?.text ?? edited.method
        edited.url = value["url"]?.text ?? edited.url
        edited.headers = value.headerFields ?? edited.headers
        // The length is corrected when the request is sent.
        if let body = Self.body(value), body != edited.body ?? Data() { edited.body = body }
        return edited
    }

    /// Returns the response as edited.
    func response(edited value: JSONValue) throws(ViewError) -> InterceptedResponse {
        var edited = response ?? InterceptedResponse(url: request.url)
        if let status = value["status"]?.int, status != edited.status {
            guard 200...999 ~= status else { throw ViewError(400, "The status must be from 200 to 999.") }
            edited.statusText = ""
            edited.status = status
        }
        edited.headers = value.headerFields ?? edited.headers
        if let body = Self.body(value), body != edited.body { edited.replaceBody(with: body) }
        return edited
    }

    private static func body(_ value: JSONValue) -> Data? {
        value["base64"]?.text.flatMap { Data(base64Encoded: $0) } ?? value["body"]?.text.map { Data($0.utf8) }
    }
}
