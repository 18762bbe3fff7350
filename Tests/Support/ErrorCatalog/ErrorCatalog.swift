package import Foundation

/// A catalog of error messages, with examples, that is compared with a text file.
///
/// The file of a module lists all of its messages for review. Each example is a section: a heading with the error's
/// code and the situation, followed by the complete text of the error. The text before the first section is written by
/// hand. Set the environment variable `RELAY_WRITE_SNAPSHOTS=1` to rewrite the sections.
package struct ErrorCatalog {
    /// The codes of all added errors, such as `malformedJSON`, or the types of errors without a code.
    package private(set) var codes: Set<String> = []

    private var sections: [Section] = []
    private var replacements: [(text: String, name: String)]

    /// Creates an empty catalog.
    ///
    /// - Parameter replacements: The parts of messages that vary, such as the path of a temporary folder, and their
    ///   names in the file; none by default.
    package init(replacing replacements: KeyValuePairs<String, String> = [:]) {
        self.replacements = replacements.map { ($0.key, $0.value) }
    }

    /// Adds a variable part of messages.
    ///
    /// - Parameters:
    ///   - text: The text in messages.
    ///   - name: The name in the file.
    package mutating func replace(_ text: String, with name: String) { replacements.append((text, name)) }

    /// Adds the error that a closure throws.
    ///
    /// - Parameters:
    ///   - title: The situation.
    ///   - body: A closure that throws.
    package mutating func add<Result>(_ title: String, _ body: () throws -> Result) {
        do {
            _ = try body()
            add(title, error: nil)
        } catch {
            add(title, error: error)
        }
    }

    /// Adds the error that an asynchronous closure throws.
    ///
    /// - Parameters:
    ///   - title: The situation.
    ///   - body: A closure that throws.
    package mutating func add<Result>(_ title: String, awaiting body: () async throws -> Result) async {
        do {
            _ = try await body()
            add(title, error: nil)
        } catch {
            add(title, error: error)
        }
    }

    /// Adds an error.
    ///
    /// - Parameters:
    ///   - title: The situation.
    ///   - error: The error, or nil if the example did not fail, which counts as a difference.
    package mutating func add(_ title: String, error: (any Error)?) {
        guard let error else { return add(code: "noError", title, "No error occurred.") }
        // `HARError` and `RelayError` have a code; the errors of compatibility modules are enumerations.
        let code = Mirror(reflecting: error).descendant("code").map { "\($0)" } ?? "\(type(of: error))"
        // For errors of this package that conform to `LocalizedError`, the description contains the whole text.
        add(code: code, title, error.localizedDescription)
    }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - code: The kind of message; empty by default.
    ///   - title: The situation.
    ///   - message: The text.
    package mutating func add(code: String = "", _ title: String, _ message: String) {
        var message = message
        for replacement in replacements { message.replace(replacement.text, with: replacement.name) }
        codes.insert(code)
        sections.append(Section(title: code.isEmpty ? title : "\(code): \(title)", text: message))
    }

    /// Compares the catalog with a file, or rewrites the file if the environment variable is set.
    ///
    /// - Parameter file: The file.
    /// - Returns: The differences (`-` expected, `+` found), or nil if there are no differences.
    /// - Throws: An error if the file cannot be read or written.
    package func differences(from file: URL) throws -> String? {
        let old = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let introduction = old.firstRange(of: Section.mark).map { old[..<$0.lowerBound] } ?? old[...]
        var expected = Section.sections(of: old.dropFirst(introduction.count))
        if ProcessInfo.processInfo.environment["RELAY_WRITE_SNAPSHOTS"] == "1" {
            let text = introduction + sections.map(\.description).joined(separator: "\n")
            try text.write(to: file, atomically: true, encoding: .utf8)
            expected = sections
        }
        var lines = sections.count { $0.title.hasPrefix("noError") } > 0 ? ["An example did not fail."] : []
        for change in sections.difference(from: expected) {
            switch change {
            case .remove(_, let section, _): lines.append(section.description.prefixingLines(with: "- "))
            case .insert(_, let section, _): lines.append(section.description.prefixingLines(with: "+ "))
            }
        }
        guard !lines.isEmpty else { return nil }
        return "\(file.lastPathComponent) differs. To rewrite it, set RELAY_WRITE_SNAPSHOTS=1.\n"
            + lines.joined(separator: "\n")
    }
}

/// An example in the file.
private struct Section: Equatable, CustomStringConvertible {
    static let mark = "## "

    let title: String
    let text: String

    var description: String { "\(Self.mark)\(title)\n\n\(text.trimmingCharacters(in: .newlines))\n" }

    static func sections(of text: Substring) -> [Section] {
        ("\n" + text).split(separator: "\n\(mark)").map { section in
            let parts = section.split(separator: "\n", maxSplits: 1)
            let text = parts.count == 2 ? parts[1].trimmingCharacters(in: .newlines) : ""
            return Section(title: parts.first.map(String.init) ?? "", text: text)
        }
    }

    static func == (first: Section, second: Section) -> Bool { first.description == second.description }
}

extension String {
    fileprivate func prefixingLines(with prefix: String) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { prefix + $0 }.joined(separator: "\n")
    }
}
