import CZlib
import Foundation
import HTTPArchive

/// Bodies that recordings have as they were sent, with a content coding, or without it although a header field names one.
enum ContentCoding {
    /// A body, as far as it can be decoded.
    enum Decoded {
        case bytes(Data)

        /// One in a coding that is not known here, such as `br`.
        case unknown
    }

    /// Takes codings off a body.
    ///
    /// A body that is not in the coding that it should be in was decoded by the tool that recorded it.
    ///
    /// - Parameters:
    ///   - body: The body as it was recorded.
    ///   - headers: The header fields, which name the codings (RFC 9110, section 8.4,
    ///     https://www.rfc-editor.org/rfc/rfc9110#section-8.4).
    /// - Returns: The body without its codings, where they are known.
    static func decoded(_ body: Data, headers: [HAR.Header]) -> Decoded {
        var bytes = [UInt8](body)
        let codings = headers.values(of: "content-encoding").flatMap { $0.split(separator: ",") }
        for coding in codings.reversed() {
            let name = coding.trimmingCharacters(in: .whitespaces).lowercased()
            switch name {
            case "", "identity": continue
            case "gzip", "x-gzip": bytes = gunzipped(bytes[...]) ?? bytes
            case "deflate": bytes = unzipped(bytes[...]) ?? bytes
            default:
                // What is text was decoded already: no compressed body is.
                if !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { return .unknown }
            }
        }
        return .bytes(Data(bytes))
    }

    /// The content of gzip's frames (RFC 1952, section 2.3, https://www.rfc-editor.org/rfc/rfc1952#section-2.3).
    private static func gunzipped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.count > 18, bytes.starts(with: [0x1F, 0x8B, 8]) else { return nil }
        let flags = bytes[bytes.startIndex + 3]
        var rest = bytes.dropFirst(10)
        if flags & 4 != 0 {
            guard rest.count > 2 else { return nil }
            rest = rest.dropFirst(2 + Int(rest[rest.startIndex]) + Int(rest[rest.startIndex + 1]) << 8)
        }
        for flag in [8, 16] as [UInt8] where flags & flag != 0 { rest = rest.drop { $0 != 0 }.dropFirst() }
        if flags & 2 != 0 { rest = rest.dropFirst(2) }
        return Inflater.inflated(rest)
    }

    /// The content of zlib's frame (RFC 1950), or of what has none, as some servers send it.
    private static func unzipped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        let hasFrame = first & 0xF == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
        return Inflater.inflated(hasFrame ? bytes.dropFirst(2) : bytes)
    }
}

/// Decompresses the format DEFLATE (RFC 1951, https://www.rfc-editor.org/rfc/rfc1951).
enum Inflater {
    /// The largest result, in bytes: a recording of some kilobytes could fill the memory otherwise.
    private static let sizeLimit = 1 << 30

    /// Decompresses data without a frame around it; what stands behind the data does not matter.
    ///
    /// - Returns: `nil` for what is broken, cut off, or more than 1 GiB.
    static func inflated(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        var stream = z_stream()
        guard
            inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var input = Array(data)
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while output.count <= sizeLimit {
                let (status, count) = piece.withUnsafeMutableBufferPointer { piece in
                    stream.next_out = piece.baseAddress
                    stream.avail_out = UInt32(piece.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    return (status, piece.count - Int(stream.avail_out))
                }
                output += piece[..<count]
                if status == Z_STREAM_END { return output }
                guard status == Z_OK, count > 0 || stream.avail_in > 0 else { return nil }
            }
            return nil
        }
    }
}
