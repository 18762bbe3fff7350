package import Foundation
package import HTTPArchive

/// The kind of a body.
package enum BodyKind: String, CaseIterable, Sendable {
    case empty
    case json = "JSON"
    case html = "HTML"
    case xml = "XML"
    case svg = "an SVG image"
    case script = "a script"
    case styles = "a style sheet"
    case events = "an event stream"
    case form = "a form"
    case text = "text"
    case png = "a PNG image"
    case jpeg = "a JPEG image"
    case gif = "a GIF image"
    case webp = "a WebP image"
    case avif = "an AVIF image"
    case pdf = "a PDF document"
    case archive = "a compressed file"
    case font = "a font"
    case binary = "binary data"

    /// Determines the kind of a body that is not JSON.
    ///
    /// - Parameters:
    ///   - start: The first bytes, after content codings are removed; 64 suffice.
    ///   - type: The media type, or nil if it is unknown.
    init(of start: [UInt8], type: MediaType?) {
        let essence = type?.essence ?? ""
        if start.isEmpty {
            self = .empty
        } else if let kind = FileSignature.mediaType(of: start).flatMap({ Self.formats[$0] })
            ?? Self.kinds.first(where: { essence.hasSuffix($0.suffix) })?.kind
        {
            self = kind
        } else {
            let text = String(decoding: start, as: UTF8.self).lowercased().drop(while: \.isWhitespace)
            if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
                self = .html
            } else if text.hasPrefix("<?xml") {
                self = text.contains("<svg") ? .svg : .xml
            } else if text.hasPrefix("<svg") {
                self = .svg
            } else {
                let isText = start.allSatisfy { $0 >= 0x20 || 0x09...0x0D ~= $0 || $0 == 0x1B }
                self = type?.isText == true || isText && !essence.hasPrefix("image/") ? .text : .binary
            }
        }
    }

    /// The kinds of file formats that their first bytes determine, by media type.
    private static let formats: [String: BodyKind] = [
        "image/png": .png, "image/jpeg": .jpeg, "image/gif": .gif, "image/webp": .webp, "image/avif": .avif,
        "application/pdf": .pdf, "application/zip": .archive, "application/gzip": .archive, "font/woff": .font,
        "font/woff2": .font,
    ]

    /// The kinds of media types, by their suffix.
    private static let kinds: [(suffix: String, kind: BodyKind)] = [
        ("/html", .html), ("xhtml+xml", .html), ("svg+xml", .svg), ("/xml", .xml), ("+xml", .xml),
        ("javascript", .script), ("ecmascript", .script), ("/css", .styles), ("/event-stream", .events),
        ("form-urlencoded", .form),
    ]
}

/// The kind of a body, and its value if it is JSON.
package struct ShapedBody {
    /// The kind.
    package let kind: BodyKind

    /// The value, or nil if the body is not JSON.
    let value: JSONNode?

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - data: The bytes, after content codings are removed.
    ///   - type: The media type, or nil if it is unknown.
    package init(_ data: some RandomAccessCollection<UInt8> & ContiguousBytes, type: MediaType?) {
        if Self.mayBeJSON(data, type: type), let source = Self.parsed(data) {
            kind = .json
            value = source.root
        } else {
            kind = BodyKind(of: [UInt8](data.prefix(512)), type: type)
            value = nil
        }
    }

    /// Creates a body that is not JSON from its first bytes.
    init(start: [UInt8], type: MediaType?) {
        kind = BodyKind(of: start, type: type)
        value = nil
    }

    /// Whether a body can be JSON, judging by its media type and first bytes.
    static func mayBeJSON(_ start: some Sequence<UInt8>, type: MediaType?) -> Bool {
        if type?.essence.hasSuffix("json") == true { return true }
        let first = start.first { $0 != 0x20 && !(0x09...0x0D ~= $0) && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Parses JSON after a byte order mark, or after a prefix that prevents its use as a script, such as `)]}',`.
    ///
    /// The text is parsed without yajl, because shapes need its tokens only.
    private static func parsed(_ data: some RandomAccessCollection<UInt8> & ContiguousBytes) -> JSONSource? {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return parsed([UInt8](data.dropFirst(3))) }
        if data.starts(with: Array(")]}'".utf8)), let line = data.firstIndex(of: 0x0A) {
            return parsed([UInt8](data[line...]))
        }
        return try? JSONSource.parsing(data, with: .sections)
    }
}
