import Foundation

extension JSONScanner {
    /// Parses the next chunk, which is borrowed only for this call.
    ///
    /// - Throws: `malformedJSON` with the offset (and the line and column if the scanner counts lines),
    ///   `limitExceeded`, or another error from the scanner.
    final func feed(_ chunk: UnsafeRawBufferPointer) throws(HARError) {
        guard !chunk.isEmpty else { return }
        beginChunk(chunk)
        var rest = chunk
        while !rest.isEmpty {
            let part = rest[from: 0, to: min(JSONParser.partSize, rest.count)]
            let start = chunkStart + chunk.count - rest.count
            let isValid = parser.parse(part)
            takeTokens(of: start)
            if failure == nil, !isValid { throw mistake() }
            checkSize(upTo: start + part.count)
            if let failure { throw failure }
            rest = rest[from: part.count]
        }
        endChunk()
        if let failure { throw failure }
    }

    /// Parses the next chunk.
    ///
    /// - Throws: The same errors as for a borrowed buffer.
    final func feed(_ chunk: some ContiguousBytes) throws(HARError) {
        try chunk.withUnsafeBytes { bytes in Result { () throws(HARError) in try feed(bytes) } }.get()
    }

    /// Finishes parsing at the end of the document.
    ///
    /// - Throws: `malformedJSON` if the document is incomplete.
    final func finish() throws(HARError) {
        let isValid = parser.finish()
        takeTokens(of: chunkStart)
        if let failure { throw failure }
        guard isValid, pendingSize == 0 else { throw mistake() }
    }
}
