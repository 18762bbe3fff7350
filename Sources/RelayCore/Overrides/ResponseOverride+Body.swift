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
    ) throws(RelayError) -> ResponseOverride {
        let parsed: NSRegularExpression
        do {
            parsed = try NSRegularExpression(pattern: expression)
        } catch {
            throw RelayError(.invalidRule, "'\(expression)' is no regular expression.", underlying: error)
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

/// The body of a response as text, in the charset that the response says it has.
struct TextBody {
    private let body: Data
    private let charset: Charset

    /// Takes the body of a response; `nil` when it is no text.
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

    /// The bytes of the changed text; `nil` when it is the same.
    ///
    /// - Parameter change: Is given the text in UTF-8, and gives the new one. What was no text in a body of UTF-8 stays.
    /// - Returns: The text in its charset.
    /// - Throws: `overrideFailed` when the charset cannot write it.
    func changed(_ change: ([UInt8]) throws -> [UInt8]) throws -> [UInt8]? {
        let text = charset == .utf8 ? [UInt8](body) : [UInt8](charset.decode(body).utf8)
        let changed = try change(text)
        guard changed != text else { return nil }
        if charset == .utf8 { return changed }
        guard let bytes = charset.encodeExactly(String(decoding: changed, as: UTF8.self)) else {
            throw RelayError(
                .overrideFailed, "The body's charset cannot write the new text; take the whole body as UTF-8 instead.")
        }
        return [UInt8](bytes)
    }
}

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
