import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// `har status`: the archives of a folder, and which of them are old, unsafe or not used.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the archives below folders: age, size, entries, secrets, and what tests use of them.",
        discussion: """
            Each archive is a line: its entries, its size, how long ago its oldest and its newest request began, how many \
            secrets are in it, when a test used it last, how many of its entries no test used, and whether a source names \
            it: yes, perhaps or no. A dash stands for what is unknown.

            What tests use they note when the environment variable RELAY_USE_LOG names a file; --use-log names that file \
            here, or the same variable does. Only uses of the archive as it is now count for its entries.

            Names are looked for in all text files of the package that a folder is in: texts in quotation marks, names \
            that end in .har, and for .replay without a name those of the tests. A text like an archive's name where \
            nothing imports Relay, a name in documentation, and a folder whose names code makes are "perhaps".

            Example: har status Tests
            Example: har status --use-log .build/used.jsonl Tests

            With --json, one object: archives (file, bytes, entries, oldestStart, newestStart, secrets, lastUsed, \
            neverUsed, neverUsedEntries, named, namedBy, error), strayFiles, useLog and sources. The exit status is 1 \
            when an archive cannot be read.
            """)

    @Argument(help: "The folders, or single archives.", completion: .directory)
    var folders: [String]

    @Option(help: "The log that test runs keep; what RELAY_USE_LOG names by default.", completion: .file())
    var useLog: String?

    @Option(help: "A folder of sources to look for names in; may be repeated. The package around by default.")
    var sources: [String] = []

    @Flag(help: "Write JSON, for machines.")
    var json = false

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
        // No placeholder is written, so that no key of the user's is needed.
        var configuration = HARRedactor.Configuration()
        configuration.key = .random()
        let redactor = try HARRedactor(configuration)
        for url in archives {
            report.archives.append(ArchiveStatus(of: name(of: url), redactor: redactor) { strayFiles.remove($0) })
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
        for folder in folders.sorted(by: { $0.path < $1.path }) { search.look(below: folder) }
        report.sources = (folders.map { name(of: $0) }.sorted(), search.fileCount)
        for index in archives.indices {
            let mention = search[index]
            report.archives[index].mention = (mention.certainty, mention.file.map(name(of:)))
        }
    }

    /// The path from the current folder, where the file is below it.
    private func name(of url: URL) -> String {
        let current = FileManager.default.currentDirectoryPath
        return url.path.hasPrefix(current + "/") ? String(url.path.dropFirst(current.count + 1)) : url.path
    }
}

extension URL {
    /// The folder of the package, project or repository around; the folder itself where there is none.
    fileprivate var package: URL {
        var folder = standardizedFileURL
        if FileManager.default.isRegularFile(folder.path) { folder.deleteLastPathComponent() }
        let start = folder
        while folder.pathComponents.count > 1 {
            let marks = ["Package.swift", ".git"].map { folder.appendingPathComponent($0).path }
            if marks.contains(where: FileManager.default.fileExists) { return folder }
            folder.deleteLastPathComponent()
        }
        return start
    }
}
