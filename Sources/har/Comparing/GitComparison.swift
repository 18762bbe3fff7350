import Foundation
import HTTPArchive

/// A comparison of two versions of a file, as Git requests it from an external diff program
/// (https://git-scm.com/docs/git#Documentation/git.txt-GITEXTERNALDIFF).
struct GitComparison {
    /// The path in the working tree.
    let path: String

    /// The files with the old and the new version, or nil for a file with conflicts.
    let versions: (old: Input, new: Input)?

    /// The lines that describe the file, as in the output of Git.
    private(set) var heading: [String]

    /// Parses the arguments, or returns nil for other numbers of arguments.
    ///
    /// - Parameter arguments: The path, and for each version a file, a hash and a mode; for a renamed file followed by
    ///   the new path and a description; or only the path of a file with conflicts.
    init?(arguments: [Input]) {
        let words = arguments.map(\.argument)
        path = words.count == 9 ? words[7] : words.first ?? ""
        switch words.count {
        case 1 where ProcessInfo.processInfo.environment["GIT_DIFF_PATH_COUNTER"] != nil:
            versions = nil
            heading = ["* Unmerged path \(path)".printable]
        case 7, 9:
            versions = (arguments[1], arguments[4])
            heading = ["diff --har a/\(words[0]) b/\(path)".printable]
            switch (words[3], words[6]) {
            case (".", let mode): heading.append("new file mode \(mode)".printable)
            case (let mode, "."): heading.append("deleted file mode \(mode)".printable)
            case (let old, let new) where old != new:
                heading += ["old mode \(old)", "new mode \(new)"].map(\.printable)
            default: break
            }
            let facts = words.count == 9 ? words[8].allLines.filter { !$0.isEmpty && !$0.hasPrefix("index ") } : []
            heading += facts.map { String($0).printable }
        default: return nil
        }
    }

    /// Whether Git shows colors: on a terminal, or in its pager.
    static var hasColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return Terminal.hasColors(STDOUT_FILENO)
            || environment["GIT_PAGER_IN_USE"] == "true" && environment["NO_COLOR", default: ""].isEmpty
    }

    /// The folder with the body files, because Git copies old versions to another folder.
    var folder: HAR.BodyFolder { HAR.BodyFolder(ofArchive: URL(fileURLWithPath: path)) }

    /// Returns a version, or an archive without entries for a missing or empty file.
    ///
    /// - Parameter version: The file, or `/dev/null`.
    /// - Returns: The archive.
    /// - Throws: `unwritableFile` if the temporary folder is full.
    func archive(_ version: Input) throws(HARError) -> Input {
        guard version.argument == "/dev/null" || version.url.fileSize == 0 else { return version }
        return try Input(copyOf: Data(#"{"log":{"version":"1.2","entries":[]}}"#.utf8), named: path)
    }
}
