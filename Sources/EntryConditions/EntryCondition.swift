/// A condition on the properties of entries, as users name it.
package struct EntryCondition: Sendable {
    /// The name, such as `slower-than`.
    package let name: String

    /// The explanation: one or two sentences.
    package let help: String

    /// Common values, for completion.
    package let values: [String]

    /// Creates a condition.
    package init(_ name: String, _ help: String, _ values: [String] = []) {
        self.name = name
        self.help = help
        self.values = values
    }
}

extension EntryCondition {
    static let host = Self("host", "A host, such as *.example.com. Without a port, it matches all ports.")
    static let url = Self(
        "url",
        "A pattern for the whole URL, such as api.example.com/items/*; scheme, host and port are optional. "
            + "* matches any characters except / and ?; ** matches any characters.")
    static let method = Self("method", "A request method, such as POST.", EntryConditions.methods)
    static let status = Self(
        "status", "A status, such as 404, 200-299 or 5xx.", ["2xx", "3xx", "4xx", "5xx", "404"])
    static let type = Self(
        "type", "The media type of the response, such as image/*, or one of \(MediaTypeNames.list).",
        MediaTypeNames.all + ["application/json", "image/*", "text/html"])
    static let since = Self("since", "The earliest start time, such as 2026-01-31T12:00:00Z; UTC by default.")
    static let until = Self("until", "The latest start time, exclusive.")
    static let minSize = Self(
        "min-size", "The minimum size of the response body, such as 500, 10kB or 1.5MB.", ["10kB", "100kB", "1MB"])
    static let maxSize = Self("max-size", "The maximum size of the response body.")
    static let slowerThan = Self(
        "slower-than",
        "The minimum time of the exchange (exclusive), such as 500ms or 2s; in milliseconds without a unit.",
        ["500ms", "1s", "5s"])

    /// The conditions with a value.
    package static let all = [
        host, url, method, status, type, slowerThan, minSize, maxSize, since, until,
    ]
}
