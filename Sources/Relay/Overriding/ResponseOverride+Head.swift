extension ResponseOverride {
    /// Another status.
    ///
    /// - Parameters:
    ///   - status: The status code, such as 503.
    ///   - text: The reason phrase; empty by default.
    /// - Returns: The override.
    public static func status(_ status: Int, _ text: String = "") -> ResponseOverride {
        ResponseOverride { _, response in
            response.status = status
            response.statusText = text
        }
    }

    /// A header field in place of all of its name, or one more where there is none.
    ///
    /// - Parameters:
    ///   - name: The name, in any case.
    ///   - value: The value.
    /// - Returns: The override.
    public static func header(_ name: String, _ value: String) -> ResponseOverride {
        ResponseOverride { _, response in response.headers.set(HeaderField(name: name, value: value)) }
    }

    /// One more header field, beside those of its name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    /// - Returns: The override.
    public static func addingHeader(_ name: String, _ value: String) -> ResponseOverride {
        ResponseOverride { _, response in response.headers.append(HeaderField(name: name, value: value)) }
    }

    /// No header field of a name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The override.
    public static func removingHeader(_ name: String) -> ResponseOverride {
        ResponseOverride { _, response in response.headers.remove(named: [name.lowercased()]) }
    }
}
