import HTTPArchive

/// Where requests go instead: everything below one place, to another one.
///
/// With a route from `yourserver.com/foo` to `http://127.0.0.1:8000/bar`, a request for
/// `https://yourserver.com/foo/items?page=2` goes to `http://127.0.0.1:8000/bar/items?page=2`.
struct Route: Sendable, Hashable {
    private let from: RoutePlace
    private let to: RoutePlace

    /// Creates a route between two places, each of them `[scheme://]host[:port][/path]`.
    ///
    /// - Parameters:
    ///   - from: Where requests were to go. A request is under it when host, port and path agree: the host without regard
    ///     to case, the port of the scheme where none is written, the path by whole segments. Its scheme counts only if
    ///     one is given.
    ///   - to: Where they go instead; without a scheme, that of each request stays.
    /// - Throws: `invalidRule` when one of the texts is no such place.
    init(from: String, to: String) throws(HARError) {
        self.from = try RoutePlace(from)
        self.to = try RoutePlace(to)
    }

    /// The URL that a request goes to instead.
    ///
    /// - Parameter url: The URL of a request.
    /// - Returns: The URL with another scheme, host, port and beginning of the path, and with all else as it was, byte for
    ///   byte; `nil` when it is not under the place that this route leads from.
    /// - Complexity: O(*n*) in the length of the URL.
    func rerouted(_ url: String) -> String? {
        from.moved(url, to: to)
    }

    /// The host that requests are rerouted from.
    var origin: RequestHost? { from.requestHost }

    /// The URL that leads to another one by this route, for responses and what they refer to.
    ///
    /// - Parameter url: A URL where requests go instead.
    /// - Returns: The URL where the request was to go; `nil` when `url` is not under the place that this route leads to. Its
    ///   scheme stays when the place that this route leads from names none.
    /// - Complexity: O(*n*) in the length of the URL.
    func original(_ url: String) -> String? {
        to.moved(url, to: from)
    }
}

extension Route: CustomStringConvertible {
    /// Both places, such as `yourserver.com/foo → http://127.0.0.1:8000/bar`.
    var description: String { "\(from) → \(to)" }
}
