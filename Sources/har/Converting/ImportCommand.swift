import ArgumentParser
import Foundation
import HTTPArchive
import RecordingFormats

/// `har import`: what other tools recorded, as an archive.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make an archive of what other tools recorded.",
        usage: "har import [--from <kind>] [--base-url <url>] <input> ... <output>",
        discussion: """
            The last name is that of the archive to write, which must be new; - is standard output. The inputs are files, \
            and folders with such files at any depth. Files are told apart by their content where no kind is named:

            relay           folders of the files of Relay before it recorded HAR
            vinyl, dvr      vinyls of Vinyl, cassettes of DVR
            resonancekit    the folder Mocks of ResonanceKit
            innernet-console  what Innernet sends to its console, one object a line or in an array
            vcr, vcrpy      cassettes of VCR (Ruby) and VCR.py, in YAML or JSON
            polly           recordings of Polly.js
            wiremock        mappings of WireMock, with the bodies in __files beside them
            replay          archives of the library Replay by Mattt
            mitmproxy       the HAR that mitmproxy exports: mitmdump -nr FLOWS --set hardump=OUTPUT.har

            Entries come in the order of time, and those with equal requests so that the first is the one that the tool \
            would have played first. What HAR has no place for stands in fields whose names begin with an underscore. A \
            report on standard error says what came from where, and which such fields there are.

            Example: har import fixtures/vcr_cassettes shop.har
            Example: har import --from resonancekit --base-url https://swapi.dev Mocks swapi.har
            """)

    @Option(help: "The kind of all inputs; each file's own by default.")
    var from: RecordingKind?

    @Option(help: "Where URLs begin that the kind has without a host, as resonancekit and wiremock.")
    var baseURL = "http://localhost"

    @Argument(help: "The files and folders; and the archive to write, - for standard output.", completion: .file())
    var files: [String]

    func validate() throws {
        guard files.count > 1 else {
            throw ValidationError("Name the recordings, and behind them the archive to write.")
        }
        guard !files.dropLast().contains("-") else {
            throw ValidationError("Standard input has no name to tell its kind by, and no date: name a file.")
        }
        guard NSURL(string: baseURL)?.scheme != nil else {
            throw ValidationError("'\(baseURL.printable)' is no URL with a scheme, as https://shop.example.")
        }
    }

    func run() throws {
        guard let output = files.last.map({ Output(argument: $0) }) else { return }
        try output.mustBeNew("The last name is that of the archive that is written: choose a new one for it.")
        var report = ImportReport()
        let entries = try entries(noting: &report)
        let writer = try output.writer(layout: .pretty, isNew: true)
        for entry in entries { try writer.append(entry) }
        if entries.isEmpty { try writer.write(HAR.Log(creator: .relay)) {} }
        try writer.finish()
        for line in report.lines { StandardError.line(line) }
    }

    private func entries(noting report: inout ImportReport) throws(HARError) -> [HAR.Entry] {
        var kinds: [(format: any RecordingFormat.Type, files: [[HAR.Entry]])] = []
        for argument in files.dropLast() {
            let input = RecordingInput(argument, baseURL: baseURL)
            let (files, others) = try input.files()
            report.otherFiles += others
            for url in files {
                let file = try input.read(url)
                guard let format = try format(of: file, isNamed: !input.isFolder) else {
                    report.leaveOut(file.name)
                    continue
                }
                let entries = try entries(of: file, as: format)
                report.add(entries, of: format.name)
                let place = kinds.firstIndex { $0.format == format } ?? kinds.endIndex
                if place == kinds.endIndex { kinds.append((format, [])) }
                kinds[place].files.append(entries)
            }
        }
        return kinds.map { $0.format.arranged($0.files) }.mergedByTime
    }

    /// The entries of a file; an error says so where it looks like one of another kind than the one that was named.
    private func entries(
        of file: RecordingFile, as format: any RecordingFormat.Type
    ) throws(HARError) -> [HAR.Entry] {
        do throws(HARError) {
            return try format.entries(of: file)
        } catch {
            guard let other = RecordingFormats.format(of: file), other != format else { throw error }
            throw HARError(
                error.code, "\(error.message) The file looks like one of \(other.name), not of \(format.name).",
                at: error.context, underlying: error.underlying)
        }
    }

    /// The format of a file; `nil` for one of no known kind, which is an error where it was named itself.
    private func format(of file: RecordingFile, isNamed: Bool) throws(HARError) -> (any RecordingFormat.Type)? {
        if let from { return from.format }
        if let format = RecordingFormats.format(of: file) { return format }
        guard isNamed else { return nil }
        if let failure = file.failure { throw failure }
        if file.value?["log"]?["entries"] != nil {
            throw HARError(
                .malformedRecording,
                "It is an archive already, of no tool that needs to be imported; har merge takes it.",
                at: .init(file: file.name))
        }
        throw HARError(
            .malformedRecording,
            "The file is of no kind that is known: name it with --from, one of \(RecordingKind.names).",
            at: .init(file: file.name))
    }
}
