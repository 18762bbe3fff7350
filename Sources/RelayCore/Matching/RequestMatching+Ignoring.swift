public import HTTPArchive

extension RequestMatching {
    /// Returns rules that also ignore certain query items, header fields, and values in JSON bodies.
    ///
    /// ```swift
    /// let matching = RequestMatching.standard.ignoring(queryItems: ["timestamp"], json: ["/requestID"])
    /// ```
    ///
    /// Matchers are unchanged if they compare query items in order, compare GraphQL variables, or call a closure.
    ///
    /// - Parameters:
    ///   - items: The names of query items, without percent-encoding; none by default.
    ///   - headers: The case-insensitive names of header fields; none by default.
    ///   - pointers: The locations of values in JSON bodies, which need not exist; none by default.
    /// - Returns: The rules, otherwise unchanged.
    public func ignoring(
        queryItems items: Set<String> = [], headers: [String] = [], json pointers: [JSONPointer] = []
    ) -> RequestMatching {
        var result = self
        result.required = required.map { $0.ignoring(items, headers, pointers) }
        result.preferred = preferred.map { $0.ignoring(items, headers, pointers) }
        return result
    }
}

extension RequestMatcher {
    fileprivate func ignoring(
        _ items: Set<String>, _ headers: [String], _ pointers: [JSONPointer]
    ) -> RequestMatcher {
        var equivalence = equivalence
        if case .items(let ignored) = equivalence.key.query {
            equivalence.key.query = .items(ignoring: ignored.union(items))
        }
        equivalence.headers = equivalence.headers.map { $0.ignoring(headers) }
        equivalence.bodies = equivalence.bodies.map { $0.ignoring(pointers) }
        return RequestMatcher(name, equivalence, tests: tests)
    }
}
