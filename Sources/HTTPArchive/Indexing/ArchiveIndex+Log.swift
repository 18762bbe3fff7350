extension ArchiveIndex {
    private static let pieceSize = 1 << 18

    /// Parses everything of a file but its entries, as if nothing stood between the brackets of `entries`.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - size: Its size.
    ///   - place: What stands between the brackets; empty, at 0, when there are none.
    ///   - closing: What is to be put behind a file that is broken off; `nil` by default, for one that is whole.
    ///   - limits: The limits for the parser.
    /// - Returns: `nil` when something is wrong, or the brackets are somewhere else: the file is to be parsed whole.
    /// - Throws: `unreadableFile`.
    static func log(
        of file: InputFile, size: Int, around place: Range<Int>, closing: String? = nil, limits: JSONScanner.Limits
    ) throws(HARError) -> HAR.Log? {
        let decoder = HARDecoder(limits: limits, file: nil, countsLines: false)
        var brackets: [Int] = []
        for part in [0..<place.lowerBound, place.upperBound..<size] {
            var start = part.lowerBound
            while start < part.upperBound {
                let piece = try file.bytes(in: start..<min(start + pieceSize, part.upperBound))
                piece.withUnsafeBytes { decoder.feed($0) }
                start += piece.count
                guard follow(decoder, &brackets) else { return nil }
            }
            if part.upperBound == place.lowerBound { decoder.skip(place.count) }
        }
        Array((closing ?? "").utf8).withUnsafeBytes { decoder.feed($0) }
        decoder.finish()
        guard follow(decoder, &brackets) else { return nil }
        let expected = place.upperBound == 0 ? [] : [place.lowerBound - 1, place.upperBound]
        return brackets == expected || closing != nil ? decoder.log : nil
    }

    /// Takes the events that are complete; `false` when there is an entry or an error among them.
    private static func follow(_ decoder: HARDecoder, _ brackets: inout [Int]) -> Bool {
        do {
            while let event = try decoder.next() {
                switch event {
                case .beginEntries, .endEntries: brackets += decoder.eventOffset.map { [$0] } ?? []
                case .entry, .stray: return false
                case .beginLog, .endLog, .field: break
                }
            }
            return true
        } catch {
            return false
        }
    }
}
