import Foundation
import HTTPArchive
import Relay

/// The certainty that a source file mentions an archive.
enum Mention: Comparable {
    /// No source file mentions the archive.
    case no

    /// Documentation, a pattern or a Swift file that does not import Relay mentions the archive.
    case perhaps

    /// Code that imports Relay, or a script, mentions the archive.
    case yes
}

/// Searches source files for the names of archives.
///
/// In Swift files, the search covers string literals and, for `.replay` without a name, function names. In all other
/// text files, it covers only names that end in `.har`. It cannot evaluate expressions. ``computedCount`` is the number
/// of names that are computed at run time.
struct SourceSearch {
    /// The maximum size of a file to search, in bytes.
    private static let sizeLimit = 4_000_000

    /// The maximum size of a path in a file, in bytes.
    private static let nameLimit = 1024

    /// The extensions of documentation files, which can mention an archive without using it.
    private static let documentation: Set = ["md", "markdown", "rst", "adoc", "html", "txt", "log"]

    /// The characters that can precede a file name, in addition to whitespace.
    private static let delimiters = Set("\"'`()[]{}<>,;=:|&")

    /// The path of each archive, without `.har`.
    private let paths: [String]

    /// The indices of the archives, by file name without `.har`.
    private let indices: [Substring: [Int]]

    /// The certainty that a source file mentions each archive, and the file with the most certain mention.
    private(set) var mentions: [(certainty: Mention, file: URL?)]

    /// The path of the folder that is being searched.
    ///
    /// A name with variable text is compared only with the part of a path below this folder.
    private var root = ""

    /// The number of files that were searched.
    private(set) var fileCount = 0

    /// The number of calls in which an archive's name is computed at run time.
    private(set) var computedCount = 0

    /// The errors of folders that were skipped because they cannot be read.
    private(set) var failures: [HARError] = []

    /// Creates a search.
    ///
    /// - Parameter archives: The archives.
    init(for archives: [URL]) {
        let paths = archives.map { $0.standardizedFileURL.deletingPathExtension().path }
        self.paths = paths
        indices = Dictionary(grouping: paths.indices) { NamePattern.lastComponent(paths[$0]) }
        mentions = archives.map { _ in (.no, nil) }
    }

    /// Searches all text files in a folder and its subfolders.
    ///
    /// - Parameter folder: The folder.
    mutating func search(_ folder: URL) {
        root = folder.standardizedFileURL.path
        let unreadable = ArchiveFolder.forEachFile(below: folder) { file in
            guard file.pathExtension.lowercased() != "har", let size = file.fileSize, size <= Self.sizeLimit,
                let data = try? Data(contentsOf: file), !data.prefix(1024).contains(0)
            else { return }
            fileCount += 1
            let text = String(decoding: data, as: UTF8.self)
            let isDocumentation = Self.documentation.contains(file.pathExtension.lowercased())
            searchFileNames(in: text, of: file, isDocumentation ? .perhaps : .yes)
            if file.pathExtension == "swift" { searchSwift(text, of: file) }
        }
        failures += unreadable
    }

    private mutating func searchFileNames(in text: String, of file: URL, _ certainty: Mention) {
        var (start, end) = (text.startIndex, text.startIndex)
        for range in text.ranges(of: ".har") {
            let delimiter = text[end..<range.lowerBound].lastIndex { $0.isWhitespace || Self.delimiters.contains($0) }
            if let delimiter { start = text.index(after: delimiter) }
            end = range.upperBound
            let name = text[start..<range.lowerBound]
            if !name.isEmpty, name.utf8.count <= Self.nameLimit { note(NamePattern(name), file, certainty) }
        }
    }

    private mutating func searchSwift(_ text: String, of file: URL) {
        let importsRelay = text.contains("import Relay")
        for pattern in NamePattern.literals(in: text[...]) where importsRelay || pattern.isConstant {
            note(pattern, file, importsRelay && pattern.isConstant ? .yes : .perhaps)
        }
        guard importsRelay else { return }
        computedCount += text.matches(of: Self.archiveArguments).count { $0.1 == nil && Self.isComputed($0.2) }
        if text.contains(".replay") || text.contains("replay(") { searchTestNames(in: text, of: file) }
    }

    /// Notes mentions of archives that are named after a test.
    ///
    /// A mention is certain if the archive's folder is named after the test's type.
    private mutating func searchTestNames(in text: String, of file: URL) {
        let types = text.matches(of: #/\b(?:struct|class|enum|actor|extension) (`[^`]+`|\w+)/#).map { String($0.1) }
        for function in text.matches(of: #/\bfunc (`[^`]+`|\w+)/#) {
            note(NamePattern(TestName.archiveName(of: [String(function.1)])), file, .perhaps)
            for type in types { note(NamePattern(TestName.archiveName(of: [type, String(function.1)])), file, .yes) }
        }
    }

    private mutating func note(_ pattern: NamePattern, _ file: URL, _ certainty: Mention) {
        let candidates = pattern.isConstant ? indices[pattern.lastComponent] ?? [] : Array(paths.indices)
        for index in candidates where mentions[index].certainty < certainty {
            let path = pattern.isConstant ? paths[index][...] : paths[index].trimmingPrefix(root)
            if pattern.matches(path) { mentions[index] = (certainty, file) }
        }
    }

    // MARK: Computed names

    /// A pattern for calls that replay or record archives.
    ///
    /// Group 1 is the keyword `func` of a declaration, and group 2 is the argument list.
    private static var archiveArguments: Regex<(Substring, Substring?, Substring)> {
        #/
        (?: (func\s)? \b (?: replay | replaying | beginReplaying | withReplay ) \(
          | \b (?: archives? | playing | replaying | recordingTo ) : )
        ( (?: [^()"] | "(?:[^"\\\n]|\\.)*" | \( (?: [^()] | \( [^()]* \) )* \) )* )
        /#.wordBoundaryKind(.simple)
    }

    /// Returns whether any archive name in an argument list is computed, that is, contains no string literal.
    private static func isComputed(_ arguments: Substring) -> Bool {
        let code = arguments.replacing(NamePattern.literal) {
            NamePattern.literals(in: $0.output.0).isEmpty ? "variable" : "\"\""
        }
        let end = code.firstRange(of: #/(?:^|,)\s*\w+:/#)?.lowerBound ?? code.endIndex
        return code[..<end].split(separator: ",").contains { argument in
            let name = argument.trimmingCharacters(in: .whitespacesAndNewlines)
            // An argument that begins with a dot is the request pattern of a rule. A type name occurs only in a
            // function declaration.
            let isOther = name.isEmpty || name.hasPrefix(".") || name.wholeMatch(of: #/\[?[A-Z]\w*\]?\??/#) != nil
            return !isOther && !name.contains("\"")
        }
    }
}

/// The name of an archive in source code: constant parts, with arbitrary text between them.
private struct NamePattern {
    private let parts: [String]

    /// Creates a pattern without variable text.
    init(_ name: some StringProtocol) { self.init(parts: [String(name)]) }

    private init(parts: [String]) {
        var parts = parts
        let last = parts.count - 1
        if parts[last].hasSuffix(".har") { parts[last].removeLast(4) }
        // The first part must match at the start of a path component.
        if !parts[0].isEmpty { parts[0] = "/" + parts[0].trimmingPrefix(Self.relativePrefix) }
        self.parts = parts
    }

    /// Whether the name has no variable text.
    var isConstant: Bool { parts.count == 1 }

    /// The text after the last `/`.
    var lastComponent: Substring { Self.lastComponent(parts[parts.count - 1]) }

    /// Returns the text after the last `/` of a path.
    static func lastComponent(_ path: String) -> Substring {
        path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    }

    /// Whether the path of an archive, without `.har`, ends with the name.
    func matches(_ path: Substring) -> Bool {
        guard let last = parts.last, path.hasSuffix(last) else { return false }
        var rest = path.dropLast(last.count)
        for part in parts.dropLast().reversed() where !part.isEmpty {
            guard let range = rest.ranges(of: part).last else { return false }
            rest = rest[..<range.lowerBound]
        }
        return true
    }
}

// MARK: Literals

// The regular expressions are immutable, but the compiler cannot verify that, because `Regex` is not `Sendable`.
extension NamePattern {
    /// A pattern for string literals.
    ///
    /// Groups 2, 3 and 4 are the text of a raw, a multi-line and a plain literal. The work is proportional to the code,
    /// because plain literals are matched without backtracking and raw ones have a limited length.
    nonisolated(unsafe) fileprivate static let literal =
        #/(#{1,16}+)"(.{0,10000}?)"\1|"""(.*?)"""|"((?>(?:[^"\\\n]|\\#*\((?>(?:[^()"\n]|"[^"\n]*"|\([^()\n]*\))*)\)|\\[^\n])*))"/#
        .dotMatchesNewlines()

    /// A pattern for interpolations, which extends to the end of the literal if the interpolation is nested deeply.
    nonisolated(unsafe) private static let interpolation = #/\\#*\((?:(?:[^()"]|"[^"]*"|\([^()]*\))*\)|.*)/#

    /// A pattern for a leading `/`, `./` or `../` of a path.
    nonisolated(unsafe) fileprivate static let relativePrefix = #/(?:\.{0,2}\/)+/#

    /// Returns patterns for the string literals with constant text in Swift code, including those in comments.
    static func literals(in code: Substring) -> [NamePattern] {
        code.matches(of: literal).flatMap { match -> [NamePattern] in
            let text = match.2 ?? match.3 ?? match.4 ?? ""
            guard text.contains(where: \.isNewline) else {
                let pattern = pattern(text, code[..<match.range.lowerBound], code[match.range.upperBound...])
                return pattern.map { [$0] } ?? []
            }
            // Each line can be a name, or code if the quotation marks belong to two different literals.
            return text.split(whereSeparator: \.isNewline).flatMap { line in
                literals(in: line) + [pattern(line.drop(while: \.isWhitespace), "", "")].compactMap(\.self)
            }
        }
    }

    /// Returns the pattern of a literal, or nil if it has no letter or digit outside of interpolations.
    private static func pattern(_ text: Substring, _ before: Substring, _ after: Substring) -> NamePattern? {
        var parts = text.split(separator: interpolation, omittingEmptySubsequences: false).map(String.init)
        guard parts.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else { return nil }
        if before.last(where: { !$0.isWhitespace }) == "+" { parts.insert("", at: 0) }
        if after.first(where: { !$0.isWhitespace }) == "+" { parts.append("") }
        return NamePattern(parts: parts)
    }
}
