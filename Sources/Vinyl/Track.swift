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
