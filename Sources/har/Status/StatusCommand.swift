import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// `har status`: lists archives, and shows which archives are old, contain secrets or are unused.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the archives in folders, with age, size, entries, secrets and use by tests.",
        discussion: """
            Prints one line for each archive: the number of entries, the size, the age of the oldest and the newest \
            request, the number of secrets, the time since a test last used the archive, the number of entries that \
            no test used, and whether a source file names the archive: yes, perhaps or no. A dash means unknown.

            Tests log their use of archives if the environment variable RELAY_USE_LOG is set to the path of a file. \
            Pass that file to --use-log, or set the same variable. Unused entries are counted only for the current \
            version of an archive.

            By default, all text files in the package that contains the archives are searched. In Swift files, any \
            string literal can name an archive, and .replay without a name refers to the name of the test. In other \
            files, only names that end in .har count. An interpolation matches any text: "page-\\(n)" names page-1. \
            The result is "perhaps" if the name has an interpolation, is in documentation, or is in a Swift file that \
            does not import Relay. The value of a variable is unknown: if a variable names an archive, no archive is \
            listed as unused.

            Example: har status Tests
            Example: har status --use-log .build/used.jsonl Tests

            With --json, prints one object: archives (file, bytes, entries, oldestStart, newestStart, secrets, \
            lastUsed, neverUsed, neverUsedEntries, named, namedBy, error), strayFiles, useLog, sources and \
            computedNames. The exit status is 1 if an archive or a folder cannot be read.
            """)

    @Argument(help: "The folders to search, or archives.", completion: .directory)
    var folders: [String]

    @Option(help: "The use log that test runs wrote; $RELAY_USE_LOG by default.", completion: .file())
    var useLog: String?

    @Option(
        help: ArgumentHelp(
            "A folder of source files to search; may be repeated. By default, the package that contains the archives."),
        completion: .directory)
    var sources: [String] = []

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if folders.contains("-") {
            throw ValidationError(
                "expected a folder or an archive, found standard input, which has no name; save it to a file first")
        }
    }

    func run() throws {
        let report = try report()
        let output = StandardOutput()
        if json {
            var list = try JSONList(to: output, as: "archives")
            try report.write(to: &list)
        } else {
            for line in report.lines(at: Date()) { try output.line(line) }
        }
        try output.flush()
        // A folder can contain both archives and sources.
        var reported: Set<String> = []
        for failure in report.folderFailures where reported.insert("\(failure)").inserted {
            StandardError.error(failure)
        }
        if report.hasFailures { throw ExitCode.failure }
    }

    private func report() throws(HARError) -> StatusReport {
        var report = StatusReport()
        var archives: [URL] = []
        var strayFiles: Set<String> = []
        for path in folders {
            let folder = try ArchiveFolder(path)
            strayFiles.formUnion(folder.bodyFiles)
            archives += folder.archives
            report.folderFailures += folder.failures
        }
        // No placeholder is written, so the user's key is not needed.
        var configuration = HARRedactor.Configuration()
        configuration.key = .random()
        let redactor = try HARRedactor(configuration)
        for url in archives {
            report.archives.append(
                ArchiveStatus(of: name(of: url), sizes, redactor: redactor) { strayFiles.remove($0) })
        }
        report.strayFiles = strayFiles.map { name(of: URL(fileURLWithPath: $0)) }.sorted()
        try addUses(of: archives, to: &report)
        try addMentions(of: archives, to: &report)
        return report
    }

    private func addUses(of archives: [URL], to report: inout StatusReport) throws(HARError) {
        let log = useLog.map { UseLog(URL(fileURLWithPath: $0)) } ?? UseLog.named(in: ReplayMode.environment)
        guard let log else { return }
        report.useLog = name(of: log.url)
        for (index, use) in try UseHistory(log, of: archives).uses.enumerated() { report.archives[index].use = use }
    }

    private func addMentions(of archives: [URL], to report: inout StatusReport) throws(HARError) {
        let given = sources.map { URL(fileURLWithPath: $0) }
        for (folder, path) in zip(given, sources) where !FileManager.default.isFolder(folder.path) {
            throw HARError(.unreadableFile, "no such folder; check --sources", at: .init(file: path))
        }
        let folders = given.isEmpty ? Set(self.folders.map { URL(fileURLWithPath: $0).package }) : Set(given)
        var search = SourceSearch(for: archives)
        for folder in folders.sorted(by: { $0.path < $1.path }) { search.search(folder) }
        report.folders = folders.map { name(of: $0) }.sorted()
        report.fileCount = search.fileCount
        report.computedNameCount = search.computedCount
        report.folderFailures += search.failures
        for (index, mention) in search.mentions.enumerated() {
            report.archives[index].mention = mention.certainty
            report.archives[index].mentioningFile = mention.file.map(name(of:))
        }
    }

    /// Returns the path relative to the current folder, or the absolute path if the file is in another folder.
    private func name(of url: URL) -> String {
        let current = FileManager.default.currentDirectoryPath
        return url.path.hasPrefix(current + "/") ? String(url.path.dropFirst(current.count + 1)) : url.path
    }
}

extension URL {
    /// The root of the package or repository that contains this file or folder; otherwise, the folder itself.
    fileprivate var package: URL {
        var folder = standardizedFileURL
        if FileManager.default.isRegularFile(folder.path) { folder.deleteLastPathComponent() }
        let start = folder
        while folder.pathComponents.count > 1 {
            let markers = ["Package.swift", ".git"].map { folder.appendingPathComponent($0).path }
            if markers.contains(where: FileManager.default.fileExists) { return folder }
            folder.deleteLastPathComponent()
        }
        return start
    }
}
