import ArgumentParser
import EntryConditions
import Foundation
import HTTPArchive

/// `har split`: splits an archive into several archives.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Split an archive into several archives.",
        discussion: """
            Each part is a complete archive with some of the entries and all other fields of the log. Entries are \
            validated and copied byte for byte, in their original order; an entry that is not valid JSON is an error. \
            In another folder, the content of body files becomes part of the entries. With --by page, a part contains only its page; otherwise, each part contains all pages.

            The name of a part is the host, the id of the page, or a number. In a pattern such as parts/shop-*.har, it \
            replaces the asterisk. Characters other than letters, digits, hyphens and dots become underscores. \
            Existing files are never replaced.

            With --by size, a part is larger than the size only if it consists of a single entry. Input from a pipe is \
            first copied to a temporary file.

            Example: har split --by host page.har parts
            Example: har split --by size=10MB page.har 'page-*.har'
            """)

    @Option(help: "Split by host, page, count=1000 (entries per part) or size=10MB (maximum size of a part).")
    var by: Division

    @Option(help: "The maximum number of parts.")
    var maxParts = 1000

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The output folder, which is created if needed, or a pattern with *.")
    var output: PartFiles

    func validate() throws {
        guard maxParts > 0 else { throw ValidationError("--max-parts must be greater than 0") }
    }

    func run() throws {
        let archive = try input.archive(sizes)
        let parts = try by.parts(of: archive, limit: maxParts)
        try write(parts, of: archive)
        StandardError.notice("\(archive.count.of("entry", "entries")) in \(parts.count.of("part", "parts"))")
    }

    private func write(_ parts: [Part], of archive: HARArchive) throws(HARError) {
        var bytes = 0
        let progress = ReadingProgress(of: input.url.fileSize)
        defer { progress.clear() }
        try output.create(output.files(for: parts, by: by)) { file, index throws(HARError) in
            let writer = try Output(argument: file.path).writer(isNew: true)
            try writer.write(by.log(of: parts[index], in: archive)) { () throws(HARError) in
                for entry in parts[index].indices {
                    try writer.append(entryAt: entry, of: archive)
                    bytes += archive.byteRange(at: entry).count
                    progress.update(bytes)
                }
            }
            try writer.finish()
        }
    }
}

/// A part of a divided archive.
struct Part {
    /// The host or the page ID of all entries; `nil` if they have none, and in a division by count or size.
    var key: String?

    /// The indices of the entries in the archive.
    var indices: [Int] = []
}

/// The criterion that assigns entries to parts, as a command-line argument.
enum Division: ExpressibleByArgument {
    /// One part per host.
    case host

    /// One part per page.
    case page

    /// Parts with a fixed number of entries.
    case count(Int)

    /// Parts with a maximum size in bytes.
    case size(Int)

    static let defaultCompletionKind = CompletionKind.list(["host", "page", "count=", "size="])

    init?(argument: String) {
        let words = argument.split(separator: "=", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("host", 1): self = .host
        case ("page", 1): self = .page
        case ("count", 2):
            guard let count = Int(words[1]), count > 0 else { return nil }
            self = .count(count)
        case ("size", 2):
            guard let size = ByteCount(argument: words[1]), size.bytes > 0 else { return nil }
            self = .size(size.bytes)
        default: return nil
        }
    }

    /// Divides the entries of an archive into parts, using only a few bytes of memory per entry.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - limit: The maximum number of parts.
    /// - Returns: The parts, in the order of their first entries.
    /// - Throws: `limitExceeded` if there are too many parts.
    func parts(of archive: HARArchive, limit: Int) throws(HARError) -> [Part] {
        let parts =
            switch self {
            case .host: Self.groups(of: archive, limit, by: \.host)
            case .page: Self.groups(of: archive, limit, by: \.pageref)
            case .count(let size):
                // One part beyond the limit is enough to report the error.
                stride(from: 0, to: archive.count, by: size).prefix(min(limit, archive.count) + 1).map { start in
                    Part(indices: Array(start..<start + min(size, archive.count - start)))
                }
            case .size(let size): Self.parts(of: archive, upTo: size - archive.log.sizeWithoutEntries)
            }
        guard parts.count <= limit else {
            throw HARError(
                .limitExceeded,
                "more than \(limit.of("part", "parts")); increase --max-parts, or split by something else with --by")
        }
        return parts
    }

    private static func groups(of archive: HARArchive, _ limit: Int, by key: (HAREntryFacts) -> String?) -> [Part] {
        var parts: [Part] = []
        var partIndices: [String?: Int] = [:]
        // One part beyond the limit is enough to report the error.
        for index in 0..<archive.count where parts.count <= limit {
            let key = key(HAREntryFacts(of: archive, at: index))
            let part = partIndices[key] ?? parts.count
            if part == parts.count {
                partIndices[key] = part
                parts.append(Part(key: key))
            }
            parts[part].indices.append(index)
        }
        return parts
    }

    /// Returns parts whose entries have at most the given size.
    ///
    /// A larger entry gets a separate part.
    private static func parts(of archive: HARArchive, upTo capacity: Int) -> [Part] {
        var parts: [Part] = []
        var left = 0
        for index in 0..<archive.count {
            let needed = archive.byteRange(at: index).count + HAR.Log.sizeBetweenEntries
            if parts.isEmpty || needed > left {
                parts.append(Part())
                left = capacity
            }
            parts[parts.count - 1].indices.append(index)
            left -= needed
        }
        return parts
    }

    /// Returns the log of a part, without entries.
    ///
    /// It has all fields of the archive's log, except that a part for a page has only that page.
    func log(of part: Part, in archive: HARArchive) -> HAR.Log {
        var log = archive.log
        if case .page = self, let pages = log.pages { log.pages = pages.filter { $0.id == part.key } }
        return log
    }
}

extension HAR.Log {
    /// The maximum size of the text between two entries, in bytes: a comma, a line break and indentation.
    static let sizeBetweenEntries = 8

    /// The maximum size of the file without entries, in bytes.
    var sizeWithoutEntries: Int {
        let members = fields.members + documentFields.members
        return members.reduce(100) { size, member in
            size + JSONValue.object(JSONObject(members: [member])).data(layout: .pretty).count + 20
        }
    }
}

/// The output files of a split, as a command-line argument.
///
/// The argument is a folder, or a pattern. The name of each part replaces the `*` in the pattern.
struct PartFiles: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.directory

    /// The maximum length of a name from the archive, in characters.
    private static let lengthLimit = 100

    private let folder: URL
    private let prefix: String
    private let suffix: String

    init?(argument: String) {
        let url = URL(fileURLWithPath: argument)
        let isPattern = argument.contains("*")
        folder = isPattern ? url.deletingLastPathComponent() : url
        let pattern = isPattern ? url.lastPathComponent : "*.har"
        let name = pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        let isFolderValid = isPattern ? !folder.path.contains("*") : !argument.isEmpty && argument != "-"
        guard isFolderValid, name.count == 2 else { return nil }
        (prefix, suffix) = (name[0], name[1])
    }

    /// Returns the files for parts, named after the hosts and page IDs in an archive, which is not trusted.
    ///
    /// The names are unique even if case is ignored.
    func files(for parts: [Part], by division: Division) -> [URL] {
        let width = String(parts.count).count
        var used: Set<String> = []
        return parts.enumerated().map { index, part in
            let number = String(index + 1)
            let name =
                switch division {
                case .host: Self.safe(part.key ?? "no-host")
                case .page: Self.safe(part.key ?? "no-page")
                case .count, .size: String(repeating: "0", count: width - number.count) + number
                }
            var unused = name
            var next = 2
            while !used.insert(unused.lowercased()).inserted {
                unused = "\(name)-\(next)"
                next += 1
            }
            return folder.appendingPathComponent(prefix + unused + suffix, isDirectory: false)
        }
    }

    /// Returns a name of ASCII letters, digits, hyphens, dots and underscores.
    ///
    /// It begins neither with a dot nor with a hyphen, because commands treat the latter as an option.
    private static func safe(_ text: String) -> String {
        var name = ""
        for character in text {
            let isSafe = character.isASCII && (character.isLetter || character.isNumber || "-.".contains(character))
            if isSafe, !name.isEmpty || !"-.".contains(character) {
                name.append(character)
            } else if name.last != "_" {
                name.append("_")
            }
            if name.count == lengthLimit { break }
        }
        return name.isEmpty ? "_" : name
    }

    /// Creates files by calling `body` for each one.
    ///
    /// If `body` throws, the files created so far are removed.
    ///
    /// - Parameters:
    ///   - files: The files, which must not exist.
    ///   - body: A function that writes one file.
    /// - Throws: `unwritableFile`, and the error of `body`.
    func create(_ files: [URL], _ body: (_ file: URL, _ index: Int) throws(HARError) -> Void) throws(HARError) {
        let manager = FileManager.default
        // A broken symbolic link counts as an existing file, because writing would create its target.
        if let file = files.first(where: { (try? manager.attributesOfItem(atPath: $0.path)) != nil }) {
            throw HARError(
                .unwritableFile, "the file already exists; choose another folder or pattern",
                at: .init(file: file.relativePath))
        }
        let isNew = !manager.fileExists(atPath: folder.path)
        let calls = FileSystemCalls.current
        try calls.createFolders(folder)
        var created: [URL] = []
        do {
            for (index, file) in files.enumerated() {
                try body(file, index)
                created.append(file)
            }
        } catch {
            for file in created { _ = calls.remove(file.path) }
            if isNew { _ = calls.removeFolder(folder.path) }
            throw error
        }
    }
}
