import ArchiveInspection
import ArchiveShapes
import ArgumentParser
import Foundation
import HTTPArchive

/// `har verify`: sends the requests of an archive to a server, and compares the responses.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Send the recorded requests to a server and report how the responses have changed.",
        discussion: """
            Compares statuses, header fields, kinds of bodies, and the types, formats and members of JSON. Values are \
            compared only with --values. Each finding has one of these grades:

            added     a new member, field or value of an enumeration
            missing   a member or field is missing, or a type no longer occurs
            changed   another status, type, format or kind of body, now null, or the request fails

            Requests are sent only to the servers that are named: to URL instead of the first recorded origin, to URL \
            instead of ORIGIN, or with --live to the first recorded origin itself. Only GET, HEAD, OPTIONS and QUERY are \
            sent without --unsafe. Values that a request needs from earlier responses, such as identifiers, tokens and \
            cookies, are taken from the current responses. --dry-run shows all of this without sending anything. If \
            --against is another archive, its responses are compared instead.

            Placeholders of redaction in requests are replaced with secrets: from --secret, from --secret-file with one \
            NAME=VALUE per line, or from environment variables RELAY_SECRET_NAME. NAME is the header field, parameter, \
            member or cookie, or the placeholder itself.

            Example: har verify shop.har --against https://staging.example.com
            Example: har verify shop.har --against https://staging.example.com --dry-run
            Example: har verify shop.har --live --secret authorization='Bearer …' --junit drift.xml
            Example: har verify shop.har --against https://staging.example.com --update

            The exit status is 1 if there are findings of the grade of --fail-on or above, if no request has a response, or \
            if a server does not respond or refuses all requests. With --json, prints one object: requests, responses, findings (grade, endpoint, part, \
            pointer, text, recorded, current, count, entries, update) and notSent (reason, entries).
            """)

    @Argument(help: "The archive.")
    var file: Input

    @Option(help: ArgumentHelp("A server, or ORIGIN=URL, or another archive; may be repeated.", valueName: "url"))
    var against: [String] = []

    @Flag(help: "Send the requests to the first recorded origin.")
    var live = false

    @Flag(help: "Also send requests whose method changes data, such as POST.")
    var unsafe = false

    @Flag(help: "List the requests and the values that they need, without sending them.")
    var dryRun = false

    @Flag(help: "Replace responses with findings in the archive, redacted.")
    var update = false

    @Flag(help: "Compare values too, without those that har diff ignores.")
    var values = false

    @Option(help: ArgumentHelp("A secret: NAME=VALUE; may be repeated.", valueName: "secret"))
    var secret: [String] = []

    @Option(help: ArgumentHelp("A file with one NAME=VALUE per line.", valueName: "file"), completion: .file())
    var secretFile: String?

    @Option(
        help: "The maximum number of requests at the same time; by default, as when they were recorded, up to 16.")
    var concurrency: Int?

    @Flag(help: "Wait as long between requests as when they were recorded.")
    var pace = false

    @Option(help: "The maximum time for a response, in seconds; 30 by default.")
    var timeout = 30.0

    @Option(
        help: "The least grade of findings for exit status 1: added, missing, changed or never; missing by default.")
    var failOn = Threshold.missing

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print annotations for GitHub Actions instead of text.")
    var github = false

    @Option(help: ArgumentHelp("Also write the result as JUnit XML.", valueName: "file"), completion: .file())
    var junit: String?

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    /// The least grade of findings that fail.
    enum Threshold: String, CaseIterable, ExpressibleByArgument {
        case added, missing, changed, never

        var grade: Shape.Difference.Grade? { Shape.Difference.Grade(rawValue: rawValue) }
    }

    func validate() throws {
        if against.isEmpty, !live {
            throw ValidationError("expected --against URL or --live, to name the server that receives the requests")
        }
        if let concurrency, concurrency < 1 { throw ValidationError("--concurrency must be greater than 0") }
        if !(timeout > 0 && timeout <= 86_400) { throw ValidationError("--timeout must be from 0 to 86400") }
        if json, github { throw ValidationError("--json cannot be used with --github") }
        if dryRun, update { throw ValidationError("--dry-run cannot be used with --update") }
        if update, file.isStandardInput { throw ValidationError("--update cannot be used with standard input") }
        for secret in secret where !secret.contains("=") {
            throw ValidationError("expected NAME=VALUE after --secret, found a text without =")
        }
    }

    func run() async throws {
        let archive = try file.archive(sizes)
        let other = try otherArchive()
        let origins = VerificationPlan.origins(of: archive)
        let destinations = try destinations(origins, isArchive: other != nil)
        let selected = try conditions.filter(in: sizes.folder(of: file)).map { filter throws(HARError) in
            Set(try archive.indices(selectedBy: filter))
        }
        if selected?.isEmpty == true { conditions.reportNoMatch() }
        let progress = ReadingProgress(of: file.url.fileSize)
        let plan = try VerificationPlan(
            of: archive, selected: selected, allowsUnsafe: unsafe || other != nil, to: destinations
        ) { progress.update(archive.byteRange(at: $0).upperBound) }
        progress.clear()
        var settings = Verifier.Configuration()
        settings.concurrency = concurrency
        settings.keepsPace = pace
        if values {
            let folder = sizes.folder(of: file)
            settings.valueDifferences = { Self.differences($0, $1, in: folder) }
        }
        let verifier = Verifier(
            archive, plan, to: destinations, secrets: try secrets(), redactor: try HARRedactor(),
            configuration: settings)
        let output = VerifyOutput(of: self, archive: archive, plan: plan)
        if dryRun { return try output.print(try verifier.preview()) }
        output.printCarriedValues()
        let report: VerificationReport
        if let other {
            let transport = ArchiveTransport(other)
            report = try await verifier.run { await transport.send($0) }
        } else {
            let transport = LiveTransport(timeout: timeout)
            report = try await verifier.run { await transport.send($0) }
        }
        try output.print(report)
        if update, !report.drifted.isEmpty {
            var settings = OutputFile.Settings()
            settings.compression = .byName
            let target = try OutputFile(url: file.url, settings: settings)
            try EntryUpdate.write(archive, replacing: report.drifted, to: target)
            StandardError.line("\(report.drifted.count.of("entry", "entries")) updated")
        }
        if report.fails(on: failOn.grade) { throw ExitCode.failure }
    }

    private func otherArchive() throws -> HARArchive? {
        guard against.count == 1, let path = against.first, LiteralURL.scheme(of: path) == nil, !path.contains("=")
        else {
            return nil
        }
        guard path == "-" || FileManager.default.fileExists(atPath: path) else {
            throw ValidationError(
                "expected an HTTP URL, ORIGIN=URL or an archive after --against, found '\(path.printable)'; the URL of a server "
                    + "begins with http:// or https://")
        }
        return try Input(argument: path).archive(sizes)
    }

    private func destinations(_ origins: [String], isArchive: Bool) throws -> Destinations {
        do throws(DestinationError) {
            // Every origin is compared with the entries of another archive.
            let arguments = isArchive ? origins : against
            return try Destinations(arguments, isLive: live, origins: origins)
        } catch {
            switch error {
            case .notURL(let text):
                throw ValidationError(
                    "expected an HTTP URL, ORIGIN=URL or an archive after --against, found '\(text.printable)'")
            case .unknownOrigin(let origin, let known):
                let list = known.prefix(8).joined(separator: ", ")
                throw ValidationError(
                    "the archive has no request to '\(origin.printable)'; its origins are: \(list.printable)")
            }
        }
    }

    private func secrets() throws -> VerificationSecrets {
        var secrets = VerificationSecrets.named(in: ProcessInfo.processInfo.environment)
        func add(_ line: some StringProtocol) {
            guard let equals = line.firstIndex(of: "=") else { return }
            secrets[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        if let secretFile {
            let data = try InputFile(url: URL(fileURLWithPath: secretFile), waitsForWriter: true).content(upTo: 1 << 20)
            for line in String(decoding: data, as: UTF8.self).allLines where !line.hasPrefix("#") { add(line) }
        }
        for text in secret { add(text) }
        return VerificationSecrets(secrets)
    }

    /// Returns the differences between the values of two responses.
    private static func differences(
        _ recorded: HAR.Entry, _ current: HAR.Entry, in folder: HAR.BodyFolder
    ) -> [Shape.Difference] {
        let volatile = VolatileFields(usesDefaults: true, ignoring: [])
        let difference = EntryComparison.difference(
            ofResponses: (recorded, current), in: folder, ignoring: volatile, limit: 20)
        return difference.fields.map { field in
            Shape.Difference(
                grade: .changed, pointer: JSONPointer([field.part] + [field.name].compactMap { $0 }),
                text: "value differs",
                recorded: (field.firstText ?? "no value").shortened(to: 80),
                current: (field.secondText ?? "no value").shortened(to: 80))
        }
    }
}

/// Responses from another archive instead of a server.
actor ArchiveTransport {
    private struct Key: Hashable {
        let method: String
        let url: NormalizedURL
    }

    private let archive: HARArchive
    private var indices: [Key: ArraySlice<Int>] = [:]

    /// Creates a transport.
    ///
    /// - Parameter archive: The archive.
    init(_ archive: HARArchive) {
        self.archive = archive
        for index in 0..<archive.count {
            let summary = archive.summary(at: index)
            let key = Key(method: summary.method.uppercased(), url: NormalizedURL(summary.url))
            indices[key, default: []].append(index)
        }
    }

    /// Returns the response of the next entry with the method and URL of a request; the last one is used repeatedly.
    func send(_ request: OutgoingRequest) -> Result<LiveResponse, LiveFailure> {
        let key = Key(method: request.method, url: NormalizedURL(request.url))
        guard let rest = indices[key], let index = rest.first else { return .failure(.notRecorded) }
        if rest.count > 1 { indices[key] = rest.dropFirst() }
        do throws(HARError) {
            var response = try archive.entry(at: index).response
            guard response.status > 0 else { return .failure(.notRecorded) }
            // Nothing is known about a body whose file is missing.
            if let body = (try? response.interpretedBody(in: archive.bodyFolder)) ?? nil { response.embed(body.bytes) }
            return .success(LiveResponse(response: response, start: Date(), duration: 0))
        } catch {
            return .failure(.failed(error.message))
        }
    }
}
