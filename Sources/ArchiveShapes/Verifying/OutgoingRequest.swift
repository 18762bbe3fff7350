package import Foundation
package import HTTPArchive

/// A recorded request that is sent again.
package struct OutgoingRequest: Sendable {
    /// A location of a value in a request.
    package enum Location: Hashable, Sendable {
        /// The path and query of the URL.
        case target

        /// A segment of the path, by its index.
        case segment(Int)

        /// An item of the query, by name.
        case query(String)

        /// A header field, by lowercase name.
        case header(String)

        /// A member of a JSON body.
        case body(JSONPointer)

        /// A field of a form, by name.
        case form(String)
    }

    /// A value in a request.
    struct Value {
        let location: Location

        /// The name of the parameter, member or header field; nil for a segment of the path.
        let name: String?

        let text: String
    }

    /// The method.
    package let method: String

    /// The URL, at first the recorded one.
    package var url: String

    /// The header fields, without those that the client adds.
    package var headers: [(name: String, value: String)]

    /// The body, or nil if the request has none.
    package var body: Data?

    private let mediaType: MediaType?

    /// The names of header fields that depend on the connection, and of conditions, which would result in responses
    /// without a body.
    private static let omitted: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "http2-settings", "if-match",
        "if-modified-since", "if-none-match", "if-unmodified-since", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Creates the request of an entry.
    ///
    /// - Parameters:
    ///   - request: The recorded request.
    ///   - folder: The folder of the archive, for bodies in separate files.
    package init(_ request: HAR.Request, in folder: HAR.BodyFolder) {
        method = request.method.uppercased()
        url = String(LiteralURL(request.url).withoutFragment)
        headers = request.headers.filter {
            !Self.omitted.contains($0.name.lowercased()) && !$0.name.hasPrefix(":") && !$0.name.isEmpty
        }.map { ($0.name, $0.value) }
        let data = (try? request.bodyData(in: folder)) ?? nil
        body = data?.isEmpty == false ? data : nil
        mediaType = request.bodyType
    }

    /// The path and query of the URL.
    private var target: String {
        let url = LiteralURL(url)
        return String(url.path + url.query)
    }

    /// The values in the request.
    ///
    /// - Complexity: O(*n*) in the size of the request.
    var values: [Value] {
        let url = LiteralURL(url)
        var values = [Value(location: .target, name: nil, text: target)]
        for (index, segment) in url.path.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
            let text = PercentEncoding.decoded(segment.utf8)
            if !text.isEmpty { values.append(Value(location: .segment(index), name: nil, text: text)) }
        }
        for item in FormEncoding.literalItems(of: url.query.dropFirst()) {
            let (name, text) = Self.decoded(item)
            values.append(Value(location: .query(name), name: name, text: text))
        }
        for header in headers where header.name.lowercased() != "cookie" {
            let name = header.name.lowercased()
            let parts = header.value.split(separator: " ", maxSplits: 1)
            // The value follows the authorization scheme.
            let text = name == "authorization" ? parts.last.map(String.init) ?? "" : header.value
            values.append(Value(location: .header(name), name: name, text: text))
        }
        return values + bodyValues
    }

    private static func decoded(_ item: Substring) -> (name: String, text: String) {
        let part = FormEncoding.literalParts(of: item)
        return (
            PercentEncoding.decoded(part.name.utf8, plusIsSpace: true),
            PercentEncoding.decoded(part.value.utf8, plusIsSpace: true)
        )
    }

    private var bodyValues: [Value] {
        guard let body else { return [] }
        if mediaType?.essence == "application/x-www-form-urlencoded" {
            return FormEncoding.literalItems(of: String(decoding: body, as: UTF8.self)[...]).map { item in
                let (name, text) = Self.decoded(item)
                return Value(location: .form(name), name: name, text: text)
            }
        }
        guard let value = ShapedBody(body, type: mediaType).value else { return [] }
        return value.scalars(limit: 10_000).map {
            Value(location: .body($0.pointer), name: $0.name, text: $0.text)
        }
    }

    /// Replaces text in a value.
    ///
    /// - Parameters:
    ///   - location: The location of the value.
    ///   - old: The text to replace.
    ///   - new: The replacement.
    mutating func replace(at location: Location, _ old: String, with new: String) {
        let url = LiteralURL(url)
        switch location {
        case .target:
            let other = LiteralURL(new)
            self.url = String(url.beforeUser + url.authority + other.path + other.query)
        case .segment(let index):
            var segments = url.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard segments.indices.contains(index) else { return }
            segments[index] = PercentEncoding.encoded(new, keeping: .form)
            self.url = String(url.beforeUser + url.authority) + segments.joined(separator: "/") + url.query
        case .query(let name):
            let query = Self.replacing(name, old, new, in: url.query.dropFirst())
            self.url = url.beforeQuery + "?" + query
        case .header(let name):
            for index in headers.indices where headers[index].name.lowercased() == name {
                headers[index].value = headers[index].value.replacingOccurrences(of: old, with: new)
            }
        case .form(let name):
            guard let text = body.map({ String(decoding: $0, as: UTF8.self) }) else { return }
            body = Data(Self.replacing(name, old, new, in: text[...]).utf8)
        case .body(let pointer):
            guard let data = body, let value = try? JSONValue(parsing: data) else { return }
            body = value.replacing(old, with: new, at: pointer.components[...]).data(layout: .compact)
        }
    }

    /// Replaces the values of cookies.
    ///
    /// - Parameter transform: A closure that returns the value of a cookie, or nil to remove it.
    mutating func mapCookies(_ transform: (_ name: String, _ value: String) -> String?) {
        for index in headers.indices.reversed() where headers[index].name.lowercased() == "cookie" {
            let pairs = CookieText.parts(of: headers[index].value.utf8).compactMap { part -> String? in
                let pair = CookieText(part)
                let name = pair.name.map { String(Substring($0)) } ?? ""
                if name.isEmpty, pair.value.isEmpty { return nil }
                return transform(name, pair.text).map { name.isEmpty ? $0 : name + "=" + $0 }
            }
            if pairs.isEmpty { headers.remove(at: index) } else { headers[index].value = pairs.joined(separator: "; ") }
        }
    }

    private static func replacing(_ name: String, _ old: String, _ new: String, in items: Substring) -> String {
        FormEncoding.literalItems(of: items).map { item in
            let (itemName, text) = decoded(item)
            guard itemName == name, text.contains(old) else { return String(item) }
            let value = PercentEncoding.encoded(text.replacingOccurrences(of: old, with: new), keeping: .form)
            return FormEncoding.literalParts(of: item).name + "=" + value
        }.joined(separator: "&")
    }
}

extension JSONValue {
    /// Returns the value with text replaced in a scalar.
    fileprivate func replacing(_ old: String, with new: String, at path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else {
            if let text { return .string(JSONString(text.replacingOccurrences(of: old, with: new))) }
            return JSONNumber(text: new).map(JSONValue.number) ?? .string(JSONString(new))
        }
        if var array, let index = Int(name), array.indices.contains(index) {
            array[index] = array[index].replacing(old, with: new, at: path.dropFirst())
            return .array(array)
        }
        guard var object, let value = object[name] else { return self }
        object[name] = value.replacing(old, with: new, at: path.dropFirst())
        return .object(object)
    }
}

extension JSONNode {
    /// A string or number in a value.
    struct Scalar {
        let pointer: JSONPointer

        /// The name of the member that contains it, directly or in arrays; nil if no member contains it.
        let name: String?

        let text: String
        let isNumber: Bool
    }

    /// Returns the strings of at most 4,096 bytes and the numbers in the value.
    ///
    /// - Parameter limit: The maximum number of scalars.
    /// - Returns: The scalars, in text order.
    func scalars(limit: Int) -> [Scalar] {
        var scalars: [Scalar] = []
        collect(into: &scalars, limit, path: [], name: nil)
        return scalars
    }

    private func collect(into scalars: inout [Scalar], _ limit: Int, path: [String], name: String?) {
        guard scalars.count < limit else { return }
        switch kind {
        case .string, .number:
            guard withBytes({ $0.count <= 4096 }) else { return }
            let isNumber = kind == .number
            let text = isNumber ? number.text : string.text
            scalars.append(Scalar(pointer: JSONPointer(path), name: name, text: text, isNumber: isNumber))
        case .array:
            for (index, element) in elements.enumerated() {
                element.collect(into: &scalars, limit, path: path + [String(index)], name: name)
            }
        case .object:
            forEachMember { key, value in
                let member = key.string.text
                value.collect(into: &scalars, limit, path: path + [member], name: member)
                return scalars.count < limit
            }
        default: break
        }
    }
}
