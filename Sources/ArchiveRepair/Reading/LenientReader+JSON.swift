import HTTPArchive

extension LenientReader {
    /// Returns a value as JSON.
    ///
    /// - Parameter value: A value that could be read.
    /// - Returns: The value and its text, or nil if the file was changed.
    /// - Throws: `unreadableFile`.
    func json(_ value: Value) throws(HARError) -> (value: JSONValue, text: LenientText)? {
        guard let text = LenientScanner.strict(try file.bytes(in: value.range), limits: limits),
            let source = try? JSONSource.parsing(text.bytes, limits: limits)
        else { return nil }
        return (source.root.value, text)
    }

    /// Returns the error for a value that exceeds a limit, or nil.
    func limitError(_ value: Value) -> HARError? {
        switch value.failure {
        case .tooLarge: limits.tooLarge(at: .init(file: file.name, byteOffset: value.range.lowerBound))
        case .tooDeep: limits.tooDeep(at: .init(file: file.name, byteOffset: value.range.upperBound))
        default: nil
        }
    }
}
