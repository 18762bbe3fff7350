import HTTPArchive

/// The requests with the same method and path template, and the shapes of their parts.
package struct Endpoint: Sendable {
    /// The properties that distinguish endpoints.
    package struct Key: Hashable, Sendable {
        /// The method in uppercase.
        package let method: String

        /// The scheme and authority, such as `https://example.com`.
        package let origin: String

        /// The template of the path, such as `/items/{id}`.
        package let path: String

        /// The operation of a GraphQL or JSON-RPC request, or nil for other requests.
        package let operation: String?
    }

    /// A parameter of the query.
    package struct Parameter: Sendable {
        /// The number of requests that have the parameter.
        package var count = 0

        /// The shape of its values.
        package var shape = Shape()
    }

    /// The properties that distinguish endpoints.
    package let key: Key

    /// The index of the first entry.
    package let firstEntry: Int

    /// The number of entries.
    package internal(set) var count = 0

    /// The items of the query, by name.
    package internal(set) var query: [String: Parameter] = [:]

    /// The body of requests.
    package internal(set) var body = MessageShape()

    /// The responses, by status.
    package internal(set) var responses: [Int: MessageShape] = [:]

    /// The method and the path, and the operation if there is one.
    package var title: String { "\(key.method) \(key.path)" + (key.operation.map { " (\($0))" } ?? "") }
}

/// The shape of messages: their header fields and bodies.
package struct MessageShape: Sendable {
    /// A header field.
    package struct Field: Sendable {
        /// The maximum number of different values.
        private static let limit = 64

        /// The number of messages that have the field.
        package var count = 0

        /// The different values, or nil if there are too many.
        package private(set) var values: Set<String>? = []

        /// The number of the last message that has the field, and the value there.
        private var last = (message: 0, value: "")

        /// Adds the value in a message, unless the message has another field with the same name.
        mutating func add(_ value: String, ofMessage number: Int) {
            if last.message == number { return }
            defer { last = (number, value) }
            count += 1
            // Most values repeat.
            if last.message > 0, last.value == value { return }
            values?.insert(value)
            if (values?.count ?? 0) > Self.limit { values = nil }
        }

        mutating func merge(_ other: Field) {
            count += other.count
            values = other.values.flatMap { values?.union($0) }
            if (values?.count ?? 0) > Self.limit { values = nil }
        }
    }

    /// The number of messages.
    package internal(set) var count = 0

    /// The header fields that are compared, by lowercase name.
    package internal(set) var fields: [String: Field] = [:]

    /// The number of bodies of each kind.
    package internal(set) var kinds: [BodyKind: Int] = [:]

    /// The media types of the bodies of each kind, without parameters, in order.
    package internal(set) var types: [String: BodyKind] = [:]

    /// The shape of JSON bodies.
    package internal(set) var json = Shape()

    /// Adds a body.
    ///
    /// - Parameters:
    ///   - body: The body, or nil if it is unknown.
    ///   - type: The media type, or nil if it is unknown.
    mutating func add(_ body: ShapedBody?, type: MediaType?) {
        count += 1
        guard let body else { return }
        kinds[body.kind, default: 0] += 1
        if let type, body.kind != .empty, types.count < 16 { types[type.essence] = body.kind }
        if let value = body.value { json.add(value) }
    }

    mutating func merge(_ other: MessageShape) {
        count += other.count
        kinds.merge(other.kinds, uniquingKeysWith: +)
        types.merge(other.types) { first, _ in first }
        json.merge(other.json)
        for (name, field) in other.fields {
            fields[name, default: Field()].merge(field)
        }
    }
}

extension HAR.Request {
    /// The media type of the body, or nil if it is unknown.
    var bodyType: MediaType? {
        MediaType(postData?.mimeType ?? "") ?? header("content-type").flatMap { MediaType($0) }
    }
}
