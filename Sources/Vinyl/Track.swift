public import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request with its response or error, created by ``TrackFactory``.
public struct Track: Sendable {
    let entry: HAR.Entry

    /// The error that is delivered instead of the entry's response.
    var failure: (any Error)?
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
