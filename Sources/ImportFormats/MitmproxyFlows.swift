import Foundation
package import HTTPArchive
package import RecordingFormats

/// Flows of mitmproxy, exported as HAR.
package enum MitmproxyFlows: RecordingFormat {
    package static let name = "mitmproxy"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        isFlowFile(file) || RecordedArchive.creator(of: file)?.hasPrefix("mitmproxy") ?? false
    }

    /// Returns whether a file appears to have mitmproxy's native format, which consists of typed netstrings
    /// (https://tnetstrings.info).
    private static func isFlowFile(_ file: RecordingFile) -> Bool {
        let digits = file.data.prefix(12).prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, file.data.dropFirst(digits.count).first == UInt8(ascii: ":") else { return false }
        return file.data.prefix(64).dropFirst(digits.count + 1).contains(UInt8(ascii: ":"))
    }

    /// Returns the entries in chronological order.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location; for mitmproxy's native format, the message
    ///   contains the command that exports HAR.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        guard !isFlowFile(file) else {
            throw HARError(
                .malformedRecording,
                """
                Expected HAR, found flows in mitmproxy's native format. Export them as HAR: \
                mitmdump -nr FLOWS --set hardump=OUTPUT.har
                """,
                at: .init(file: file.name))
        }
        return try RecordedArchive(file).entries { _, _ in }
    }
}
