extension Interceptor {
    /// Adds rules, which hold for every request from now on.
    ///
    /// ```swift
    /// interceptor.add(.stub("api.example.com/items/*", .status(404)), .passThrough("localhost:8080/**"))
    /// ```
    ///
    /// - Parameter rules: The rules; the last of them goes before all others. One that is there already moves to that place,
    ///   and begins anew.
    public func add(_ rules: Rule...) { add(rules) }

    /// Adds rules, which hold for every request from now on.
    ///
    /// - Parameter rules: The rules; the last of them goes before all others.
    public func add(_ rules: [Rule]) { self.rules.add(rules) }

    /// Takes rules away, for every request from now on.
    ///
    /// - Parameter rules: The rules; those that are not there do not matter.
    public func remove(_ rules: Rule...) { self.rules.remove(Set(rules.map(\.id))) }

    /// Takes all rules away, for every request from now on.
    public func removeAllRules() { rules.removeAll() }
}
