import ArgumentParser
import Foundation
import HTTPArchive

/// A part of an entry that can be searched.
enum SearchedPart: String, CaseIterable, Sendable, ExpressibleByArgument {
    case url
    case headers
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
    ///   - parts: The parts to include.
    ///   - folder: The folder with the archive's body files; nil for none.
    /// - Returns: The texts, in the order of the exchange.
    /// - Throws: `unreadableFile` if a body file cannot be read.
    static func texts(
        of entry: HAR.Entry, in parts: Set<SearchedPart>, bodiesIn folder: HAR.BodyFolder?
    ) throws(HARError) -> [EntryText] {
        var texts: [EntryText] = []
        let (request, response) = (entry.request, entry.response)
        if parts.contains(.url) { texts += urls(request.url) }
        if parts.contains(.headers) { texts += fields(request.headers, "request header") }
        if parts.contains(.body), let data = try folder.map(request.bodyData) ?? request.body.data {
            texts += body(data, request.mediaType, "request body")
        }
        if parts.contains(.headers) { texts += fields(response.headers, "response header") }
        if parts.contains(.body) { texts += try responseBody(response, folder) }
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

    private static func body(_ data: Data, _ type: MediaType?, _ name: String) -> [EntryText] {
        guard !data.isEmpty, !isBinary(type) else { return [] }
        let charset = type?.charset.flatMap(Charset.init(label:)) ?? .utf8
        return [EntryText(name: name, text: charset.decode(data))]
    }

    private static func responseBody(
        _ response: HAR.Response, _ folder: HAR.BodyFolder?
    ) throws(HARError) -> [EntryText] {
        let type = response.mediaType
        if isBinary(type) { return [] }
        // Text in the archive is already decoded, so it is searched unchanged.
        if let text = response.content.text, response.content.encoding == nil {
            return text.isEmpty ? [] : [EntryText(name: "response body", text: text)]
        }
        guard let data = try folder.map(response.bodyData) ?? response.body.data else { return [] }
        let label = response.header("content-type").flatMap(MediaType.init)
        return body(data, label?.charset == nil ? type : label, "response body")
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
}

extension HAREntryFilter {
    /// Returns a filter for entries that contain a text.
    ///
    /// - Parameters:
    ///   - query: The text to search for.
    ///   - parts: The parts to search; all by default.
    ///   - folder: The folder with the archive's body files; nil for none.
    /// - Returns: A filter.
    static func containing(
        _ query: TextQuery, in parts: Set<SearchedPart> = Set(SearchedPart.allCases), bodiesIn folder: HAR.BodyFolder?
    ) -> HAREntryFilter {
        facts { facts, _ throws(HARError) in
            guard try facts.mayContain(query) else { return false }
            let texts = try EntryText.texts(of: facts.entry, in: parts, bodiesIn: folder)
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
