import Foundation
package import HTTPArchive

/// A value in a response that a later request can need.
package struct GivenValue: Hashable, Sendable {
    /// A location in a response.
    package enum Location: Hashable, Sendable {
        /// A member of a JSON body.
        case body(JSONPointer)

        /// A header field, by lowercase name.
        case header(String)

        /// A field of a form, or a `meta` element, in an HTML document, by name.
        case field(String)
    }

    /// The index of the entry.
    package let entry: Int

    /// The location in its response.
    package let location: Location
}

/// The values in a response by their locations.
struct ResponseValues {
    /// A value.
    struct Value {
        let location: GivenValue.Location
        let name: String?
        let text: String
        let isNumber: Bool
    }

    private let response: HAR.Response
    private let body: ShapedBody?
    private let text: String?

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - folder: The folder of the archive, for bodies in separate files.
    init(_ response: HAR.Response, in folder: HAR.BodyFolder?) {
        self.response = response
        let type = response.mediaType
        let interpreted = folder.flatMap { (try? response.interpretedBody(in: $0)) ?? nil } ?? response.interpretedBody
        body = interpreted.map { ShapedBody($0.bytes, type: type) }
        text = body?.kind == .html ? interpreted.map { String(decoding: $0.bytes.prefix(1 << 20), as: UTF8.self) } : nil
    }

    /// All values, without header fields that identify nothing.
    var all: [Value] {
        var values: [Value] = []
        for header in response.headers {
            let name = header.name.lowercased()
            switch name {
            case "link":
                for match in header.value.matches(of: #/<([^>]*)>/#) {
                    values.append(
                        Value(location: .header(name), name: "href", text: String(match.1), isNumber: false))
                }
            default:
                guard name == "location" || CarriedValues.isIdentifier(name) else { continue }
                values.append(Value(location: .header(name), name: name, text: header.value, isNumber: false))
            }
        }
        for (name, value) in fields {
            values.append(Value(location: .field(name), name: name, text: value, isNumber: false))
        }
        for scalar in body?.value?.scalars(limit: 10_000) ?? [] {
            values.append(
                Value(
                    location: .body(scalar.pointer), name: scalar.name, text: scalar.text, isNumber: scalar.isNumber))
        }
        return values
    }

    /// The values of form fields and `meta` elements that protect against forged requests.
    private var fields: [String: String] {
        guard let text else { return [:] }
        var fields: [String: String] = [:]
        for tag in text.matches(of: #/<(?:input|meta)\b[^>]{0,2000}>/#.ignoresCase()) {
            var attributes: [String: String] = [:]
            for match in tag.output.matches(of: #/([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/#) {
                attributes[match.1.lowercased()] = String(match.2 ?? match.3 ?? "")
            }
            guard let name = attributes["name"], CarriedValues.isIdentifier(name) else { continue }
            fields[name] = attributes["value"] ?? attributes["content"]
        }
        return fields
    }

    /// Returns the text of a value, or nil if the response does not have it.
    ///
    /// If an array is shorter, the value of its first element with the member is returned.
    ///
    /// - Parameter location: The location.
    /// - Returns: The text.
    func text(at location: GivenValue.Location) -> String? {
        switch location {
        case .header("link"):
            // Only the link to the next page is needed.
            let next = response.header("link")?.firstMatch(of: #/<([^>]*)>\s*;[^,]*rel="?next/#)
            return next.map { String($0.1) }
                ?? response.header("link")?.firstMatch(of: #/<([^>]*)>/#).map { String($0.1) }
        case .header(let name): return response.header(name)
        case .field(let name): return fields[name]
        case .body(let pointer):
            guard let root = body?.value else { return nil }
            return Self.scalar(pointer.components[...], of: root)
        }
    }

    private static func scalar(_ path: ArraySlice<String>, of node: JSONNode) -> String? {
        guard let name = path.first else {
            switch node.kind {
            case .string: return node.string.text
            case .number: return node.number.text
            default: return nil
            }
        }
        guard node.kind == .array else { return node[name].flatMap { scalar(path.dropFirst(), of: $0) } }
        let elements = node.elements
        if let index = Int(name), elements.indices.contains(index),
            let text = scalar(path.dropFirst(), of: elements[index])
        {
            return text
        }
        return elements.lazy.compactMap { scalar(path.dropFirst(), of: $0) }.first
    }
}
