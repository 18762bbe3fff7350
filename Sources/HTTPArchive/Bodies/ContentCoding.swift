package import Foundation

/// Decodes recorded bodies that have content codings.
///
/// Some tools store a decoded body but keep its `Content-Encoding` field.
package enum ContentCoding {
    /// The result of decoding a body.
    package enum Decoded {
        /// The decoded body.
        case bytes(Data)

        /// The body has a coding that cannot be removed, such as `br` without the module `CompressedArchives`.
        case unsupported
    }

    /// Decodes a body.
    ///
    /// A body without the named coding is returned unchanged, because the recording tool has already decoded it.
    ///
    /// - Parameters:
    ///   - body: The recorded body.
    ///   - headers: The header fields, which name the codings (RFC 9110, section 8.4,
    ///     https://www.rfc-editor.org/rfc/rfc9110#section-8.4).
    ///   - limit: The maximum size of the decoded body, in bytes; 100 MB by default and at most.
    /// - Returns: The decoded body, or `unsupported`.
    /// - Throws: `limitExceeded` if the decoded body is larger than the limit.
    package static func decoded(
        _ body: Data, headers: [HAR.Header], upTo limit: Int = greatestSize
    ) throws(HARError) -> Decoded {
        let sizeLimit = min(limit, greatestSize)
        var bytes = [UInt8](body)
        let fields = headers.filter { $0.name.lowercased() == "content-encoding" }
        let codings = fields.flatMap { $0.value.split(separator: ",").map(String.init) }
        for coding in codings.reversed() {
            let name = coding.trimming(.whitespaces).lowercased()
            switch name {
            case "", "identity": continue
            case "gzip", "x-gzip": bytes = try inflated(contentOfGzip(bytes[...]), sizeLimit) ?? bytes
            case "deflate":
                let content = contentOfZlib(bytes[...])
                // Data without a frame has no signature. Other bytes can begin like it, but hardly end like it.
                bytes = try inflated(content, sizeLimit, mayHaveTrailer: content?.count != bytes.count) ?? bytes
            default:
                if let decompressed = try decompressed(bytes, name, sizeLimit) {
                    bytes = decompressed
                    continue
                }
                // Compressed data is hardly ever valid UTF-8, so a body that is valid UTF-8 has already been decoded by
                // the tool.
                if !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { return .unsupported }
            }
        }
        return .bytes(Data(bytes))
    }

    /// Decompresses a body with a format that was added to ``CompressionFormats``, or returns nil if the format was not
    /// added or if the body does not have it.
    private static func decompressed(
        _ body: [UInt8], _ coding: String, _ sizeLimit: Int
    ) throws(HARError) -> [UInt8]? {
        let fileExtension = coding == "zstd" ? "zst" : coding
        guard let format = CompressionFormats.all.first(where: { $0.fileExtension == fileExtension }) else {
            return nil
        }
        let source = CompressedSource(.data(Data(body)), name: coding, sizeLimit: sizeLimit)
        let decompressor = format.decompressor(of: source)
        var content: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        do throws(HARError) {
            while true {
                let count = try decompressor.read(into: chunk)
                // A short body that is not compressed can look like the empty stream.
                if count == 0 { return content.isEmpty && body.count > 16 ? nil : content }
                content += chunk[..<count]
            }
        } catch {
            if error.code == .limitExceeded { throw tooLarge(error.code, sizeLimit) }
            return nil
        }
    }

    /// Decompresses raw DEFLATE data, and adds advice to the error for a body that is too large.
    ///
    /// The checksum is not verified. It may be missing, or wrong if the recording was edited.
    private static func inflated(
        _ bytes: ArraySlice<UInt8>?, _ sizeLimit: Int, mayHaveTrailer: Bool = true
    ) throws(HARError) -> [UInt8]? {
        guard let bytes else { return nil }
        do throws(HARError) {
            return try Deflate.inflated(bytes, .raw, sizeLimit: sizeLimit, mayHaveTrailer: mayHaveTrailer)
        } catch {
            throw tooLarge(error.code, sizeLimit)
        }
    }

    private static func tooLarge(_ code: HARError.Code, _ sizeLimit: Int) -> HARError {
        HARError(
            code,
            "A decompressed body is larger than \(sizeLimit) bytes. Remove the body from the recording, or store it uncompressed."
        )
    }

    /// Returns the compressed content of a gzip member (RFC 1952, section 2.3,
    /// https://www.rfc-editor.org/rfc/rfc1952#section-2.3).
    private static func contentOfGzip(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count > 18, bytes.starts(with: [0x1F, 0x8B, 8]) else { return nil }
        let flags = bytes[bytes.startIndex + 3]
        var rest = bytes.dropFirst(10)
        if flags & 4 != 0 {
            guard rest.count > 2 else { return nil }
            rest = rest.dropFirst(2 + Int(rest[rest.startIndex]) + Int(rest[rest.startIndex + 1]) << 8)
        }
        for flag in [8, 16] as [UInt8] where flags & flag != 0 { rest = rest.drop { $0 != 0 }.dropFirst() }
        return flags & 2 != 0 ? rest.dropFirst(2) : rest
    }

    /// Returns the compressed content of a zlib stream (RFC 1950), or raw DEFLATE data, which some servers send.
    private static func contentOfZlib(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        let hasFrame = first & 0xF == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
        return hasFrame ? bytes.dropFirst(2) : bytes
    }

    /// The maximum size of a decoded body in bytes, which prevents a small recording from exhausting memory.
    package static let greatestSize = 100_000_000
}
