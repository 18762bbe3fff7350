import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// `har record`: sends requests, and records the exchanges.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Request URLs, and record the exchanges.",
        usage: "har record <output> [<options>] -- <url> ...",
        discussion: """
            The request options are those of curl, and apply to all URLs, which are requested one after the other. \
            Requests are sent by URLSession, which adds header fields; cookies are kept for the following URLs. As with \
            curl, redirects are only followed with --location; then each step is an entry. A URL without a scheme is an \
            http URL.

            If the archive exists, entries are appended. Secrets are redacted before they are written, as by har redact. \
            Each exchange is a line on standard error, without secrets: method, URL, status, size and time. A failed \
            request is recorded too, and makes the exit status 1; with --fail, so does a status of 400 or higher.

            Example: har record shop.har -- https://shop.example/ https://shop.example/cart
            Example: har record shop.har -H 'Accept-Language: de' --json '{"item": 1}' -- https://shop.example/cart
            """)

    @Argument(help: "The archive to write or append to.", completion: .file(extensions: ["har"]))
    var output: String

    @Argument(help: "The URLs to request.")
    var urls: [String]

    @OptionGroup(title: "Request options")
    var options: RequestOptions

    @Flag(name: [.customShort("L"), .customLong("location")], help: "Follow redirects.")
    var followsRedirects = false

    @Flag(name: .shortAndLong, help: "Exit with status 1 for a response with a status of 400 or higher.")
    var fail = false

    @Flag(inversion: .prefixedNo, help: "Redact secrets before they are written.")
    var redaction = true

    @Option(help: "The storage of bodies: embed (in the archive), attach (in separate files) or omit.")
    var bodies = BodyStorage.embed

    @Flag(inversion: .prefixedNo, help: "Write one value per line.")
    var pretty = true

    /// The storage of bodies, as an argument.
    enum BodyStorage: String, ExpressibleByArgument, CaseIterable {
        case embed, attach, omit
    }

    func validate() throws {
        if output == "-" {
            throw ValidationError(
                "expected a file, found standard output, which cannot be kept valid after each exchange")
        }
        for url in urls {
            if let reason = HAR.Request(url: Self.completed(url)).unsupportedReason {
                throw ValidationError("cannot request '\(url.printable)': \(reason)")
            }
        }
    }

    func run() async throws {
        let body = try options.body()
        let recording = try NetworkRecording(
            to: URL(fileURLWithPath: output), settings: settings, followsRedirects: followsRedirects)
        var hasFailed = false
        for text in urls {
            guard let url = URL(text: Self.completed(text)) else { continue }
            let status = await recording.perform(options.request(url, body: body))
            if status == nil || fail && (status ?? 0) >= 400 { hasFailed = true }
        }
        try await recording.finish()
        if hasFailed { throw ExitCode.failure }
    }

    private var settings: RecordingConfiguration {
        var settings = RecordingConfiguration()
        if !redaction { settings.redaction = nil }
        settings.layout = pretty ? .pretty : .compact
        settings.bodies =
            switch bodies {
            case .embed: .embed
            case .attach: .attach
            case .omit: .omit
            }
        return settings
    }

    /// Returns the URL, with curl's default scheme if it has none.
    static func completed(_ url: String) -> String { LiteralURL(url).scheme == nil ? "http://" + url : url }
}
