import ArgumentParser
import Foundation
import HTTPArchive

/// Where parts go: a folder, or a name with `*` in place of what tells the parts apart.
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
            guard !argument.isEmpty else { return nil }
            folder = url
            prefix = ""
            suffix = ".har"
        }
    }

    /// The file for a part.
    func file(_ name: String) -> URL { folder.appendingPathComponent(prefix + name + suffix, isDirectory: false) }

    /// Calls `body`, which creates files; what was created is removed again when it throws.
    ///
    /// - Parameters:
    ///   - files: The files, none of which may be there already.
    ///   - body: Writes one of them.
    /// - Throws: `unwritableFile`, and what `body` throws.
    func create(_ files: [URL], _ body: (_ file: URL, _ index: Int) throws(HARError) -> Void) throws(HARError) {
        let manager = FileManager.default
        // Links that lead nowhere count as well: the file would be created where they lead to.
        if let file = files.first(where: { (try? manager.attributesOfItem(atPath: $0.path)) != nil }) {
            throw HARError(
                .unwritableFile, "The file is there already; choose another folder or pattern.",
                at: .init(file: file.relativePath))
        }
        let isNew = !manager.fileExists(atPath: folder.path)
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw HARError(
                .unwritableFile, "The folder cannot be created. \(error.localizedDescription)",
                at: .init(file: folder.relativePath), underlying: error)
        }
        var created: [URL] = []
        do {
            for (index, file) in files.enumerated() {
                try body(file, index)
                created.append(file)
            }
        } catch {
            for file in created { try? manager.removeItem(at: file) }
            if isNew { rmdir(folder.path) }
            throw error
        }
    }
}

/// Makes names of files out of what stands in an archive, which nobody needs to trust.
///
/// A name has letters, digits, hyphens and dots of ASCII, does not begin with a dot, and is told from others without
/// regard to upper and lower case.
struct PartNames {
    private static let lengthLimit = 100

    private let width: Int
    private var taken: Set<String> = []

    /// Begins.
    ///
    /// - Parameter count: The number of parts.
    init(count: Int) {
        width = String(count).count
    }

    /// The name of the next part.
    mutating func name(of part: Part, number: Int) -> String {
        let name =
            switch part.key {
            case .host(let host): Self.safe(host ?? "no-host")
            case .page(let id): Self.safe(id ?? "no-page")
            case nil: String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
            }
        var unused = name
        var next = 2
        while !taken.insert(unused.lowercased()).inserted {
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
