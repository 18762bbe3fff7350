package import Foundation

extension HARRedactor {
    /// A body without secrets.
    ///
    /// - Parameters:
    ///   - body: The bytes, free of content codings.
    ///   - mediaType: The media type with its parameters; `nil` when it is unknown, and the body is looked at.
    /// - Returns: The same bytes where there are none.
    /// - Complexity: O(*n*) in the size of the body.
    package func redacted(body: Data, mediaType: String?) -> Data {
        let edits = edits(in: body, mediaType)
        return edits.isEmpty ? body : body.withUnsafeBytes { Data(edits.applied(to: $0)) }
    }

    /// Writes a body without secrets piece by piece, without a copy of it; for one that is mapped from a file.
    ///
    /// - Parameters:
    ///   - body: The bytes, free of content codings.
    ///   - mediaType: The media type with its parameters; `nil` when it is unknown, and the body is looked at.
    ///   - write: Takes the pieces, in order.
    /// - Throws: What `write` throws.
    package func redact(body: Data, mediaType: String?, into write: (Data) throws -> Void) throws {
        var place = 0
        for edit in edits(in: body, mediaType) {
            if edit.range.lowerBound > place { try write(body.slice(place..<edit.range.lowerBound)) }
            try write(Data(edit.replacement))
            place = edit.range.upperBound
        }
        if place < body.count { try write(body.slice(place..<body.count)) }
    }

    /// The edits of both passes: a second one finds what the first has learned, and all that the first found.
    private func edits(in body: Data, _ mediaType: String?) -> [TextEdit] {
        body.withUnsafeBytes { bytes in
            var first = Redaction(rules)
            let edits = first.bodyEdits(in: bytes, as: mediaType)
            if first.learned.isEmpty { return edits }
            var learned = rules.known
            learned.formUnion(first.learned)
            var second = Redaction(rules, repeated: learned)
            return second.bodyEdits(in: bytes, as: mediaType)
        }
    }
}

extension Data {
    /// A part by places counted from 0, which shares the bytes.
    fileprivate func slice(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
