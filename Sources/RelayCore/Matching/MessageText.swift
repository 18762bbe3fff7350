import Foundation
import HTTPArchive
import Synchronization

/// Texts of messages: of the width of a terminal, without what such a one would obey, and without secrets.
package enum MessageText {
    /// The width of a message's lines, in characters.
    static let width = 80

    /// A text of one line that is no longer than that; what is too long loses its middle.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - width: The number of characters that there is room for.
    /// - Returns: The text, whole or with an ellipsis in its middle.
    static func line(_ text: String, width: Int) -> String {
        let text = printable(text)
        let width = max(width, 3)
        guard text.count > width else { return text }
        let end = (width - 1) / 2
        return text.prefix(width - 1 - end) + "…" + text.suffix(end)
    }

    /// A text in which a sign stands for each character that is not to be seen.
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

    /// A URL without the values of secret query items.
    static func url(_ url: NormalizedURL) -> String {
        printable(url.origin + url.path + (url.query.map { "?" + item(Substring($0)) } ?? ""))
    }

    /// Method and URL of a request, without secrets.
    static func request(_ method: String, _ text: String) -> String {
        "\(printable(method.uppercased())) \(url(NormalizedURL(text)))"
    }

    /// Items of a query, without the values of those that are secrets.
    static func item(_ item: Substring) -> String { SecretNames.masked(form: item) }
}

/// Requests as messages show them.
///
/// A mask stands for what well-known names say is a secret, and the word `REDACTED` for what is one besides by its form or
/// by the user's rules.
final class MessageRedaction: Sendable {
    private let configuration: HARRedactor.Configuration

    /// `nil` as long as there was no message; then `nil` within where the user's rules are none.
    private let redactor = Mutex<HARRedactor??>(nil)

    /// Prepares to show requests.
    ///
    /// - Parameter configuration: What is a secret; `nil` where it is recorded, and still is none for messages.
    init(_ configuration: HARRedactor.Configuration?) {
        var configuration = configuration ?? .standard
        configuration.allowedValues.insert(SecretNames.mask)
        self.configuration = configuration
    }

    /// The request without secrets.
    func shown(_ request: InterceptedRequest) -> InterceptedRequest {
        var shown = request.withoutSecrets
        guard let redactor = made else { return shown }
        shown.url = redactor.redacted(url: shown.url)
        shown.headers = shown.headers.map {
            HeaderField(name: $0.name, value: redactor.redacted(header: $0.value, named: $0.name))
        }
        let type = request.headers.values(named: "content-type").first
        shown.body = shown.body.map { redactor.redacted(body: $0, mediaType: type) }
        return shown
    }

    /// A URL, or its end from the path or the question mark on, in which names have been masked.
    func shown(url: String) -> String { made?.redacted(url: url) ?? url }

    /// A difference, in whose query names have been masked.
    func shown(_ difference: MatchDifference) -> MatchDifference {
        guard ["path", "query"].contains(difference.part) else { return difference }
        let mark = difference.part == "query" ? "?" : ""
        let texts = [difference.recorded, difference.asked].map { text in
            text.map { String(shown(url: mark + $0).dropFirst(mark.count)) }
        }
        return MatchDifference(difference.part, recorded: texts[0], asked: texts[1])
    }

    private var made: HARRedactor? {
        redactor.withLock { redactor in
            if let made = redactor { return made }
            let made = HARRedactor(masking: configuration)
            redactor = .some(made)
            return made
        }
    }
}

extension HARRedactor {
    /// What puts the bare word in place of secrets, which needs no key; `nil` for settings that no redactor takes.
    ///
    /// - Parameter configuration: What is a secret.
    init?(masking configuration: Configuration) {
        var configuration = configuration
        configuration.key = Key(phrase: "none")
        guard let redactor = try? HARRedactor(configuration) else { return nil }
        self = redactor.masked
    }
}
