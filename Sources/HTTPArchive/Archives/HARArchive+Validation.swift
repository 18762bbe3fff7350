import Dispatch
import Synchronization

extension HARArchive {
    /// The size of the text that is validated at once, in bytes.
    private static let validationSize = 1 << 20

    /// Validates the text of every entry, on all processors.
    ///
    /// Opening an archive validates what is around the entries, and not the entries themselves.
    ///
    /// - Throws: `malformedJSON` for the first broken entry, and otherwise as ``entry(at:)`` does.
    /// - Complexity: O(*n*) in the size of the file.
    public func validate() throws(HARError) {
        if let index = firstInvalidIndex() { _ = try entry(at: index) }
    }

    /// Returns the index of the first entry that cannot be read; `nil` where every entry is valid.
    ///
    /// - Complexity: O(*n*) in the size of the file.
    package func firstInvalidIndex() -> Int? {
        let blocks = validationBlocks
        let next = Atomic(0)
        let first = Mutex(Int.max)
        DispatchQueue.concurrentPerform(iterations: min(16, blocks.count)) { _ in
            var validator = JSONValidator(depth: limits.depth)
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < blocks.count, blocks[number].lowerBound < first.withLock({ $0 }) else { return }
                if isValid(blocks[number], validator) { continue }
                // The block has broken text or values other than entries. The complete parser finds out which.
                if let index = blocks[number].first(where: { (try? entry(at: $0)) == nil }) {
                    return first.withLock { $0 = min($0, index) }
                }
                validator = JSONValidator(depth: limits.depth)
            }
        }
        return first.withLock { $0 == .max ? nil : $0 }
    }

    /// The indices of the entries, in blocks of about the same size.
    private var validationBlocks: [Range<Int>] {
        var blocks: [Range<Int>] = []
        var start = 0
        for index in 0..<count {
            let size = indexed.table.byteRange(at: index).upperBound - indexed.table.byteRange(at: start).lowerBound
            guard size >= Self.validationSize || index == count - 1 else { continue }
            blocks.append(start..<index + 1)
            start = index + 1
        }
        return blocks
    }

    /// Whether a block holds its entries, with commas between them, and nothing else.
    private func isValid(_ block: Range<Int>, _ validator: JSONValidator) -> Bool {
        let start = indexed.table.byteRange(at: block.lowerBound).lowerBound
        let end = indexed.table.byteRange(at: block.upperBound - 1).upperBound
        guard start < end, let text = try? file.bytes(in: start..<end) else { return false }
        return text.withUnsafeBytes { validator.objectCount(of: $0) } == block.count
    }

    /// Returns the text of an entry as the file has it, after validating it.
    ///
    /// Spaces replace white space that JSON does not have.
    ///
    /// - Parameters:
    ///   - index: The index of the entry.
    ///   - validator: A validator for the entries that are copied, which is replaced where it fails.
    /// - Returns: The text.
    /// - Throws: As ``entry(at:)`` does.
    func text(at index: Int, validatedBy validator: inout JSONValidator?) throws(HARError) -> [UInt8] {
        let current = validator.flatMap { $0.depth == limits.depth ? $0 : nil } ?? JSONValidator(depth: limits.depth)
        validator = current
        let bytes = try file.bytes(in: indexed.table.byteRange(at: index))
        if bytes.withUnsafeBytes({ current.objectCount(of: $0) }) != 1 {
            validator = nil
            // The complete parser says what is wrong.
            _ = try entry(at: index)
        }
        return JSONText.withoutOtherWhitespace(bytes)
    }
}
