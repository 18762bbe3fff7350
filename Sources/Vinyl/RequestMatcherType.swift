/// What a track has to have in common with a request.
public enum RequestMatcherType {
    /// A part of method and URL, which is compared in its normal form; the items of the query have no order.
    case method, url, host, path, query

    /// All header fields, names and values in any case.
    case headers

    /// The body, read as what `Content-Type` says.
    case body

    /// Whatever a matcher of one's own compares.
    case custom(any RequestMatcher)
}
