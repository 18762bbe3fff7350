#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request made by the client or stored in a track.
public typealias Request = URLRequest

/// A type that decides whether a track matches a request.
public protocol RequestMatcher {
    /// Returns whether the track with the request `rhs` can be played for the request `lhs`.
    func match(lhs: Request, rhs: Request) -> Bool
}
