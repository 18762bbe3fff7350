import Foundation
import HTTPArchive

/// Replaces the secrets of two entries in values that are printed.
struct ShownValues {
    private let entries: (HAR.Entry, HAR.Entry)

    /// The decoded contents of the responses, or nil if they were not compared.
    var contents: (HAR.Content, HAR.Content)?

    /// The bodies of the responses if they are compared by line, which are then searched instead of ``contents``.
    ///
    /// Set this before any value is shown, so that the bodies are searched only once.
    var comparedTexts: (ComparedBody, ComparedBody)?

    /// The redactor, which is created only if the entries differ, because it searches both of them.
    private lazy var redactor = {
        var (first, second) = (entries.0, entries.1.withoutValues(of: entries.0))
        if let contents {
            first.response.content = contents.0
            second.response.content = contents.1
        }
        guard let comparedTexts else { return MessageRedactor.standard.knowing(secretsOf: [first, second]) }
        first.response.content.text = nil
        second.response.content.text = nil
        return MessageRedactor.standard.knowing(secretsOf: [first, second])
            .union(comparedTexts.0.searched.redactor).union(comparedTexts.1.searched.redactor)
    }()

    /// Creates a redaction of values from two entries.
    init(of entries: (HAR.Entry, HAR.Entry)) { self.entries = entries }

    /// Returns a text without secrets.
    mutating func text(_ text: String) -> String { redactor.text(text) }

    /// Returns a line of a body without secrets.
    mutating func line(_ range: Range<Int>, of body: ComparedBody) -> String {
        redactor.text(body.data.withUnsafeBytes { body.searched.text.part(range, of: $0) })
    }

    /// Returns a URL without secrets.
    mutating func url(_ url: String) -> String { redactor.url(url) }

    /// Returns the values of header fields with the same name.
    ///
    /// Credentials are replaced as a whole. The names and attributes of cookies are shown.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - name: The name, in lowercase.
    ///   - showsCount: Whether to add the number of fields; `false` by default.
    /// - Returns: The values in one text.
    mutating func header(_ values: [String], named name: String, count showsCount: Bool = false) -> JSONValue {
        let isCookie = name == "cookie" || name == "set-cookie"
        let isSecret =
            !isCookie && (name.contains("cookie") || name.hasSuffix("authorization") || SecretNames.isSecret(name))
        let text = values.map { isSecret ? MessageRedactor.mask : redactor.header($0, named: name) }
            .joined(separator: ", ")
        return .text(showsCount ? "\(text) (\(values.count) \(values.count == 1 ? "field" : "fields"))" : text)
    }

    /// Returns the values of query items with the same name, as written in the URL.
    mutating func items(_ items: [Substring]) -> JSONValue {
        .text(
            items.map { FormEncoding.literalParts(of: redactor.items(String($0))[...]).value }.joined(separator: ", "))
    }

    /// Returns the values of form fields with the same name.
    mutating func fields(_ values: [String], named name: String) -> JSONValue {
        if SecretNames.isSecret(name) { return .text(MessageRedactor.mask) }
        return .text(values.map { redactor.text($0) }.joined(separator: ", "))
    }

    /// Returns the content of a part of a multipart body, or the name, size and digest of a file.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - showsType: Whether to add the media type.
    /// - Returns: A text, or an object for a file or a binary part.
    mutating func part(_ part: MultipartBody.Part, showsType: Bool) -> JSONValue {
        if SecretNames.isSecret(part.name) { return .text(MessageRedactor.mask) }
        let type = part.type ?? "no media type"
        if part.fileName == nil, let text = String(validating: part.content, as: UTF8.self) {
            return .text(redactor.text(text) + (showsType ? " (\(type))" : ""))
        }
        var facts: JSONObject = [:]
        if let name = part.fileName { facts["fileName"] = .text(redactor.text(name)) }
        if showsType { facts["mimeType"] = .text(type) }
        let summary = EntryComparison.summary(of: part.content).object ?? [:]
        return .object(JSONObject(members: facts.members + summary.members))
    }

    /// Returns a pointer without secrets in the names of members.
    mutating func pointer(_ pointer: JSONPointer) -> JSONPointer {
        JSONPointer(pointer.components.map { $0.utf8.count < Self.shortestSecret ? $0 : redactor.text($0) })
    }

    /// Returns a value without secrets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - pointer: Its location, because the names of the members around a value can indicate a secret.
    /// - Returns: The value, or a placeholder.
    mutating func json(_ value: JSONValue, at pointer: JSONPointer) -> JSONValue {
        if pointer.components.contains(where: SecretNames.isSecret) {
            switch value {
            case .null, .bool: return value
            default: return .text(MessageRedactor.mask)
            }
        }
        switch value {
        case .null, .bool: return value
        // A search takes long, and only integers can be secrets.
        case .number(let number) where number.text.utf8.count < Self.shortestSecret || number.text.utf8.contains(0x2E):
            return value
        case .string(let text): return .text(redactor.text(text.text))
        default:
            let data = redactor.body(value.data(), mediaType: "application/json")
            return (try? JSONValue(parsing: data)) ?? .text(MessageRedactor.mask)
        }
    }

    /// The minimum length of a secret that is recognized without a name, in bytes.
    private static let shortestSecret = 8
}
