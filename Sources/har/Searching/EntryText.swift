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
        if parts.contains(.cookies) { texts += cookies(request.cookies, "request cookie", unless: texts) }
        if parts.contains(.body) { texts += requestBody(request, index, folder) }
        if parts.contains(.headers) { texts += fields(response.headers, "response header") }
        if parts.contains(.cookies) { texts += cookies(response.cookies, "response cookie", unless: texts) }
        if parts.contains(.body) { texts += responseBody(response, index, folder) }
        if parts.contains(.messages) { texts += messages(of: entry) }
        return texts
    }

    /// Whether a response body of a media type is binary and therefore not searched.
    static func isBinary(_ type: MediaType?) -> Bool {
        guard let essence = type?.essence, !essence.hasSuffix("+xml") else { return false }
        return ["image/", "font/", "audio/", "video/"].contains(where: essence.hasPrefix)
    }

    private static func urls(_ url: String) -> [EntryText] {
        let decoded = url.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decoded(url[...].utf8) : url
        let written = EntryText(name: "url", text: url)
        return decoded == url ? [written] : [written, EntryText(name: "decoded url", text: decoded)]
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
        let (type, name) = (request.mediaType, "request body")
        if isBinary(type) { return [] }
        if let text = request.recordedText { return [EntryText(name: name, text: text)] }
        guard let data = request.availableBody(in: folder, ofEntry: index) else { return [] }
        return body(data, type, name)
    }

    private static func body(_ data: Data, _ type: MediaType?, _ name: String) -> [EntryText] {
        guard !data.isEmpty, !isBinary(type) else { return [] }
        let charset = type?.charset.flatMap(Charset.init(label:)) ?? .utf8
        return [EntryText(name: name, text: charset.decode(data).withoutByteOrderMark)]
    }

    private static func responseBody(
        _ response: HAR.Response, _ index: Int, _ folder: HAR.BodyFolder?
    ) -> [EntryText] {
        if isBinary(response.mediaType) { return [] }
        let name = "response body"
        if let text = response.recordedText { return [EntryText(name: name, text: text.withoutByteOrderMark)] }
        guard let data = response.availableBody(in: folder, ofEntry: index) else { return [] }
        return body(data, response.textType, name)
    }

    /// Returns the WebSocket messages, as Chromium and Playwright record them.
    private static func messages(of entry: HAR.Entry) -> [EntryText] {
        (entry["_webSocketMessages"]?.array ?? []).compactMap { message in
            guard let text = message["data"]?.text, message["opcode"]?.int != 2 else { return nil }
            let name = message["type"]?.text == "send" ? "sent message" : "received message"
            return EntryText(name: name, text: text)
        }
    }
}

extension HAR.Request {
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
        return url.utf8.contains(UInt8(ascii: "%")) && query.isContained(in: PercentEncoding.decoded(url[...].utf8))
    }
}
