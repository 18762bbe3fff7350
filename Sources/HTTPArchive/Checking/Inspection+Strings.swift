/// The rules for every string, in custom fields too.
extension Inspection {
    /// Looks for strings that are no text.
    mutating func checkStrings() {
        for index in root.index..<root.next {
            let node = JSONNode(source: root.source, index: index)
            guard node.kind == .string || node.kind == .key, node.isLossy else { continue }
            if node.isUTF8 {
                report(
                    .warning, .loneSurrogate, at: node,
                    "The string has the escape of half a surrogate pair, which is no text; it is kept as written.")
            } else {
                report(
                    .warning, .invalidUTF8, at: node,
                    "The string has bytes that are not UTF-8, the only encoding of HAR 1.2; they are kept as written.")
            }
        }
    }
}
