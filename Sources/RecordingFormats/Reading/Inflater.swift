import CZlib

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
