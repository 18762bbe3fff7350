extension Innernet {
    /// The method of a request.
    public enum HTTPMethod: Hashable, Sendable {
        /// A method defined by HTTP.
        case get, head, post, put, delete, connect, options, trace, patch

        /// Any other method, by its name.
        case custom(String)

        /// The name sent in the request, such as `GET`.
        public var rawValue: String { if case .custom(let name) = self { name } else { "\(self)".uppercased() } }
    }
}
