import HTTPArchive

/// A list of names in which the keys of objects are looked up.
final class JSONNameList: Sendable {
    /// The names in UTF-8, and the end of each one.
    ///
    /// They are not separate arrays, because retaining an array that several threads use takes longer than a comparison.
    private let bytes: [UInt8]
    private let ends: [Int]

    /// Creates a list.
    init(_ names: [String]) {
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        for name in names {
            bytes.append(contentsOf: name.utf8)
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
    }

    /// Returns the index of a name in UTF-8, or nil if the list does not contain it.
    ///
    /// The names differ in size or in a few bytes, so comparing them takes less time than hashing.
    fileprivate func index(of name: UnsafeRawBufferPointer) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for index in ends.indices {
                let end = ends[index]
                if end - start == name.count, bytes[from: start, to: end].hasEqualBytes(to: name) { return index }
                start = end
            }
            return nil
        }
    }
}

extension JSONSource {
    /// Returns the index of a key or string in a list of names, or nil if the list does not contain it.
    func index(ofKey key: Int, in names: JSONNameList) -> Int? {
        let plain = bytes.withUnsafeBytes { text in Self.plainText(of: tokens[key], in: text).map(names.index) }
        if let plain { return plain }
        return JSONNode(source: self, index: key).string.text.withUTF8Bytes { names.index(of: $0) }
    }
}
