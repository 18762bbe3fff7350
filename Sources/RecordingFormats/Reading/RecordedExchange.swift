import Foundation
import HTTPArchive

/// An exchange as a recording has it, of which an entry is made.
struct RecordedExchange {
    var start: Date

    /// How long it took, in milliseconds.
    var time = 0.0

    var method = "GET"
    var url: String
    var httpVersion = "HTTP/1.1"
    var requestHeaders: [HAR.Header] = []

    /// The bytes of the request's body; `nil` where there was none.
    var requestBody: Data?

    /// The status code; 0 for a request that failed.
    var status: Int
    var statusText = ""
    var responseHeaders: [HAR.Header] = []

    /// The bytes of the answer's body, free of content codings; `nil` where the recording does not have them.
    var responseBody: Data?

    /// The answer's body as it was sent where it is in a content coding that cannot be decoded here.
    var encodedBody: Data?

    /// The media type of the answer's body where no header field tells it.
    var responseType: String?

    /// What HAR has no place for, under names that begin with an underscore.
    var entryFields: [JSONObject.Member] = []
    var requestFields: [JSONObject.Member] = []
    var responseFields: [JSONObject.Member] = []

    /// Takes a body that may be as it was sent, in the coding that the header fields of the answer name.
    mutating func setResponseBody(_ body: Data) {
        switch ContentCoding.decoded(body, headers: responseHeaders) {
        case .bytes(let bytes): responseBody = bytes
        case .unknown: encodedBody = body
        }
    }

    /// The entry.
    var entry: HAR.Entry {
        var entry = HAR.Entry(
            startedDateTime: HAR.text(start), time: time, request: request, response: response,
            timings: HAR.Timings(send: 0, wait: time, receive: 0))
        entry.fields.members += entryFields
        return entry
    }

    private var request: HAR.Request {
        let sent = url.prefix { $0 != "#" }
        var request = HAR.Request(
            method: method, url: String(sent), httpVersion: httpVersion,
            cookies: requestHeaders.values(of: "cookie").flatMap(CookieHeader.cookies(sentIn:)),
            headers: requestHeaders, queryString: FormParser.parameters(ofURL: sent),
            bodySize: requestBody?.count ?? 0)
        if let requestBody, !requestBody.isEmpty { request.embed(requestBody) }
        request.fields.members += requestFields
        // HAR's URL has no fragment.
        if sent.endIndex < url.endIndex { request["_url"] = .string(JSONString(url)) }
        return request
    }

    private var response: HAR.Response {
        let location = [301, 302, 303, 307, 308].contains(status) ? responseHeaders.values(of: "location").first : nil
        var response = HAR.Response(
            status: status, statusText: statusText, httpVersion: httpVersion,
            cookies: responseHeaders.values(of: "set-cookie").compactMap { CookieHeader.cookie($0, at: start) },
            headers: responseHeaders, content: HAR.Content(size: responseBody?.count, mimeType: ""),
            redirectURL: location ?? "", bodySize: isEncoded ? nil : responseBody?.count)
        response.content.mimeType =
            responseHeaders.values(of: "content-type").first ?? responseType
            ?? (responseBody?.isEmpty == false ? RecordedText.unknownType : "x-unknown")
        if let responseBody {
            if responseBody.isEmpty { response.content.text = "" } else { response.embed(responseBody) }
        }
        if let encodedBody {
            response.bodySize = encodedBody.count
            response.content["_encodedText"] = .string(JSONString(encodedBody.base64EncodedString()))
            response.content.comment = "The body is in a content coding that could not be decoded when it was imported."
        }
        response.fields.members += responseFields
        return response
    }

    private var isEncoded: Bool {
        responseHeaders.values(of: "content-encoding").contains { !["", "identity"].contains($0.lowercased()) }
    }
}

extension [HAR.Header] {
    /// The values of all fields of a name, which is in lower case, in their order.
    func values(of name: String) -> [String] { filter { $0.name.lowercased() == name }.map(\.value) }

    /// The time in the field `Date`; `nil` where there is none.
    var date: Date? { values(of: "date").first.flatMap(CookieDate.date) }
}

extension [HAR.Entry] {
    /// The same entries in the same order, none of which starts before the one in front of it.
    var inOrderOfTime: [HAR.Entry] {
        var last: (date: Date, text: String)?
        return map { entry in
            var entry = entry
            if let date = entry.startedDate {
                if let last, date < last.date {
                    entry.startedDateTime = last.text
                } else {
                    last = (date, entry.startedDateTime)
                }
            }
            return entry
        }
    }
}
