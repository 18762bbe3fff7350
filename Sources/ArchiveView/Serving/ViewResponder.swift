import ArchiveInspection
import EntryConditions
package import Foundation
package import HTTPArchive
package import RelayCore
import Synchronization

/// Responds to the requests of the page: its files, and its API, which `Docs/ViewAPI.md` describes.
package final class ViewResponder: Sendable {
    /// The text that the path of each request begins with, so that other users and pages have no access.
    package let token: String

    private let archives: [EntryLists]

    /// The traffic of a running program, which is the last source, or nil for archives only.
    private let live: LiveTraffic?

    /// The folder with the page's files.
    private let folder: URL

    private let exports = EntryExports()
    private let comparison = ViewedComparison()
    private let redactor = try? HARRedactor()

    /// The last body that was read in parts.
    private let lastBody = Mutex<(archive: HARArchive, key: String, body: ViewedBody)?>(nil)

    /// Creates a responder.
    ///
    /// - Parameters:
    ///   - archives: The archives to show.
    ///   - live: The traffic of a running program, or nil (the default) for none.
    ///   - folder: The folder with the page's files.
    ///   - token: The text that the path of each request begins with; random by default.
    package init(
        _ archives: [HARArchive], live: LiveTraffic? = nil, filesIn folder: URL,
        token: String = UUID().uuidString.lowercased().filter { $0 != "-" }
    ) {
        self.archives = archives.map { EntryLists(of: $0, named: $0.url.lastPathComponent) }
        self.live = live
        self.folder = folder
        self.token = token
    }

    /// Returns the response to a request.
    ///
    /// - Parameter request: The request, with a URL that begins with the address of the server.
    /// - Returns: The response.
    package func reply(to request: InterceptedRequest) async -> Reply {
        var reply: Reply
        do {
            reply = try await self.reply(to: ViewRequest(request, token: token))
        } catch {
            reply = ViewError(error).reply
        }
        guard var response = try? reply.result.get() else { return reply }
        response.headers += Self.headers
        return .response(response)
    }

    /// The header fields that keep the content of archives from being interpreted, and the page from being embedded.
    private static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                + "font-src 'self' blob:; connect-src 'self'; frame-src blob: 'self'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ].map { HeaderField(name: $0, value: $1) }

    private func reply(to request: ViewRequest) async throws -> Reply {
        let prefix = "api/1/"
        guard request.path.hasPrefix(prefix) else { return try file(request.path) }
        switch (request.path.dropFirst(prefix.count), request.isPost) {
        case ("sources", false): return .jsonValue(sourcesValue)
        case ("rows", false): return .jsonValue(try lists(request).rows(request))
        case ("phases", false): return .jsonValue(try lists(request).phases(request))
        case ("counts", false): return .jsonValue(try lists(request).counts(request))
        case ("overview", false): return .jsonValue(try lists(request).overview(request))
        case ("entry", false): return .jsonValue(try details(request).json)
        case ("body", false): return try body(request)
        case ("messages", false): return .jsonValue(try details(request).messages(request))
        case ("explain", true): return .jsonValue(try await lists(request).matching(request))
        case ("copy", false):
            let form = try request.choice("as", EntryCopy.curl)
            let indices = request.text("i").split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            let archive = try lists(request).archive
            return .text(try form.text(of: indices.map { try EntryDetails(of: archive, at: $0, redactor) }))
        case ("compare", false):
            return .jsonValue(try ViewedComparison.differences(pointed("left", request), pointed("right", request)))
        case ("compared", false):
            let (left, right) = try (lists(request, "left").archive, lists(request, "right").archive)
            return .jsonValue(try comparison.rows(request, left, right))
        case ("export", true): return .jsonValue(try exports.export(request, from: lists(request)))
        case ("exported", false): return try exports.download(request.text("id"))
        case (let name, _):
            if let reply = try await live?.response(to: request, name) { return reply }
            throw ViewError(404, "Unknown resource, or a method that it does not support.")
        }
    }

    // MARK: Files of the page

    private static let types = [
        "css": "text/css", "html": "text/html", "js": "text/javascript", "svg": "image/svg+xml",
    ]

    private func file(_ path: String) throws(ViewError) -> Reply {
        let name = path.isEmpty ? "index.html" : path.hasPrefix("page/") ? String(path.dropFirst(5)) : ""
        let isName =
            !name.hasPrefix(".") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        guard isName, let type = Self.types[(name as NSString).pathExtension],
            let data = try? Data(contentsOf: folder.appendingPathComponent(name))
        else { throw ViewError(404, "Unknown file of the page.") }
        return .data(data, type: type + "; charset=utf-8")
    }

    // MARK: Sources and entries

    /// The archives, and the exchanges of the running program.
    private var sources: [EntryLists] { archives + (live.map { [$0.lists] } ?? []) }

    private var sourcesValue: JSONValue {
        [
            "version": 1, "program": "har view", "matchings": .array(MatchingName.allCases.map { .text($0.rawValue) }),
            "conditions": .array(
                EntryFilter.conditions.map {
                    ["name": .text($0.name), "help": .text($0.help), "values": .array($0.values.map { .text($0) })]
                }),
            "sources": .array(sources.enumerated().map(source)),
            "live": live == nil ? .null : ["a": .integer(archives.count)],
        ]
    }

    private func source(_ number: Int, _ lists: EntryLists) -> JSONValue {
        let log = lists.archive.log
        let creator = log.browser.map { "\($0.name) \($0.version)" } ?? log.creator.map { "\($0.name) \($0.version)" }
        return [
            "a": .integer(number), "name": .text(lists.name), "entries": .integer(lists.archive.count),
            "live": .bool(number == archives.count),
            "creator": .text(creator), "damage": .text(lists.archive.damage?.message),
            "pages": .array(
                (log.pages ?? []).map { page in
                    [
                        "id": .text(page.id), "title": .text(page.title), "start": .time(page.startedDate),
                        "onContentLoad": .number(page.pageTimings.onContentLoad),
                        "onLoad": .number(page.pageTimings.onLoad),
                    ]
                }),
        ]
    }

    private func lists(_ request: ViewRequest, _ name: String = "a") throws(ViewError) -> EntryLists {
        try lists(request.number(name) ?? 0)
    }

    private func lists(_ number: Int) throws(ViewError) -> EntryLists {
        let sources = sources
        guard sources.indices ~= number else { throw ViewError(404, "Unknown archive \(number).") }
        return sources[number]
    }

    /// Returns the entry that a parameter such as `0:12` names by source and index.
    private func pointed(_ name: String, _ request: ViewRequest) throws -> EntryDetails {
        let numbers = request.text(name).split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 2 else {
            throw ViewError(404, "Expected the source and the index of an entry as '\(name)', such as 0:12.")
        }
        return try EntryDetails(of: lists(numbers[0]).archive, at: numbers[1], redactor)
    }

    private func details(_ request: ViewRequest) throws -> EntryDetails {
        try EntryDetails(of: lists(request).archive, at: request.number("i"), redactor)
    }

    // MARK: Bodies

    private func body(_ request: ViewRequest) throws -> Reply {
        let isRequest = request.text("side") == "request"
        let archive = try lists(request).archive
        let key = "\(request.text("i")) \(isRequest)"
        let kept = lastBody.withLock { $0?.archive === archive && $0?.key == key ? $0?.body : nil }
        guard let body = try kept ?? details(request).body(isRequest: isRequest) else {
            throw ViewError(404, "The archive does not contain the body.")
        }
        if kept == nil { lastBody.withLock { $0 = (archive, key, body) } }
        // A body that is opened on its own is not interpreted.
        let sandbox = HeaderField(name: "Content-Security-Policy", value: "sandbox; default-src 'none'")
        let form = request.text("as")
        if form == "image" || form == "font" {
            guard let type = body.picture, type.hasPrefix(form) else {
                throw ViewError(415, "The body is not an image or a font that the page can show.")
            }
            return .data(body.bytes, type: type, headers: [sandbox])
        }
        let isText = form == "text"
        guard let whole = isText ? body.text.map({ Data($0.utf8) }) : body.bytes else {
            throw ViewError(415, "The body is not text.")
        }
        let from = min(try request.number("from") ?? 0, whole.count)
        var part = whole.dropFirst(from).prefix(try request.number("count") ?? whole.count)
        if isText { part = part.drop { $0 & 0xC0 == 0x80 }.withoutIncompleteCharacter }
        let type = isText ? "text/plain; charset=utf-8" : "application/octet-stream"
        let total = HeaderField(name: "x-total", value: String(whole.count))
        return .data(Data(part), type: type, headers: [sandbox, total])
    }
}
