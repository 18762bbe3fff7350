import Foundation
import HTTPArchive

/// The only definition of binary bodies, for all commands that show, search or compare bodies.
extension EntryText {
    /// The top-level types whose bodies are binary.
    private static let binaryTypes = [
        "image/", "font/", "audio/", "video/", "application/font-", "application/x-font-",
    ]

    /// The suffixes of subtypes whose bodies are binary.
    private static let binarySuffixes = [
        "+zip", "+gzip", "+cbor", "+proto", "+protobuf", "+msgpack", "+wasm", "+thrift",
    ]

    /// Other media types whose bodies are binary, even if their first bytes are text.
    private static let binaryEssences: Set = [
        "application/cbor", "application/gzip", "application/java-archive", "application/grpc", "application/grpc-web",
        "application/msgpack", "application/pdf", "application/protobuf", "application/vnd.google.protobuf",
        "application/vnd.ms-fontobject", "application/vnd.msgpack", "application/vnd.rar", "application/wasm",
        "application/x-7z-compressed", "application/x-bzip2", "application/x-gzip", "application/x-msgpack",
        "application/x-protobuf", "application/x-shockwave-flash", "application/x-tar", "application/x-xz",
        "application/x-zip-compressed", "application/zip", "application/zstd",
    ]

    /// Returns whether bodies of a media type are binary, regardless of their content.
    static func isBinary(_ type: MediaType?) -> Bool {
        guard let essence = type?.essence, !essence.hasSuffix("+xml") else { return false }
        return binaryTypes.contains(where: essence.hasPrefix) || binarySuffixes.contains(where: essence.hasSuffix)
            || binaryEssences.contains(essence)
    }

    /// Returns the text of a body, or nil if the body is binary: because of its media type, or because the bytes are not
    /// text in the charset of the body, or contain U+0000.
    ///
    /// - Parameters:
    ///   - body: The bytes, after content codings are removed.
    ///   - type: The media type; nil if it is unknown.
    /// - Returns: The text, with the byte order mark if there is one.
    static func text(of body: Data, type: MediaType?) -> String? {
        if isBinary(type) { return nil }
        guard let charset = Charset.charset(of: body, type: type) else { return nil }
        let text = charset == .utf8 ? String(decoding: body, as: UTF8.self) : charset.decode(body)
        return text.utf8.contains(0) ? nil : text
    }
}
