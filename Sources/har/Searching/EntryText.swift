import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive

/// A part of an entry that can be searched.
enum SearchedPart: String, CaseIterable, Sendable, ExpressibleByArgument {
    case url
    case headers
    case cookies
    case body
    case messages
}

/// A text in an entry.
struct EntryText {
    /// The name of the text, such as `response header`.
    let name: String

    /// The text.
    let text: String

    /// The decoding of the preceding text, if this text is the result.
    private var decoding: UnescapedText?

    /// Returns the texts of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry, for the report on body files that cannot be read.
    ///   - parts: The parts to include.
    ///   - folder: The folder with the archive's body files; nil for none.
    /// - Returns: The texts, in the order of the exchange, without body files that cannot be read.
    static func texts(
        of entry: HAR.Entry, at index: Int, in parts: Set<SearchedPart>, bodiesIn folder: HAR.BodyFolder?
    ) -> [EntryText] {
        var texts: [EntryText] = []
        func add(_ message: some RecordedMessage, _ name: String) {
            var headers: [EntryText] = []
            if parts.contains(.headers) {
                headers = message.headers.map { EntryText(name: "\(name) header", text: "\($0.name): \($0.value)") }
                texts += headers
            }
            if parts.contains(.cookies) {
                // Without the header fields, the cookies in them are searched as cookies.
                let readsHeaders = message.cookies.isEmpty && !parts.contains(.headers)
                let all = readsHeaders ? message.cookiesInHeaders : message.cookies
                texts += cookies(all, "\(name) cookie", unless: headers)
            }
            if parts.contains(.body) { texts += body(of: message, index, folder, "\(name) body") }
        }
        let url = entry.request.url
        if parts.contains(.url) { texts += Self.texts("url", url, UnescapedText(url: url)) }
        add(entry.request, "request")
        add(entry.response, "response")
        for message in parts.contains(.messages) ? entry.webSocketMessages : [] {
            guard let text = message.text else { continue }
            texts += body(text, nil, "\(message.direction.rawValue) message")
        }
        return texts
    }

    /// Returns the matches in each text, except those in a decoded text that the text before it has as well.
    ///
    /// - Parameters:
    ///   - query: The text to search for.
    ///   - texts: The texts.
    ///   - limit: The maximum number of matches in each text; no limit by default.
    /// - Returns: The ranges of the matches in each text.
    /// - Throws: The errors of ``TextQuery/matches(in:limit:)``.
    static func matches(
        of query: TextQuery, in texts: [EntryText], limit: Int = .max
    ) throws(HARError) -> [[Range<String.Index>]] {
        var matches: [[Range<String.Index>]] = []
        for (index, text) in texts.enumerated() {
            var found = try query.matches(in: text.text, limit: limit)
            if let decoding = text.decoding, index > 0 {
                found = decoding.matches(found, besides: matches[index - 1])
            }
            matches.append(found)
        }
        return matches
    }

    /// Returns a text as written and decoded.
    private static func texts(_ name: String, _ text: String, _ decoding: UnescapedText?) -> [EntryText] {
        let written = EntryText(name: name, text: text)
        guard let decoding else { return [written] }
        return [written, EntryText(name: "decoded \(name)", text: decoding.text, decoding: decoding)]
    }

    /// Returns the names and values of cookies, except those that a header field contains in the same form.
    private static func cookies(_ cookies: [HAR.Cookie], _ name: String, unless headers: [EntryText]) -> [EntryText] {
        cookies.map { "\($0.name)=\($0.value)" }
            .filter { cookie in !headers.contains { $0.text.contains(cookie) } }
            .map { EntryText(name: name, text: $0) }
    }

    private static func body(
        of message: some RecordedMessage, _ index: Int, _ folder: HAR.BodyFolder?, _ name: String
    ) -> [EntryText] {
        if RecordedBody.isBinary(message.mediaType) { return [] }
        if let text = message.recordedText { return body(text, message.textType, name) }
        if let request = message as? HAR.Request, let form = RecordedForm(of: request) {
            return parts(of: form.body, form.type, name)
        }
        guard let data = message.availableBody(in: folder, ofEntry: index) else { return [] }
        return body(data, message.textType, name)
    }

    private static func body(_ data: Data, _ type: MediaType?, _ name: String) -> [EntryText] {
        if data.isEmpty { return [] }
        return RecordedBody.text(of: data, type: type).map { body($0, type, name) } ?? parts(of: data, type, name)
    }

    /// Returns the texts of the parts of a form with files, without its binary parts.
    private static func parts(of data: Data, _ type: MediaType?, _ name: String) -> [EntryText] {
        let parts = MultipartBody(data, type: type)?.parts ?? []
        return parts.flatMap { part in
            let facts = [part.name, part.fileName].compactMap { $0 }.joined(separator: " ")
            let partType = part.type.flatMap(MediaType.init)
            return [EntryText(name: name, text: facts)] + body(part.content, partType, name)
        }
    }

    /// Returns the text of a body as written and decoded.
    private static func body(_ text: String, _ type: MediaType?, _ name: String) -> [EntryText] {
        if text.utf8.contains(0) { return parts(of: Data(text.utf8), type, name) }
        let text = text.withoutByteOrderMark
        let essence = type?.essence ?? ""
        if essence == "application/x-www-form-urlencoded" { return texts(name, text, UnescapedText(form: text)) }
        let mayBeJSON = mayBeJSON(text) || essence.hasPrefix("multipart/")
        return texts(name, text, mayBeJSON ? UnescapedText(json: text) : nil)
    }

    private static func mayBeJSON(_ text: String) -> Bool {
        let first = text.utf8.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"")
    }
}

extension HAREntryFilter {
    /// Returns a filter for entries that contain a text.
    ///
    /// Body files that cannot be read are reported, and treated as bodies that were not captured.
    ///
    /// - Parameters:
    ///   - query: The text to search for.
    ///   - folder: The folder with the archive's body files; nil for none.
    /// - Returns: A filter.
    static func containing(_ query: TextQuery, bodiesIn folder: HAR.BodyFolder?) -> HAREntryFilter {
        let parts = Set(SearchedPart.allCases)
        return facts { facts, index throws(HARError) in
            guard try facts.mayContain(query) else { return false }
            let texts = try EntryText.texts(of: facts.entry, at: index, in: parts, bodiesIn: folder)
            return texts.contains { query.isContained(in: $0.text) }
        }
    }
}

extension HAREntryFacts {
    /// Returns whether the entry may contain a match.
    ///
    /// This check avoids parsing most entries.
    func mayContain(_ query: TextQuery) throws(HARError) -> Bool {
        guard let json = try text else { return true }
        return json.withUnsafeBytes { mayContain(query, json: $0) }
    }

    /// Returns whether the entry, with the given JSON text, may contain a match.
    func mayContain(_ query: TextQuery, json: UnsafeRawBufferPointer) -> Bool {
        guard let probe = query.probe else { return true }
        if probe.mayMatch(json, isBinary: { RecordedBody.isBinary(recordedMediaType) }) { return true }
        return UnescapedText(url: url).map { query.isContained(in: $0.text) } ?? false
    }
}
