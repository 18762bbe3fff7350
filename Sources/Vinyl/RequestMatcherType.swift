/// An attribute that a track must have in common with a request.
public enum RequestMatcherType {
    /// A part of the method and URL, compared in normalized form. The order of query items is ignored.
    case method, url, host, path, query

    /// All header fields; the case of names and values is ignored.
    case headers

    /// The body, compared according to its `Content-Type`.
    case body

    /// A custom matcher.
    case custom(any RequestMatcher)
}
