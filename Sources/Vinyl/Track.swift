public import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request, and the response or the error that it gets; ``TrackFactory`` makes it.
public struct Track: Sendable {
    let entry: HAR.Entry

    /// What the request gets in place of the entry's response.
    var failure: (any Error)?
}

/// What an awaited call throws for a track with both a response and an error; completion handlers are given both.
public struct TrackFailure: Error {
    /// The response.
    public let response: HTTPURLResponse?
    /// The body.
    public let body: Data?
    /// The error of the track.
    public let underlying: any Error
}
