package import Foundation
package import HTTPArchive

/// An exchange from another tool's recording, which can be converted to an entry.
package struct RecordedExchange {
    var start: Date

    /// The duration in milliseconds.
    package var time = 0.0

    package var method = "GET"
    package var url: String
    package var httpVersion = "HTTP/1.1"
    package var requestHeaders: [HAR.Header] = []

    /// The request body, or `nil` if the request had no body.
    package var requestBody: Data?

    /// The status code; 0 for a request that failed.
    package var status: Int
    package var statusText = ""
    package var responseHeaders: [HAR.Header] = []

    /// The response body without content codings, or `nil` if it was not captured.
    package var responseBody: Data?

    /// The encoded response body, if its content coding is not supported.
    package var encodedBody: Data?

    /// The media type of the response body if the response has no Content-Type.
    package var responseType: String?

    /// Custom fields for properties that HAR does not define.
    ///
    /// Their names begin with an underscore.
    package var entryFields: [JSONObject.Member] = []
    package var requestFields: [JSONObject.Member] = []
    package var responseFields: [JSONObject.Member] = []

    /// Creates an exchange with a GET request.
    package init(start: Date, url: String, status: Int) {
        self.start = start
        self.url = url
        self.status = status
    }

    /// The exchange as an entry.
    package var entry: HAR.Entry {
        var entry = HAR.Entry(
            startedDateTime: HAR.text(start), time: time, request: request, response: response,
            timings: HAR.Timings(send: 0, wait: time, receive: 0))
        entry.fields.members += entryFields
        return entry
    }

    private var request: HAR.Request {
        let literalURL = LiteralURL(url)
        var request = HAR.Request(
            method: method, url: String(literalURL.withoutFragment), httpVersion: httpVersion,
            cookies: requestHeaders.values(of: "cookie").flatMap(CookieHeader.cookies(sentIn:)),
            headers: requestHeaders, queryString: FormParser.parameters(of: literalURL),
            bodySize: requestBody?.count ?? 0)
        if let requestBody, !requestBody.isEmpty { request.embed(requestBody) }
        request.fields.members += requestFields
        // URLs in HAR have no fragment.
        if !literalURL.fragment.isEmpty { request["_url"] = .string(JSONString(url)) }
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
            response.content.comment = "The content coding of the body was not supported by the import."
        }
        response.fields.members += responseFields
        return response
    }

    private var isEncoded: Bool {
        responseHeaders.values(of: "content-encoding").contains { !["", "identity"].contains($0.lowercased()) }
    }
}

extension [HAR.Header] {
    /// Returns the values of all fields with a name, in order.
    ///
    /// The name must be in lowercase.
    package func values(of name: String) -> [String] { filter { $0.name.lowercased() == name }.map(\.value) }

    /// The time in the field `Date`, or `nil` if it is missing or invalid.
    package var date: Date? { values(of: "date").first.flatMap(CookieDate.date) }
}

extension [HAR.Entry] {
    /// The entries in the same order, with each start time raised to the previous one if it is earlier.
    ///
    /// The field `_originalStartedDateTime` has the earlier time.
    package var withAscendingTimes: [HAR.Entry] {
        var last: (date: Date, text: String)?
        return map { entry in
            var entry = entry
            guard let date = entry.startedDate else { return entry }
            if let last, date < last.date {
                entry["_originalStartedDateTime"] = .string(JSONString(entry.startedDateTime))
                entry.startedDateTime = last.text
            } else {
                last = (date, entry.startedDateTime)
            }
            return entry
        }
    }
}
