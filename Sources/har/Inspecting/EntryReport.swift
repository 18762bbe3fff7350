import ArchiveInspection
import Foundation
import HTTPArchive

/// An entry formatted for reading.
struct EntryReport {
    let entry: HAR.Entry

    /// The index of the entry in its archive, or nil to leave out the index and everything that differs in every recording
    /// of the same exchange: times, addresses and timings.
    let index: Int?

    /// The folder with the archive's body files.
    let folder: HAR.BodyFolder

    /// The maximum number of lines to show of each body.
    let lineLimit: Int

    /// The lines, without control characters.
    var lines: [String] {
        let (request, response) = (entry.request, entry.response)
        var lines = ["Entry \(index.map { "\($0)  " } ?? "")\(request.method) \(request.url)".printable]
        lines += facts
        lines += section("Query", query)
        lines += section("Request header", request.headers.flatMap(\.fieldLines))
        lines += section("Request cookies", request.cookies.map { ($0.name, $0.value) })
        lines += requestBody
        lines += ["", "Response  \(response.status) \(response.statusText)".printable]
        if let failure = entry.failure { lines.append("  failed: \(failure)".printable) }
        lines += section("Response header", response.headers.flatMap(\.fieldLines))
        lines += section("Response cookies", response.cookies.map { ($0.name, Self.cookie($0)) })
        lines += bodySection("Response body", response)
        lines += messages
        if index != nil { lines += timings }
        return lines
    }

    private var facts: [String] {
        let (request, response) = (entry.request, entry.response)
        let protocols = [request.httpVersion, response.httpVersion].filter { !$0.isEmpty }
        let facts: [(String, String?)] = [
            ("Started", index == nil || entry.startedDateTime.isEmpty ? nil : entry.startedDateTime),
            ("Time", index == nil ? nil : entry.time.map { ($0 / 1000).asTime }),
            ("Protocol", protocols.first),
            ("Server", index == nil ? nil : entry.serverIPAddress),
            ("Cache", cache),
            ("Page", entry.pageref),
            ("Comment", entry.fields["comment"]?.text),
        ]
        return facts.compactMap { name, value in value.map { "  \(name.padded(to: 10))\($0)".printable } }
    }

    /// The cache from which the browser took the response, or nil if it did not.
    private var cache: String? {
        guard entry.isFromCache else { return nil }
        return "from the browser's cache" + (entry["_fromCache"]?.text.map { " (\($0))" } ?? "")
    }

    /// The parameters of the URL, which some tools record only in the URL.
    private var query: [(name: String, value: String)] {
        let recorded = entry.request.queryString.map { (name: $0.name, value: $0.value) }
        guard recorded.isEmpty else { return recorded }
        let query = LiteralURL(entry.request.url).query.dropFirst()
        return FormEncoding.items(of: query, invalidText: .repaired).map { ($0.name, $0.value) }
    }

    private static func cookie(_ cookie: HAR.Cookie) -> String {
        let facts = [
            cookie.path.map { "path \($0)" }, cookie.domain.map { "domain \($0)" },
            cookie.expires.map { "expires \($0)" },
            cookie.httpOnly == true ? "HttpOnly" : nil, cookie.secure == true ? "Secure" : nil,
            cookie["sameSite"]?.text.map { "SameSite \($0)" },
        ].compactMap { $0 }
        return facts.isEmpty ? cookie.value : "\(cookie.value)  (\(facts.joined(separator: ", ")))"
    }

    private func section(_ title: String, _ rows: [(name: String, value: String)]) -> [String] {
        if rows.isEmpty { return [] }
        let width = min(32, rows.map(\.name.columnCount).max() ?? 0)
        return ["", title]
            + rows.flatMap { row in
                row.value.allLines.enumerated().map { number, line in
                    "  \((number == 0 ? row.name.printable : "").padded(to: width))  \(line)".withoutControls
                }
            }
    }

    private var requestBody: [String] {
        let (request, title) = (entry.request, "Request body")
        if let form = RecordedForm(of: request) {
            let type = request.mediaType?.essence ?? ""
            return ["", "\(title)  (\(type), recorded as fields)".printable]
                + indented(BodyReport(body: form.body, type: form.type, lacksFiles: true).lines)
        }
        return bodySection(title, request)
    }

    private func bodySection(_ title: String, _ message: some RecordedMessage) -> [String] {
        let data: Data?
        do throws(HARError) {
            data = try message.decompressedBody(in: folder)
        } catch {
            return ["", title, "  \(error.description)".printable]
        }
        guard let data else { return ["", title, "  not captured"] }
        if data.isEmpty { return [] }
        let type = message.textType
        let facts = [type?.essence, data.count.asBytes].compactMap { $0 }.joined(separator: ", ")
        let report = BodyReport(body: data, text: message.recordedText, type: type)
        return ["", "\(title)  (\(facts))".printable] + indented(report.lines)
    }

    /// Returns the first lines of a body, or all if all are shown.
    private func indented(_ all: [String], by indentation: String = "  ") -> [String] {
        var lines = all.prefix(lineLimit).map { "\(indentation)\(shortened($0))".withoutControls }
        if all.count > lineLimit {
            lines.append(
                "\(indentation)… \((all.count - lineLimit).of("more line", "more lines")); print all with --full")
        }
        return lines
    }

    /// Returns the start of a long line, unless all lines are shown.
    private func shortened(_ line: String) -> String {
        guard lineLimit < .max, line.utf8.count > Self.lineLength,
            let end = line.index(line.startIndex, offsetBy: Self.lineLength, limitedBy: line.endIndex),
            end < line.endIndex
        else { return line }
        return "\(line[..<end])… \(line[end...].utf8.count.asBytes) more; print all with --full"
    }

    /// The maximum length of a line of a body, in characters.
    private static let lineLength = 2000

    /// The WebSocket messages, formatted like bodies.
    private var messages: [String] {
        let messages = entry.webSocketMessages
        guard !messages.isEmpty else { return [] }
        var lines: [String] = []
        var count = 0
        for message in messages {
            let next = self.lines(of: message)
            if count > 0, lines.count + next.count > lineLimit { break }
            lines += next
            count += 1
        }
        let rest = messages.count - count
        if rest > 0 { lines.append("  … \(rest.of("more message", "more messages")); print all with --full") }
        return ["", "Messages  (\(messages.count))"] + lines
    }

    private func lines(of message: RecordedWebSocketMessage) -> [String] {
        let direction =
            switch message.direction {
            case .sent: "→"
            case .received: "←"
            case .error: "!"
            case .invalid: "?"
            }
        let elapsed = index == nil ? nil : message.elapsed(in: entry)
        let time = elapsed.map { $0.aligned(right: 10) + "  " } ?? ""
        let start = "  \(direction) \(time)"
        let data = message.bytes ?? Data(message.data.utf8)
        let all = BodyReport(body: data, text: message.text, type: nil).lines
        if message.bytes == nil, all.count <= 1 {
            let text = all.first.map(shortened) ?? ""
            let name = message.name == "text" && !text.isEmpty ? "" : message.name + (text.isEmpty ? "" : ": ")
            return ["\(start)\(name)\(text)".withoutControls]
        }
        return ["\(start)\(message.name), \(data.count.asBytes)"] + indented(all, by: "      ")
    }

    /// The timings, with a bar for each phase.
    private var timings: [String] {
        let phases = EntryPhases(of: entry)
        guard phases.total > 0 else { return [] }
        let columns = min(40, max(10, (Terminal.width ?? .max) - 24))
        let width = Double(columns)
        return ["", "Timings"]
            + phases.phases.map { phase in
                let start = Int(clamping: (phase.start / phases.total * width).rounded(.down))
                let end = max(start + 1, Int(clamping: (phase.end / phases.total * width).rounded()))
                let bar =
                    String(repeating: " ", count: start)
                    + String(repeating: "█", count: min(end, columns) - min(start, columns - 1))
                let duration = phase.duration.rounded(to: 1).aligned(right: 9)
                return "  \(phase.name.padded(to: 8))\(bar.padded(to: columns + 1))\(duration) ms"
            }
    }
}

extension HAR.Header {
    /// The lines of the field; browsers record several fields with the same name as one field with several lines.
    var fieldLines: [(name: String, value: String)] {
        value.allLines.map { (name, String($0)) }
    }
}

/// The consecutive phases of an exchange.
struct EntryPhases {
    /// A phase of an exchange.
    ///
    /// Times are in milliseconds, and `start` and `end` count from the start of the exchange.
    struct Phase {
        let name: String
        let start: Double
        let duration: Double

        var end: Double { start + duration }
    }

    /// The phases with a known duration, in order.
    let phases: [Phase]

    /// The end of the last phase, in milliseconds.
    let total: Double

    /// Calculates the phases of an entry.
    ///
    /// The recorded connection time includes the TLS handshake, so the handshake is subtracted from it.
    init(of entry: HAR.Entry) {
        let timings = entry.timings
        let ssl = timings.ssl ?? 0
        var start = 0.0
        var phases: [Phase] = []
        for (name, duration) in [
            ("blocked", timings.blocked), ("dns", timings.dns), ("connect", timings.connect.map { max(0, $0 - ssl) }),
            ("ssl", timings.ssl), ("send", timings.send), ("wait", timings.wait), ("receive", timings.receive),
        ] {
            guard let duration = Self.duration(duration) else { continue }
            phases.append(Phase(name: name, start: start, duration: duration))
            start += duration
        }
        self.phases = phases
        total = start
    }

    /// Returns a duration whose sums are finite, or nil if the duration is unknown or negative.
    static func duration(_ milliseconds: Double?) -> Double? {
        milliseconds.flatMap { $0 >= 0 ? min($0, longest) : nil }
    }

    /// The maximum duration, in milliseconds.
    private static let longest = 1e300
}
