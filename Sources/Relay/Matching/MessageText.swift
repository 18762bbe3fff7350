import HTTPArchive

/// Texts of messages: of the width of a terminal, without what such a one would obey, and without secrets.
enum MessageText {
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
    static func printable(_ text: String) -> String {
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
