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
    private struct Parts: Hashable {
        let method: String
        let url: String
        let requestHeaders: [String: String]
        let requestBody: Data?
        let status: Int
        let responseURL: String?
        let responseHeaders: [String: String]
        let responseBody: Data?
        let hasBody: Bool
        let failure: [String]?

        init(_ track: Track) {
            let (request, response) = (track.entry.request, track.entry.response)
            method = request.method.uppercased()
            url = request.url
            requestHeaders = Self.fields(request.headers)
            requestBody = request.body.data
            status = response.status
            responseURL = response["_url"]?.text
            responseHeaders = Self.fields(response.headers)
            responseBody = response.body.data
            hasBody = track.hasBody
            failure = track.failure.map { failure in
                // On Linux, Swift errors cannot be hashed as `NSError`.
                let error = ((failure as? TrackFailure)?.underlying ?? failure) as NSError
                return [error.domain, "\(error.code)", error.localizedDescription]
            }
        }

        private static func fields(_ headers: [HAR.Header]) -> [String: String] {
            Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
        }
    }

    /// Whether two tracks have equal requests, responses and errors.
    public static func == (first: Track, second: Track) -> Bool { Parts(first) == Parts(second) }

    /// Hashes the request, the response and the error.
    public func hash(into hasher: inout Hasher) { hasher.combine(Parts(self)) }
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
