import Foundation

/// Temporary copies of input that can be read only once.
package enum Spool {
    /// Creates an empty file in the folder for temporary files.
    ///
    /// - Parameter name: The name of the input, for errors.
    /// - Returns: The file.
    /// - Throws: `unwritableFile`.
    package static func file(for name: String) throws(HARError) -> TemporaryFile {
        let folder = FileManager.default.temporaryDirectory
        guard let file = TemporaryFile(nextTo: folder.appendingPathComponent("har").path) else { throw failure(name) }
        return file
    }

    /// Copies input to the end of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The name of the input, for errors.
    ///   - read: A closure that reads the next bytes into a buffer and returns their number, or 0 at the end.
    /// - Returns: The number of copied bytes.
    /// - Throws: `unwritableFile`; the errors of `read`.
    package static func copy(
        to file: TemporaryFile, named name: String,
        from read: (UnsafeMutableRawBufferPointer) throws(HARError) -> Int
    ) throws(HARError) -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        let calls = FileSystemCalls.current
        var total = 0
        while case let count = try read(buffer), count > 0 {
            let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard calls.appendAll(part, to: file.descriptor) else { throw failure(name) }
            total += count
        }
        return total
    }

    private static func failure(_ name: String) -> HARError {
        let folder = FileManager.default.temporaryDirectory
        return HARError(
            .unwritableFile,
            "The archive cannot be copied to \(folder.path): \(SystemError.reason(ofOutput: true)) Set TMPDIR to "
                + "another folder.",
            at: .init(file: name))
    }
}
