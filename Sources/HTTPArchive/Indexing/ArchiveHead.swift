/// The text of a file up to its entries.
struct ArchiveHead {
    private static let pieceSize = 1 << 12

    /// How far into a file entries are looked for.
    private static let maximumSize = 1 << 24

    /// The text, with the opening bracket of `entries` at its end.
    let bytes: [UInt8]

    /// Reads the head of a file; `nil` when there are no entries near its start.
    init?(of file: InputFile, size: Int, limits: JSONScanner.Limits) throws(HARError) {
        let finder = HARDecoder(limits: limits, file: nil, countsLines: false)
        var bytes: [UInt8] = []
        while bytes.count < min(size, Self.maximumSize) {
            let piece = try file.bytes(in: bytes.count..<min(bytes.count + Self.pieceSize, size))
            bytes += piece
            piece.withUnsafeBytes { finder.feed($0) }
            while let event = try? finder.next() {
                guard event == .beginEntries, let place = finder.eventOffset else { continue }
                self.bytes = [UInt8](bytes[...place])
                return
            }
        }
        return nil
    }
}
