import ArchiveInspection
import HTTPArchive

extension ExportLoss {
    /// Returns the warning about a number of these parts.
    func warning(_ count: Int, in entries: Int, of format: String) -> String {
        let entries = entries.of("entry", "entries")
        switch self {
        case .messages:
            let messages = count.of("WebSocket message", "WebSocket messages")
            return "left out \(messages) of \(entries), which the \(format) format cannot represent"
        case .repeatedFields:
            let fields = count.of("repeated header field", "repeated header fields")
            return "joined \(fields) of \(entries) with commas, because the \(format) format has one value per name"
        }
    }
}

extension HAR.Body {
    /// The end of a sentence that explains why the body is not exported.
    var missingReason: String {
        if case .file = self { "cannot be read from its file" } else { "was not captured" }
    }
}
