import Foundation
package import HTTPArchive

/// Flows of mitmproxy, by way of the HAR that it exports.
package enum MitmproxyFlows: RecordingFormat {
    package static let name = "mitmproxy"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        isFlowFile(file) || RecordedArchive.creator(of: file)?.hasPrefix("mitmproxy") ?? false
    }

    /// Whether a file begins like the ones that mitmproxy writes itself, netstrings with types
    /// (https://tnetstrings.info).
    private static func isFlowFile(_ file: RecordingFile) -> Bool {
        let digits = file.data.prefix(12).prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, file.data.dropFirst(digits.count).first == UInt8(ascii: ":") else { return false }
        return file.data.prefix(64).dropFirst(digits.count + 1).contains(UInt8(ascii: ":"))
    }

    /// The entries in the order of their times.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place; for mitmproxy's own form with the command that
    ///   makes HAR of it.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        guard !isFlowFile(file) else {
            throw HARError(
                .malformedRecording,
                """
                These are flows in mitmproxy's own form. Make HAR of them with mitmproxy, and import that: \
                mitmdump -nr FLOWS --set hardump=OUTPUT.har
                """,
                at: .init(file: file.name))
        }
        return try RecordedArchive(file).entries { _, _ in }
    }
}
