/// An attribute that a track must have in common with a request.
public enum RequestMatcherType {
    /// The method, ignoring case.
    case method

    /// The URL, compared in normalized form. The order of query items is ignored.
    case url

    /// The host, ignoring case.
    case host

    /// The path as returned by `URL.path`, percent-decoded and without a trailing slash. An empty path equals `/`.
    case path

    /// The query items, in any order.
    case query

    /// All header fields, ignoring the case of names and values.
    case headers

    /// The body, compared according to its `Content-Type`.
    case body

    /// A custom matcher.
    case custom(any RequestMatcher)
}
