public import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Header fields by their names.
public typealias HTTPHeaders = [String: String]

/// Makes tracks by hand: the answer to a GET of a URL.
public struct TrackFactory {
    /// Makes a track with a status from 200 to 599, and an error that completion handlers are given beside the response.
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

    /// Makes a track without a body.
    public static func createBadTrack(
        url: URL, statusCode: Int, error: (any Error)? = nil, headers: HTTPHeaders = [:]
    ) -> Track {
        createTrack(url: url, statusCode: statusCode, error: error, headers: headers)
    }

    /// Makes a track that has an error in place of a response.
    public static func createErrorTrack(url: URL, error: any Error) -> Track {
        var entry = entry(url, 0, body: nil, [:])
        // What is left of the error where tracks are written to a file.
        entry.response["_error"] = "net::ERR_FAILED"
        return Track(entry: entry, failure: error)
    }

    /// Makes a track with the status code 200.
    public static func createValidTrack(url: URL, body: Data? = nil, headers: HTTPHeaders = [:]) -> Track {
        createTrack(url: url, statusCode: 200, body: body, headers: headers)
    }

    /// Makes a track with a JSON object or array; what is neither gives no body.
    public static func createValidTrack(url: URL, jsonBody: Any, headers: HTTPHeaders = [:]) -> Track {
        let isJSON = JSONSerialization.isValidJSONObject(jsonBody)
        let body = isJSON ? try? JSONSerialization.data(withJSONObject: jsonBody) : nil
        return createValidTrack(url: url, body: body, headers: headers)
    }

    /// Makes a track with bytes in Base64; what is none gives no body.
    public static func createValidTrack(url: URL, base64Body: String, headers: HTTPHeaders = [:]) -> Track {
        createValidTrack(url: url, body: Data(base64Encoded: base64Body), headers: headers)
    }

    /// Makes a track with text.
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
