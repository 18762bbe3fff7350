import Foundation
package import HTTPArchive
package import RecordingFormats

/// The formats from which `har import` makes an archive.
package enum ImportFormats {
    /// All formats, in the order in which messages list them.
    package static let all: [any RecordingFormat.Type] =
        RecordingFormats.all + [
            InnernetConsole.self, VCRCassette.self, VCRPyCassette.self, PollyRecording.self, WireMockMappings.self,
            ReplayArchive.self, MitmproxyFlows.self,
        ]
}

/// Archives written by other tools.
enum RecordedArchive {
    /// Returns the name of the program that created an archive, or nil if the file is not an archive.
    static func creator(of file: RecordingFile) -> String? {
        file.value?["log"]?["entries"]?.array == nil ? nil : file.value?["log"]?["creator"]?["name"]?.text
    }

    /// Returns the entries in chronological order, with all fields that HAR requires.
    ///
    /// Each entry also contains the custom fields of the log.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - adjust: A function that corrects the tool's deviations from HAR.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location, or the error that `adjust` throws.
    static func entries(
        of file: RecordingFile, adjust: (inout HAR.Entry, RecordedValue) throws(HARError) -> Void
    ) throws(HARError) -> [HAR.Entry] {
        let log = try file.content().required("log")
        let common = (log.value.object?.members ?? []).filter { $0.name.text.hasPrefix("_") }
        var entries: [HAR.Entry] = []
        for value in try log.required("entries").elements() {
            var entry = HAR.Entry(fields: try value.object())
            _ = try value.required("request").required("url").text()
            _ = try value.required("response").required("status").int()
            if entry.startedDate == nil {
                throw try value.required("startedDateTime").error(RecordedValue.invalidDate)
            }
            if entry["cache"]?.object == nil { entry.cache = HAR.Cache() }
            if entry["time"] == nil { entry.time = 0 }
            if entry["timings"]?.object == nil { entry.timings = HAR.Timings(send: 0, wait: entry.time, receive: 0) }
            entry.fields.members += common
            if entry.response.httpVersion.isEmpty { entry.response.httpVersion = entry.request.httpVersion }
            complete(&entry.response)
            try adjust(&entry, value)
            entries.append(entry)
        }
        return [entries].mergedByTime
    }

    /// Adds missing required fields to a response, and renames the cookie field `sameSite`, which HAR does not define.
    private static func complete(_ response: inout HAR.Response) {
        if response.content["size"] == nil { response.content.size = response.content.text == nil ? 0 : nil }
        if response.content["mimeType"] == nil { response.content.mimeType = "x-unknown" }
        guard response.cookies.contains(where: { $0["sameSite"] != nil }) else { return }
        response.cookies = response.cookies.map { cookie in
            var cookie = cookie
            if let sameSite = cookie["sameSite"] { cookie["_sameSite"] = sameSite }
            cookie["sameSite"] = nil
            return cookie
        }
    }
}

/// Archives of Replay, a library by Mattt.
///
/// These HAR files have times in whole milliseconds. The entry of a redirected request contains the final response.
package enum ReplayArchive: RecordingFormat {
    package static let name = "replay"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        RecordedArchive.creator(of: file)?.hasPrefix("Replay") ?? false
    }

    /// Returns the entries in chronological order.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        try RecordedArchive.entries(of: file) { entry, _ in
            // Binary request bodies are stored as Base64. Only the body size distinguishes them from text.
            guard let text = entry.request.postData?.text, let size = entry.request.bodySize,
                text.utf8.count != size, Data(base64Encoded: text)?.count == size
            else { return }
            entry.request.postData?["_encoding"] = "base64"
        }
    }
}

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
        return try RecordedArchive.entries(of: file) { _, _ in }
    }
}
