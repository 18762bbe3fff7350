import HTTPArchive
import Synchronization

/// Formats text for messages: limited to the width of a terminal, without control characters, and without secrets.
package enum MessageText {
    /// The maximum width of a line, in characters.
    static let width = 80

    /// Returns a single line of limited length, in which an ellipsis replaces the middle of a longer text.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - width: The maximum number of characters, at least 3.
    /// - Returns: The printable text, shortened if necessary.
    static func line(_ text: String, width: Int) -> String {
        let text = printable(text)
        let width = max(width, 3)
        guard text.count > width else { return text }
        let end = (width - 1) / 2
        return text.prefix(width - 1 - end) + "…" + text.suffix(end)
    }

    /// Returns a text in which U+FFFD replaces each unprintable character.
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

    /// Returns a URL without secrets; see ``MessageRedaction/url(_:)``.
    ///
    /// - Parameter url: The URL as text.
    /// - Returns: The URL, found by the default definition of secrets, for messages without an interceptor.
    package static func url(_ url: String) -> String { MessageRedaction.standard.url(url) }

    /// Returns a text of the user without secrets, such as the description of a pattern.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text, without the secrets of the default definition.
    static func text(_ text: String) -> String { MessageRedaction.standard.text(text) }
}

/// Redacts the URLs, header fields and bodies of requests for messages.
///
/// Everything of a request that gets into an error, a log line, a report or a `curl` command passes this type.
final class MessageRedaction: Sendable {
    /// The redaction with the default definition of secrets.
    static let standard = MessageRedaction(nil)

    private let configuration: HARRedactor.Configuration?

    /// The redactor, or nil before first use.
    private let redactor = Mutex<MessageRedactor?>(nil)

    /// Creates a redaction for messages.
    ///
    /// - Parameter configuration: The definition of secrets; `nil` for the standard one, if recordings are not
    ///   redacted.
    init(_ configuration: HARRedactor.Configuration?) {
        self.configuration = configuration
    }

    /// Returns a URL without secrets, and without unprintable characters.
    ///
    /// - Parameter url: The URL as text, or the end of one from its path, its query or its fragment.
    /// - Returns: The URL, otherwise unchanged.
    func url(_ url: String) -> String { MessageText.printable(sharedRedactor.url(url)) }

    /// Returns a normalized URL without secrets.
    func url(_ url: NormalizedURL) -> String { self.url(url.description) }

    /// Returns the method and the normalized URL of a request, without secrets.
    func request(_ method: String, _ url: String) -> String {
        "\(MessageText.printable(method.uppercased())) \(self.url(NormalizedURL(url)))"
    }

    /// Returns a query item without its value if that is secret.
    func item(_ item: Substring) -> String { MessageText.printable(sharedRedactor.items(String(item))) }

    /// Returns a text without secrets, and without unprintable characters.
    func text(_ text: String) -> String { MessageText.printable(sharedRedactor.text(text)) }

    /// Returns the request without secrets.
    func request(_ request: InterceptedRequest) -> InterceptedRequest {
        let shown = sharedRedactor.request(
            MessageRedactor.Request(
                url: request.url, headers: request.headers.map { ($0.name, $0.value) }, body: request.body))
        var result = request
        result.url = shown.url
        result.headers = shown.headers.map { HeaderField(name: $0.name, value: $0.value) }
        result.body = shown.body
        return result
    }

    /// Returns a difference without the secrets of this redaction in a path or a query.
    ///
    /// Matchers create differences with the default definition of secrets.
    func difference(_ difference: MatchDifference) -> MatchDifference {
        guard ["path", "query"].contains(difference.part) else { return difference }
        let mark = difference.part == "query" ? "?" : ""
        let texts = [difference.recorded, difference.asked].map { text in
            text.map { String(url(mark + $0).dropFirst(mark.count)) }
        }
        return MatchDifference(difference.part, recorded: texts[0], asked: texts[1])
    }

    /// The redactor, with the default definition of secrets if the user's rules are invalid.
    private var sharedRedactor: MessageRedactor {
        redactor.withLock { redactor in
            if let redactor { return redactor }
            let created = configuration.flatMap { try? MessageRedactor($0) } ?? .standard
            redactor = created
            return created
        }
    }
}
