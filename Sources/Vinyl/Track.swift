public import Foundation
import HTTPArchive
import RecordingFormats
import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request with its response or error, created by ``TrackFactory``.
public struct Track: Sendable {
    let entry: HAR.Entry

    /// The error that is delivered instead of the entry's response.
    var failure: (any Error)?

    /// Whether the track has a body, which may be empty.
    var hasBody: Bool { entry.response[VinylRecording.bodyField]?.bool != false }
}

extension Track: Hashable {
    /// The parts of a track that determine equality.
    ///
    /// The creation time is ignored.
    private var parts: [AnyHashable?] {
        let (request, response) = (entry.request, entry.response)
        let failure = failure.map { failure in
            // On Linux, Swift errors cannot be hashed as `NSError`.
            let error = ((failure as? TrackFailure)?.underlying ?? failure) as NSError
            return [error.domain, "\(error.code)", error.localizedDescription]
        }
        return [
            request.method.uppercased(), request.url, Self.fields(request.headers), request.body.data,
            response.status, response["_url"]?.text, Self.fields(response.headers), response.body.data,
            hasBody, failure,
        ]
    }

    private static func fields(_ headers: [HAR.Header]) -> [String: String] {
        Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }

    /// Whether two tracks have equal requests, responses and errors.
    public static func == (first: Track, second: Track) -> Bool { first.parts == second.parts }

    /// Hashes the request, the response and the error.
    public func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// The error that an awaited call throws for a track with both a response and an error.
///
/// Completion handlers receive both.
public struct TrackFailure: Error {
    /// The response.
    public let response: HTTPURLResponse?
    /// The body.
    public let body: Data?
    /// The error of the track.
    public let underlying: any Error
}

/// Header fields by name.
public typealias HTTPHeaders = [String: String]

/// A factory for tracks.
///
/// Each track responds to a GET request for a URL.
public struct TrackFactory {
    /// Creates a track with any status and an optional error.
    ///
    /// Completion handlers receive both the error and the response.
    ///
    /// Completion handlers receive `nil` as the data of a track without a body, and awaited calls receive empty data.
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
        // Files store only that the request failed, using Chromium's generic error.
        entry.response["_error"] = "net::ERR_FAILED"
        return Track(entry: entry, failure: error)
    }

    /// Creates a track with the status code 200.
    public static func createValidTrack(url: URL, body: Data? = nil, headers: HTTPHeaders = [:]) -> Track {
        createTrack(url: url, statusCode: 200, body: body, headers: headers)
    }

    /// Creates a track with a JSON body.
    ///
    /// The track has no body if `jsonBody` is not a JSON object or array.
    public static func createValidTrack(url: URL, jsonBody: Any, headers: HTTPHeaders = [:]) -> Track {
        let isJSON = JSONSerialization.isValidJSONObject(jsonBody)
        let body = isJSON ? try? JSONSerialization.data(withJSONObject: jsonBody) : nil
        return createValidTrack(url: url, body: body, headers: headers)
    }

    /// Creates a track from a Base64 body, with or without line breaks.
    ///
    /// Characters outside the Base64 alphabet are ignored. If the remaining characters are not valid Base64, the track
    /// has no body.
    public static func createValidTrack(url: URL, base64Body: String, headers: HTTPHeaders = [:]) -> Track {
        let body = Data(base64Encoded: base64Body, options: .ignoreUnknownCharacters)
        return createValidTrack(url: url, body: body, headers: headers)
    }

    /// Creates a track with a body of UTF-8 text.
    public static func createValidTrack(url: URL, utf8Body: String, headers: HTTPHeaders = [:]) -> Track {
        createValidTrack(url: url, body: Data(utf8Body.utf8), headers: headers)
    }

    private static func entry(_ url: URL, _ status: Int, body: Data?, _ headers: HTTPHeaders) -> HAR.Entry {
        var response = HAR.Response(
            status: status,
            headers: headers.sorted { $0.key < $1.key }.map { HAR.Header(name: $0.key, value: $0.value) },
            content: HAR.Content(size: body?.count ?? 0, mimeType: "x-unknown", text: ""))
        if let body, !body.isEmpty { response.embed(body) }
        if body == nil { response[VinylRecording.bodyField] = false }
        let request = HAR.Request(url: url.absoluteString)
        return HAR.Entry(startedDateTime: HAR.text(Date()), request: request, response: response).asSeenByClient
    }
}
