import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive

/// `har body`: writes the body of one entry.
struct BodyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "body",
        abstract: "Write the body of one entry, byte for byte.",
        discussion: """
            The body is decompressed but otherwise unchanged. A body that is stored in a separate file is read from \
            that file.

            Example: har body page.har 3 > picture.png
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Argument(help: "The index of the entry, as printed by har entries.")
    var index: Int

    @OptionGroup var sizes: SizeOptions

    @Flag(help: "Write the body of the request instead of the response.")
    var request = false

    @Flag(help: "Write to the terminal even if the body contains control characters.")
    var raw = false

    func run() throws {
        let entry = try entry()
        let message: any RecordedMessage = request ? entry.request : entry.response
        guard let data = try message.decompressedBody(in: sizes.folder(of: file)) else {
            throw HARError(
                .bodyNotCaptured,
                "the \(request ? "request" : "response") body was not captured; capture the archive again with bodies",
                at: .init(file: file.name, pointer: JSONPointer(["log", "entries", String(index)])))
        }
        let output = StandardOutput()
        if output.isTerminal, !raw { try requireHarmless(data) }
        try output.write(data)
        try output.flush()
    }

    /// Throws if the body could control the terminal.
    private func requireHarmless(_ body: Data) throws(HARError) {
        let text = String(validating: body, as: UTF8.self)?.replacing("\r\n", with: "\n")
        guard text?.unicodeScalars.contains(where: \.controlsTerminal) ?? true else { return }
        throw HARError(
            .invalidSetting,
            "the body contains control characters, which could affect the terminal; write it to a file or a pipe "
                + "(har body … > FILE), or use --raw",
            at: .init(file: file.name, pointer: JSONPointer(["log", "entries", String(index)])))
    }

    private func entry() throws(HARError) -> HAR.Entry {
        let reader = try file.reader(sizes)
        let progress = ReadingProgress(of: reader.byteCount)
        defer { progress.clear() }
        var count = 0
        while let entry = try reader.nextEntry() {
            if count == index { return entry }
            count += 1
            progress.update(reader.bytesRead)
        }
        throw HARError(entryIndex: index, count: count, file: file.name)
    }
}
