import ArchiveRepair
import Foundation
import HTTPArchive

/// Standard output, buffered in chunks for a pipe or a file, and line by line for a terminal.
final class StandardOutput {
    private static let bufferSize = 1 << 16

    private let handle = FileHandle.standardOutput
    private var buffer: [UInt8] = []

    /// Whether standard output is a terminal.
    let isTerminal = Terminal.isConnected(to: STDOUT_FILENO)

    /// Whether standard output is a terminal that shows colors.
    let hasColors: Bool

    /// The progress bar that is cleared before each line on a terminal.
    var progress: ReadingProgress?

    /// Creates the output.
    ///
    /// - Parameter hasColors: Whether to write colors; by default, only on a terminal that shows them.
    init(hasColors: Bool = Terminal.hasColors(STDOUT_FILENO)) {
        self.hasColors = hasColors
    }

    /// Writes bytes unchanged, including control characters.
    func write(_ bytes: some Collection<UInt8>) throws(HARError) {
        if isTerminal { progress?.clear() }
        buffer.append(contentsOf: bytes)
        if isTerminal || buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes JSON text, with its control characters escaped if the output is a terminal.
    func write(json: Data) throws(HARError) {
        try write(isTerminal ? Data(String(decoding: json, as: UTF8.self).escapingControls.utf8) : json)
    }

    /// Writes text and a line break, with control characters replaced.
    ///
    /// - Parameters:
    ///   - text: The text; empty by default.
    ///   - color: The color, as for ``colored(_:_:)``; the default color by default.
    /// - Throws: `unwritableFile`.
    func line(_ text: String = "", color: String? = nil) throws(HARError) {
        buffer.append(contentsOf: colored(text.withoutControls, color).utf8)
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Returns text in a color, or unchanged if standard output does not show colors.
    ///
    /// - Parameters:
    ///   - text: The text, without control characters.
    ///   - color: The parameters of the escape sequence that sets the color, such as `31`; nil for the default color.
    /// - Returns: The text, with escape sequences.
    func colored(_ text: String, _ color: String?) -> String {
        guard hasColors, let color else { return text }
        return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }

    /// Writes a line whose middle part can contain escape sequences, and is not text from an archive.
    func line(_ before: String, raw text: String, _ after: String) throws(HARError) {
        buffer.append(contentsOf: (before.withoutControls + text + after.withoutControls).utf8)
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Writes the buffered bytes.
    ///
    /// Call this when all output is complete.
    func flush() throws(HARError) {
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            throw HARError(
                .unwritableFile, "cannot write: \(error.fileErrorReason)",
                at: .init(file: "standard output"), underlying: error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// The terminal that the process is connected to.
enum Terminal {
    /// Whether a file descriptor is a terminal.
    static func isConnected(to descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Whether a file descriptor is a terminal that supports control sequences.
    static func hasControls(_ descriptor: Int32) -> Bool {
        isConnected(to: descriptor) && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Whether a file descriptor is a terminal that shows colors.
    ///
    /// The environment variable `NO_COLOR` disables colors unless it is empty (https://no-color.org).
    static func hasColors(_ descriptor: Int32) -> Bool {
        hasControls(descriptor) && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    }

    /// Returns the color of an entry: red for errors, yellow for redirects, and none for other responses.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - isFailed: Whether the request failed without a response.
    /// - Returns: The parameters of the escape sequence, or `nil` for the default color.
    static func color(ofStatus status: Int, isFailed: Bool) -> String? {
        if isFailed || status >= 400 { return "31" }
        return 300...399 ~= status ? "33" : nil
    }

    /// The number of columns of the terminal, or `nil` if standard output is not a terminal.
    static var width: Int? {
        var size = winsize()
        guard isConnected(to: STDOUT_FILENO), ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }
}

/// Messages on standard error.
enum StandardError {
    /// Writes a line.
    static func line(_ text: some StringProtocol) {
        StandardStreams.writeToStandardError("\(text.withoutControls)\n")
    }

    /// Writes a line, such as the summary of a command that writes files, if standard error is a terminal.
    static func notice(_ text: String) {
        if Terminal.isConnected(to: STDERR_FILENO) { line(text) }
    }

    /// Writes an error, and the command that repairs a damaged archive.
    static func error(_ error: HARError) {
        labeled("error:", "\(error)")
        guard let file = error.context.file, file != "standard input", mayBeRepaired(file, after: error) else { return }
        line("har: note: to repair a damaged archive, use: har repair \(file)".printable)
    }

    /// Whether a file may be repaired, and its error does not say so.
    private static func mayBeRepaired(_ file: String, after error: HARError) -> Bool {
        let isMentioned = ["har repair", "--broken", "cannot be repaired"].contains { error.message.contains($0) }
        guard !isMentioned, error.code == .malformedJSON || error.code == .notAnArchive else { return false }
        if error.code == .malformedJSON, error.context.pointer?.components.first == "log" { return true }
        return HARRepair.mayRepair(URL(fileURLWithPath: file))
    }

    /// Writes a line with the name of the tool and a label, which is red on a terminal with colors.
    static func labeled(_ label: String, _ message: some StringProtocol) {
        let label = Terminal.hasColors(STDERR_FILENO) ? "\u{1B}[1;31m\(label)\u{1B}[0m" : label
        StandardStreams.writeToStandardError("har: \(label) \(message.withoutControls)\n")
    }
}
