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
    private let decoding: UnescapedText?

    private init(name: String, text: String) {
        self.name = name
        self.text = text
        decoding = nil
    }

    private init(name: String, decoding: UnescapedText) {
        self.name = "decoded \(name)"
        text = decoding.text
        self.decoding = decoding
    }

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
        let (request, response) = (entry.request, entry.response)
        if parts.contains(.url) { texts += urls(request.url) }
        if parts.contains(.headers) { texts += fields(request.headers, "request header") }
        // Without the header fields, the cookies in them are searched as cookies.
        let readsHeaders = !parts.contains(.headers)
        if parts.contains(.cookies) {
            let all = request.cookies.isEmpty && readsHeaders ? request.cookiesInHeaders : request.cookies
            texts += cookies(all, "request cookie", unless: texts)
        }
        if parts.contains(.body) { texts += requestBody(request, index, folder) }
        if parts.contains(.headers) { texts += fields(response.headers, "response header") }
        if parts.contains(.cookies) {
            let all = response.cookies.isEmpty && readsHeaders ? response.cookiesInHeaders : response.cookies
            texts += cookies(all, "response cookie", unless: texts)
        }
        if parts.contains(.body) { texts += responseBody(response, index, folder) }
        if parts.contains(.messages) { texts += messages(of: entry) }
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

    /// Returns the text of a URL in its percent-decoded form, or nil if nothing in it is encoded.
    static func decoded(url: String) -> String? { UnescapedText(url: url)?.text }

    private static func urls(_ url: String) -> [EntryText] {
        let written = EntryText(name: "url", text: url)
        guard let decoded = UnescapedText(url: url) else { return [written] }
        return [written, EntryText(name: "url", decoding: decoded)]
    }

    private static func fields(_ headers: [HAR.Header], _ name: String) -> [EntryText] {
        headers.map { EntryText(name: name, text: "\($0.name): \($0.value)") }
    }

    /// Returns the names and values of cookies, except those that a header field contains in the same form.
    private static func cookies(_ cookies: [HAR.Cookie], _ name: String, unless texts: [EntryText]) -> [EntryText] {
        let headers = texts.filter { $0.name == name.replacing("cookie", with: "header") }
        return cookies.map { "\($0.name)=\($0.value)" }
            .filter { cookie in !headers.contains { $0.text.contains(cookie) } }
            .map { EntryText(name: name, text: $0) }
    }

    private static func requestBody(_ request: HAR.Request, _ index: Int, _ folder: HAR.BodyFolder?) -> [EntryText] {
        let type = request.mediaType
        if isBinary(type) { return [] }
        if let text = request.recordedText { return body(text, type, "request body") }
        if let form = RecordedForm(of: request) { return parts(of: form.body, form.type, "request body") }
        guard let data = request.availableBody(in: folder, ofEntry: index) else { return [] }
        return body(data, type, "request body")
    }

    private static func responseBody(
        _ response: HAR.Response, _ index: Int, _ folder: HAR.BodyFolder?
    ) -> [EntryText] {
        let type = response.textType
        if isBinary(response.mediaType) { return [] }
        if let text = response.recordedText { return body(text, type, "response body") }
        guard let data = response.availableBody(in: folder, ofEntry: index) else { return [] }
        return body(data, type, "response body")
    }

    private static func body(_ data: Data, _ type: MediaType?, _ name: String) -> [EntryText] {
        if data.isEmpty { return [] }
        return Self.text(of: data, type: type).map { body($0, type, name) } ?? parts(of: data, type, name)
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
        let written = EntryText(name: name, text: text)
        let essence = type?.essence ?? ""
        let decoding: UnescapedText?
        if essence == "application/x-www-form-urlencoded" {
            decoding = UnescapedText(form: text)
        } else if mayBeJSON(text) || essence.hasPrefix("multipart/") {
            decoding = UnescapedText(json: text)
        } else {
            decoding = nil
        }
        return [written] + (decoding.map { [EntryText(name: name, decoding: $0)] } ?? [])
    }

    private static func mayBeJSON(_ text: String) -> Bool {
        let first = text.utf8.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"")
    }

    private static func messages(of entry: HAR.Entry) -> [EntryText] {
        entry.webSocketMessages.flatMap { message in
            guard let text = message.text else { return [] as [EntryText] }
            let name =
                switch message.direction {
                case .sent: "sent message"
                case .received: "received message"
                case .error: "error message"
                }
            return body(text, nil, name)
        }
    }
}

extension HAR.Request {
    /// The cookies in the header fields.
    fileprivate var cookiesInHeaders: [HAR.Cookie] {
        headers.filter { $0.name.lowercased() == "cookie" }.flatMap { CookieHeader.cookies(sentIn: $0.value) }
    }

    /// The media type of the body, or nil if it is missing or invalid.
    var mediaType: MediaType? {
        postData.flatMap { MediaType($0.mimeType) } ?? header("content-type").flatMap(MediaType.init)
    }

    /// The body as recorded text, or nil if it was recorded as bytes or has a declared charset.
    ///
    /// Without a declared charset, the charset of the bytes is unknown.
    var recordedText: String? {
        guard let postData, mediaType?.charset == nil, postData["encoding"] == nil, postData["_encoding"] == nil
        else { return nil }
        return postData.text.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension HAR.Response {
    /// The cookies in the header fields.
    fileprivate var cookiesInHeaders: [HAR.Cookie] {
        headers.filter { $0.name.lowercased() == "set-cookie" }.flatMap { header in
            // Some tools record several fields as one, separated by line feeds.
            header.value.split(separator: "\n").compactMap { CookieHeader.cookie(String($0), at: Date()) }
        }
    }

    /// The body as recorded text, which is already decoded, or nil if it was recorded as bytes.
    var recordedText: String? {
        content.encoding == nil ? content.text.flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    /// The media type that determines the charset of the body: the header field if it has a charset, or else
    /// ``mediaType``.
    var textType: MediaType? {
        let declared = header("content-type").flatMap(MediaType.init)
        return declared?.charset == nil ? mediaType : declared
    }
}

extension HAREntryFilter {
    /// Returns a filter for entries that contain a text.
    ///
    /// Body files that cannot be read are reported, and treated as bodies that were not captured.
    ///
    /// - Parameters:
    ///   - query: The text to search for.
    ///   - parts: The parts to search; all by default.
    ///   - folder: The folder with the archive's body files; nil for none.
    /// - Returns: A filter.
    static func containing(
        _ query: TextQuery, in parts: Set<SearchedPart> = Set(SearchedPart.allCases), bodiesIn folder: HAR.BodyFolder?
    ) -> HAREntryFilter {
        facts { facts, index throws(HARError) in
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
        if query.mayMatch(json: json, isBinary: { EntryText.isBinary(recordedMediaType) }) { return true }
        return EntryText.decoded(url: url).map(query.isContained) ?? false
    }
}
