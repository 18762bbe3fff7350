import Foundation
import HTTPArchive

/// Looks in the sources of packages for the names of archives.
///
/// Code may make a name as it runs, so that an archive which nothing names is not surely one that nobody plays.
struct SourceSearch {
    /// The largest file that is looked into, in bytes.
    private static let sizeLimit = 4_000_000

    /// The endings of what is read by people: a name there is no use.
    private static let documentation: Set = ["md", "markdown", "rst", "adoc", "html", "txt", "log"]

    /// For each archive the folders that it is in and its name without `.har`, in order.
    private let archives: [[String]]

    /// The archives by their names.
    private var named: [String: [Int]] = [:]

    private var mentions: [SourceMention]

    /// The number of files that were looked into.
    private(set) var fileCount = 0

    /// Prepares to look for archives.
    init(for archives: [URL]) {
        self.archives = archives.map { $0.standardizedFileURL.deletingPathExtension().pathComponents }
        mentions = archives.map { _ in .none }
        for (index, components) in self.archives.enumerated() {
            named[components.last ?? "", default: []].append(index)
        }
    }

    /// Where an archive is named.
    ///
    /// - Parameter index: Its place among the archives.
    subscript(index: Int) -> SourceMention { mentions[index] }

    /// Looks into all text files below a folder.
    ///
    /// - Parameter folder: The folder.
    mutating func look(below folder: URL) {
        for file in ArchiveFolder.files(below: folder) {
            guard file.pathExtension.lowercased() != "har", let size = file.fileSize, size <= Self.sizeLimit,
                let data = try? Data(contentsOf: file), !data.prefix(1024).contains(0)
            else { continue }
            fileCount += 1
            look(into: String(decoding: data, as: UTF8.self), of: file)
        }
    }

    private mutating func look(into text: String, of file: URL) {
        let words = SourceWords(text)
        let isSwift = file.pathExtension == "swift"
        let isDocumentation = Self.documentation.contains(file.pathExtension.lowercased())
        let plays = isSwift && words.importsRelay
        for name in words.fileNames { note(name, in: file, isDocumentation ? .perhaps : .yes) }
        for literal in words.literals { note(literal, in: file, plays ? .yes : .perhaps) }
        guard plays else { return }
        for folder in words.interpolatedFolders { noteAll(in: folder, file) }
        if words.replaysByTestName { noteTests(of: words, in: file) }
    }

    /// Notes the archives of a name, with folders in front of it where it has them.
    private mutating func note(_ name: Substring, in file: URL, _ certainty: SourceMention.Certainty) {
        let components = Self.components(of: name)
        guard let last = components.last, let candidates = named[last] else { return }
        for index in candidates where Self.ends(archives[index], with: components) { note(index, certainty, file) }
    }

    /// Notes all archives in a folder: the name is made as the code runs.
    private mutating func noteAll(in folder: Substring, _ file: URL) {
        let components = Self.components(of: folder)
        for (index, archive) in archives.enumerated() where Self.ends(archive.dropLast(), with: components) {
            note(index, .perhaps, file)
        }
    }

    /// Notes the archives that have the names of tests.
    private mutating func noteTests(of words: SourceWords, in file: URL) {
        for test in words.functions {
            for index in named[test] ?? [] {
                let folder = archives[index].dropLast().last ?? ""
                note(index, words.types.contains(folder) ? .yes : .perhaps, file)
            }
        }
    }

    private mutating func note(_ index: Int, _ certainty: SourceMention.Certainty, _ file: URL) {
        guard certainty > mentions[index].certainty else { return }
        mentions[index] = SourceMention(certainty: certainty, file: file)
    }

    private static func components(of name: Substring) -> [String] {
        name.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    }

    private static func ends(_ archive: some BidirectionalCollection<String>, with components: [String]) -> Bool {
        !components.isEmpty && archive.suffix(components.count).elementsEqual(components)
    }
}

/// Where the sources name an archive, and how sure that is.
struct SourceMention {
    /// How sure it is that a test plays the archive.
    enum Certainty: String, Comparable {
        /// Nothing names it.
        case no

        /// Something is called like it, or documentation names it.
        case perhaps

        /// Code names it.
        case yes

        static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .no: 0
            case .perhaps: 1
            case .yes: 2
            }
        }
    }

    /// How sure it is.
    let certainty: Certainty

    /// The file that names it; `nil` when none does.
    let file: URL?

    /// An archive that nothing names.
    static let none = SourceMention(certainty: .no, file: nil)
}
