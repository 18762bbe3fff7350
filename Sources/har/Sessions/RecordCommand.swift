import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// `har record`: sends requests and records the exchanges.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Request URLs and record the exchanges.",
        usage: "har record <output> [<options>] -- <url> ...",
        discussion: """
            The request options work as in curl and apply to all URLs, which are requested one after another. Requests \
            are sent with URLSession, which adds header fields and keeps cookies for the following URLs. As with curl, \
            redirects are followed only with --location; each redirect is then a separate entry. A URL without a \
            scheme is an http URL.

            If the archive exists, entries are appended to it. If its end is missing, the incomplete entry \
            at its end is removed with a warning. A request that takes longer than --max-time is canceled and recorded \
            with the error net::ERR_ABORTED or net::ERR_TIMED_OUT. Secrets are redacted, as by har redact, before they are \
            written. One line per exchange on standard error shows the method, URL, status, size and time, without \
            secrets. Failed requests are also recorded. The exit status is 1 if a request failed or, with --fail, if a \
            response has a status of 400 or higher.

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

    @Option(
        name: [.customShort("x", allowingJoined: true), .customLong("proxy")],
        help: ArgumentHelp("A proxy for all requests, such as http://localhost:3128.", valueName: "url"))
    var proxy: String?

    @Flag(name: .shortAndLong, help: "Exit with status 1 if a response has a status of 400 or higher.")
    var fail = false

    @Flag(inversion: .prefixedNo, help: "Redact secrets before writing them.")
    var redaction = true

    @Option(
        help: ArgumentHelp(
            "Store bodies in the archive (embed; those above 32 MB in files), in separate files (attach), or not at all "
                + "(omit)."))
    var bodies = BodyStorage.embed

    @Flag(inversion: .prefixedNo, help: "Write the archive with one JSON value per line.")
    var pretty = true

    @OptionGroup var sizes: SizeOptions

    /// The storage of bodies, as a command-line argument.
    enum BodyStorage: String, ExpressibleByArgument, CaseIterable {
        case embed, attach, omit
    }

    func validate() throws {
        if output == "-" {
            throw ValidationError(
                "expected a file, found standard output; the archive is updated in place after each exchange")
        }
        for url in urls {
            if let reason = HAR.Request(url: Self.completed(url)).unsupportedReason {
                throw ValidationError("cannot request '\(url.printable)': \(reason)")
            }
        }
    }

    func run() async throws {
        if let proxy {
            // URLSession on Linux has no proxy setting, but libcurl reads these variables for each request.
            for name in ["http_proxy", "https_proxy"] { setenv(name, proxy, 1) }
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
        }
        let body = try options.body()
        let recording = try NetworkRecording(
            to: URL(fileURLWithPath: output), settings: settings, limits: sizes.reader,
            followsRedirects: followsRedirects)
        var hasFailed = false
        for text in urls {
            guard let url = URL(text: Self.completed(text)) else { continue }
            let status = await recording.perform(options.request(url, body: body), within: options.timeLimit)
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

    /// Returns the URL, with curl's default scheme if it has no scheme.
    static func completed(_ url: String) -> String { LiteralURL(url).scheme == nil ? "http://" + url : url }
}
