/// Captures one entry of an archive.
final class EntryScanner: JSONScanner {
    private let index: Int

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - limits: The limits of the reader.
    ///   - index: The index of the entry in its archive.
    init(limits: Limits, index: Int) {
        self.index = index
        super.init(limits: limits)
    }

    /// Makes the parser stop with an error, which names the entry.
    override func stop(_ error: HARError) {
        var context = error.context
        context.pointer = pointer
        super.stop(HARError(error.code, error.message, at: context, underlying: error.underlying))
    }

    override func part(of mistake: JSONMistake) -> (title: String?, pointer: JSONPointer?) {
        ("in entry \(index)", pointer)
    }

    override func isPrintable(_ name: String) -> Bool { HAR.fieldNames.contains(name) }

    private var pointer: JSONPointer { JSONPointer(["log", "entries", String(index)]) }
}
