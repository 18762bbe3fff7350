import ArgumentParser
import Foundation
import HTTPArchive

/// The output files of a split, as a command-line argument.
///
/// The argument is a folder, or a pattern. The name of each part replaces the `*` in the pattern.
struct PartFiles: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.directory

    private let folder: URL
    private let prefix: String
    private let suffix: String

    init?(argument: String) {
        let url = URL(fileURLWithPath: argument)
        let name = url.lastPathComponent.split(separator: "*", omittingEmptySubsequences: false)
        if argument.contains("*") {
            guard name.count == 2, !url.deletingLastPathComponent().path.contains("*") else { return nil }
            folder = url.deletingLastPathComponent()
            prefix = String(name[0])
            suffix = String(name[1])
        } else {
            guard !argument.isEmpty, argument != "-" else { return nil }
            folder = url
            prefix = ""
            suffix = ".har"
        }
    }

    /// Returns the file for the part with the given name.
    func file(_ name: String) -> URL { folder.appendingPathComponent(prefix + name + suffix, isDirectory: false) }

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

/// Creates file names from the hosts and page IDs in an archive, which is not trusted.
///
/// A name consists of ASCII letters, digits, hyphens, dots and underscores, does not begin with a dot, and is unique
/// even if case is ignored.
struct PartNames {
    private static let lengthLimit = 100

    private let width: Int
    private var used: Set<String> = []

    /// Creates a name generator.
    ///
    /// - Parameter count: The number of parts.
    init(count: Int) {
        width = String(count).count
    }

    /// Returns the name of the next part.
    mutating func name(of part: Part, number: Int) -> String {
        let name =
            switch part.key {
            case .host(let host): Self.safe(host ?? "no-host")
            case .page(let id): Self.safe(id ?? "no-page")
            case nil: String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
            }
        var unused = name
        var next = 2
        while !used.insert(unused.lowercased()).inserted {
            unused = "\(name)-\(next)"
            next += 1
        }
        return unused
    }

    private static func safe(_ text: String) -> String {
        var name = ""
        for character in text {
            let isSafe = character.isASCII && (character.isLetter || character.isNumber || "-.".contains(character))
            if isSafe, !(name.isEmpty && character == ".") {
                name.append(character)
            } else if name.last != "_" {
                name.append("_")
            }
            if name.count == lengthLimit { break }
        }
        return name.isEmpty ? "_" : name
    }
}
