import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// `har record`: requests to the network, recorded.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Ask for URLs, and record what is sent and answered.",
        usage: "har record <output> [<options>] -- <url> ...",
        discussion: """
            The options for requests are those of curl, and hold for all URLs, which are asked for one after the other. \
            Requests go through URLSession, which adds header fields of its own; cookies are kept from one URL to the \
            next. As with curl, a redirect is an answer like any other, and followed with --location; then each step is \
            an entry. A URL without a scheme is one of http.

            An archive that is there is continued. What is secret is replaced before it is written, as har redact does \
            it. Each exchange is a line on standard error, without secrets: method, URL, status, size and time. One that \
            failed is recorded too; the exit status is 1 then, and with --fail also for a status from 400 on.

            Example: har record shop.har -- https://shop.example/ https://shop.example/cart
            Example: har record shop.har -H 'Accept-Language: de' --json '{"item": 1}' -- https://shop.example/cart
            """)

    @Argument(help: "The archive to write or to continue.", completion: .file(extensions: ["har"]))
    var output: String

    @Argument(help: "The URLs to ask for.")
    var urls: [String]

    @OptionGroup(title: "Options for requests")
    var options: RequestOptions

    @Flag(name: [.customShort("L"), .customLong("location")], help: "Follow redirects.")
    var followsRedirects = false

    @Flag(name: .shortAndLong, help: "Exit status 1 for an answer whose status is 400 or more.")
    var fail = false

    @Flag(inversion: .prefixedNo, help: "Replace secrets before they are written.")
    var redaction = true

    @Option(help: "Where bodies go: embed (into the archive), attach (into files beside it), omit.")
    var bodies = BodyPlace.embed

    @Flag(inversion: .prefixedNo, help: "Lay the archive out for people, with one field a line.")
    var pretty = true

    /// Where bodies go.
    enum BodyPlace: String, ExpressibleByArgument, CaseIterable {
        case embed, attach, omit
    }

    func validate() throws {
        if output == "-" { throw ValidationError("The archive must be a file: it is whole after each exchange.") }
        for url in urls {
            if let reason = HAR.Request(url: Self.completed(url)).reasonNotToAsk {
                throw ValidationError("'\(url.printable)' cannot be asked for: \(reason).")
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

    private var settings: Interceptor.Recording {
        var settings = Interceptor.Recording()
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

    /// The URL with the scheme that curl takes where there is none.
    private static func completed(_ url: String) -> String { url.contains("://") ? url : "http://" + url }
}
