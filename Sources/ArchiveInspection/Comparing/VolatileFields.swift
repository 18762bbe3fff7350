import Foundation
package import HTTPArchive
import RelayCore

/// The fields that `har diff` ignores, because they differ between recordings of the same exchange.
package struct VolatileFields: Sendable {
    /// Whether fields that are typically volatile and the order of fields with the same name are ignored.
    package let usesDefaults: Bool

    private let ignored: Set<IgnoredField>
    private let pointers: [JSONPointer]

    /// Creates a definition of volatile fields.
    ///
    /// - Parameters:
    ///   - usesDefaults: Whether fields that are typically volatile are ignored.
    ///   - ignored: The fields that are always ignored.
    package init(usesDefaults: Bool, ignoring ignored: [IgnoredField]) {
        self.usesDefaults = usesDefaults
        self.ignored = Set(ignored)
        pointers = ignored.compactMap { if case .json(let pointer) = $0 { pointer } else { nil } }
    }

    /// Whether a field of the request is ignored.
    ///
    /// The defaults are the fields that ``RequestMatching/strict`` ignores, and identifiers of requests.
    ///
    /// - Parameter name: The name of the field, in lowercase.
    /// - Returns: Whether the field is ignored.
    func ignores(requestHeader name: String) -> Bool {
        if ignored.contains(.header(name)) { return true }
        return usesDefaults && (RequestMatcher.volatileHeaders.contains(name) || Self.isRequestIdentifier(name))
    }

    /// Whether it matters that only one of the requests has a field whose values are volatile.
    ///
    /// - Parameter name: The name of the field, in lowercase.
    /// - Returns: `true` for credentials, whose absence changes the response.
    static func mattersIfMissing(_ name: String) -> Bool { name == "authorization" || name == "proxy-authorization" }

    /// Whether a field of the response is ignored.
    ///
    /// - Parameters:
    ///   - name: The name of the field, in lowercase.
    ///   - areBodiesKnown: Whether the archives have both bodies, so that their lengths need not be compared.
    /// - Returns: Whether the field is ignored.
    func ignores(responseHeader name: String, areBodiesKnown: Bool) -> Bool {
        if ignored.contains(.header(name)) { return true }
        guard usesDefaults else { return false }
        if name == "content-length" { return areBodiesKnown }
        return Self.responseHeaders.contains(name) || Self.isRequestIdentifier(name)
    }

    /// Whether an item of a query is ignored.
    ///
    /// - Parameters:
    ///   - name: The decoded name.
    ///   - values: The values of all items with this name.
    ///   - isInBoth: Whether both requests have an item with this name; `true` by default.
    /// - Returns: Whether the item is ignored.
    func ignores(queryItem name: String, values: [Substring], isInBoth: Bool = true) -> Bool {
        ignored.contains(.query(name)) || isInBoth && isVolatile(name, values)
            || ignores(unnamedItem: name, values: values)
    }

    /// Whether an item of a query is a volatile value without a name, such as the time in `/app.js?1700000000`.
    ///
    /// - Parameters:
    ///   - text: The item, which is parsed as a name.
    ///   - values: The values of all items with this name.
    /// - Returns: Whether the item is ignored.
    func ignores(unnamedItem text: String, values: [Substring]) -> Bool {
        usesDefaults && values.allSatisfy(\.isEmpty) && VolatileValue.isVolatile(text)
    }

    /// Whether a field of a form is ignored.
    ///
    /// - Parameters:
    ///   - name: The decoded name.
    ///   - values: The values of all fields with this name.
    ///   - isInBoth: Whether both forms have a field with this name; `true` by default.
    /// - Returns: Whether the field is ignored.
    func ignores(formField name: String, values: [Substring], isInBoth: Bool = true) -> Bool {
        ignored.contains(.form(name)) || isInBoth && isVolatile(name, values)
    }

    /// Whether parts with the same name in multipart forms are ignored.
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - isInBoth: Whether both forms have the part; `true` by default.
    /// - Returns: Whether the parts are ignored.
    func ignores(_ parts: [MultipartBody.Part], isInBoth: Bool = true) -> Bool {
        let values = parts.map { $0.fileName == nil ? String(decoding: $0.content, as: UTF8.self)[...] : "" }
        return ignores(formField: parts.first?.name ?? "", values: values, isInBoth: isInBoth)
    }

    private func isVolatile(_ name: String, _ values: [Substring]) -> Bool {
        usesDefaults && Self.isVolatile(name) && values.allSatisfy { VolatileValue.isVolatile(String($0)) }
    }

    /// Whether a difference between JSON bodies is ignored.
    func ignores(_ change: JSONBodyDifferences.Change) -> Bool {
        if pointers.contains(where: { $0.includes(change.pointer) }) { return true }
        guard usesDefaults, let here = change.first, let there = change.second,
            let name = change.pattern.components.last(where: { $0 != "*" }), Self.isVolatile(name)
        else { return false }
        return VolatileValue.isVolatile(here) && VolatileValue.isVolatile(there)
    }

    /// Returns the locations of ignored values in a JSON body, with `*` in place of array indices.
    func pointers(in value: JSONValue) -> [JSONPointer] {
        guard usesDefaults else { return pointers }
        var found = Set<JSONPointer>()
        collect(in: value, at: JSONPointer(), into: &found)
        return pointers + found
    }

    private func collect(in value: JSONValue, at pointer: JSONPointer, into found: inout Set<JSONPointer>) {
        switch value {
        case .array(let elements):
            for element in elements { collect(in: element, at: pointer.appending("*"), into: &found) }
        case .object(let object):
            for member in object.members {
                let inside = pointer.appending(member.name.text)
                if VolatileValue.isVolatile(member.value), Self.isVolatile(member.name.text) {
                    found.insert(inside)
                } else {
                    collect(in: member.value, at: inside, into: &found)
                }
            }
        default: break
        }
    }
}

extension VolatileFields {
    /// Fields that depend on the time, on a cache, on a cookie or on the connection.
    private static let responseHeaders: Set<String> = [
        "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "date", "etag", "expires", "keep-alive",
        "last-modified", "nel", "report-to", "reporting-endpoints", "server-timing", "set-cookie", "set-cookie2",
        "traceparent", "tracestate", "via", "x-cache", "x-cache-hits", "x-powered-by-server", "x-response-time",
        "x-runtime", "x-served-by", "x-timer", "x-varnish",
    ]

    private static let identifierPrefixes = ["x-amzn-", "x-amz-cf-", "x-amz-id-", "x-b3-", "x-datadog-", "x-vercel-"]

    private static let identifierSuffixes = [
        "request-id", "requestid", "trace-id", "traceid", "trace-context", "correlation-id", "correlationid", "span-id",
        "spanid", "transaction-id", "-ray",
    ]

    /// Whether the field identifies a request in the logs of a server or a content delivery network.
    private static func isRequestIdentifier(_ name: String) -> Bool {
        identifierPrefixes.contains(where: name.hasPrefix) || identifierSuffixes.contains(where: name.hasSuffix)
    }

    /// The names of volatile query items and JSON members, in lowercase and without separators.
    private static let names: Set<String> = [
        // Times.
        "t", "ts", "time", "timestamp", "datetime", "date", "now", "servertime", "currenttime", "clienttime", "epoch",
        "createdat", "updatedat", "modifiedat", "generatedat", "issuedat", "expires", "expiresat", "expiry",
        "expiration", "lastupdated", "lastmodified", "iat", "exp", "nbf", "starttime", "endtime",
        // Random numbers.
        "_", "r", "rand", "random", "rnd", "nonce", "cb", "bust", "cachebust", "cachebuster", "nocache", "salt", "seed",
        // Identifiers of a request or a session.
        "requestid", "reqid", "rid", "traceid", "spanid", "correlationid", "transactionid", "sessionid", "sid",
        "session", "uuid", "guid", "jti", "messageid", "eventid", "clientid", "visitorid", "deviceid",
        // Tokens.
        "token", "accesstoken", "refreshtoken", "idtoken", "csrf", "csrftoken", "xsrftoken", "authenticitytoken",
        "state", "signature", "sig", "etag", "hash", "cursor",
    ]

    /// Whether values with a name are typically volatile.
    private static func isVolatile(_ name: String) -> Bool {
        if names.contains(name) { return true }
        guard name.utf8.count <= 32 else { return false }
        return names.contains(String(name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." }))
    }
}

extension JSONPointer {
    /// Whether this pattern, in which `*` matches any name or index, refers to a location or to a value around it.
    fileprivate func includes(_ pointer: JSONPointer) -> Bool {
        components.count <= pointer.components.count
            && zip(components, pointer.components).allSatisfy { $0 == "*" || $0 == $1 }
    }
}

/// A field that `har diff --ignore` names: `header:NAME`, `query:NAME`, `form:NAME` or `json:/POINTER`.
package enum IgnoredField: Hashable, Sendable {
    /// The name of a header field, in lowercase.
    case header(String)

    case query(String)

    /// The name of a field of a URL-encoded or multipart form.
    case form(String)

    case json(JSONPointer)

    /// Parses a field, or returns nil if its kind is unknown or its name is missing or invalid.
    package init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else { return nil }
        let name = String(argument[argument.index(after: colon)...])
        guard !name.isEmpty else { return nil }
        switch argument[..<colon] {
        case "header": self = .header(name.lowercased())
        case "query": self = .query(name)
        case "form": self = .form(name)
        case "json":
            guard let pointer = JSONPointer(text: name) else { return nil }
            self = .json(pointer)
        default: return nil
        }
    }
}

/// Recognizes values that differ in every recording: times, random numbers, identifiers and tokens.
package enum VolatileValue {
    /// Whether a JSON value is volatile.
    package static func isVolatile(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): isVolatile(text.text)
        case .number(let number): isLongNumber(Array(number.text.utf8))
        default: false
        }
    }

    /// Whether a text is volatile.
    ///
    /// - Parameter text: The text, which may be percent-encoded.
    /// - Returns: Whether it is a number of at least 10 digits, a UUID, a date with a time, or a random token.
    static func isVolatile(_ text: String) -> Bool {
        guard 8...8192 ~= text.utf8.count else { return false }
        let bytes = Array(text.utf8)
        return isLongNumber(bytes) || isTime(bytes) || isToken(bytes) || CookieDate.date(text) != nil
    }

    /// Whether a text is a number with at least 10 digits, optionally with a sign and a fraction.
    private static func isLongNumber(_ text: [UInt8]) -> Bool {
        let digits = text.count(where: isDigit)
        let others = text.drop { $0 == UInt8(ascii: "-") }.filter { !isDigit($0) }
        return digits >= 10 && (others.isEmpty || others == [UInt8(ascii: ".")])
    }

    /// Whether a text begins with an ISO 8601 date and time.
    private static func isTime(_ text: [UInt8]) -> Bool {
        guard text.count >= 16, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return false }
        return [0, 1, 2, 3, 5, 6, 8, 9, 11, 12].allSatisfy { isDigit(text[$0]) }
            && (text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "+"))
    }

    /// Whether a text is a UUID, at least 8 hexadecimal digits, or at least 16 letters and digits that look random.
    private static func isToken(_ text: [UInt8]) -> Bool {
        let digits = text.count(where: isDigit)
        guard digits >= 1 else { return false }
        if text.allSatisfy({ isDigit($0) || 0x61...0x66 ~= $0 | 0x20 || $0 == UInt8(ascii: "-") }) { return true }
        guard text.count >= 16, digits >= 2, text.count - digits >= 2 else { return false }
        return text.allSatisfy { isDigit($0) || 0x61...0x7A ~= $0 | 0x20 || "-_.~+/=%:".utf8.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
