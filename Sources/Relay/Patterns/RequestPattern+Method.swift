extension RequestPattern {
    /// Every request.
    public static let any = Self("every request") { _ in true }

    /// The requests that code chooses.
    ///
    /// - Parameter fits: Whether a request fits. It may be called on any thread, several times for one request.
    /// - Returns: The pattern.
    public static func `where`(_ fits: @escaping @Sendable (_ request: InterceptedRequest) -> Bool) -> RequestPattern {
        Self("requests that code chooses", mayTakeLong: true, fits: fits)
    }

    /// The requests of a method.
    ///
    /// - Parameter name: The method, such as `GET`, in any case.
    /// - Returns: The pattern.
    public static func method(_ name: String) -> RequestPattern {
        let name = name.uppercased()
        return Self(name) { $0.method == name || $0.method.uppercased() == name }
    }

    /// The requests of method GET whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func get(_ pattern: String) -> RequestPattern { method("GET", pattern) }

    /// The requests of method POST whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func post(_ pattern: String) -> RequestPattern { method("POST", pattern) }

    /// The requests of method PUT whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func put(_ pattern: String) -> RequestPattern { method("PUT", pattern) }

    /// The requests of method PATCH whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func patch(_ pattern: String) -> RequestPattern { method("PATCH", pattern) }

    /// The requests of method DELETE whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func delete(_ pattern: String) -> RequestPattern { method("DELETE", pattern) }

    /// The requests of method HEAD whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func head(_ pattern: String) -> RequestPattern { method("HEAD", pattern) }

    /// The requests of method OPTIONS whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func options(_ pattern: String) -> RequestPattern { method("OPTIONS", pattern) }

    private static func method(_ name: String, _ pattern: String) -> RequestPattern {
        let (method, url) = (method(name), url(pattern))
        return Self("\(name) \(pattern)", namesHost: { url.names($0, of: $1) }) {
            method.matches($0) && url.matches($0)
        }
    }
}
