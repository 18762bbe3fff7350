extension Innernet {
    /// The method of a request.
    public enum HTTPMethod: Hashable, Sendable {
        /// A method of HTTP.
        case get, head, post, put, delete, connect, options, trace, patch

        /// Any other method, by its name.
        case custom(String)

        /// The name, as it is sent.
        var name: String { if case .custom(let name) = self { name } else { "\(self)".uppercased() } }
    }
}
