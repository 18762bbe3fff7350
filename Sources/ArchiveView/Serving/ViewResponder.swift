import ArchiveInspection
package import Foundation
package import HTTPArchive
package import RelayCore
import Synchronization

/// Responds to the requests of the page: its files, and its API, which `Docs/ViewAPI.md` describes.
package final class ViewResponder: Sendable {
    /// The text that the path of each request begins with, so that other users and pages have no access.
    package let token: String

    private let sources: [EntryLists]
    private let names: [String]

    /// The traffic of a running program, which is the last source, or nil for archives only.
    private let live: LiveTraffic?

    /// The folder with the page's files.
    private let folder: URL

    private let exports = EntryExports()
    private let comparison = ViewedComparison()
    private let redactor: HARRedactor?

    /// The last body that was read in parts.
    private let lastBody = Mutex<(key: String, body: ViewedBody)?>(nil)

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
        sources = archives.map { EntryLists(of: $0) } + (live.map { [EntryLists(of: $0.entries)] } ?? [])
        names = archives.map { $0.url.lastPathComponent } + (live == nil ? [] : ["live"])
        self.live = live
        self.folder = folder
        self.token = token
        redactor = try? HARRedactor()
    }

    /// Returns the response to a request.
    ///
    /// - Parameter request: The request, with a URL that begins with the address of the server.
    /// - Returns: The response.
    package func reply(to request: InterceptedRequest) async -> Reply {
        var response: InterceptedResponse
        do {
            response = try await self.response(to: ViewRequest(request, token: token))
        } catch let error as ViewError {
            response = error.response
        } catch let error as HARError {
            response = ViewError(error).response
        } catch {
            response = ViewError(500, "The request failed with an error of type \(type(of: error)).").response
        }
        response.url = request.url
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

    private func response(to request: ViewRequest) async throws -> InterceptedResponse {
        let prefix = "api/1/"
        guard request.path.hasPrefix(prefix) else { return try file(request.path) }
        switch (request.path.dropFirst(prefix.count), request.isPost) {
        case ("sources", false): return .json(sourcesValue)
        case ("rows", false): return .json(try lists(request).rows(request))
        case ("phases", false): return .json(try lists(request).phases(request))
        case ("counts", false): return .json(try lists(request).counts(request))
        case ("overview", false): return .json(try lists(request).overview(request))
        case ("entry", false): return .json(try details(request).json)
        case ("messages", false): return .json(try details(request).messages(request))
        case ("body", false): return try body(request)
        case ("copy", false): return .text(try copy(request))
        case ("explain", true):
            guard let archive = try lists(request).entries as? HARArchive else {
                throw ViewError(409, "Only archives can be matched.")
            }
            return .json(try await EntryMatching(archive: archive).response(to: request))
        case ("compare", false):
            return .json(try ViewedComparison.differences(pointed("left", request), pointed("right", request)))
        case ("compared", false):
            let left = try lists(request, "left").entries
            return .json(try comparison.rows(request, left, lists(request, "right").entries))
        case ("export", true):
            return .json(try exports.export(request, from: lists(request), named: names[request.number("a") ?? 0]))
        case ("exported", false): return try exported(request)
        default:
            let path = request.path.dropFirst(prefix.count)
            if let response = try await live?.response(to: request, path) { return response }
            throw ViewError(404, "Unknown resource, or a method that it does not support.")
        }
    }

    // MARK: Files of the page

    private static let types = [
        "css": "text/css", "html": "text/html", "js": "text/javascript", "svg": "image/svg+xml",
    ]

    private func file(_ path: String) throws -> InterceptedResponse {
        let name = path.isEmpty ? "index.html" : path.hasPrefix("page/") ? String(path.dropFirst(5)) : ""
        let isName =
            !name.hasPrefix(".") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        guard isName, let type = Self.types[(name as NSString).pathExtension],
            let data = try? Data(contentsOf: folder.appendingPathComponent(name))
        else { throw ViewError(404, "Unknown file of the page.") }
        let headers = [HeaderField(name: "Content-Type", value: type + "; charset=utf-8")]
        return InterceptedResponse(url: "", headers: headers, body: data)
    }

    // MARK: Sources and entries

    private var sourcesValue: JSONValue {
        [
            "version": 1, "program": "har view", "matchings": .array(MatchingName.allCases.map { .text($0.rawValue) }),
            "conditions": .array(
                EntryFilter.names.map {
                    ["name": .text($0.name), "help": .text($0.help), "values": .array($0.values.map { .text($0) })]
                }),
            "sources": .array(sources.indices.map(source)),
            "live": live == nil ? .null : ["a": .number(sources.count - 1), "holds": true, "rules": true],
        ]
    }

    private func source(_ number: Int) -> JSONValue {
        let entries = sources[number].entries
        let log = entries.log
        let span = sources[number].span
        let creator = log.browser.map { "\($0.name) \($0.version)" } ?? log.creator.map { "\($0.name) \($0.version)" }
        return [
            "a": .number(number), "name": .text(names[number]), "entries": .number(entries.count),
            "live": .bool(live != nil && number == sources.count - 1),
            "creator": .text(creator), "damage": .text((entries as? HARArchive)?.damage?.message),
            "start": .number(span?.lowerBound), "end": .number(span?.upperBound),
            "pages": .array(
                (log.pages ?? []).map { page in
                    [
                        "id": .text(page.id), "title": .text(page.title),
                        "start": .number(page.startedDate.map { $0.timeIntervalSince1970 * 1000 }),
                        "onContentLoad": .number(page.pageTimings.onContentLoad),
                        "onLoad": .number(page.pageTimings.onLoad),
                    ]
                }),
        ]
    }

    private func lists(_ request: ViewRequest, _ name: String = "a") throws(ViewError) -> EntryLists {
        let number = try request.number(name) ?? 0
        guard sources.indices ~= number else { throw ViewError(404, "Unknown archive \(number).") }
        return sources[number]
    }

    /// Returns the entry that a parameter such as `0:12` names by source and index.
    private func pointed(_ name: String, _ request: ViewRequest) throws(ViewError) -> (any ViewedEntries, Int) {
        let numbers = request.text(name).split(separator: ":").map { Int($0) ?? -1 }
        guard numbers.count == 2, sources.indices ~= numbers[0],
            0..<sources[numbers[0]].entries.count ~= numbers[1]
        else { throw ViewError(404, "Expected the source and the index of an entry as '\(name)', such as 0:12.") }
        return (sources[numbers[0]].entries, numbers[1])
    }

    private func details(_ request: ViewRequest) throws -> EntryDetails {
        let entries = try lists(request).entries
        guard let index = try request.number("i"), index < entries.count else {
            throw ViewError(404, "Unknown entry.")
        }
        return EntryDetails(
            index: index, entry: try entries.entry(at: index), files: entries.files, redactor: redactor)
    }

    private func copy(_ request: ViewRequest) throws -> String {
        guard let form = EntryCopy(rawValue: request.text("as")) else {
            throw ViewError(400, "Expected curl, fetch, swift or har as 'as'.")
        }
        return try form.text(of: details(request))
    }

    // MARK: Bodies

    private func body(_ request: ViewRequest) throws -> InterceptedResponse {
        let isRequest = request.text("side") == "request"
        let key = "\(request.text("a")) \(request.text("i")) \(isRequest) \(try lists(request).entries.generation)"
        let kept = lastBody.withLock { $0?.key == key ? $0?.body : nil }
        guard let body = try kept ?? self.body(request, isRequest: isRequest) else {
            throw ViewError(404, "The archive does not contain the body.")
        }
        if kept == nil { lastBody.withLock { $0 = (key, body) } }
        // A body that is opened on its own is not interpreted.
        let sandbox = HeaderField(name: "Content-Security-Policy", value: "sandbox; default-src 'none'")
        var response: InterceptedResponse
        switch request.text("as") {
        case "image", "font":
            guard let type = request.text("as") == "image" ? body.image : body.font else {
                throw ViewError(415, "The body is not an image or a font that the page can show.")
            }
            response = InterceptedResponse(
                url: "", headers: [HeaderField(name: "Content-Type", value: type)], body: body.bytes)
        case "text":
            guard let text = body.text else { throw ViewError(415, "The body is not text.") }
            let from = min(try request.number("from") ?? 0, text.utf8.count)
            let count = try request.number("count") ?? text.utf8.count
            let bytes = text.utf8.dropFirst(from).prefix(count)
            response = .text(String(decoding: bytes.withoutPartialCharacters, as: UTF8.self), total: text.utf8.count)
        default:
            let from = min(try request.number("from") ?? 0, body.bytes.count)
            let bytes = body.bytes.dropFirst(from).prefix(try request.number("count") ?? body.bytes.count)
            response = InterceptedResponse(
                url: "",
                headers: [
                    HeaderField(name: "Content-Type", value: "application/octet-stream"),
                    HeaderField(name: "x-total", value: String(body.bytes.count)),
                ], body: Data(bytes))
        }
        response.headers.append(sandbox)
        return response
    }

    private func body(_ request: ViewRequest, isRequest: Bool) throws -> ViewedBody? {
        let details = try details(request)
        return isRequest
            ? ViewedBody(ofRequest: details.entry, in: details.files)
            : ViewedBody(ofResponse: details.entry, in: details.files)
    }

    private func exported(_ request: ViewRequest) throws -> InterceptedResponse {
        let (data, name) = try exports.content(of: request.text("id"))
        let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
        return InterceptedResponse(
            url: "",
            headers: [
                HeaderField(name: "Content-Type", value: "application/json"),
                HeaderField(name: "Content-Disposition", value: "attachment; filename=\"\(safe)\""),
            ], body: data)
    }
}

extension Substring.UTF8View {
    /// The bytes without the parts of characters at both ends.
    fileprivate var withoutPartialCharacters: Substring.UTF8View {
        let rest = drop { $0 & 0xC0 == 0x80 }
        // A character has at most four bytes.
        guard let lead = rest.indices.suffix(4).last(where: { rest[$0] & 0xC0 != 0x80 }) else { return rest }
        let length = rest[lead] < 0x80 ? 1 : rest[lead] < 0xE0 ? 2 : rest[lead] < 0xF0 ? 3 : 4
        return rest.distance(from: lead, to: rest.endIndex) < length ? rest[..<lead] : rest
    }
}
