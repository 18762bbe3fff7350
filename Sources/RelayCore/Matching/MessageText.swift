import HTTPArchive

/// Functions that shorten, escape and redact text for messages.
package enum MessageText {
    /// The maximum width of a line, in characters.
    static let width = 80

    /// Returns text on a single line.
    ///
    /// An ellipsis replaces the middle of text that is too long.
    ///
    /// - Parameters:
    ///   - text: Any string.
    ///   - width: The maximum number of characters, at least 3.
    /// - Returns: The printable text, shortened if necessary.
    static func line(_ text: String, width: Int) -> String {
        let text = printable(text)
        let width = max(width, 3)
        guard text.count > width else { return text }
        let end = (width - 1) / 2
        return text.prefix(width - 1 - end) + "…" + text.suffix(end)
    }

    /// Returns text escaped for a Swift string literal, without the quotation marks.
    static func escaped(_ text: String) -> String {
        printable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    /// Returns a number of bytes, such as `1 byte` or `12 bytes`.
    static func bytes(_ count: Int) -> String { "\(count) \(count == 1 ? "byte" : "bytes")" }

    /// Returns text in which U+FFFD replaces each unprintable character.
    package static func printable(_ text: String) -> String {
        func isSeen(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        guard !text.unicodeScalars.allSatisfy(isSeen) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isSeen($0) ? $0 : "\u{FFFD}" }))
    }

    /// Returns a URL without secrets, for messages that do not concern a particular interceptor.
    ///
    /// - Parameter url: The URL as text.
    /// - Returns: The URL, redacted with the default definition of secrets.
    package static func url(_ url: String) -> String { MessageRedaction.standard.url(url) }

    /// Returns text from the user, such as the description of a pattern, without secrets.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text, redacted with the default definition of secrets.
    static func text(_ text: String) -> String { MessageRedaction.standard.text(text) }
}

/// Redacts the URLs, header fields and bodies of requests for messages.
///
/// Every part of a request that appears in an error, a log line, a report or a `curl` command is redacted by this type.
final class MessageRedaction: Sendable {
    /// The redaction with the default definition of secrets.
    static let standard = MessageRedaction(nil)

    private let configuration: HARRedactor.Configuration?

    private let redactor = OnFirstUse<MessageRedactor>()

    /// Creates a redaction for messages.
    ///
    /// - Parameter configuration: The definition of secrets, or `nil` for the default definition. The default also
    ///   applies if recordings are not redacted.
    init(_ configuration: HARRedactor.Configuration?) {
        self.configuration = configuration
    }

    /// Returns a URL without secrets or unprintable characters.
    ///
    /// - Parameter url: A URL, or the end of a URL that starts with the path, query or fragment.
    /// - Returns: The redacted URL, or the origin and the size of a very long URL.
    func url(_ url: String) -> String {
        guard url.utf8.count > Self.largestShownURL else { return MessageText.printable(sharedRedactor.url(url)) }
        return "\(MessageText.line(NormalizedURL(url).origin, width: 300))/… (\(MessageText.bytes(url.utf8.count)))"
    }

    /// Returns a normalized URL without secrets.
    func url(_ url: NormalizedURL) -> String { self.url(url.description) }

    /// Returns the method and the normalized URL of a request, without secrets.
    func request(_ method: String, _ url: String) -> String {
        "\(MessageText.printable(method.uppercased())) \(self.url(NormalizedURL(url)))"
    }

    /// Returns a query item with its value redacted if the value is secret, or the size of a very long item.
    func item(_ item: Substring) -> String {
        let size = item.utf8.count
        return size > Self.largestShownItem
            ? MessageText.bytes(size) : MessageText.printable(sharedRedactor.items(String(item)))
    }

    /// Returns text without secrets or unprintable characters.
    func text(_ text: String) -> String { MessageText.printable(sharedRedactor.text(text)) }

    /// Returns the request without secrets.
    func request(_ request: InterceptedRequest) -> InterceptedRequest {
        let shown = sharedRedactor.request(
            (url: request.url, headers: request.headers.map { ($0.name, $0.value) }, body: request.body))
        var result = request
        result.url = shown.url
        result.headers = shown.headers.map { HeaderField(name: $0.name, value: $0.value) }
        result.body = shown.body
        return result
    }

    /// Returns the value of a header field without secrets.
    func header(_ name: String, _ value: String) -> String {
        let request = sharedRedactor.request((url: "", headers: [(name, value)], body: nil))
        return MessageText.printable(request.headers.first?.value ?? "")
    }

    /// Returns a JSON value without secrets, or nil if it is too large.
    func json(_ value: JSONValue) -> JSONValue? {
        let text = value.data(layout: .compact)
        guard text.count <= Self.largestShownValue else { return nil }
        return try? JSONValue(parsing: sharedRedactor.body(text, mediaType: "application/json"))
    }

    /// Returns the value of a form field or a similar item without secrets.
    func value(_ value: String, named name: String) -> String {
        let member = JSONObject.Member(name: JSONString(name), value: .string(JSONString(value)))
        let shown = json(.object(JSONObject(members: [member])))
        return MessageText.printable(shown?.object?.members.first?.value.text ?? "")
    }

    /// The maximum size of a JSON text to show in messages, in bytes.
    private static let largestShownValue = 1 << 16

    /// The maximum size of a URL to show completely in messages, in bytes.
    private static let largestShownURL = 1 << 13

    /// The maximum size of a query item to show in messages, in bytes.
    private static let largestShownItem = 1 << 10

    /// The redactor.
    ///
    /// It uses the default definition of secrets if the user's rules are invalid.
    private var sharedRedactor: MessageRedactor {
        redactor.value { configuration.flatMap { try? MessageRedactor($0) } ?? .standard }
    }
}
