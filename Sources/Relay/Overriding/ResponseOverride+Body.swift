public import Foundation
public import HTTPArchive

extension ResponseOverride {
    /// Another body.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: Its media type; `nil`, the default, leaves the field `Content-Type` as it is.
    /// - Returns: The override.
    public static func body(_ body: Data, type: String? = nil) -> ResponseOverride {
        ResponseOverride { _, response in
            response.replaceBody(with: body)
            if let type { response.headers.set(HeaderField(name: "Content-Type", value: type)) }
        }
    }

    /// Another body, text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - type: Its media type; `text/plain; charset=utf-8` by default.
    /// - Returns: The override.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> ResponseOverride {
        body(Data(text.utf8), type: type)
    }

    /// Another body, a value as JSON.
    ///
    /// - Parameters:
    ///   - value: What is encoded.
    ///   - encoder: How it is encoded; the default way unless given.
    /// - Returns: The override.
    /// - Throws: What encoding throws.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws -> ResponseOverride {
        body(try encoder.encode(value), type: "application/json")
    }

    /// Another body, JSON.
    ///
    /// - Parameter value: The body, such as `["name": "Ada"]`.
    /// - Returns: The override.
    public static func jsonValue(_ value: JSONValue) -> ResponseOverride {
        body(value.data(), type: "application/json")
    }

    /// Another text wherever a text stands in the body.
    ///
    /// The body's bytes are read, and the others written, in the charset of the response. Bodies that are no text stay.
    ///
    /// - Parameters:
    ///   - text: What is looked for, letter for letter; an empty text is nowhere.
    ///   - replacement: What takes its place.
    /// - Returns: The override. A request whose body cannot hold the replacement in its charset fails with `overrideFailed`.
    public static func replacing(_ text: String, with replacement: String) -> ResponseOverride {
        ResponseOverride(ofBodies: { response in
            guard !text.isEmpty else { return nil }
            let body = TextBody(of: response)
            return try body?.changed { $0.replacing(Array(text.utf8), with: Array(replacement.utf8)) }
        })
    }

    /// Another text wherever a regular expression fits in the body.
    ///
    /// The body's bytes are read, and the others written, in the charset of the response. Bodies that are no text stay.
    ///
    /// - Parameters:
    ///   - expression: A regular expression of ICU (https://unicode-org.github.io/icu/userguide/strings/regexp.html).
    ///   - template: What takes the place of what fits; `$1` stands for its first group.
    /// - Returns: The override. A request whose body cannot hold the replacement in its charset fails with `overrideFailed`.
    /// - Throws: `invalidRule` when the expression is none.
    public static func replacing(
        regularExpression expression: String, with template: String
    ) throws(HARError) -> ResponseOverride {
        let parsed: NSRegularExpression
        do {
            parsed = try NSRegularExpression(pattern: expression)
        } catch {
            throw HARError(.invalidRule, "'\(expression)' is no regular expression.", underlying: error)
        }
        return ResponseOverride(ofBodies: { response in
            try TextBody(of: response)?.changed { bytes in
                let text = NSMutableString(string: String(decoding: bytes, as: UTF8.self))
                let range = NSRange(location: 0, length: text.length)
                guard parsed.replaceMatches(in: text, range: range, withTemplate: template) > 0 else { return bytes }
                return Array((text as String).utf8)
            }
        })
    }
}
