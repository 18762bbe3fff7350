import Relay

/// What of a source may name archives.
struct SourceWords {
    private static let ending = ".har"

    /// What ends a name that stands in a text without quotation marks.
    private static let delimiters: Set<Character> = [
        " ", "\t", "\n", "\r", "\r\n", "\"", "'", "`", "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", "=", ":", "|",
        "&",
    ]

    /// The longest text between quotation marks that is taken for a name.
    private static let lengthLimit = 256

    /// Whether it imports a module that plays archives.
    let importsRelay: Bool

    /// Whether it has archives played that are named by the tests.
    let replaysByTestName: Bool

    /// The names that end in `.har`, without that.
    private(set) var fileNames: [Substring] = []

    /// The texts between quotation marks.
    private(set) var literals: [Substring] = []

    /// The folders in texts between quotation marks, whose names are made as the code runs.
    private(set) var interpolatedFolders: [Substring] = []

    /// The functions, as their archives are named.
    private(set) var functions: Set<String> = []

    /// The types, as folders of archives are named.
    private(set) var types: Set<String> = []

    /// Takes a source apart.
    init(_ text: String) {
        importsRelay = text.contains("import Relay")
        replaysByTestName = text.contains(".replay") || text.contains("replay(")
        for line in text.split(whereSeparator: \.isNewline) {
            findLiterals(in: line)
            findFileNames(in: line)
            if replaysByTestName { findDeclarations(in: line) }
        }
    }

    private mutating func findLiterals(in line: Substring) {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() where index % 2 == 1 && !part.isEmpty {
            guard part.utf8.count <= Self.lengthLimit else { continue }
            if let interpolation = part.firstRange(of: "\\(") {
                let start = part[..<interpolation.lowerBound]
                if let slash = start.lastIndex(of: "/") { interpolatedFolders.append(start[..<slash]) }
            } else if part.hasSuffix(Self.ending) {
                fileNames.append(part.dropLast(Self.ending.count))
            } else {
                literals.append(part)
            }
        }
    }

    private mutating func findFileNames(in line: Substring) {
        guard line.utf8.count >= Self.ending.utf8.count else { return }
        for range in line.ranges(of: Self.ending) {
            let name = line[..<range.lowerBound].reversed().prefix { !Self.delimiters.contains($0) }
            if !name.isEmpty { fileNames.append(line[name.endIndex.base..<range.lowerBound]) }
        }
    }

    private mutating func findDeclarations(in line: Substring) {
        if let name = Self.name(after: "func ", in: line) { functions.insert(name) }
        for keyword in ["struct ", "class ", "enum ", "actor ", "extension "] {
            if let name = Self.name(after: keyword, in: line) { types.insert(name) }
        }
    }

    private static func name(after keyword: String, in line: Substring) -> String? {
        guard let range = line.firstRange(of: keyword) else { return nil }
        let rest = line[range.upperBound...]
        let part =
            rest.hasPrefix("`")
            ? rest.prefix(through: rest.dropFirst().firstIndex(of: "`") ?? rest.index(before: rest.endIndex))
            : rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let name = TestName.archiveName(of: [String(part)])
        return name.isEmpty ? nil : name
    }
}
