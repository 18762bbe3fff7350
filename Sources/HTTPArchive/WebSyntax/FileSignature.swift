/// The first bytes of file formats.
package enum FileSignature {
    /// The media types of formats, with bytes that files in the format have at an offset.
    private static let signatures: [(type: String, offset: Int, bytes: [UInt8])] = [
        ("image/png", 0, [0x89, 0x50, 0x4E, 0x47]), ("image/jpeg", 0, [0xFF, 0xD8, 0xFF]),
        ("image/gif", 0, Array("GIF8".utf8)), ("image/webp", 8, Array("WEBP".utf8)),
        ("image/avif", 4, Array("ftypavif".utf8)), ("image/bmp", 0, Array("BM".utf8)),
        ("image/x-icon", 0, [0, 0, 1, 0]), ("font/woff2", 0, Array("wOF2".utf8)), ("font/woff", 0, Array("wOFF".utf8)),
        ("font/otf", 0, Array("OTTO".utf8)), ("font/ttf", 0, [0, 1, 0, 0]),
        ("application/pdf", 0, Array("%PDF-".utf8)), ("application/zip", 0, Array("PK\u{3}\u{4}".utf8)),
        ("application/gzip", 0, [0x1F, 0x8B]),
    ]

    /// Returns the media type of a file, or nil if its format is unknown.
    ///
    /// Text can begin with some of these signatures.
    ///
    /// - Parameter start: The first bytes of the file.
    /// - Returns: The media type, without parameters.
    package static func mediaType(of start: some Collection<UInt8>) -> String? {
        signatures.first { start.dropFirst($0.offset).starts(with: $0.bytes) }?.type
    }
}
