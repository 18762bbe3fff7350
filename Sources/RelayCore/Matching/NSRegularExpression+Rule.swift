import Foundation

extension NSRegularExpression {
    /// Compiles the regular expression of a rule.
    ///
    /// - Parameter expression: An ICU regular expression.
    /// - Throws: `invalidRule` with the position of the error if the expression is invalid.
    convenience init(ofRule expression: String) throws(RelayError) {
        do {
            try self.init(pattern: expression)
        } catch {
            let understood = expression.indices.prefix(1_000).reversed().first { end in
                (try? NSRegularExpression(pattern: String(expression[..<end]))) != nil
            }
            let position = expression.distance(from: expression.startIndex, to: understood ?? expression.startIndex) + 1
            throw RelayError(
                .invalidRule,
                """
                '\(MessageText.text(expression))' is not a valid regular expression: error at or after character \
                \(position). The syntax is described at https://unicode-org.github.io/icu/userguide/strings/regexp.html.
                """, underlying: error)
        }
    }
}
