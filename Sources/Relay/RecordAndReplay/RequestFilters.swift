#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A filter that accepts requests with the schemes `http` and `https`.
public struct HTTPRequestFilter: RequestFilter, Sendable {
    /// Creates the filter.
    public init() {}

    /// Returns whether the URL of a request has one of these schemes, ignoring case.
    public func shouldProcess(request: URLRequest) -> Bool { request.url?.isHTTP ?? false }
}

/// A filter that accepts requests whose URL contains any of several words.
public struct KeywordRequestFilter: RequestFilter, Sendable {
    private let words: [String]

    /// Creates a filter.
    ///
    /// - Parameter urlKeywordsForReplay: The words, which are case-sensitive. Without words, the filter accepts all
    ///   requests with a URL.
    public init(urlKeywordsForReplay: [String]) { words = urlKeywordsForReplay }

    /// Returns whether the URL of a request contains any of the words.
    public func shouldProcess(request: URLRequest) -> Bool {
        guard let url = request.url?.absoluteString else { return false }
        return words.isEmpty || words.contains { url.contains($0) }
    }
}

/// A filter that rejects requests with the header field `X-RelayReplay`, which processors add.
///
/// This filter is not necessary, because requests that processors send are never intercepted again.
public struct ReplayRequestFilter: RequestFilter, Sendable {
    /// Creates the filter.
    public init() {}

    /// Returns whether a request lacks the header field.
    public func shouldProcess(request: URLRequest) -> Bool {
        request.value(forHTTPHeaderField: "X-RelayReplay") == nil
    }
}
