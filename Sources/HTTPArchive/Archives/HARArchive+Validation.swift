import Dispatch
import Synchronization

extension HARArchive {
    /// The approximate size of a block of entries that are validated together, in bytes.
    private static let validationSize = 1 << 20

    /// Validates the text of every entry, using all processors.
    ///
    /// Opening an archive validates the text around the entries, but not the entries themselves.
    ///
    /// - Throws: `malformedJSON` for the first broken entry, and the other errors of ``entry(at:)``.
    /// - Complexity: O(*n*) in the size of the file.
    public func validate() throws(HARError) {
        if let index = firstInvalidIndex() { _ = try entry(at: index) }
    }

    /// Returns the index of the first entry that cannot be read, or nil if every entry is valid.
    ///
    /// - Complexity: O(*n*) in the size of the file.
    package func firstInvalidIndex() -> Int? { validate { _, _ in false }.firstInvalid }

    /// Validates every entry, and selects entries by their text, using all processors.
    ///
    /// - Parameter isSelected: A closure that receives the index of an entry and its JSON text, which might be invalid.
    ///   It is called on any thread, and not for every entry after an invalid one.
    /// - Returns: The indices of the selected entries before the first invalid one, in ascending order, and the index of
    ///   the first entry that cannot be read, or nil if every entry is valid.
    /// - Complexity: O(*n*) in the size of the file.
    package func validate(
        selecting isSelected: @Sendable (_ index: Int, _ text: UnsafeRawBufferPointer) -> Bool
    ) -> (selected: [Int], firstInvalid: Int?) {
        let blocks = validationBlocks
        let next = Atomic(0)
        let first = Mutex(Int.max)
        let selected = Mutex([[Int]](repeating: [], count: blocks.count))
        DispatchQueue.concurrentPerform(iterations: min(16, blocks.count)) { _ in
            var validator = JSONValidator(depth: limits.depth)
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < blocks.count, blocks[number].lowerBound < first.withLock({ $0 }) else { return }
                let block = blocks[number]
                // If the text cannot be read, the full parser reports the error.
                let text = try? text(of: block)
                let indices = text.map { select(in: block, $0, isSelected) } ?? Array(block)
                if !indices.isEmpty { selected.withLock { $0[number] = indices } }
                if let text, text.withUnsafeBytes({ validator.objectCount(of: $0) }) == block.count { continue }
                // The block contains malformed text or values that are not entries. The full parser finds the error.
                if let index = block.first(where: { (try? entry(at: $0)) == nil }) {
                    return first.withLock { $0 = min($0, index) }
                }
                validator = JSONValidator(depth: limits.depth)
            }
        }
        let invalid = first.withLock { $0 == .max ? nil : $0 }
        let indices = selected.withLock { $0.joined().prefix { $0 < invalid ?? .max } }
        return (Array(indices), invalid)
    }

    /// The indices of the entries, in blocks of similar size.
    private var validationBlocks: [Range<Int>] {
        var blocks: [Range<Int>] = []
        var start = 0
        for index in 0..<count {
            let size = byteRange(at: index).upperBound - byteRange(at: start).lowerBound
            guard size >= Self.validationSize || index == count - 1 else { continue }
            blocks.append(start..<index + 1)
            start = index + 1
        }
        return blocks
    }

    /// Reads the text of a block: its entries and the commas between them.
    private func text(of block: Range<Int>) throws(HARError) -> [UInt8] {
        let start = byteRange(at: block.lowerBound).lowerBound
        return try file.bytes(in: start..<max(start, byteRange(at: block.upperBound - 1).upperBound))
    }

    /// Returns the indices of the selected entries of a block.
    private func select(
        in block: Range<Int>, _ text: [UInt8], _ isSelected: (Int, UnsafeRawBufferPointer) -> Bool
    ) -> [Int] {
        let start = byteRange(at: block.lowerBound).lowerBound
        return text.withUnsafeBytes { text in
            block.filter { index in
                let range = byteRange(at: index)
                return isSelected(index, text[from: range.lowerBound - start, to: range.upperBound - start])
            }
        }
    }

    /// Validates the text of an entry.
    ///
    /// - Parameters:
    ///   - text: The text, as returned by ``text(at:)``.
    ///   - index: The index of the entry, which must be less than ``count``.
    /// - Throws: The errors of ``entry(at:)``.
    package func validate(_ text: [UInt8], at index: Int) throws(HARError) {
        if text.withUnsafeBytes({ JSONValidator(depth: limits.depth).objectCount(of: $0) }) == 1 { return }
        // The full parser throws a detailed error.
        _ = try entry(at: index, from: text)
    }

    /// Returns the text of an entry as stored in the file, after validating it.
    ///
    /// Whitespace that JSON does not allow is replaced with spaces.
    ///
    /// - Parameters:
    ///   - index: The index of the entry.
    ///   - validator: A validator that is reused for several entries and replaced after a failure.
    /// - Returns: The text.
    /// - Throws: The errors of ``entry(at:)``.
    func text(at index: Int, validatedBy validator: inout JSONValidator?) throws(HARError) -> [UInt8] {
        let current = validator.flatMap { $0.depth == limits.depth ? $0 : nil } ?? JSONValidator(depth: limits.depth)
        validator = current
        let bytes = try text(at: index)
        if bytes.withUnsafeBytes({ current.objectCount(of: $0) }) != 1 {
            validator = nil
            // The full parser throws a detailed error.
            _ = try entry(at: index)
        }
        return JSONText.withoutOtherWhitespace(bytes)
    }
}
