public import Foundation
public import HTTPArchive

extension ResponseOverride {
    /// Returns an override that replaces the body.
    ///
    /// - Parameters:
    ///   - body: The new body.
    ///   - type: The media type for the `Content-Type` field; nil (the default) keeps the current field.
    /// - Returns: The override.
    public static func body(_ body: Data, type: String? = nil) -> ResponseOverride {
        ResponseOverride { _, response in
            response.replaceBody(with: body)
            if let type { response.headers.set(HeaderField(name: "Content-Type", value: type)) }
        }
    }

    /// Returns an override that replaces the body with UTF-8 text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - type: The media type; `text/plain; charset=utf-8` by default.
    /// - Returns: The override.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> ResponseOverride {
        body(Data(text.utf8), type: type)
    }

    /// Returns an override that replaces the body with a value encoded as JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder; a `JSONEncoder` with default settings if omitted.
    /// - Returns: The override.
    /// - Throws: Any error thrown by the encoder.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws -> ResponseOverride {
        body(try encoder.encode(value), type: "application/json")
    }

    /// Returns an override that replaces the body with JSON.
    ///
    /// - Parameter value: The new body, such as `["name": "Ada"]`.
    /// - Returns: The override.
    public static func jsonValue(_ value: JSONValue) -> ResponseOverride {
        body(value.data(), type: "application/json")
    }

    /// Returns an override that replaces every occurrence of a string in the body.
    ///
    /// The body is decoded and encoded in the charset of the response. Bodies that are not text remain unchanged.
    ///
    /// - Parameters:
    ///   - text: The string to find, compared literally. An empty string is never found.
    ///   - replacement: The replacement string.
    /// - Returns: The override. A request fails with `overrideFailed` if the charset cannot encode the new body.
    public static func replacing(_ text: String, with replacement: String) -> ResponseOverride {
        ResponseOverride(ofBodies: { response in
            guard !text.isEmpty else { return nil }
            let body = TextBody(of: response)
            return try body?.changed { $0.replacing(Array(text.utf8), with: Array(replacement.utf8)) }
        })
    }

    /// Returns an override that replaces every match of a regular expression in the body.
    ///
    /// The body is decoded and encoded in the charset of the response. Bodies that are not text remain unchanged.
    ///
    /// - Parameters:
    ///   - expression: An ICU regular expression (https://unicode-org.github.io/icu/userguide/strings/regexp.html).
    ///   - template: The replacement template, in which `$1` is the first capture group.
    /// - Returns: The override. A request fails with `overrideFailed` if the charset cannot encode the new body, or if
    ///   the search for the expression takes too much work.
    /// - Throws: `invalidRule` if the expression is invalid.
    public static func replacing(
        regularExpression expression: String, with template: String
    ) throws(RelayError) -> ResponseOverride {
        let parsed = try NSRegularExpression(ofRule: expression)
        return ResponseOverride(ofBodies: { response in
            try TextBody(of: response)?.changed { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                var changed: [UInt8] = []
                var end = text.startIndex
                do throws(HARError) {
                    try parsed.forEachMatch(in: text, named: "The regular expression '\(MessageText.text(expression))'")
                    {
                        let start = text.utf16.index(text.startIndex, offsetBy: $0.range.location)
                        changed += text.utf8[end..<start]
                        changed += parsed.replacementString(for: $0, in: text, offset: 0, template: template).utf8
                        end = text.utf16.index(start, offsetBy: $0.range.length)
                        return true
                    }
                } catch {
                    throw RelayError(.overrideFailed, error.message, underlying: error)
                }
                return end == text.startIndex && changed.isEmpty ? bytes : changed + text.utf8[end...]
            }
        })
    }
}

/// The body of a response as text in a known charset.
struct TextBody {
    private let body: Data
    private let charset: Charset

    /// Creates a text body from a response, or returns nil if the body is not text.
    init?(of response: InterceptedResponse) {
        let type = response.headers.values(named: "content-type").first.flatMap(MediaType.init)
        if let charset = type?.charset.flatMap(Charset.init(label:)) {
            self.charset = charset
        } else if String(validating: response.body, as: UTF8.self) != nil {
            charset = .utf8
        } else if type?.essence.hasPrefix("text/") == true {
            charset = .windows1252
        } else {
            return nil
        }
        body = response.body
    }

    /// Returns the bytes of the changed text, or nil if it is unchanged.
    ///
    /// - Parameter change: A closure that receives the text in UTF-8 and returns the new text. Invalid bytes in a UTF-8
    ///   body are preserved.
    /// - Returns: The new text in the charset of the body, or nil if it is unchanged.
    /// - Throws: `overrideFailed` if the charset cannot encode the new text.
    func changed(_ change: ([UInt8]) throws -> [UInt8]) throws -> [UInt8]? {
        let text = charset == .utf8 ? [UInt8](body) : [UInt8](charset.decode(body).utf8)
        let changed = try change(text)
        guard changed != text else { return nil }
        if charset == .utf8 { return changed }
        guard let bytes = charset.encodeExactly(String(decoding: changed, as: UTF8.self)) else {
            throw RelayError(
                .overrideFailed,
                "The body's charset cannot encode the new text. Replace the whole body with UTF-8 text.")
        }
        return [UInt8](bytes)
    }
}

extension ResponseOverride {
    /// Returns an override that replaces the status.
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

    /// Returns an override that sets a header field, replacing all existing fields with the same name.
    ///
    /// - Parameters:
    ///   - name: The case-insensitive name.
    ///   - value: The value.
    /// - Returns: The override.
    public static func header(_ name: String, _ value: String) -> ResponseOverride {
        ResponseOverride { _, response in response.headers.set(HeaderField(name: name, value: value)) }
    }

    /// Returns an override that adds a header field and keeps existing fields with the same name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    /// - Returns: The override.
    public static func addingHeader(_ name: String, _ value: String) -> ResponseOverride {
        ResponseOverride { _, response in response.headers.append(HeaderField(name: name, value: value)) }
    }

    /// Returns an override that removes all header fields with the given name.
    ///
    /// - Parameter name: The case-insensitive name.
    /// - Returns: The override.
    public static func removingHeader(_ name: String) -> ResponseOverride {
        ResponseOverride { _, response in response.headers.remove(named: [name.lowercased()]) }
    }
}
