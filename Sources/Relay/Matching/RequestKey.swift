/// What a request and an entry must have in common for the entry to answer the request: method and URL.
///
/// Everything that decides a match is a part of this key, so that finding an entry is one look into a dictionary.
package struct RequestKey: Hashable, Sendable {
    /// The method in upper case.
    package let method: String

    /// The URL in its normal form.
    package let url: NormalizedURL

    /// Creates the key of a request.
    package init(method: String, url: String) {
        self.method = method.uppercased()
        self.url = NormalizedURL(url)
    }
}
