import ArchiveInspection
import ArgumentParser
import EntryConditions
import Foundation
import HTTPArchive

/// `har show`: prints entries in readable form.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show entries: request, response, header fields, cookies, bodies and timings.",
        discussion: """
            Bodies are decoded, and formatted by their media type: JSON and XML are indented, forms and GraphQL requests \
            are listed by field, multipart bodies by part, and event streams and WebSocket messages by event. Binary \
            bodies are shown as the first bytes in hexadecimal. Only the first 200 lines of a body are printed, unless \
            --full is given.

            With --raw, prints the messages as in HTTP/1.1: start line, header fields and body, byte for byte. On a \
            terminal, control characters are replaced. With --json, prints the entries as stored in the archive, \
            indented.

            If the archive is damaged, the entries before the error are shown, and the exit status is 1.

            With --textconv, prints the log and all entries completely, but without indices, times, addresses and \
            timings, which differ in every recording. In the setting diff.NAME.textconv, git log and git show then \
            compare this text. Damage is reported in the text, and the exit status is 0.

            Example: har show page.har 3
            Example: har show --raw page.har 3 7-9 > messages.txt
            Example: git config diff.har.textconv 'har show --textconv'
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Argument(help: "The indices of the entries, as printed by har entries, such as 3 or 7-9.")
    var indices: [NumberRanges] = []

    @Flag(help: "Print the messages as in HTTP/1.1.")
    var raw = false

    @Flag(help: "Print the entries as JSON.")
    var json = false

    @Flag(help: "Print all lines of long bodies.")
    var full = false

    @Flag(help: "Print the whole archive as stable text that Git can compare.")
    var textconv = false

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if textconv, raw || json || full || !indices.isEmpty {
            throw ValidationError("--textconv expects only an archive, found another argument or option")
        }
        if !textconv, indices.isEmpty { throw ValidationError("Missing expected argument '<indices> ...'") }
        if raw, json { throw ValidationError("--raw cannot be used with --json") }
        if full, raw || json { throw ValidationError("--full cannot be used with \(raw ? "--raw" : "--json")") }
    }

    func run() throws {
        let output = StandardOutput()
        let folder = sizes.folder(of: file)
        if textconv { return try writeStableText(to: output, bodiesIn: folder) }
        var isFirst = true
        let result = Result { () throws(HARError) in
            try forEachEntry { entry, index throws(HARError) in
                defer { isFirst = false }
                try write(entry, at: index, isFirst: isFirst, to: output, bodiesIn: folder)
            }
        }
        // The entries before an error are shown first.
        try output.flush()
        try result.get()
    }

    /// Writes the fields of the log and all entries.
    private func writeStableText(to output: StandardOutput, bodiesIn folder: HAR.BodyFolder) throws(HARError) {
        do throws(HARError) {
            let reader = try file.reader(sizes)
            while let event = try reader.nextEvent() {
                switch event {
                case .field(let member):
                    let value = String(decoding: member.value.data(), as: UTF8.self)
                    try output.line("\(member.name.text): \(value)".printable)
                case .entry(let entry):
                    try output.line()
                    let report = EntryReport(entry: entry, index: nil, folder: folder, lineLimit: .max)
                    for line in report.lines { try output.line(line) }
                default: break
                }
            }
        } catch {
            if error.code == .unwritableFile { throw error }
            try writeRest(to: output, from: error)
        }
        try output.flush()
    }

    /// Writes the lines of a damaged archive from the first error on, so that conflict markers remain visible.
    private func writeRest(to output: StandardOutput, from error: HARError) throws(HARError) {
        guard let size = file.url.fileSize, size > 0 else { return }
        try output.line("The rest cannot be read: \(error)".printable)
        guard let offset = error.context.byteOffset, offset <= size,
            let text = try? InputFile(url: file.url).bytes(in: 0..<size)
        else { return }
        let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if let rest = String(validating: text[start...], as: UTF8.self) { try output.line(rest) }
    }

    private func write(
        _ entry: HAR.Entry, at index: Int, isFirst: Bool, to output: StandardOutput, bodiesIn folder: HAR.BodyFolder
    ) throws(HARError) {
        if json {
            try output.write(json: JSONValue.object(entry.fields).data(layout: .pretty) + Data("\n".utf8))
        } else if raw {
            let bytes = try entry.rawMessages(bodiesIn: folder)
            if output.isTerminal {
                let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
                try output.write(text.withoutControls.utf8)
            } else {
                try output.write(bytes)
            }
        } else {
            if !isFirst { try output.line() }
            let report = EntryReport(entry: entry, index: index, folder: folder, lineLimit: full ? .max : 200)
            for line in report.lines { try output.line(line) }
        }
    }

    /// Calls a closure with each entry, in the order of the arguments.
    ///
    /// - Throws: Any error from the closure. The error of a damaged archive is thrown after the closure has received the
    ///   entries before the damage.
    private func forEachEntry(_ body: (HAR.Entry, Int) throws(HARError) -> Void) throws(HARError) {
        let ranges = indices.flatMap(\.ranges)
        try file.makeSeekable()
        var archive: HARArchive?
        var entries: [Int: HAR.Entry] = [:]
        let count: Int
        let damage: HARError?
        do throws(HARError) {
            let opened = try file.archive(sizes, allowsDamage: true)
            (archive, count, damage) = (opened, opened.count, opened.damage)
        } catch {
            (entries, count) = entriesBeforeError(in: ranges)
            damage = error
        }
        for range in ranges {
            if range.upperBound >= count, damage == nil {
                throw HARError(entryIndex: range.upperBound, count: count, file: file.name)
            }
            for index in range.prefix(max(0, count - range.lowerBound)) {
                if let entry = try archive?.entry(at: index) ?? entries[index] { try body(entry, index) }
            }
        }
        if let damage { throw damage }
    }

    /// Returns the entries before an error that prevents random access, and their number in the archive.
    private func entriesBeforeError(in ranges: [ClosedRange<Int>]) -> (entries: [Int: HAR.Entry], count: Int) {
        var entries: [Int: HAR.Entry] = [:]
        var count = 0
        // The caller's error describes the same damage.
        let reader = try? file.reader(sizes)
        while let entry = try? reader?.nextEntry() {
            if ranges.contains(where: { $0.contains(count) }) { entries[count] = entry }
            count += 1
        }
        return (entries, count)
    }
}

extension HARError {
    /// Creates the error for an entry index that is out of range.
    ///
    /// - Parameters:
    ///   - entryIndex: The index.
    ///   - count: The number of entries in the archive.
    ///   - file: The name of the archive.
    init(entryIndex: Int, count: Int, file: String) {
        let range = count == 1 ? "0" : "0 to \(count - 1)"
        let message =
            count == 0
            ? "no entry \(entryIndex): the archive has no entries"
            : "expected an entry index (\(range)), found \(entryIndex)"
        self.init(.invalidSetting, message, at: .init(file: file))
    }
}

extension HAR.Entry {
    /// Returns the messages in the form of HTTP/1.1 (RFC 9112, section 2.1,
    /// https://www.rfc-editor.org/rfc/rfc9112#section-2.1), without the content codings of their bodies.
    ///
    /// - Parameter folder: The folder with the archive's body files.
    /// - Returns: The bytes.
    /// - Throws: `unreadableFile` if a body file cannot be read.
    fileprivate func rawMessages(bodiesIn folder: HAR.BodyFolder) throws(HARError) -> Data {
        func version(_ version: String) -> String { version.isEmpty ? "HTTP/1.1" : version }
        let requestLine = "\(request.method) \(request.url) \(version(request.httpVersion))"
        let statusLine = "\(version(response.httpVersion)) \(response.status) \(response.statusText)"
        return try request.rawMessage(requestLine, bodyIn: folder) + response.rawMessage(statusLine, bodyIn: folder)
    }
}

extension RecordedMessage {
    fileprivate func rawMessage(_ startLine: String, bodyIn folder: HAR.BodyFolder) throws(HARError) -> Data {
        let lines = [startLine] + headers.flatMap(\.fieldLines).map { "\($0.name): \($0.value)" } + ["", ""]
        let body = try decompressedBody(in: folder) ?? Data()
        return Data(lines.joined(separator: "\r\n").utf8) + body + Data((body.isEmpty ? "" : "\r\n").utf8)
    }
}
