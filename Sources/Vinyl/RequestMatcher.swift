#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request, as it was asked or as a track has it.
public typealias Request = URLRequest

/// Decides whether a track is for a request.
public protocol RequestMatcher {
    /// Whether the track with the request `rhs` may be played for the request `lhs`.
    func match(lhs: Request, rhs: Request) -> Bool
}
