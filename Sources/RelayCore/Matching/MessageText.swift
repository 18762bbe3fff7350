import Foundation
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

    /// Returns a URL without the values of secret query items.
    static func url(_ url: NormalizedURL) -> String {
        printable(url.origin + url.path + (url.query.map { "?" + item(Substring($0)) } ?? ""))
    }

    /// Returns the method and URL of a request, without secrets.
    static func request(_ method: String, _ text: String) -> String {
        "\(printable(method.uppercased())) \(url(NormalizedURL(text)))"
    }

    /// Returns query items without the values of secret items.
    static func item(_ item: Substring) -> String { SecretNames.masked(form: item) }
}

/// Redacts requests for messages.
///
/// A mask replaces values of fields with well-known secret names. The word `REDACTED` replaces other secrets, which are
/// recognized by their format or by the user's rules.
final class MessageRedaction: Sendable {
    private let configuration: HARRedactor.Configuration

    /// The redactor: the outer optional is `nil` before first use, the inner one if the user's rules are invalid.
    private let redactor = Mutex<HARRedactor??>(nil)

    /// Creates a redaction for messages.
    ///
    /// - Parameter configuration: The definition of secrets; `nil` for the standard one, if recordings are not
    ///   redacted.
    init(_ configuration: HARRedactor.Configuration?) {
        var configuration = configuration ?? .standard
        configuration.allowedValues.insert(SecretNames.mask)
        self.configuration = configuration
    }

    /// Returns the request without secrets.
    func shown(_ request: InterceptedRequest) -> InterceptedRequest {
        var shown = request.withoutSecrets
        guard let redactor = sharedRedactor else { return shown }
        shown.url = redactor.redacted(url: shown.url)
        shown.headers = shown.headers.map {
            HeaderField(name: $0.name, value: redactor.redacted(header: $0.value, named: $0.name))
        }
        let type = request.headers.values(named: "content-type").first
        shown.body = shown.body.map { redactor.redacted(body: $0, mediaType: type) }
        return shown
    }

    /// Redacts a URL with masked names, or the end of one from its path or question mark.
    func shown(url: String) -> String { sharedRedactor?.redacted(url: url) ?? url }

    /// Redacts the path or query of a difference, in which names have been masked.
    func shown(_ difference: MatchDifference) -> MatchDifference {
        guard ["path", "query"].contains(difference.part) else { return difference }
        let mark = difference.part == "query" ? "?" : ""
        let texts = [difference.recorded, difference.asked].map { text in
            text.map { String(shown(url: mark + $0).dropFirst(mark.count)) }
        }
        return MatchDifference(difference.part, recorded: texts[0], asked: texts[1])
    }

    private var sharedRedactor: HARRedactor? {
        redactor.withLock { redactor in
            if let cached = redactor { return cached }
            let created = HARRedactor(masking: configuration)
            redactor = .some(created)
            return created
        }
    }
}

extension HARRedactor {
    /// Creates a redactor that replaces secrets by the bare placeholder word, which needs no key; `nil` if the
    /// configuration is invalid.
    ///
    /// - Parameter configuration: The definition of secrets.
    init?(masking configuration: Configuration) {
        var configuration = configuration
        configuration.key = Key(phrase: "none")
        guard let redactor = try? HARRedactor(configuration) else { return nil }
        self = redactor.masked
    }
}
