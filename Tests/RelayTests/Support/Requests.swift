import Foundation
import HTTPArchive
import Relay

@testable import RelayCore
@testable import RelayURLSession

extension HAR.Entry {
    /// Returns a copy of this entry that has a request body.
    func requested(_ body: String, type: String? = nil) -> HAR.Entry {
        var entry = self
        var request = entry.request
        request.postData = HAR.PostData(mimeType: type ?? "", text: body)
        if let type { request.headers += [HAR.Header(name: "Content-Type", value: type)] }
        entry.request = request
        return entry
    }
}

extension InterceptedRequest {
    static func request(
        _ method: String = "GET", _ url: String = "http://a/", headers: KeyValuePairs<String, String> = [:],
        body: String? = nil, type: String? = nil
    ) -> InterceptedRequest {
        var fields = headers.map { HeaderField(name: $0, value: $1) }
        if let type { fields.append(HeaderField(name: "Content-Type", value: type)) }
        return InterceptedRequest(method: method, url: url, headers: fields, body: body.map { Data($0.utf8) })
    }
}

extension Interceptor {
    /// Creates an interceptor that replays entries according to matching settings.
    convenience init(_ entries: [HAR.Entry], matching: RequestMatching, name: String = "a.har") {
        var configuration = Configuration()
        configuration.matching = matching
        self.init(entries: entries, name: name, configuration: configuration)
    }

    /// Returns the response body of a request as text, or nil if no entry matches.
    func reply(to request: InterceptedRequest) throws -> String? {
        do {
            return String(decoding: try response(to: request).body, as: UTF8.self)
        } catch let error as RelayError where error.code == .noMatchingEntry {
            return nil
        }
    }
}

/// Returns a multipart body.
func multipart(_ parts: KeyValuePairs<String, String>, boundary: String) -> String {
    let parts = parts.map {
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n"
    }
    return parts.joined() + "--\(boundary)--\r\n"
}
