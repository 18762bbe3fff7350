#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import Yams

    extension RuleFileValue {
        private static let requestKeys = [
            "method", "url", "exactly", "host", "path", "keywords", "regularExpression", "query", "headers", "body",
            "not", "anyOf",
        ]

        /// Returns the pattern of a request: text such as `GET api.example.com/items`, or a mapping of conditions.
        ///
        /// A request must satisfy all conditions.
        func pattern() throws(RelayError) -> RequestPattern {
            let expected = "a URL pattern or a mapping of conditions"
            if case .scalar(_) = node { return RequestPattern(methodAndURL: try text(expected)) }
            let conditions = try members(among: Self.requestKeys, expected).map { key, value throws(RelayError) in
                try value.condition(key)
            }
            return Self.all(conditions)
        }

        /// Returns the pattern of requests that match all patterns.
        private static func all(_ patterns: [RequestPattern]) -> RequestPattern {
            patterns.dropFirst().reduce(patterns.first ?? .any) { $0.and($1) }
        }

        private func condition(_ key: String) throws(RelayError) -> RequestPattern {
            switch key {
            case "method": return .method(try text("a method"))
            case "url": return .url(try text("a URL pattern"))
            case "exactly": return .exactly(try text("a URL"))
            case "host": return .host(try text("a host"))
            case "path": return .path(prefix: try text("the beginning of a path"))
            case "keywords":
                return .keywords(try elements.map { element throws(RelayError) in try element.text("a word") })
            case "regularExpression":
                let expression = try text("a regular expression")
                return try locating { try .matching(regularExpression: expression) }
            case "not": return .not(try pattern())
            case "anyOf":
                let patterns = try list("a list of requests").map { element throws(RelayError) in
                    try element.pattern()
                }
                guard let first = patterns.first else { throw mismatch("at least one request") }
                return patterns.dropFirst().reduce(first) { $0.or($1) }
            case "query":
                return try named("query item") { request in
                    let query = LiteralURL(request.url).query.dropFirst()
                    return FormEncoding.items(of: query, invalidText: .repaired).map { ($0.name, $0.value) }
                }
            case "headers":
                return try named("field") { request in request.headers.map { ($0.name.lowercased(), $0.value) } }
            default: return try content()
            }
        }

        /// Returns a pattern for requests with certain items.
        ///
        /// - Parameters:
        ///   - kind: The kind of items in descriptions. Names of fields are case-insensitive.
        ///   - items: A closure that returns the items of a request.
        /// - Returns: The pattern.
        /// - Throws: `invalidRule`.
        private func named(
            _ kind: String, _ items: @escaping @Sendable (InterceptedRequest) -> [(name: String, value: String)]
        ) throws(RelayError) -> RequestPattern {
            var wanted: [(name: String, values: WildcardPattern?)] = []
            for (name, value) in try members("a mapping of names and values") {
                let key = kind == "field" ? name.lowercased() : name
                let values = value.isNull ? nil : WildcardPattern(try value.text("text or null"), separators: "")
                wanted.append((key, values))
            }
            let conditions = wanted
            let names = conditions.map { MessageText.printable($0.name) }.joined(separator: ", ")
            return RequestPattern("\(kind) \(names)") { request in
                let found = items(request)
                return conditions.allSatisfy { name, values in
                    let values = values.map { pattern in found.contains { $0.name == name && pattern.matches($0.value) }
                    }
                    return values ?? !found.contains { $0.name == name }
                }
            }
        }

        // MARK: - Bodies

        /// Returns a pattern for the content of a body or a message.
        func content() throws(RelayError) -> RequestPattern {
            let keys = ["text", "contains", "json", "jsonAt"]
            let members = try members(among: keys, "a mapping with \(keys.joined(separator: ", "))")
            let conditions = try members.map { key, value throws(RelayError) in
                switch key {
                case "text":
                    let text = Data(try value.text("text").utf8)
                    return RequestPattern("a body") { ($0.body ?? Data()) == text }
                case "contains":
                    let text = Data(try value.text("text").utf8)
                    return RequestPattern("part of a body") { text.isEmpty || $0.body?.range(of: text) != nil }
                case "json":
                    let json = value.json.canonicalText()
                    return RequestPattern("a JSON body") { $0.json?.canonicalText() == json }
                default: return try value.jsonParts()
                }
            }
            return Self.all(conditions)
        }

        /// Returns a pattern for JSON bodies with certain values at JSON pointers.
        private func jsonParts() throws(RelayError) -> RequestPattern {
            var parts: [(pointer: JSONPointer, text: Data)] = []
            for (text, value) in try members("a mapping of JSON pointers and values") {
                guard let pointer = JSONPointer(text: text) else {
                    throw value.error("Expected a JSON pointer such as '/user/name', found \(value.title).")
                }
                parts.append((pointer, value.json.canonicalText()))
            }
            let wanted = parts
            let pointers = wanted.map { MessageText.printable($0.pointer.description) }.joined(separator: ", ")
            return RequestPattern("JSON at \(pointers)") { request in
                guard let json = request.json else { return false }
                return wanted.allSatisfy { json.value(at: $0.pointer)?.canonicalText() == $0.text }
            }
        }
    }

    extension InterceptedRequest {
        /// The body as JSON, or nil if it is not JSON.
        fileprivate var json: JSONValue? { body.flatMap { try? JSONValue(parsing: $0) } }
    }

    extension JSONValue {
        /// Returns the value at a pointer, or nil if it does not exist.
        fileprivate func value(at pointer: JSONPointer) -> JSONValue? {
            pointer.components.reduce(self) { value, component in
                value?[component] ?? Int(component).flatMap { value?[$0] }
            }
        }
    }
#endif
