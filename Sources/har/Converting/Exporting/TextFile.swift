import Foundation
import HTTPArchive

/// A file of text that appears under its name when it is whole, or standard output.
final class TextFile {
    private static let bufferSize = 1 << 16

    private let name: String
    private let handle: FileHandle

    /// Where the text stands until it is whole; `nil` for standard output.
    private let draft: URL?
    private let target: URL
    private var buffer: [UInt8] = []

    /// Begins a file.
    ///
    /// - Parameter argument: The path, or `-` for standard output.
    /// - Throws: `unwritableFile`.
    init(_ argument: String) throws(HARError) {
        // What a link leads to is replaced, and not the link.
        target = URL(fileURLWithPath: argument).resolvingSymlinksInPath()
        guard argument != "-" else {
            (name, handle, draft) = ("standard output", .standardOutput, nil)
            return
        }
        name = argument
        let draft = target.deletingLastPathComponent().appendingPathComponent(".har-\(UUID().uuidString)")
        self.draft = draft
        do {
            try Data().write(to: draft)
            handle = try FileHandle(forWritingTo: draft)
        } catch {
            throw HARError(
                .unwritableFile, "It cannot be created. \(error.localizedDescription)", at: .init(file: argument),
                underlying: error)
        }
    }

    deinit {
        if let draft { try? FileManager.default.removeItem(at: draft) }
    }

    /// Writes text.
    func write(_ text: String) throws(HARError) {
        buffer += text.utf8
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes what is held back, and gives the file its name; call it last.
    func finish() throws(HARError) {
        try flush()
        guard let draft else { return }
        guard rename(draft.path, target.path) == 0 else { throw failure(CocoaError(.fileWriteUnknown)) }
    }

    private func flush() throws(HARError) {
        do {
            try handle.write(contentsOf: Data(buffer))
        } catch {
            throw failure(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func failure(_ error: any Error) -> HARError {
        HARError(
            .unwritableFile, "It cannot be written. \(error.localizedDescription)", at: .init(file: name),
            underlying: error)
    }
}
