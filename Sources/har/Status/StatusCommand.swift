import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// `har status`: lists archives, and shows which of them are old, hold secrets or are not used.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the archives in folders: age, size, entries, secrets and use by tests.",
        discussion: """
            Prints one line for each archive: its number of entries, its size, the age of its oldest and its newest \
            request, the number of secrets, when a test last used it, how many of its entries no test used, and whether \
            a source file names it: yes, perhaps or no. A dash means unknown.

            Tests log what they use when the environment variable RELAY_USE_LOG names a file. Name that file with \
            --use-log, or set the same variable. Unused entries are counted for the current version of an archive only.

            The sources are all text files of the package that contains a folder. In Swift files, string literals name \
            archives, and .replay without a name uses the names of tests; elsewhere, only names that end in .har count. \
            An interpolation stands for any text: "page-\\(n)" names page-1. Such names, names in documentation \
            and names in Swift files that do not import Relay are "perhaps". A name that is a variable cannot be \
            followed: such names are counted, and then no archive is called unused.

            Example: har status Tests
            Example: har status --use-log .build/used.jsonl Tests

            With --json, one object: archives (file, bytes, entries, oldestStart, newestStart, secrets, lastUsed, \
            neverUsed, neverUsedEntries, named, namedBy, error), strayFiles, useLog, sources and computedNames. \
            The exit status is 1 if an archive cannot be read.
            """)

    @Argument(help: "Folders or archives.", completion: .directory)
    var folders: [String]

    @Option(help: "The use log of test runs; $RELAY_USE_LOG by default.", completion: .file())
    var useLog: String?

    @Option(help: "A folder of source files; may be repeated. The package that contains the archives by default.")
    var sources: [String] = []

    @Flag(help: "Write JSON.")
    var json = false

    @OptionGroup var sizes: SizeOptions

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
        addMentions(of: archives, to: &report)
        return report
    }

    private func addUses(of archives: [URL], to report: inout StatusReport) throws(HARError) {
        let log = useLog.map { UseLog(URL(fileURLWithPath: $0)) } ?? UseLog.named(in: ReplayMode.environment)
        guard let log else { return }
        let history = try UseHistory(log, of: archives)
        report.useLog = name(of: log.url)
        for index in archives.indices { report.archives[index].use = history[index] }
    }

    private func addMentions(of archives: [URL], to report: inout StatusReport) {
        let given = sources.map { URL(fileURLWithPath: $0) }
        let folders = given.isEmpty ? Set(self.folders.map { URL(fileURLWithPath: $0).package }) : Set(given)
        var search = SourceSearch(for: archives)
        for folder in folders.sorted(by: { $0.path < $1.path }) { search.search(folder) }
        report.folders = folders.map { name(of: $0) }.sorted()
        report.fileCount = search.fileCount
        report.computedNameCount = search.computedCount
        for index in archives.indices {
            let (certainty, file) = search[index]
            report.archives[index].mention = certainty
            report.archives[index].mentioningFile = file.map(name(of:))
        }
    }

    /// Returns the path relative to the current folder if the file is in it, else the absolute path.
    private func name(of url: URL) -> String {
        let current = FileManager.default.currentDirectoryPath
        return url.path.hasPrefix(current + "/") ? String(url.path.dropFirst(current.count + 1)) : url.path
    }
}

extension URL {
    /// The root of the package or repository that contains this folder or file; the folder itself if there is none.
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
