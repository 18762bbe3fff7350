/// The name that an archive has by the test that plays it.
package enum TestName {
    /// A folder for each type around a test, and the test's own name.
    ///
    /// - Parameter parts: The names, as Swift writes them.
    /// - Returns: The names without backticks and parameters, and with `-` in place of what is no letter, digit or `_`.
    package static func archiveName(of parts: [String]) -> String {
        parts.map { part in
            // A raw identifier may hold parentheses; the parameters come after it.
            let plain: Substring
            if part.hasPrefix("`"), let end = part.dropFirst().firstIndex(of: "`") {
                plain = part[..<end].dropFirst()
            } else {
                plain = part.prefix { $0 != "(" }
            }
            return plain.split { !($0.isLetter || $0.isNumber || $0 == "_") }.joined(separator: "-")
        }
        .filter { !$0.isEmpty }
        .joined(separator: "/")
    }
}
