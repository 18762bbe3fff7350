public import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Header fields by name.
public typealias HTTPHeaders = [String: String]

/// Creates tracks in code; each is the response to a GET request for a URL.
public struct TrackFactory {
    /// Creates a track with a status from 200 to 599 and an optional error, which completion handlers receive together
    /// with the response.
    public static func createTrack(
        url: URL, statusCode: Int, body: Data? = nil, error: (any Error)? = nil, headers: HTTPHeaders = [:]
    ) -> Track {
        let failure = error.map { error in
            let response = HTTPURLResponse(
                url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers)
            return TrackFailure(response: response, body: body, underlying: error)
        }
        return Track(entry: entry(url, statusCode, body: body, headers), failure: failure)
    }

    /// Creates a track without a body.
    public static func createBadTrack(
        url: URL, statusCode: Int, error: (any Error)? = nil, headers: HTTPHeaders = [:]
    ) -> Track {
        createTrack(url: url, statusCode: statusCode, error: error, headers: headers)
    }

    /// Creates a track that has an error instead of a response.
    public static func createErrorTrack(url: URL, error: any Error) -> Track {
        var entry = entry(url, 0, body: nil, [:])
        // Files store only the fact that the request failed, as Chromium's error for a generic failure.
        entry.response["_error"] = "net::ERR_FAILED"
        return Track(entry: entry, failure: error)
    }

    /// Creates a track with the status code 200.
    public static func createValidTrack(url: URL, body: Data? = nil, headers: HTTPHeaders = [:]) -> Track {
        createTrack(url: url, statusCode: 200, body: body, headers: headers)
    }

    /// Creates a track with a JSON body.
    ///
    /// The body is empty if `jsonBody` is not a JSON object or array.
    public static func createValidTrack(url: URL, jsonBody: Any, headers: HTTPHeaders = [:]) -> Track {
        let isJSON = JSONSerialization.isValidJSONObject(jsonBody)
        let body = isJSON ? try? JSONSerialization.data(withJSONObject: jsonBody) : nil
        return createValidTrack(url: url, body: body, headers: headers)
    }

    /// Creates a track whose body is given in Base64.
    ///
    /// The body is empty if `base64Body` is not valid Base64.
    public static func createValidTrack(url: URL, base64Body: String, headers: HTTPHeaders = [:]) -> Track {
        createValidTrack(url: url, body: Data(base64Encoded: base64Body), headers: headers)
    }

    /// Creates a track with a UTF-8 text body.
    public static func createValidTrack(url: URL, utf8Body: String, headers: HTTPHeaders = [:]) -> Track {
        createValidTrack(url: url, body: Data(utf8Body.utf8), headers: headers)
    }

    private static func entry(_ url: URL, _ status: Int, body: Data?, _ headers: HTTPHeaders) -> HAR.Entry {
        var response = HAR.Response(
            status: status,
            headers: headers.sorted { $0.key < $1.key }.map { HAR.Header(name: $0.key, value: $0.value) },
            content: HAR.Content(size: body?.count ?? 0, mimeType: "x-unknown", text: ""))
        if let body, !body.isEmpty { response.embed(body) }
        let request = HAR.Request(url: url.absoluteString)
        return HAR.Entry(startedDateTime: HAR.text(Date()), request: request, response: response).asSeenByClient
    }
}
